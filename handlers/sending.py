"""The one place that talks to Telegram: sends and edits posts, and answers presses (D4).

"Not modified" and "query is too old" mean that there is nothing left to do; a message that
cannot be edited any more is sent anew; HTML that Telegram cannot parse is sent as plain text.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import Any, cast

from telegram import Bot, CallbackQuery
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter
from telegram.request import RequestData

from handlers.context import Posts
from handlers.reply import Button, Post, Reply, as_text

_HTML = "HTML"
_NO_PREVIEW = {"is_disabled": True}
_LONGEST_WAIT = 60.0
_UNCHANGED = ("not modified",)
_NOT_EDITABLE = ("message to edit not found", "can't be edited", "message_id_invalid")
_OLD_QUERY = ("query is too old", "query id is invalid")


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of posts: (dialog id, message id) of those with a dialog, and the refused."""

    sent: tuple[tuple[str, int], ...]
    refused: tuple[Post, ...]


async def deliver(bot: Bot, posts: Posts) -> Delivery:
    """Send every post in order.

    Where the bot may not write, one stand-in is sent, however many posts there were (G2).
    """
    sent: list[tuple[str, int]] = []
    refused: list[Post] = []
    for post in posts:
        message = await _patiently(bot, post)
        if not message:
            refused.append(post)
        elif post.dialog:
            sent.append((post.dialog, message))
    instead = [post.otherwise for post in refused if post.otherwise]
    if instead:
        await _patiently(bot, instead[-1])
    return Delivery(tuple(sent), tuple(refused))


async def _patiently(bot: Bot, post: Post) -> int:
    """Wait once as long as Telegram asks for."""
    try:
        return await _post(bot, post)
    except RetryAfter as error:
        wait = error.retry_after
        seconds = wait if isinstance(wait, int) else wait.total_seconds()
        await asyncio.sleep(min(float(seconds), _LONGEST_WAIT))
        return await _post(bot, post)


async def _post(bot: Bot, post: Post) -> int:
    """The id of the message now showing the post, 0 when the bot may not write there."""
    try:
        return await _formatted(bot, post)
    except ChatMigrated as error:
        return await _formatted(bot, replace(post, chat=error.new_chat_id))
    except Forbidden:
        return 0


async def _formatted(bot: Bot, post: Post) -> int:
    try:
        return await _placed(bot, post, _HTML)
    except BadRequest as error:
        if "can't parse entities" not in error.message.lower():
            raise
        bare = replace(post.reply, html=as_text(post.reply.html))
        return await _placed(bot, replace(post, reply=bare), None)


async def _placed(bot: Bot, post: Post, mode: str | None) -> int:
    if not post.edit:
        return await _send(bot, post, mode)
    try:
        await _edit(bot, post, mode)
    except BadRequest as error:
        if _says(error, _NOT_EDITABLE):
            return await _send(bot, post, mode)
        if not _says(error, _UNCHANGED):
            raise
    return post.edit


async def _send(bot: Bot, post: Post, mode: str | None) -> int:
    fields = _fields(post, mode)
    if post.topic:
        fields["message_thread_id"] = post.topic
    if post.quiet:
        fields["disable_notification"] = True
    if post.answering:
        fields["reply_parameters"] = {
            "message_id": post.answering,
            "allow_sending_without_reply": True,
        }
    message = await _call(bot, "sendMessage", fields)
    return int(message["message_id"])


async def _edit(bot: Bot, post: Post, mode: str | None) -> None:
    await _call(bot, "editMessageText", {**_fields(post, mode), "message_id": post.edit})


async def _call(bot: Bot, method: str, values: dict[str, Any]) -> Any:
    """Call a method with plain JSON, which costs far less than the library's objects."""
    data = cast(RequestData, Fields(values))
    return await bot.request.post(f"{bot.base_url}/{method}", data)


@dataclass(frozen=True, slots=True)
class Fields:
    """The parameters of one call; request classes read it like the library's `RequestData`."""

    parameters: dict[str, Any]
    contains_files: bool = False

    @property
    def json_parameters(self) -> dict[str, str]:
        """Every value as text, JSON where it is none."""
        return {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in self.parameters.items()
        }


def _fields(post: Post, mode: str | None) -> dict[str, Any]:
    fields = {
        "chat_id": post.chat,
        "text": post.reply.html,
        "parse_mode": mode,
        "reply_markup": _markup(post.reply),
        "link_preview_options": _NO_PREVIEW,
    }
    return {name: value for name, value in fields.items() if value is not None}


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
    return {"text": button.text, **action}


async def answer_press(query: CallbackQuery, alert: str = "") -> None:
    """Stop the button's spinner, with an alert where something is refused (D3, D4)."""
    try:
        await query.answer(alert[:200] or None, show_alert=bool(alert))
    except BadRequest as error:
        if not _says(error, _OLD_QUERY):
            raise


async def strip_buttons(query: CallbackQuery) -> None:
    """Take the keyboard off a message whose question is over (D4)."""
    try:
        await query.edit_message_reply_markup(None)
    except (BadRequest, Forbidden):
        return
