"""Updates as Telegram hands them out: one long poll, its answer as raw values or an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeGuard
from urllib.parse import urlencode

from bot.transport import AiohttpRequest
from memory.inbox import Incoming

ALLOWED = ("message", "edited_message", "callback_query", "my_chat_member", "chat_member")
_GRACE_SECONDS = 10.0
_NAMES = frozenset({"first_name", "last_name", "username"})
_FIRST_SIGN = "\u2e80"
_STRUCTURAL = frozenset(
    {"type", "id", "data", "chat_instance", "language_code", "status", "source", "mime_type"}
    | {"file_id", "file_unique_id", "inline_message_id", "media_group_id", "custom_emoji_id"}
)
"""What no person writes; every other string of an update is looked at before it is stored."""

_IDS = 1 << 63
_LONGEST = 4097


class FeedError(Exception):
    """A poll that brought no updates.

    Args:
        status: the HTTP status.
        retry_after: seconds to wait, 0 when the server did not say.
    """

    def __init__(self, status: int, retry_after: float = 0) -> None:
        super().__init__(f"getUpdates answered {status}")
        self.status = status
        self.retry_after = retry_after


class Feed:
    """The getUpdates method of one bot, answers kept raw so that one bad update harms no other.

    Args:
        request: the connection, initialized by the caller.
        url: the bot's base address, token included.
        hold: seconds a poll is held when there is nothing new.
    """

    def __init__(self, request: AiohttpRequest, url: str, hold: int) -> None:
        self._request = request
        self._url = url
        self._hold = hold

    async def poll(self, offset: int) -> list[dict[str, Any]]:
        """The updates from ``offset`` on; asking for them forgets all below it.

        Raises:
            FeedError: the server refused, or what answered is no Bot API.
            telegram.error.NetworkError: it was not reached.
        """
        query = urlencode(
            {"offset": offset, "timeout": self._hold, "allowed_updates": json.dumps(ALLOWED)}
        )
        status, body = await self._request.do_request(
            f"{self._url}/getUpdates?{query}", "GET", read_timeout=self._hold + _GRACE_SECONDS
        )
        if status != 200:
            raise FeedError(status, _retry_after(body))
        return _result(body)


def _result(body: bytes) -> list[dict[str, Any]]:
    try:
        result = json.loads(body)["result"]
    except (ValueError, KeyError, TypeError):
        raise FeedError(200) from None
    if not isinstance(result, list):
        raise FeedError(200)
    return result


def _retry_after(body: bytes) -> float:
    try:
        return float(json.loads(body)["parameters"]["retry_after"])
    except (ValueError, KeyError, TypeError):
        return 0


@dataclass(frozen=True, slots=True)
class Arrival:
    """One update as it came: its id, the chat it is ordered by, and everything else."""

    update_id: int
    queue: int
    content: dict[str, Any]


def arrival(update: object) -> Arrival | None:
    """An update with what is needed to take it in; None when its id is no positive whole number.

    Whatever else is wrong with an update is found when it is handled: then it is stepped over.
    """
    if not isinstance(update, dict):
        return None
    number = update.get("update_id")
    if not _is_id(number) or number <= 0:
        return None
    return Arrival(number, _queue(update), update)


def row(arrived: Arrival, blank: Callable[[str], str]) -> Incoming:
    """What the inbox holds of an arrival.

    Args:
        blank: takes the secret parts out of a text before it is stored (W6). It is not asked
            about more than Telegram's longest message: the rest of a longer one is cut off.
    """
    body = json.dumps(_blanked(arrived.content, blank)).encode("ascii")
    return Incoming(arrived.update_id, arrived.queue, body)


def sender(arrived: Arrival) -> tuple[int, str]:
    """Who sent it and their language code; 0 and "" where that is not known."""
    for content in arrived.content.values():
        person = content.get("from") if isinstance(content, dict) else None
        if isinstance(person, dict):
            return _id(person), str(person.get("language_code") or "")
    return 0, ""


def _queue(update: dict[str, Any]) -> int:
    """The chat an update happened in, else the private chat of its sender; 0 without either."""
    for content in update.values():
        if isinstance(content, dict):
            places = (content, content.get("message"))
            chats = (place.get("chat") for place in places if isinstance(place, dict))
            found = (_id(chat) for chat in (*chats, content.get("from")))
            return next(filter(None, found), 0)
    return 0


def _id(value: object) -> int:
    number = value.get("id") if isinstance(value, dict) else None
    return number if _is_id(number) else 0


def _is_id(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number that a column holds."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _IDS


def _blanked(value: Any, blank: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return blank(value[:_LONGEST])
    if isinstance(value, list):
        return [_blanked(v, blank) for v in value]
    if not isinstance(value, dict):
        return value
    return {
        key: v if _is_plain(key, v) else _blanked(v, blank)
        for key, v in value.items()
        if key != "reply_markup"
    }


def _is_plain(key: str, value: object) -> bool:
    """Whether a value holds nothing that a person wrote, or a name that is one word."""
    if not isinstance(value, str):
        return not isinstance(value, dict | list)
    is_name = key in _NAMES and value.isalpha() and max(value) < _FIRST_SIGN
    return key in _STRUCTURAL or is_name
