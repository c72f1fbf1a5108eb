"""What was changed, by whom, from which message: the source of undo, written before the disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, insert, or_, select, update

from memory.database import Database, Prepared, Step
from memory.edits import Hunk
from memory.ledger import Known, Notice, knowing, telling
from memory.operations import Author
from memory.patches import Patch, Record
from memory.spaces import DocumentRef, ref_of
from memory.tables import AUDIT, DIALOGS, INBOX, JOURNAL

_COLUMNS = [c for c in JOURNAL.c if c.name != "seq"]
_DONE, _INTENT, _FAILED = "done", "intent", "failed"
_MOST_STEPS = 1000

_ADD = Prepared(insert(JOURNAL), *(c.name for c in _COLUMNS))
_AUDIT = Prepared(insert(AUDIT), *(c.name for c in AUDIT.c if c.name != "seq"))
_SELECT = select(*_COLUMNS)
_BY_OP = _SELECT.where(JOURNAL.c.op == bindparam("op"))
_BY_REQUEST = _SELECT.where(JOURNAL.c.asked == bindparam("asked"), JOURNAL.c.status == _DONE)
_UNFINISHED = _SELECT.where(JOURNAL.c.status == _INTENT).order_by(JOURNAL.c.seq)
_BEGUN = Prepared(
    select(JOURNAL.c.op)
    .where(JOURNAL.c.status == _INTENT, JOURNAL.c.document == bindparam("document"))
    .limit(1)
)
_FROM_MESSAGE = Prepared(
    select(JOURNAL.c.op)
    .where(
        JOURNAL.c.user == bindparam("user"),
        JOURNAL.c.standing > 0,
        JOURNAL.c.chat == bindparam("chat"),
        JOURNAL.c.message == bindparam("message"),
        JOURNAL.c.status == _DONE,
    )
    .order_by(JOURNAL.c.seq)
)
_UNDONE_BY = Prepared(
    select(JOURNAL.c.undoes)
    .where(
        JOURNAL.c.asked.between(bindparam("first"), bindparam("last")),
        JOURNAL.c.undoes != "",
        JOURNAL.c.status == _DONE,
    )
    .order_by(JOURNAL.c.seq)
)
_TOUCHED = Prepared(select(JOURNAL.c.document).where(JOURNAL.c.at >= bindparam("since")).distinct())
_CHANGED = Prepared(
    select(JOURNAL.c.at)
    .where(JOURNAL.c.document == bindparam("document"), JOURNAL.c.status != _FAILED)
    .order_by(JOURNAL.c.seq.desc())
    .limit(1)
)
_STEPS = Prepared(
    _SELECT.where(
        JOURNAL.c.document == bindparam("document"),
        JOURNAL.c.at >= bindparam("since"),
        JOURNAL.c.status != _FAILED,
    )
    .order_by(JOURNAL.c.seq.desc())
    .limit(_MOST_STEPS)
)
_OTHER = JOURNAL.alias()
_SEQ_OF_OLDER = select(_OTHER.c.seq).where(_OTHER.c.op == bindparam("older")).scalar_subquery()
_NEWEST = (
    select(*_COLUMNS)
    .where(
        JOURNAL.c.user == bindparam("user"),
        JOURNAL.c.standing > 0,
        JOURNAL.c.status == _DONE,
        JOURNAL.c.at >= bindparam("since"),
        or_(bindparam("document") == "", JOURNAL.c.document == bindparam("document")),
        or_(bindparam("older") == "", JOURNAL.c.seq < _SEQ_OF_OLDER),
    )
    .order_by(JOURNAL.c.seq.desc())
    .limit(1)
)
_SET = update(JOURNAL).where(JOURNAL.c.op == bindparam("which"))
_COMPLETE = Prepared(_SET, "status")
_FAIL = Prepared(_SET, "status", "standing", "asked")
_AMEND = Prepared(_SET, "standing", "expected", "body")
_SCRUB = (
    delete(JOURNAL).where(JOURNAL.c.at < bindparam("before")),
    delete(INBOX).where(INBOX.c.body.is_(None), INBOX.c.at < bindparam("before")),
    delete(DIALOGS).where(DIALOGS.c.expires < bindparam("before")),
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
    and its undos changed it. ``patches`` point into ``items``; ``log`` are the stamped lines,
    to be found in the log from byte ``log_start`` on. ``lines`` counts those of the document
    before and after. ``asked`` names the request (W4), ``skipped`` the keys left out.
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
    log_start: int = 0
    lines: tuple[int, int] = (0, 0)
    skipped: tuple[str, ...] = ()
    asked: str = ""

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

    @property
    def whole(self) -> Entry:
        """The entry as if nothing of it had been undone."""
        return replace(self, items=tuple(replace(item, undone=False) for item in self.items))

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
        self._database.write([(_ADD, _values(entry, _INTENT))])

    def complete(self, entry: Entry, left: Known, undone: Entry | None = None, *also: Step) -> None:
        """Record that it was done, with its audit and the document as it is left.

        ``undone`` is what an operation that was taken back became; ``also`` are further steps.
        """
        done = _COMPLETE, {"which": entry.op, "status": _DONE}
        amended = [_amended(undone)] if undone else []
        audit = _AUDIT, _audited(entry, _DONE)
        self._database.write([done, audit, knowing(entry.ref, left), *amended, *also])

    def fail(self, entry: Entry, cause: str) -> None:
        """Record that nothing was done, and why; the same request may try again."""
        failed = {"which": entry.op, "status": _FAILED, "standing": 0, "asked": None}
        self._database.write([(_FAIL, failed), (_AUDIT, _audited(entry, cause))])

    def observe(self, entry: Entry, found: Known, *notices: Notice) -> None:
        """Record a change that somebody else made (M6)."""
        self._database.write(observing(entry, found, *notices))

    def entry(self, op: str) -> Entry | None:
        """A done operation by its id."""
        with self._database.reading() as connection:
            row = connection.execute(_BY_OP, {"op": op}).one_or_none()
        return _entry(row) if row and row.status == _DONE else None

    def newest(
        self, user: int, since: datetime, ref: DocumentRef | None = None, older: str = ""
    ) -> Entry | None:
        """The newest operation of a person with something left to undo, older than another one."""
        document = ref.key if ref else ""
        values = {"user": user, "since": since.timestamp(), "document": document, "older": older}
        with self._database.reading() as connection:
            row = connection.execute(_NEWEST, values).one_or_none()
        return _entry(row) if row else None

    def answered(self, asked: str) -> Entry | None:
        """The done operation that answered a request; none for a request without a name (W4)."""
        return self._first(_BY_REQUEST, asked=asked) if asked else None

    def unfinished(self, ref: DocumentRef | None = None) -> tuple[Entry, ...]:
        """Operations that were begun and neither done nor given up, oldest first."""
        if ref and not self._database.ask(_BEGUN, document=ref.key):
            return ()
        with self._database.reading() as connection:
            found = tuple(_entry(row) for row in connection.execute(_UNFINISHED))
        return tuple(entry for entry in found if ref in (None, entry.ref))

    def steps(self, ref: DocumentRef, since: datetime) -> Iterator[Entry]:
        """The changes of a document since a moment, newest first, at most a thousand."""
        rows = self._database.ask(_STEPS, document=ref.key, since=since.timestamp())
        return (_entry(_row(values)) for values in rows)

    def undone_by(self, request: str) -> str:
        """The first operation that a request took back, "" when it took back none (W4)."""
        if not request:
            return ""
        first, last = f"{request} ", f"{request}!"
        rows = self._database.ask(_UNDONE_BY, first=first, last=last)
        return str(rows[0][0]) if rows else ""

    def operations_from(self, user: int, chat: int, message: int) -> tuple[str, ...]:
        """The ids of a message's operations that can still be undone, oldest first."""
        found = self._database.ask(_FROM_MESSAGE, user=user, chat=chat, message=message)
        return tuple(str(op) for (op,) in found)

    def touched(self, since: datetime) -> tuple[DocumentRef, ...]:
        """Every document that was changed since a moment."""
        rows = self._database.ask(_TOUCHED, since=since.timestamp())
        return tuple(ref_of(key) for (key,) in rows)

    def changed_at(self, ref: DocumentRef) -> datetime | None:
        """When a document was last changed as far as the journal reaches back."""
        rows = self._database.ask(_CHANGED, document=ref.key)
        return datetime.fromtimestamp(rows[0][0], UTC) if rows else None

    def _first(self, query: Select[Any], **values: object) -> Entry | None:
        with self._database.reading() as connection:
            row = connection.execute(query, values).one_or_none()
        return _entry(row) if row else None

    def scrub(self, before: datetime) -> None:
        """Forget operations, seen updates and questions that are so old; the audit stays."""
        with self._database.writing() as connection:
            for statement in _SCRUB:
                connection.execute(statement, {"before": before.timestamp()})


