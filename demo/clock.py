"""The emulator's clock: real time plus what a test has added."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Clock:
    """Unix time that can be moved forward; sleepers wake when it passes their hour."""

    def __init__(self, base: Callable[[], float]) -> None:
        self._base = base
        self._ahead = 0.0
        self._sleepers: dict[asyncio.Future[None], float] = {}

    def now(self) -> float:
        """Seconds since 1970."""
        return self._base() + self._ahead

    def advance(self, seconds: float) -> float:
        """Move forward by ``seconds`` and wake whoever slept until then; returns the new time."""
        self._ahead += seconds
        now = self.now()
        for sleeper, hour in self._sleepers.items():
            if hour <= now and not sleeper.done():
                sleeper.set_result(None)
        return now

    async def sleep(self, seconds: float) -> None:
        """Wait until this clock, however it is moved, shows ``seconds`` more."""
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers[sleeper] = self.now() + seconds
        try:
            await asyncio.wait((sleeper,), timeout=seconds)
        finally:
            del self._sleepers[sleeper]
