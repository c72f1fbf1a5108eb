"""The update loop: what arrives is committed to the inbox before Telegram may forget it (B1)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from telegram.error import NetworkError

from bot.feed import Arrival, Feed, FeedError, arrival
from memory.errors import StateError

log = logging.getLogger("pomnenka.polling")

TRIES_WITH_A_REFUSED_TOKEN = 3
CONFLICT, ALARM_SECONDS = 409, 60.0
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0

Take = Callable[[Sequence[Arrival]], Awaitable[None]]


class TokenRefusedError(Exception):
    """The server does not know the token; polling cannot go on."""


class Poller:
    """Polls for ever, and says when it cannot.

    Args:
        feed: where updates come from.
        take: takes updates in, and comes back when they are committed.
        sleep: waits so many seconds before the next try.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        feed: Feed,
        take: Take,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed, self._take = feed, take
        self._sleep, self._clock = sleep, clock
        self._offset = 0
        self._failures = 0
        self._conflict: float | None = None

    async def run(self) -> None:
        """Poll until cancelled; what could not be committed is asked for again.

        Raises:
            TokenRefusedError: 401 or 404 several times in a row; the process should end.
        """
        while True:
            try:
                await self._round()
                self._failures, self._conflict = 0, None
            except FeedError as error:
                await self._wait(error.status, error.retry_after)
            except (NetworkError, StateError) as error:
                await self._wait(type(error).__name__)

    async def _round(self) -> None:
        """One poll. The offset follows the batch, also downwards: ids may jump (W4)."""
        updates = await self._feed.poll(self._offset)
        arrivals = [found for found in map(arrival, updates) if found]
        if arrivals:
            await self._take(arrivals)
            self._offset = arrivals[-1].update_id + 1
        elif updates:
            self._offset += 1

    async def _wait(self, cause: int | str, asked: float = 0) -> None:
        self._failures += 1
        if cause in (401, 404) and self._failures >= TRIES_WITH_A_REFUSED_TOKEN:
            raise TokenRefusedError
        seconds = asked or min(_FIRST_WAIT * 2**self._failures, _LONGEST_WAIT)
        if cause == CONFLICT:
            self._note_conflict()
        else:
            log.warning("no updates", extra={"facts": {"cause": cause, "retry_in": seconds}})
        await self._sleep(seconds)

    def _note_conflict(self) -> None:
        """Say once that somebody else polls, and once more, louder, when that does not end (R8)."""
        now = self._clock()
        if self._conflict is None:
            self._conflict = now
            log.warning("another program polls with this token")
        elif now - self._conflict > ALARM_SECONDS:
            self._conflict = float("inf")
            log.error("another program keeps polling with this token; only one may run")