def observing(entry: Entry, found: Known, *notices: Notice) -> list[Step]:
    """The steps of a transaction that records a change by somebody else."""
    return [
        (_ADD, _values(entry, _DONE) | {"standing": 0}),
        (_AUDIT, _audited(entry, _DONE)),
        knowing(entry.ref, found),
        *map(telling, notices),
    ]


def _amended(entry: Entry) -> Step:
    return _AMEND, {
        "which": entry.op,
        "standing": len(entry.standing),
        "expected": entry.expected,
        "body": _body(entry),
    }


def _values(entry: Entry, status: str) -> dict[str, object]:
    shared = _audited(entry, status)
    del shared["result"]
    return shared | {
        "undoes": entry.undoes,
        "status": status,
        "expected": entry.expected,
        "standing": len(entry.standing),
        "body": _body(entry),
        "asked": entry.asked or None,
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
    body = {
        "items": items,
        "patches": patches,
        "log": entry.log,
        "log_start": entry.log_start,
        "lines": entry.lines,
        "skipped": entry.skipped,
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _row(values: tuple[Any, ...]) -> SimpleNamespace:
    return SimpleNamespace(**dict(zip((c.name for c in _COLUMNS), values, strict=True)))


def _entry(row: Row[Any] | SimpleNamespace) -> Entry:
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
        log_start=body.get("log_start", 0),
        lines=tuple(body.get("lines", (0, 0))),
        skipped=tuple(body.get("skipped", ())),
        asked=row.asked or "",
    )


def _patch(item: int, start: int, old: list[str], new: list[str], *neighbours: str | None) -> Patch:
    return Patch(item, Hunk(start, tuple(old), tuple(new)), *neighbours)
