"""The audit, read back: who changed what, when, by which way, and what came of it (M6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, select

from memory.database import Database, Prepared
from memory.tables import AUDIT

_OF = Prepared(
    select(
        AUDIT.c.op,
        AUDIT.c.user,
        AUDIT.c.chat,
        AUDIT.c.message,
        AUDIT.c.source,
        AUDIT.c.result,
        AUDIT.c.at,
        AUDIT.c.before,
        AUDIT.c.after,
    )
    .where(AUDIT.c.document == bindparam("subject"))
    .order_by(AUDIT.c.seq.desc())
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class Audited:
    """One write.

    ``op`` is the operation in the journal, which tells the lines for 30 days. ``user`` is 0 for
    a change by another program; ``result`` is ``done``, or why it failed. ``before`` and
    ``after`` are digests, "" where nothing stood.
    """

    op: str
    user: int
    chat: int
    message: int
    source: str
    result: str
    at: datetime
    before: str
    after: str


class Trail:
    """Every write that was done or failed, in the state for good."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, subject: str, most: int) -> tuple[Audited, ...]:
        """The last writes of a document (`DocumentRef.key`) or a value, newest first."""
        rows = self._database.ask(_OF, subject=subject, most=most)
        return tuple(_audited(*row) for row in rows)


def _audited(op: str, user: int, *rest: Any) -> Audited:
    chat, message, source, result, at, before, after = rest
    moment = datetime.fromtimestamp(at, UTC)
    return Audited(op, user, chat, message, source, result, moment, before, after)
