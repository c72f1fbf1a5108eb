"""The documents as this program last left or saw them, and what people must be told (M6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from memory.database import Database, Prepared, Step
from memory.spaces import DocumentRef, ref_of
from memory.tables import AUDIT, DECLINED, DOCUMENTS, JOURNAL, NOTICES

_INSERT = upsert(DOCUMENTS)
_OF = DOCUMENTS.c.document == bindparam("document")
_KNOW = Prepared(
    _INSERT.on_conflict_do_update(
        index_elements=[DOCUMENTS.c.document],
        set_={name: _INSERT.excluded[name] for name in ("digest", "length", "body", "told")},
    ),
    "document",
    "digest",
    "length",
    "body",
    "told",
)
_MARK = Prepared(update(DOCUMENTS).where(_OF, DOCUMENTS.c.told != bindparam("found")), "told")
_KNOWN = Prepared(select(DOCUMENTS.c.digest, DOCUMENTS.c.length, DOCUMENTS.c.body).where(_OF))
_DIGEST = Prepared(select(DOCUMENTS.c.digest).where(_OF))
_ALL = Prepared(select(DOCUMENTS.c.document).order_by(DOCUMENTS.c.document))
_FORGET = Prepared(delete(DOCUMENTS).where(_OF))
_READDRESS = tuple(
    Prepared(
        update(table)
        .where(table.c.document == bindparam("old"))
        .values(document=bindparam("new"))
        .prefix_with("OR IGNORE")
    )
    for table in (DOCUMENTS, JOURNAL, AUDIT, DECLINED, NOTICES)
)
_TELL = Prepared(insert(NOTICES), "document", "kind", "body", "at")
_UNTOLD = Prepared(
    select(NOTICES.c.seq, NOTICES.c.document, NOTICES.c.kind, NOTICES.c.body, NOTICES.c.at)
    .order_by(NOTICES.c.seq)
    .limit(100)
)
_TOLD = Prepared(delete(NOTICES).where(NOTICES.c.seq == bindparam("which")))


@dataclass(frozen=True, slots=True)
class Known:
    """A document as it was last left or seen: digest, bytes; of a log only digest and length."""

    digest: str
    length: int
    data: bytes | None


class What(StrEnum):
    """What happened to a document outside of any conversation."""

    OUTSIDE = "outside"
    """Somebody else changed it (M6)."""
    MISSING = "missing"
    """Somebody else's text lacks lines written a moment ago and has nothing new."""
    SHRUNK = "shrunk"
    """Less than half of it is left, so it takes no writes until a person decides (B4)."""
    LOG = "log"
    """The beginning of a log is not what was written to it (B6)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell, with the lines that came and went; ``seq`` is 0 until stored."""

    ref: DocumentRef
    kind: What
    at: datetime
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    seq: int = 0


class Ledger:
    """What is known of each document, and what nobody has been told yet."""

    _database: Database

    def known(self, ref: DocumentRef) -> Known | None:
        """A document as it was last left or seen, None when it never was."""
        rows = self._database.ask(_KNOWN, document=ref.key)
        return Known(*rows[0]) if rows else None

    def digest(self, ref: DocumentRef) -> str:
        """The digest of `known`, "" when there is none."""
        rows = self._database.ask(_DIGEST, document=ref.key)
        return str(rows[0][0]) if rows else ""

    def documents(self) -> tuple[DocumentRef, ...]:
        """Every document that was ever left or seen."""
        return tuple(ref_of(key) for (key,) in self._database.ask(_ALL))

    def know(self, ref: DocumentRef, known: Known) -> None:
        """Remember a document as it is now."""
        self._database.write([knowing(ref, known)])

    def tell(self, notice: Notice) -> None:
        """Keep a notice until it was given."""
        self._database.write([telling(notice)])

    def tell_once(self, notice: Notice, found: str) -> None:
        """Keep a notice about a document that stands as ``found``, unless it was kept before.

        Whatever is next left or accepted there lets the same be told again.
        """
        mark = {"document": notice.ref.key, "found": found, "told": found}
        if self._database.write([(_MARK, mark)])[0]:
            self._database.write([telling(notice)])

    def readdress(self, old: DocumentRef, new: DocumentRef, whole: bool) -> None:
        """A document has another place: what is stored of it is stored of that one (G4).

        Args:
            whole: what was known of the document in that place is forgotten for it.
        """
        keys = {"old": old.key, "new": new.key}
        forgetting = [(_FORGET, {"document": new.key})] if whole else []
        steps = [(statement, keys) for statement in _READDRESS]
        self._database.write([*forgetting, *steps, (_FORGET, {"document": old.key})])

    def notices(self) -> tuple[Notice, ...]:
        """What nobody has been told yet, oldest first, at most a hundred."""
        return tuple(_notice(*row) for row in self._database.ask(_UNTOLD))

    def told(self, *seqs: int) -> None:
        """Forget notices that were given."""
        self._database.write([(_TOLD, {"which": seq}) for seq in seqs])


def knowing(ref: DocumentRef, known: Known) -> Step:
    """The step of a transaction that remembers a document."""
    values = {"digest": known.digest, "length": known.length, "body": known.data}
    return _KNOW, {"document": ref.key, "told": "", **values}


def telling(notice: Notice) -> Step:
    """The step of a transaction that keeps a notice."""
    body = json.dumps({"added": notice.added, "removed": notice.removed}, ensure_ascii=False)
    at = notice.at.timestamp()
    return _TELL, {"document": notice.ref.key, "kind": notice.kind, "body": body, "at": at}


def _notice(seq: int, document: str, kind: str, body: str, at: float) -> Notice:
    lines: Mapping[str, Any] = json.loads(body)
    moment = datetime.fromtimestamp(at, UTC)
    return Notice(
        ref_of(document), What(kind), moment, tuple(lines["added"]), tuple(lines["removed"]), seq
    )
