"""Order within a chat, chats side by side, and a bound on how many at once (W4)."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from memory.inbox import Incoming


class Lanes:
    """One queue a chat; the first update of each waits for a free place.

    Args:
        work: handles one update; it must not raise.
        parallel: how many chats are served at once.
        ready: waits until a chat's next update may be handled; it takes no place meanwhile.
    """

    def __init__(
        self,
        work: Callable[[Incoming], Awaitable[None]],
        parallel: int,
        ready: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._work, self._ready = work, ready
        self._places = asyncio.Semaphore(parallel)
        self._lanes: dict[int, deque[Incoming]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._handled = asyncio.Event()
        self.waiting = 0
        """How many updates of all chats wait or are being handled."""

    def put(self, update: Incoming) -> None:
        """Queue an update behind the earlier ones of its chat."""
        self.waiting += 1
        lane = self._lanes.get(update.queue)
        if lane is not None:
            lane.append(update)
            return
        self._lanes[update.queue] = deque([update])
        task = asyncio.create_task(self._serve(update.queue))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def depth(self, queue: int) -> int:
        """How many updates of one chat wait or are being handled."""
        return len(self._lanes.get(queue, ()))

    async def room(self, is_there: Callable[[], bool], patience: float | None = None) -> None:
        """Wait until there is room, at most ``patience`` seconds; None waits for ever.

        Args:
            is_there: looked at now and each time that an update was handled.
        """
        if is_there():
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not is_there():
                    self._handled.clear()
                    await self._handled.wait()

    async def settle(self) -> None:
        """Wait until every queued update is handled."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _serve(self, queue: int) -> None:
        lane = self._lanes[queue]
        while lane:
            if self._ready is not None:
                await self._ready(queue)
            async with self._places:
                await self._work(lane[0])
            lane.popleft()
            self.waiting -= 1
            self._handled.set()
        del self._lanes[queue]
