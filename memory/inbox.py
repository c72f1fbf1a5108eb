"""Updates as opaque bytes, in order per queue, each taken in once (W4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.database import Database, Prepared
from memory.tables import INBOX

NOT_TAKEN: Final = b""
"""The body of an update that is only marked as seen, and whose sender is not told of it yet."""

PAGE: Final = 500

_ACCEPT = Prepared(insert(INBOX).on_conflict_do_nothing(), "update_id", "queue", "body")
_LAST = select(INBOX.c.seq).where(INBOX.c.update_id == bindparam("last")).scalar_subquery()
_OPEN = INBOX.c.body.is_not(None)
_WAITING = Prepared(
    select(INBOX.c.update_id, INBOX.c.queue, INBOX.c.body)
    .where(_OPEN, INBOX.c.body != bindparam("none"), INBOX.c.seq > func.coalesce(_LAST, 0))
    .order_by(INBOX.c.seq)
    .limit(bindparam("most"))
)
_FINISH = Prepared(update(INBOX).where(INBOX.c.update_id == bindparam("done")).values(body=None))
_TURNED_AWAY = Prepared(
    select(INBOX.c.queue, func.count())
    .where(_OPEN, INBOX.c.body == bindparam("none"))
    .group_by(INBOX.c.queue)
)
_OLDEST = (
    select(INBOX.c.seq)
    .where(_OPEN, INBOX.c.body == bindparam("none"), INBOX.c.queue == bindparam("chat"))
    .order_by(INBOX.c.seq)
    .limit(bindparam("most"))
)
_MENTION = Prepared(update(INBOX).where(INBOX.c.seq.in_(_OLDEST)).values(body=None))


@dataclass(frozen=True, slots=True)
class Incoming:
    """One update: ``queue`` is what orders it (a chat), ``body`` is opaque or `NOT_TAKEN`."""

    update_id: int
    queue: int
    body: bytes


class Inbox:
    """The queue of updates and the set of seen ids."""

    _database: Database

    def accept(self, updates: Sequence[Incoming]) -> tuple[int, ...]:
        """Store updates in one commit; returns the ids that were new, in order.

        An id that was accepted before, finished or not, is ignored; ids need not grow. One with
        the body `NOT_TAKEN` is only seen, and counted by `turned_away` until `mention`.
        """
        rows = [(_ACCEPT, asdict(each)) for each in updates]
        added = self._database.write(rows)
        return tuple(each.update_id for each, new in zip(updates, added, strict=True) if new)

    def waiting(self, after: int = 0, most: int = PAGE) -> tuple[Incoming, ...]:
        """A page of the updates that are not finished, in the order of arrival.

        Args:
            after: the last id of the page before, 0 for the first page.
            most: how many at once.
        """
        found = self._database.ask(_WAITING, last=after, most=most, none=NOT_TAKEN)
        return tuple(Incoming(*row) for row in found)

    def finish(self, *update_ids: int) -> None:
        """Blank the bodies of updates in one commit; their ids stay seen."""
        self._database.write([(_FINISH, {"done": each}) for each in update_ids])

    def turned_away(self) -> dict[int, int]:
        """For each queue, how many updates were not taken and nobody was told of."""
        return dict(self._database.ask(_TURNED_AWAY, none=NOT_TAKEN))

    def mention(self, queue: int, count: int) -> None:
        """Note that a queue was told of its oldest ``count`` updates that were not taken."""
        self._database.write([(_MENTION, {"chat": queue, "most": count, "none": NOT_TAKEN})])
