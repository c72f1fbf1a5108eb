"""What a person chose, and what a person chose to keep."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.sqlite import insert

from memory.database import Database, Prepared
from memory.spaces import DocumentName, DocumentRef, Space
from memory.tables import DECLINED, PREFERENCES

_ASK = Prepared(
    select(PREFERENCES.c.value).where(
        PREFERENCES.c.owner == bindparam("owner"), PREFERENCES.c.key == bindparam("key")
    )
)
_adding = insert(PREFERENCES)
_PREFER = _adding.on_conflict_do_update(
    index_elements=[PREFERENCES.c.owner, PREFERENCES.c.key],
    set_={"value": _adding.excluded.value},
)
_declining = insert(DECLINED)
_DECLINE = _declining.on_conflict_do_update(
    index_elements=[DECLINED.c.document, DECLINED.c.line],
    set_={"at": _declining.excluded.at},
)
_DECLINED = select(DECLINED.c.line).where(
    DECLINED.c.document == bindparam("document"), DECLINED.c.at >= bindparam("since")
)


class Preferences:
    """Settings by owner (a person or a chat), and declined removals by document."""

    _database: Database

    def preference(self, owner: int, key: str, default: Any = None) -> Any:
        """A JSON value that was preferred before, else the default."""
        found = self._database.ask(_ASK, owner=owner, key=key)
        return json.loads(found[0][0]) if found else default

    def prefer(self, owner: int, key: str, value: Any) -> None:
        """Store a JSON value."""
        values = {"owner": owner, "key": key, "value": json.dumps(value, ensure_ascii=False)}
        with self._database.writing() as connection:
            connection.execute(_PREFER, values)

    def decline(
        self, space: Space, document: DocumentName, lines: Iterable[str], now: datetime
    ) -> None:
        """Remember lines (or any key made from them) that a person kept (C7)."""
        key = DocumentRef(space, document).key
        rows = [{"document": key, "line": line, "at": now.timestamp()} for line in lines]
        with self._database.writing() as connection:
            if rows:
                connection.execute(_DECLINE, rows)

    def declined(self, space: Space, document: DocumentName, since: datetime) -> frozenset[str]:
        """The lines kept at or after a moment."""
        key = DocumentRef(space, document).key
        values = {"document": key, "since": since.timestamp()}
        with self._database.reading() as connection:
            return frozenset(connection.execute(_DECLINED, values).scalars())
