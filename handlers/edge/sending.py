"""The one place that talks to Telegram: sends and edits posts, and answers presses (D4).

"Not modified" and "query is too old" mean that there is nothing left to do; a message that
cannot be edited any more is sent anew; HTML that Telegram cannot parse is sent as plain text;
a topic that is closed or gone gives way to General.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

from telegram import Bot, CallbackQuery
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter, TelegramError
from telegram.request import RequestData

from handlers.edge.pace import Pace
from handlers.messages.reply import Button, Post, Reply, as_text

log = logging.getLogger("pomnenka.handlers")

Files = Mapping[str, tuple[str, bytes, str]]
"""Uploads by the name of their field: file name, content and kind."""

NO_FILES: Files = MappingProxyType({})

_HTML = "HTML"
_PHOTO, _FILE_NAME = "photo", "pomnenka.png"
_NO_PREVIEW = {"is_disabled": True}
_UNPARSED = ("can't parse entities",)
_UNCHANGED = ("not modified",)
_NOT_EDITABLE = ("message to edit not found", "can't be edited", "message_id_invalid")
_NO_TOPIC = ("topic_closed", "topic_deleted", "message thread not found")
_BARRED = (
    "chat not found",
    "peer_id_invalid",
    "no rights to send",
    "not enough rights",
    "chat_write_forbidden",
    "chat_send_plain_forbidden",
)
_OLD_QUERY = ("query is too old", "query id is invalid")
_QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True, slots=True)
class Sent:
    """The id of the message that shows the post now."""

    message: int


@dataclass(frozen=True, slots=True)
class Later:
    """Telegram asked to wait so many seconds, or (0) was not reached or not well."""

    seconds: float
    cause: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The group has become a supergroup with this id."""

    chat: int


@dataclass(frozen=True, slots=True)
class Barred:
    """The bot may not write there."""


@dataclass(frozen=True, slots=True)
class Homeless:
    """Neither the topic nor General takes messages."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Telegram will never take the post."""

    cause: str


Fate = Sent | Later | Moved | Barred | Homeless | Unfit


@dataclass(frozen=True, slots=True)
class Wire:
    """The way to Telegram: every call that shows something waits for its turn."""

    bot: Bot
    pace: Pace

    async def call(self, method: str, values: dict[str, Any], files: Files = NO_FILES) -> Any:
        """Call a method with plain JSON, which costs far less than the library's objects."""
        data = cast(RequestData, Fields(values, files))
        async with self.pace.turn(values["chat_id"]):
            return await self.bot.request.post(f"{self.bot.base_url}/{method}", data)


async def attempt(wire: Wire, post: Post) -> Fate:
    """Try once to show a post, and say what became of it; no error of Telegram's is raised."""
    try:
        return Sent(await _post(wire, post))
    except RetryAfter as error:
        return Later(asked_wait(error), "RetryAfter")
    except ChatMigrated as error:
        return Moved(error.new_chat_id)
    except Forbidden:
        return Barred()
    except BadRequest as error:
        return _refusal(error)
    except TelegramError as error:
        return Later(0, type(error).__name__)


def asked_wait(error: RetryAfter) -> float:
    """How many seconds Telegram asks to wait."""
    wait = error.retry_after
    return float(wait) if isinstance(wait, int) else wait.total_seconds()


def _refusal(error: BadRequest) -> Fate:
    if _says(error, _BARRED):
        return Barred()
    if _says(error, _NO_TOPIC):
        return Homeless()
    return Unfit(_QUOTED.sub("…", error.message))


async def _post(wire: Wire, post: Post) -> int:
    try:
        return await _formatted(wire, post)
    except BadRequest as error:
        if not (post.topic and _says(error, _NO_TOPIC)):
            raise
        return await _formatted(wire, replace(post, topic=0, answering=0))


async def _formatted(wire: Wire, post: Post) -> int:
    try:
        return await _placed(wire, post, _HTML)
    except BadRequest as error:
        if not _says(error, _UNPARSED):
            raise
        bare = replace(post.reply, html=as_text(post.reply.html))
        return await _placed(wire, replace(post, reply=bare), None)


async def _placed(wire: Wire, post: Post, mode: str | None) -> int:
    if not post.edit or post.reply.picture:
        return await _send(wire, post, mode)
    try:
        await wire.call("editMessageText", {**_fields(post, mode), "message_id": post.edit})
    except BadRequest as error:
        if _says(error, _NOT_EDITABLE):
            return await _send(wire, post, mode)
        if not _says(error, _UNCHANGED):
            raise
    return post.edit


async def _send(wire: Wire, post: Post, mode: str | None) -> int:
    fields = _fields(post, mode)
    if post.topic > 1:
        fields["message_thread_id"] = post.topic
    if post.quiet:
        fields["disable_notification"] = True
    if post.answering:
        fields["reply_parameters"] = {
            "message_id": post.answering,
            "allow_sending_without_reply": True,
        }
    method = "sendPhoto" if post.reply.picture else "sendMessage"
    message = await wire.call(method, fields, _files(post))
    return int(message["message_id"])


def _files(post: Post) -> Files:
    picture = post.reply.picture
    return {_PHOTO: (_FILE_NAME, picture, "image/png")} if picture else {}


@dataclass(frozen=True, slots=True)
class Fields:
    """The parameters of one call; request classes read it like the library's `RequestData`."""

    parameters: dict[str, Any]
    multipart_data: Files = field(default_factory=dict)

    @property
    def contains_files(self) -> bool:
        """Whether something is uploaded with it."""
        return bool(self.multipart_data)

    @property
    def json_parameters(self) -> dict[str, str]:
        """Every value as text, JSON where it is none."""
        return {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in self.parameters.items()
        }


def _fields(post: Post, mode: str | None) -> dict[str, Any]:
    text = _printable(post.reply.html)
    drawn = {"caption": text}
    written = {"text": text, "link_preview_options": _NO_PREVIEW}
    fields = {
        "chat_id": post.chat,
        "parse_mode": mode,
        "reply_markup": _markup(post.reply),
        **(drawn if post.reply.picture else written),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _printable(text: str) -> str:
    """Text that can be sent as UTF-8: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _says(error: BadRequest, phrases: tuple[str, ...]) -> bool:
    return any(phrase in error.message.lower() for phrase in phrases)


def _markup(reply: Reply) -> dict[str, Any] | None:
    if reply.placeholder:
        return {"force_reply": True, "input_field_placeholder": reply.placeholder[:64]}
    if not reply.buttons:
        return None
    return {"inline_keyboard": [[_button(b) for b in row] for row in reply.buttons]}


def _button(button: Button) -> dict[str, str]:
    action = {"url": button.url} if button.url else {"callback_data": button.data}
    return {"text": _printable(button.text), **action}


async def answer_press(query: CallbackQuery, alert: str = "") -> None:
    """Stop the button's spinner, with an alert where something is refused (D3, D4).

    A spinner that cannot be stopped keeps nobody from doing what was asked for.
    """
    try:
        await query.answer(alert[:200] or None, show_alert=bool(alert))
    except TelegramError as error:
        if not (isinstance(error, BadRequest) and _says(error, _OLD_QUERY)):
            log.warning("no answer to a press", extra={"facts": {"cause": type(error).__name__}})


async def strip_buttons(wire: Wire, chat: int, message: int) -> None:
    """Take the keyboard off a message whose question is over (D4)."""
    try:
        await wire.call("editMessageReplyMarkup", {"chat_id": chat, "message_id": message})
    except TelegramError:
        return
