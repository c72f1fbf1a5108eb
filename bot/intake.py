"""The way in: what arrives is gathered, committed together, and only then handed on (B1, W4).

While one commit runs, whoever comes meanwhile shares the next one: a wait for the disk is paid
once for all of them. A chat that has too many updates waiting is not served further; what is
over its bound is marked as seen without its content, and the chat is told (B23).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.feed import Arrival
from bot.lanes import Lanes
from memory.inbox import NOT_TAKEN, Incoming

PATIENCE_SECONDS = 10.0
"""How long an arrival waits for room among all chats, unless it can wait elsewhere."""

Store = Callable[[Sequence[Arrival | Incoming]], Awaitable[Sequence[Incoming]]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many updates may wait: of one chat, and of all chats together."""

    chat: int
    total: int


class Intake:
    """Takes arrivals in; safe to call from many tasks at once.

    Args:
        store: commits what it is given and answers the rows that were new, in order; what is
            an `Incoming` already is stored as it is.
        lanes: where a new row is handed on.
        bounds: how much may wait.
        turn_away: told of every new arrival that was over a bound, after the commit.
    """

    def __init__(
        self,
        store: Store,
        lanes: Lanes,
        bounds: Bounds,
        turn_away: Callable[[Arrival], None],
    ) -> None:
        self._store, self._lanes, self._bounds = store, lanes, bounds
        self._turn_away = turn_away
        self._coming = 0
        self._gathered: list[Arrival] = []
        self._next: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def take(
        self, arrivals: Sequence[Arrival], patience: float | None = PATIENCE_SECONDS
    ) -> None:
        """Come back when the arrivals are committed: they may be acknowledged now.

        Args:
            patience: seconds to wait for room among all chats before something is turned away;
                None waits as long as it takes.

        Raises:
            StateError: nothing of this group was stored; none may be acknowledged.
        """
        wanted = len(arrivals)
        await self._lanes.room(lambda: self._fits(wanted), patience)
        self._coming += wanted
        self._gathered += arrivals
        if self._next is None:
            self._next = asyncio.create_task(self._commit())
        await asyncio.shield(self._next)

    def _fits(self, wanted: int) -> bool:
        held = self._lanes.waiting + self._coming
        return held == 0 or held + wanted <= self._bounds.total

    async def settle(self) -> None:
        """Wait until everything that was gathered is committed."""
        if self._next is not None:
            await asyncio.gather(self._next, return_exceptions=True)
        async with self._one_at_a_time:
            return

    async def _commit(self) -> None:
        """Commit all that gathered while the commit before this one ran, and hand it on."""
        async with self._one_at_a_time:
            group, self._gathered, self._next = self._gathered, [], None
            try:
                self._hand_on(group, await self._store(tuple(self._admitted(group))))
            finally:
                self._coming -= len(group)

    def _hand_on(self, group: list[Arrival], new: Sequence[Incoming]) -> None:
        known = {arrival.update_id: arrival for arrival in group}
        for row in new:
            if row.body == NOT_TAKEN:
                self._turn_away(known[row.update_id])
            else:
                self._lanes.put(row)

    def _admitted(self, group: list[Arrival]) -> Iterator[Arrival | Incoming]:
        """The arrivals within the bounds as they are, the others without their content."""
        waiting = self._lanes.waiting
        chats: Counter[int] = Counter()
        for arrival in group:
            here = self._lanes.depth(arrival.queue) + chats[arrival.queue]
            if here < self._bounds.chat and waiting < self._bounds.total:
                chats[arrival.queue] += 1
                waiting += 1
                yield arrival
            else:
                yield Incoming(arrival.update_id, arrival.queue, NOT_TAKEN)
