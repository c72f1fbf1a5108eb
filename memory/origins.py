"""Which operations came from a message that a person wrote."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from memory.database import Database, Prepared
from memory.tables import JOURNAL

_STANDING = Prepared(
    select(JOURNAL.c.op)
    .where(
        JOURNAL.c.user == bindparam("user"),
        JOURNAL.c.standing > 0,
        JOURNAL.c.chat == bindparam("chat"),
        JOURNAL.c.message == bindparam("message"),
        JOURNAL.c.status == "done",
    )
    .order_by(JOURNAL.c.seq)
)


class Origins:
    """The way back from a message to what it changed."""

    _database: Database

    def operations_from(self, user: int, chat: int, message: int) -> tuple[str, ...]:
        """The ids of a message's operations that can still be undone, oldest first."""
        found = self._database.ask(_STANDING, user=user, chat=chat, message=message)
        return tuple(str(op) for (op,) in found)
