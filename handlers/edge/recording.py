"""What happens to updates and posts, committed together so that many cost one commit (W4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from handlers.messages.reply import Post
from memory.errors import StateError
from memory.outbox import Outgoing, Progress

log = logging.getLogger("pomnenka.handlers")

PATIENCE_SECONDS = 0.05
"""How long a delivered post may wait for another commit; killed meanwhile, it is sent again."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A post with the row of the outbox that holds it.

    ``cause`` is the chat whose update it answers, 0 when that does not matter. An ``urgent``
    one goes before those of its chat that wait.
    """

    row: Outgoing
    post: Post
    cause: int = 0
    urgent: bool = False


@dataclass
class _Gathered:
    done: list[int] = field(default_factory=list)
    made: list[Parcel] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    shown: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not (self.done or self.made or self.gone or self.shown)

    def progress(self) -> Progress:
        """As it is committed."""
        return Progress(
            tuple(self.done),
            tuple(parcel.row for parcel in self.made),
            tuple(self.gone),
            tuple((dialog, message) for dialog, (message, _) in self.shown.items()),
        )


class Recorder:
    """Commits at once when idle, else all that gathered in the meantime.

    Args:
        commit: stores a progress, all or nothing.
        hand_on: gets the posts that may be sent now, and hears of every commit.
    """

    def __init__(
        self,
        commit: Callable[[Progress], Awaitable[None]],
        hand_on: Callable[[Sequence[Parcel]], None],
    ) -> None:
        self._commit, self._hand_on = commit, hand_on
        self._new, self._under_way = _Gathered(), _Gathered()
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def handled(self, update_ids: Sequence[int], parcels: Sequence[Parcel]) -> None:
        """Updates are over and their posts are to be sent, once both is stored."""
        self._new.done += update_ids
        self._new.made += parcels
        self._begin()

    def gone(self, parcel: Parcel, instead: Sequence[Parcel] = ()) -> None:
        """A post needs no sending any more, perhaps because of another one in its place."""
        self._new.gone.append(parcel.row.id)
        self._new.made += instead
        if instead:
            self._begin()
        elif self._task is None and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PATIENCE_SECONDS, self._begin)

    def shown(self, parcel: Parcel, message: int) -> None:
        """A post is delivered; a question is tied to its message without delay."""
        if parcel.post.dialog:
            self._new.shown[parcel.post.dialog] = message, parcel.row.chat
            self._begin()
        self.gone(parcel)

    def tying(self, chat: int) -> bool:
        """Whether a question that a chat can see is not tied to its message yet."""
        pending = (*self._new.shown.values(), *self._under_way.shown.values())
        return any(place == chat for _, place in pending)

    async def settle(self) -> None:
        """Wait until everything is committed."""
        self._begin()
        while self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is None:
            self._task = asyncio.create_task(self._commit_all())

    async def _commit_all(self) -> None:
        try:
            while not self._new.empty:
                batch = self._under_way = self._new
                self._new = _Gathered()
                stored = await self._stored(batch)
                self._under_way = _Gathered()
                self._hand_on(batch.made)
                if not (stored or self._new.made):
                    return
        finally:
            self._task = None

    async def _stored(self, batch: _Gathered) -> bool:
        """Commit; what could not be committed is owed, and tried again with the next change.

        Posts that cannot be stored are sent all the same: their update stays unfinished, and
        whoever waits is told what could not be done.
        """
        try:
            await self._commit(batch.progress())
        except StateError:
            facts = {"updates": len(batch.done), "posts": len(batch.made)}
            log.error("not stored", extra={"facts": facts})
            new = self._new
            new.done, new.gone = batch.done + new.done, batch.gone + new.gone
            new.shown = batch.shown | new.shown
            return False
        return True
