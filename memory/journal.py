"""What was changed, by whom, from which message: the source of undo, written before the disk."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, or_, select, update

from memory.database import Database, Prepared, Step
from memory.edits import Hunk
from memory.operations import Author
from memory.patches import Patch, Record
from memory.spaces import DocumentRef, ref_of
from memory.tables import AUDIT, INBOX, JOURNAL

_COLUMNS = [c for c in JOURNAL.c if c.name != "seq"]
_DONE = "done"

_ADD = Prepared(insert(JOURNAL), *(c.name for c in _COLUMNS))
_AUDIT = Prepared(insert(AUDIT), *(c.name for c in AUDIT.c if c.name != "seq"))
_BY_OP = select(*_COLUMNS).where(JOURNAL.c.op == bindparam("op"))
_NEWEST = (
    select(*_COLUMNS)
    .where(
        JOURNAL.c.user == bindparam("user"),
        JOURNAL.c.standing > 0,
        JOURNAL.c.status == _DONE,
        JOURNAL.c.at >= bindparam("since"),
        or_(bindparam("document") == "", JOURNAL.c.document == bindparam("document")),
    )
    .order_by(JOURNAL.c.seq.desc())
    .limit(1)
)
_WRITTEN = Prepared(
    select(JOURNAL.c.after)
    .where(JOURNAL.c.document == bindparam("document"))
    .order_by(JOURNAL.c.seq.desc())
    .limit(1)
)
_SET = update(JOURNAL).where(JOURNAL.c.op == bindparam("which"))
_COMPLETE = Prepared(_SET, "status")
_FAIL = Prepared(_SET, "status", "standing")
_AMEND = Prepared(_SET, "standing", "expected", "body")
_SCRUB = (
    delete(JOURNAL).where(JOURNAL.c.at < bindparam("before")),
    delete(INBOX).where(INBOX.c.body.is_(None), INBOX.c.at < bindparam("before")),
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An item of an operation: its key, its log lines without time stamp, whether undone."""

    key: str
    log: tuple[str, ...]
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the journal.

    ``undoes`` names the operation this one takes back, "" otherwise. ``before`` and ``after``
    are digests of the document; ``expected`` is the one it has while nobody but the operation
    and its undos changed it. ``patches`` point into ``items``; ``log`` are the stamped lines.
    """

    op: str
    undoes: str
    ref: DocumentRef
    author: Author
    at: datetime
    before: str
    after: str
    expected: str
    items: tuple[Recorded, ...]
    patches: tuple[Patch, ...]
    log: tuple[str, ...] = ()

    @property
    def standing(self) -> tuple[int, ...]:
        """The indexes of the items that can still be undone."""
        if self.undoes:
            return ()
        return tuple(i for i, item in enumerate(self.items) if not item.undone)

    @property
    def record(self) -> Record:
        """The entry as `memory.patches.reverse` takes it."""
        return Record(self.patches, frozenset(self.standing))

    def without(self, undone: tuple[int, ...], expected: str) -> Entry:
        """The entry after some of its items were undone."""
        items = (
            replace(item, undone=item.undone or i in undone) for i, item in enumerate(self.items)
        )
        return replace(self, items=tuple(items), expected=expected)


class Journal:
    """Operations and their audit."""

    _database: Database

    def intend(self, entry: Entry) -> None:
        """Record what is about to be done, durably, before the disk is touched (W1)."""
        self._database.write([(_ADD, _values(entry))])

    def complete(self, entry: Entry, undone: Entry | None = None) -> None:
        """Record that it was done, with its audit, and what an undone operation became."""
        done = _COMPLETE, {"which": entry.op, "status": _DONE}
        amended = [_amended(undone)] if undone else []
        self._database.write([done, (_AUDIT, _audited(entry, _DONE)), *amended])

    def fail(self, entry: Entry, cause: str) -> None:
        """Record that nothing was done, and why."""
        failed = _FAIL, {"which": entry.op, "status": "failed", "standing": 0}
        self._database.write([failed, (_AUDIT, _audited(entry, cause))])

    def entry(self, op: str) -> Entry | None:
        """A done operation by its id."""
        with self._database.reading() as connection:
            row = connection.execute(_BY_OP, {"op": op}).one_or_none()
        return _entry(row) if row and row.status == _DONE else None

    def newest(self, user: int, since: datetime, ref: DocumentRef | None = None) -> Entry | None:
        """The newest operation of a person with something left to undo."""
        document = ref.key if ref else ""
        values = {"user": user, "since": since.timestamp(), "document": document}
        with self._database.reading() as connection:
            row = connection.execute(_NEWEST, values).one_or_none()
        return _entry(row) if row else None

    def written(self, ref: DocumentRef) -> str:
        """The digest that the newest operation left in a document, "" if there is none."""
        found = self._database.ask(_WRITTEN, document=ref.key)
        return str(found[0][0]) if found else ""

    def scrub(self, before: datetime) -> None:
        """Forget operations and seen updates older than a moment; the audit stays."""
        with self._database.writing() as connection:
            for statement in _SCRUB:
                connection.execute(statement, {"before": before.timestamp()})


def _amended(entry: Entry) -> Step:
    return _AMEND, {
        "which": entry.op,
        "standing": len(entry.standing),
        "expected": entry.expected,
        "body": _body(entry),
    }


def _values(entry: Entry) -> dict[str, object]:
    shared = _audited(entry, "intent")
    del shared["result"]
    return shared | {
        "undoes": entry.undoes,
        "status": "intent",
        "expected": entry.expected,
        "standing": len(entry.standing),
        "body": _body(entry),
        "asked": None,
    }


def _audited(entry: Entry, result: str) -> dict[str, object]:
    author = entry.author
    return {
        "op": entry.op,
        "document": entry.ref.key,
        "user": author.user,
        "chat": author.chat,
        "message": author.message,
        "source": author.source,
        "at": entry.at.timestamp(),
        "before": entry.before,
        "after": entry.after,
        "result": result,
    }


def _body(entry: Entry) -> str:
    items = [[item.key, item.log, item.undone] for item in entry.items]
    patches = [
        [p.item, p.hunk.start, p.hunk.old, p.hunk.new, p.above, p.below] for p in entry.patches
    ]
    body = {"items": items, "patches": patches, "log": entry.log}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _entry(row: Row[Any]) -> Entry:
    body = json.loads(row.body)
    return Entry(
        op=row.op,
        undoes=row.undoes,
        ref=ref_of(row.document),
        author=Author(row.user, row.chat, row.message, row.source),
        at=datetime.fromtimestamp(row.at, UTC),
        before=row.before,
        after=row.after,
        expected=row.expected,
        items=tuple(Recorded(key, tuple(log), undone) for key, log, undone in body["items"]),
        patches=tuple(_patch(*values) for values in body["patches"]),
        log=tuple(body["log"]),
    )


def _patch(item: int, start: int, old: list[str], new: list[str], *neighbours: str | None) -> Patch:
    return Patch(item, Hunk(start, tuple(old), tuple(new)), *neighbours)
