"""How fast Telegram lets a bot speak, kept before it has to say so (B23).

Telegram publishes advice only: about one message a second in a chat, 20 a minute in a group,
30 a second in all; short bursts pass. An edit counts as a message.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

_TICK: Final = 0.001
_UNKNOWN: Final = 0.05
_MANY: Final = 1000


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``count`` messages in any ``seconds``."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What one chat, one group and all chats together may get.

    A chat may get five messages at once, and never more than one a second over five seconds.
    """

    chat: Rate = Rate(5, 5.0)
    group: Rate = Rate(20, 60.0)
    whole: Rate = Rate(30, 1.0)


TELEGRAM: Final = Limits()


@dataclass
class Window:
    """The messages of the last seconds.

    One counts from the moment its call begins until ``rate.seconds`` after the call has ended:
    Telegram counts it somewhere between.
    """

    rate: Rate
    under_way: int = 0
    ended: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Seconds until the next message may go, 0 when it may go now."""
        self._forget(now)
        if len(self.ended) + self.under_way < self.rate.count:
            return 0.0
        return self.ended[0] + self.rate.seconds - now + _TICK if self.ended else _UNKNOWN

    def begin(self) -> None:
        """A call begins."""
        self.under_way += 1

    def end(self, now: float) -> None:
        """A call has ended, well or not."""
        self.under_way -= 1
        self.ended.append(now)

    def idle(self, now: float) -> bool:
        """Whether nothing is counted any more."""
        self._forget(now)
        return not (self.ended or self.under_way)

    def _forget(self, now: float) -> None:
        while self.ended and self.ended[0] <= now - self.rate.seconds:
            self.ended.popleft()


class Pace:
    """Lets one call after another through, each chat at its own pace.

    Args:
        limits: None lets everything through, for a server without limits.
        clock: seconds that only grow.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        limits: Limits | None,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._limits, self._clock, self.sleep = limits, clock, sleep
        self._whole = Window(limits.whole if limits else TELEGRAM.whole)
        self._chats: dict[int, tuple[Window, ...]] = {}
        self._line = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, chat: int) -> AsyncIterator[None]:
        """Wait for the chat's turn; the call is made inside.

        A chat that has to wait for itself keeps nobody back; who may go goes in the order of
        asking, so that a busy chat takes no more than its share.
        """
        if self._limits is None:
            yield
            return
        own = self._windows(chat, self._limits)
        await self._free(*own)
        async with self._line:
            await self._free(self._whole)
            counted = (*own, self._whole)
            for window in counted:
                window.begin()
        try:
            yield
        finally:
            for window in counted:
                window.end(self._clock())

    async def _free(self, *windows: Window) -> None:
        while wait := max(window.wait(self._clock()) for window in windows):
            await self.sleep(wait)

    def _windows(self, chat: int, limits: Limits) -> tuple[Window, ...]:
        if chat not in self._chats:
            if len(self._chats) >= _MANY:
                self._sweep()
            group = (Window(limits.group),) if chat < 0 else ()
            self._chats[chat] = (Window(limits.chat), *group)
        return self._chats[chat]

    def _sweep(self) -> None:
        """Forget the chats that were quiet for as long as they are limited."""
        now = self._clock()
        idle = [c for c, windows in self._chats.items() if all(w.idle(now) for w in windows)]
        for chat in idle:
            del self._chats[chat]
