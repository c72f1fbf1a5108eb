"""Updates as opaque bytes, in order per queue, each taken in once (W4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.database import Database, Prepared
from memory.tables import INBOX

_ACCEPT = Prepared(insert(INBOX).on_conflict_do_nothing(), "update_id", "queue", "body")
_WAITING = (
    select(INBOX.c.update_id, INBOX.c.queue, INBOX.c.body)
    .where(INBOX.c.body.is_not(None))
    .order_by(INBOX.c.seq)
)
_FINISH = Prepared(update(INBOX).where(INBOX.c.update_id == bindparam("done")).values(body=None))


@dataclass(frozen=True, slots=True)
class Incoming:
    """One update: ``queue`` is what orders it (a chat), ``body`` is opaque."""

    update_id: int
    queue: int
    body: bytes


class Inbox:
    """The queue of updates and the set of seen ids."""

    _database: Database

    def accept(self, updates: Sequence[Incoming]) -> tuple[int, ...]:
        """Store updates in one commit; returns the ids that were new, in order.

        An id that was accepted before, finished or not, is ignored; ids need not grow.
        """
        rows = [(_ACCEPT, asdict(each)) for each in updates]
        added = self._database.write(rows)
        return tuple(each.update_id for each, new in zip(updates, added, strict=True) if new)

    def waiting(self) -> tuple[Incoming, ...]:
        """Every update that is not finished, in the order of arrival."""
        with self._database.reading() as connection:
            return tuple(Incoming(*row) for row in connection.execute(_WAITING))

    def finish(self, *update_ids: int) -> None:
        """Blank the bodies of updates in one commit; their ids stay seen."""
        self._database.write([(_FINISH, {"done": each}) for each in update_ids])
