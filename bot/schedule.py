"""What happens by itself: once a day a quiet word about questions that still wait (D6)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

EVERY_SECONDS = 900.0

Sleep = Callable[[float], Awaitable[None]]


async def regularly(work: Callable[[], Awaitable[None]], sleep: Sleep = asyncio.sleep) -> None:
    """Do the work every quarter of an hour until cancelled, beginning after the first one.

    Args:
        work: must not raise; it decides by itself whether anything is due.
        sleep: waits so many seconds.
    """
    while True:
        await sleep(EVERY_SECONDS)
        await work()
