"""The one way to change a document, and to undo it (W1)."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.document import Document
from memory.errors import StorageReadOnly, Unreadable, WriteFailed
from memory.files import Contents, Disk, SyncError
from memory.journal import Entry, Recorded
from memory.logbook import restored, stamped
from memory.operations import (
    Author,
    Item,
    Operation,
    Receipt,
    Refusal,
    Snapshot,
    UndoRefused,
)
from memory.patches import Patch, difference, plan, reverse
from memory.spaces import DocumentName, DocumentRef, Layout, Place, Space
from memory.state import State

__all__ = [
    "Author",
    "Item",
    "Operation",
    "Receipt",
    "Refusal",
    "Snapshot",
    "Store",
    "UndoRefused",
]

UNDO_DAYS = 30
"""For how many days an operation can be undone (D6)."""

_SHELF_BYTES = 8 * 1024 * 1024
_ABSENT = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class _Change:
    """A planned write; ``undone`` is the operation that an undo leaves behind."""

    place: Place
    old: Contents | None
    before: Document
    after: Document
    entry: Entry
    undone: Entry | None = None


class Store:
    """Reads documents, applies operations to them and undoes operations.

    It may be shared between threads, and several processes may work on one workspace as long
    as they share one state.
    """

    def __init__(
        self,
        layout: Layout,
        state: State,
        disk: Disk,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """``clock`` gives the time with the zone of the log; ``new_id`` never repeats itself."""
        self._layout, self._state, self._disk = layout, state, disk
        self._clock, self._new_id = clock, new_id
        self._shelf = _Shelf(_SHELF_BYTES)
        self._written: dict[str, str] = {}
        self._frozen: set[Space] = set()
        state.scrub(clock() - timedelta(days=UNDO_DAYS))

    def read(self, ref: DocumentRef) -> Snapshot:
        """The document as it is on disk now.

        Raises:
            Unreadable: the file is there but cannot be taken for text (W3).
        """
        contents = self._disk.read(self._layout.place(ref))
        return Snapshot(ref, self._parse(ref, contents), _digest(contents), contents is not None)

    def apply(self, ref: DocumentRef, items: Sequence[Item], author: Author) -> Receipt:
        """Plan the items on freshly read bytes and write the result (W1, D5).

        Raises:
            Unreadable: as `read`.
            Busy: somebody else held the document's lock for five seconds.
            WriteFailed: nothing was changed; the cause says why.
            StorageReadOnly: an earlier write of this space could not be made durable (W8).
            StateError: the journal cannot be written.
        """
        with self._held(ref) as (place, contents):
            before = self._parse(ref, contents)
            planned = plan(before, items)
            applied = tuple(items[i].key for i in planned.applied)
            skipped = tuple(items[i].key for i in planned.skipped)
            if planned.after.raw == before.raw:
                count, digest = before.count, _digest(contents)
                return Receipt("", before, count, count, (), skipped, digest)
            records = tuple(
                Recorded(item.key, item.log, i not in planned.applied)
                for i, item in enumerate(items)
            )
            entry = self._entry(ref, author, records, planned.patches)
            change = _Change(place, contents, before, planned.after, entry)
            return self._write(change, applied, skipped)

    def undo(
        self, op: str, author: Author, keys: Collection[str] | None = None
    ) -> Receipt | UndoRefused:
        """Undo an operation, or the items named by ``keys``, for up to 30 days (C6).

        Items whose lines moved on are skipped; when nothing is left, `UndoRefused` says why.

        Raises:
            Unreadable, Busy, WriteFailed, StorageReadOnly, StateError: as `apply`.
        """
        known = self._state.entry(op)
        if known is None or known.author.user != author.user:
            return UndoRefused(Refusal.UNKNOWN)
        if self._clock() - known.at > timedelta(days=UNDO_DAYS):
            return UndoRefused(Refusal.EXPIRED)
        with self._held(known.ref) as (place, contents):
            entry = self._state.entry(op) or known
            wanted = [i for i in entry.standing if keys is None or entry.items[i].key in keys]
            if not wanted:
                return UndoRefused(Refusal.ALREADY)
            return self._take_back(entry, wanted, (place, contents), author)

    def _take_back(
        self, entry: Entry, wanted: list[int], found: tuple[Place, Contents | None], author: Author
    ) -> Receipt | UndoRefused:
        place, contents = found
        before, digest = self._parse(entry.ref, contents), _digest(contents)
        trusted = digest == entry.expected
        turned = reverse(before, entry.record, wanted, trusted)
        applied, skipped = (
            tuple(entry.items[i].key for i in part) for part in (turned.undone, turned.skipped)
        )
        if not applied:
            return UndoRefused(Refusal.MOVED_ON, skipped)
        records = tuple(
            Recorded(entry.items[i].key, tuple(map(restored, entry.items[i].log)))
            for i in turned.undone
        )
        whole = (Patch(0, difference(before, turned.after)),)
        own = self._entry(entry.ref, author, records, whole, undoes=entry.op)
        expected = _sha256(turned.after.to_bytes()) if trusted else entry.expected
        left = entry.without(turned.undone, expected)
        change = _Change(place, contents, before, turned.after, own, left)
        return self._write(change, applied, skipped)

    def last(self, user: int, ref: DocumentRef | None = None) -> Operation | None:
        """The newest operation of a person that can be undone, in one document or in all."""
        since = self._clock() - timedelta(days=UNDO_DAYS)
        entry = self._state.newest(user, since, ref)
        return _operation(entry) if entry else None

    def operation(self, op: str) -> Operation | None:
        """An operation by its id, with what is left of it to undo."""
        entry = self._state.entry(op)
        return _operation(entry) if entry else None

    @contextlib.contextmanager
    def _held(self, ref: DocumentRef) -> Iterator[tuple[Place, Contents | None]]:
        """The place of a document and its bytes, with its lock held."""
        if ref.space in self._frozen:
            raise StorageReadOnly(ref)
        place = self._layout.place(ref)
        with self._disk.lock(place):
            yield place, self._disk.read(place, lambda digest: self._is_ours(ref, digest))

    def _is_ours(self, ref: DocumentRef, digest: str) -> bool:
        return digest == self._written.get(ref.key) or digest == self._state.written(ref)

    def _entry(
        self,
        ref: DocumentRef,
        author: Author,
        items: tuple[Recorded, ...],
        patches: tuple[Patch, ...],
        undoes: str = "",
    ) -> Entry:
        """A journal entry without digests; its log lines are stamped with the present time."""
        at = self._clock()
        log = tuple(stamped(line, at) for item in items if not item.undone for line in item.log)
        return Entry(self._new_id(), undoes, ref, author, at, "", "", "", items, patches, log)

    def _write(
        self, change: _Change, applied: tuple[str, ...], skipped: tuple[str, ...]
    ) -> Receipt:
        """Steps 4 to 9 of the write protocol (reliability.md d.3)."""
        data = self._encoded(change)
        digest = _sha256(data)
        entry = replace(change.entry, before=_digest(change.old), after=digest, expected=digest)
        self._state.intend(entry)
        try:
            self._put(change, data, digest)
            self._log(change)
        except SyncError as error:
            self._frozen.add(entry.ref.space)
            raise StorageReadOnly(entry.ref) from error
        except WriteFailed as error:
            self._state.fail(entry, error.cause)
            raise
        self._state.complete(entry, change.undone)
        self._written[entry.ref.key] = digest
        self._shelf.put(digest, change.after, len(data))
        counts = change.before.count, change.after.count
        return Receipt(entry.op, change.after, *counts, applied, skipped, digest)

    def _encoded(self, change: _Change) -> bytes:
        try:
            return change.after.to_bytes()
        except UnicodeEncodeError as error:
            raise WriteFailed(change.place.ref, "not_utf8") from error

    def _put(self, change: _Change, data: bytes, digest: str) -> None:
        self._disk.replace(change.place, data, change.old, change.entry.op)
        written = self._disk.read(change.place)
        if written is None or written.digest != digest:
            raise WriteFailed(change.place.ref, "changed")

    def _log(self, change: _Change) -> None:
        """Append the log lines; if they cannot be written, the document goes back too."""
        if not change.entry.log:
            return
        ref = DocumentRef(change.place.ref.space, DocumentName.LOG)
        lines = [line.encode("utf-8", "backslashreplace") for line in change.entry.log]
        try:
            self._disk.append(self._layout.place(ref), lines)
        except (WriteFailed, Unreadable) as error:
            before = change.before.to_bytes()
            self._disk.replace(change.place, before, change.old, change.entry.op)
            raise WriteFailed(ref, error.cause) from error

    def _parse(self, ref: DocumentRef, contents: Contents | None) -> Document:
        if contents is None:
            return Document(())
        known = self._shelf.get(contents.digest)
        if known is not None:
            return known
        try:
            document = Document.parse(contents.data)
        except UnicodeDecodeError as error:
            raise Unreadable(ref, "not_utf8") from error
        self._shelf.put(contents.digest, document, len(contents.data))
        return document


class _Shelf:
    """Parsed documents by digest, the latest used ones within a number of bytes."""

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._documents: OrderedDict[str, tuple[Document, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, digest: str) -> Document | None:
        with self._lock:
            found = self._documents.get(digest)
            if found is None:
                return None
            self._documents.move_to_end(digest)
            return found[0]

    def put(self, digest: str, document: Document, size: int) -> None:
        with self._lock:
            if digest in self._documents:
                return
            self._documents[digest] = (document, size)
            self._used += size
            while self._used > self._room:
                _, (_, freed) = self._documents.popitem(last=False)
                self._used -= freed


def _operation(entry: Entry) -> Operation:
    standing = entry.standing
    left = [p for p in entry.patches if p.item in standing]
    return Operation(
        op=entry.op,
        ref=entry.ref,
        author=entry.author,
        at=entry.at,
        keys=tuple(entry.items[i].key for i in standing),
        removed=tuple(line.rstrip("\r\n") for p in left for line in p.hunk.old),
        added=tuple(line.rstrip("\r\n") for p in left for line in p.hunk.new),
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest(contents: Contents | None) -> str:
    return contents.digest if contents else _ABSENT
