"""How much there is, as numbers only: for those who run the bot (G6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BindParameter, Text, bindparam, case, cast, func, select

from memory.database import Database, Prepared
from memory.spaces import SpaceKind
from memory.tables import AUDIT, DOCUMENTS

_TEXT = cast(DOCUMENTS.c.body, Text)
_LINES = func.length(_TEXT) - func.length(func.replace(_TEXT, "\n", ""))
_UNENDED = case((_TEXT.like("%\n"), 0), (func.length(_TEXT) == 0, 0), else_=1)
_DOCUMENTS = Prepared(
    select(DOCUMENTS.c.document, _LINES + _UNENDED).where(DOCUMENTS.c.body.is_not(None))
)
_SINCE: BindParameter[float] = bindparam("since")
_WRITES = Prepared(
    select(func.count()).select_from(AUDIT).where(AUDIT.c.at >= _SINCE, AUDIT.c.result == "done")
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Spaces by their kind, the lines of their documents, and writes since a moment."""

    users: int
    channels: int
    groups: int
    lines: int
    writes: int


class Statistics:
    """Counts over the state; no text and no id leaves it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def numbers(self, since: datetime) -> Numbers:
        """The counts of this moment; ``since`` is where the writes are counted from."""
        rows = self._database.ask(_DOCUMENTS)
        spaces = {tuple(key.split("/", 2)[:2]) for key, _ in rows}
        kinds = [kind for kind, _ in spaces]
        writes = self._database.ask(_WRITES, since=since.timestamp())[0][0]
        return Numbers(
            kinds.count(SpaceKind.PERSONAL),
            kinds.count(SpaceKind.CHANNEL),
            kinds.count(SpaceKind.GROUP),
            sum(int(lines or 0) for _, lines in rows),
            int(writes),
        )
