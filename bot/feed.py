"""Updates as Telegram hands them out: one long poll, its answer as raw values or an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from bot.transport import AiohttpRequest
from memory.inbox import Incoming

ALLOWED = ("message", "edited_message", "callback_query", "my_chat_member")
_GRACE_SECONDS = 10.0
_SPOKEN = ("text", "caption")


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
            FeedError: the server refused. telegram.error.NetworkError: it was not reached.
        """
        query = urlencode(
            {"offset": offset, "timeout": self._hold, "allowed_updates": json.dumps(ALLOWED)}
        )
        status, body = await self._request.do_request(
            f"{self._url}/getUpdates?{query}", "GET", read_timeout=self._hold + _GRACE_SECONDS
        )
        if status != 200:
            raise FeedError(status, _retry_after(body))
        result: list[dict[str, Any]] = json.loads(body)["result"]
        return result


def _retry_after(body: bytes) -> float:
    try:
        return float(json.loads(body)["parameters"]["retry_after"])
    except (ValueError, KeyError, TypeError):
        return 0


def incoming(updates: Iterable[dict[str, Any]], blank: Callable[[str], str]) -> Iterator[Incoming]:
    """Rows for the inbox, in their chat's queue (W4).

    An update whose id is no positive whole number is left out.

    Args:
        blank: takes the secret parts out of a text before it is stored (W6).
    """
    for update in updates:
        number = update.get("update_id")
        if isinstance(number, int) and not isinstance(number, bool) and number > 0:
            body = json.dumps(_blanked(update, blank)).encode("ascii")
            yield Incoming(number, _queue(update), body)


def _queue(update: dict[str, Any]) -> int:
    """The id of the chat an update happened in; 0 for those without one."""
    for content in update.values():
        if isinstance(content, dict):
            chat = content.get("chat") or content.get("message", {}).get("chat") or {}
            return int(chat.get("id", 0))
    return 0


def _blanked(value: Any, blank: Callable[[str], str]) -> Any:
    if isinstance(value, list):
        return [_blanked(v, blank) for v in value]
    if not isinstance(value, dict):
        return value
    return {
        key: blank(v) if key in _SPOKEN and isinstance(v, str) else _blanked(v, blank)
        for key, v in value.items()
        if key != "reply_markup"
    }
