"""What happens by itself: a quiet word about questions that still wait (D6), backups (W8)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

EVERY_SECONDS = 900.0
TEND_SECONDS = 2.0
"""How often documents are looked after, so that late and lost lines come back soon (d.4)."""

RING_SECONDS = 10.0
"""How often reminders are looked for whose moment has come: within a minute of it (R7)."""

Sleep = Callable[[float], Awaitable[None]]


async def regularly(
    work: Callable[[], Awaitable[None]],
    sleep: Sleep = asyncio.sleep,
    at_once: bool = False,
    every: float = EVERY_SECONDS,
) -> None:
    """Do the work again and again until cancelled.

    Args:
        work: must not raise; it decides by itself whether anything is due.
        sleep: waits so many seconds.
        at_once: begin now and not after the first wait.
        every: seconds from the end of one to the beginning of the next.
    """
    if at_once:
        await work()
    while True:
        await sleep(every)
        await work()
