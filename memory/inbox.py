"""Updates as opaque bytes, in order per queue, each taken in once (W4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.database import Database
from memory.tables import INBOX

_ACCEPT = insert(INBOX).on_conflict_do_nothing()
_WAITING = (
    select(INBOX.c.update_id, INBOX.c.queue, INBOX.c.body)
    .where(INBOX.c.body.is_not(None))
    .order_by(INBOX.c.seq)
)
_FINISH = update(INBOX).where(INBOX.c.update_id == bindparam("done")).values(body=None)


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
        with self._database.writing() as connection:
            return tuple(
                each.update_id
                for each in updates
                if connection.execute(
                    _ACCEPT,
                    {"update_id": each.update_id, "queue": each.queue, "body": each.body},
                ).rowcount
            )

    def waiting(self) -> tuple[Incoming, ...]:
        """Every update that is not finished, in the order of arrival."""
        with self._database.reading() as connection:
            return tuple(Incoming(*row) for row in connection.execute(_WAITING))

    def finish(self, update_id: int) -> None:
        """Blank the body of an update; its id stays seen."""
        with self._database.writing() as connection:
            connection.execute(_FINISH, {"done": update_id})
