"""The update loop: what arrives is committed to the inbox before Telegram may forget it (B1)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from telegram.error import NetworkError

from bot.feed import Feed, FeedError
from memory.inbox import Incoming

log = logging.getLogger("pomnenka.polling")

TRIES_WITH_A_REFUSED_TOKEN = 3
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0

Read = Callable[[list[dict[str, Any]]], Iterable[Incoming]]
Accept = Callable[[Sequence[Incoming]], Awaitable[Sequence[int]]]


class TokenRefusedError(Exception):
    """The server does not know the token; polling cannot go on."""


class Poller:
    """Polls for ever, and says when it cannot.

    Args:
        feed: where updates come from.
        read: raw updates as rows for the inbox.
        accept: commits rows and answers the ids that were new.
        put: hands an accepted row on.
        sleep: waits so many seconds before the next try.
    """

    def __init__(
        self,
        feed: Feed,
        read: Read,
        accept: Accept,
        put: Callable[[Incoming], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._sleep = sleep
        self._feed = feed
        self._read = read
        self._accept = accept
        self._put = put
        self._offset = 0
        self._failures = 0

    async def run(self) -> None:
        """Poll until cancelled.

        Raises:
            TokenRefusedError: 401 or 404 several times in a row; the process should end.
        """
        while True:
            try:
                await self._round()
                self._failures = 0
            except FeedError as error:
                await self._wait(error.status, error.retry_after)
            except NetworkError as error:
                await self._wait(type(error).__name__)

    async def _round(self) -> None:
        updates = await self._feed.poll(self._offset)
        if not updates:
            return
        rows = tuple(self._read(updates))
        new = set(await self._accept(rows))
        for row in rows:
            if row.update_id in new:
                self._put(row)
        self._offset = max((row.update_id for row in rows), default=self._offset) + 1

    async def _wait(self, cause: int | str, asked: float = 0) -> None:
        self._failures += 1
        if cause in (401, 404) and self._failures >= TRIES_WITH_A_REFUSED_TOKEN:
            raise TokenRefusedError
        seconds = asked or min(_FIRST_WAIT * 2**self._failures, _LONGEST_WAIT)
        log.warning("no updates", extra={"facts": {"cause": cause, "retry_in": seconds}})
        await self._sleep(seconds)
