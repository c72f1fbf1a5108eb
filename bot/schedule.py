"""What happens by itself: a quiet word about questions that still wait (D6), backups (W8)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

EVERY_SECONDS = 900.0

Sleep = Callable[[float], Awaitable[None]]


async def regularly(
    work: Callable[[], Awaitable[None]], sleep: Sleep = asyncio.sleep, at_once: bool = False
) -> None:
    """Do the work every quarter of an hour until cancelled.

    Args:
        work: must not raise; it decides by itself whether anything is due.
        sleep: waits so many seconds.
        at_once: begin now and not after the first quarter of an hour.
    """
    if at_once:
        await work()
    while True:
        await sleep(EVERY_SECONDS)
        await work()
