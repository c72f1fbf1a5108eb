"""The one way to change a document, and to undo it (W1)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

from memory.disk import Disk, SyncError
from memory.errors import PomnenkaError, StorageReadOnly
from memory.joining import REPORTED, WINDOW
from memory.journal import Entry, Recorded
from memory.layout import Layout, Place
from memory.lineage import patches
from memory.lingering import LINGER
from memory.logbook import restored, stamped
from memory.migration import Migration
from memory.operations import (
    Author,
    Item,
    Operation,
    Receipt,
    Refusal,
    Snapshot,
    UndoRefused,
)
from memory.patches import Patch, plan, reverse
from memory.shelf import Version, version_of
from memory.spaces import READ_ONLY, DocumentName, DocumentRef, Space
from memory.state import State
from memory.writing import Change, Writer

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


class Store:
    """Reads documents, applies operations to them and undoes operations.

    It may be shared between threads, and several processes may work on one workspace as long
    as they share one state. Other programs may write the documents too, without any lock.
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
        self._writer = Writer(layout, state, disk, clock, new_id)
        self._frozen: set[Space] = set()
        self._signatures: dict[DocumentRef, tuple[int, ...]] = {}
        self.scrub()

    def scrub(self) -> None:
        """Forget operations that can no longer be undone, updates and questions so old (D6, W6)."""
        self._state.scrub(self._clock() - timedelta(days=UNDO_DAYS))

    def read(self, ref: DocumentRef) -> Snapshot:
        """The document as it is on disk now.

        Raises:
            Unreadable: the file is there but cannot be taken for text (W3).
        """
        found = self._writer.read(self._layout.place(ref))
        return Snapshot(ref, found.document, found.digest, found.contents is not None)

    def written_at(self, ref: DocumentRef) -> datetime | None:
        """When the file of a document was last written, by whomever; None when there is none."""
        signature = self._disk.signature(self._layout.place(ref))
        return datetime.fromtimestamp(signature[2] / 1e9, UTC) if signature else None

    def apply(
        self, ref: DocumentRef, items: Sequence[Item], author: Author, step: str = ""
    ) -> Receipt:
        """Plan the items on freshly read bytes and write the result (W1, D5).

        The same ``step`` of the same request, in the same document, is done once (W4).

        Raises:
            ValueError: the document is one that this program never writes (`READ_ONLY`).
            Unreadable: as `read`, or somebody else took most of the document away.
            Busy: somebody else held the document's lock for five seconds.
            WriteFailed: nothing was changed; the cause says why.
            Unfinished: it was begun and is finished later.
            StorageReadOnly: an earlier write of this space could not be made durable (W8).
            StateError: the journal cannot be written.
        """
        if ref.name in READ_ONLY:
            raise ValueError(ref)
        with self._held(ref) as (place, found):
            asked = _asked(author, ref, step)
            again = self._state.answered(asked)
            if again is not None:
                return _receipt(again, found, _applied(again))
            planned = plan(found.document, items)
            applied = tuple(items[i].key for i in planned.applied)
            skipped = tuple(items[i].key for i in planned.skipped)
            if planned.after.raw == found.document.raw:
                return _nothing(found, skipped)
            records = tuple(
                Recorded(item.key, item.log, i not in planned.applied)
                for i, item in enumerate(items)
            )
            entry = self._entry(ref, author, records, planned.patches)
            entry = replace(entry, asked=asked, skipped=skipped)
            return self._write(Change(place, found, planned.after, entry), applied)

    def undo(
        self, op: str, author: Author, keys: Collection[str] | None = None
    ) -> Receipt | UndoRefused:
        """Undo an operation, or the items named by ``keys``, for up to 30 days (C6).

        Items whose lines moved on are skipped; when nothing is left, `UndoRefused` says why.

        Raises:
            Unreadable, WriteFailed, Unfinished, Busy, StorageReadOnly, StateError: as `apply`.
        """
        known = self._state.entry(op)
        if known is None or known.author.user != author.user:
            return UndoRefused(Refusal.UNKNOWN)
        if self._clock() - known.at > timedelta(days=UNDO_DAYS):
            return UndoRefused(Refusal.EXPIRED)
        with self._held(known.ref) as (place, found):
            asked = _asked(author, known.ref, " ".join(["undo", op, *sorted(keys or ())]))
            again = self._state.answered(asked)
            if again is not None:
                return _receipt(again, found, _applied(again))
            entry = self._state.entry(op) or known
            wanted = [i for i in entry.standing if keys is None or entry.items[i].key in keys]
            if not wanted:
                return UndoRefused(Refusal.ALREADY)
            own = replace(self._entry(known.ref, author, (), ()), undoes=op, asked=asked)
            return self._take_back(Change(place, found, found.document, own, entry), wanted)

    def _take_back(self, change: Change, wanted: list[int]) -> Receipt | UndoRefused:
        """Undo the wanted items of ``change.undone``."""
        entry, found, own = change.undone, change.found, change.entry
        assert entry
        trusted = found.digest == entry.expected
        turned = reverse(found.document, entry.record, wanted, trusted)
        applied, skipped = (
            tuple(entry.items[i].key for i in part) for part in (turned.undone, turned.skipped)
        )
        if not applied:
            return UndoRefused(Refusal.MOVED_ON, skipped)
        records = tuple(
            Recorded(entry.items[i].key, tuple(map(restored, entry.items[i].log)))
            for i in turned.undone
        )
        whole, log = patches(found.document, turned.after), self._stamped(records)
        own = replace(own, items=records, patches=whole, log=log, skipped=skipped)
        after = version_of(turned.after, entry.ref)
        left = entry.without(turned.undone, after.digest if trusted else entry.expected)
        return self._write(Change(change.place, found, turned.after, own, left), applied)

    def last(self, user: int, ref: DocumentRef | None = None, older: str = "") -> Operation | None:
        """The newest operation of a person that can be undone, in one document or in all.

        ``older`` names an operation that it has to be older than.
        """
        since = self._clock() - timedelta(days=UNDO_DAYS)
        entry = self._state.newest(user, since, ref, older)
        return _operation(entry) if entry else None

    def operation(self, op: str, whole: bool = False) -> Operation | None:
        """An operation by its id, with what is left of it to undo; ``whole``: as it was done."""
        entry = self._state.entry(op)
        return _operation(entry.whole if whole else entry) if entry else None

    def undone_by(self, request: str) -> Operation | None:
        """The whole operation that this request took back already (W4)."""
        op = self._state.undone_by(request)
        entry = self._state.entry(op) if op else None
        return _operation(entry.whole) if entry else None

    def answered(self, ref: DocumentRef, author: Author, step: str = "") -> Operation | None:
        """The operation that a step of this request was already answered with (W4)."""
        entry = self._state.answered(_asked(author, ref, step))
        return _operation(entry) if entry else None

    def accept(self, ref: DocumentRef) -> str:
        """Take a document as somebody else left it, however little that is (B4).

        What stood there before is kept beside the state; gives the name of that copy, "" when
        the document had not changed.

        Raises:
            Unreadable, Busy, WriteFailed, StorageReadOnly, StateError: as `apply`.
        """
        place = self._layout.place(ref)
        with self._guarded(ref), self._disk.lock(place):
            known, found = self._writer.known(ref), self._writer.read(place)
            if known is None or found.digest == known.digest:
                return ""
            copy = self._conflict(ref)
            self._disk.swap(copy, known.data, None, self._new_id())
            self._writer.joiner.observe(ref, known, found)
            return copy.parts[-1]

    def _conflict(self, ref: DocumentRef) -> Place:
        """Where the losing version of a document goes: outside the shared tree (d.4)."""
        name = PurePosixPath(self._layout.name(ref))
        stamp = f"{self._clock():%Y%m%d-%H%M%S}"
        folder = ("conflicts", *ref.space.parts)
        parts = (*folder, f"{name.stem}.conflict-{stamp}{name.suffix}")
        return Place(self._state.path.parent.resolve(), parts, ref)

    def put_back(self, ref: DocumentRef, author: Author) -> Receipt:
        """Put a document back as it was last left, as an operation that can be undone (B4).

        Raises:
            Unreadable, WriteFailed, Unfinished, Busy, StorageReadOnly, StateError: as `apply`.
        """
        place, asked = self._layout.place(ref), _asked(author, ref, "put back")
        with self._guarded(ref), self._disk.lock(place):
            again = self._state.answered(asked)
            if again is not None:
                return _receipt(again, self._writer.read(place), _applied(again))
            known, found = self._writer.known(ref), self._writer.read(place)
            if known is None or found.digest == known.digest:
                return _nothing(found)
            self._writer.joiner.observe(ref, known, found)
            whole = patches(found.document, known.document)
            if not whole:
                return _nothing(found)
            entry = self._entry(ref, author, (Recorded("document", ()),), whole)
            entry = replace(entry, asked=asked)
            return self._write(Change(place, found, known.document, entry), ("document",))

    def recover(self) -> tuple[DocumentRef, ...]:
        """Finish what was begun before a crash, and remove the files it left behind (W1).

        Gives the documents that could not be brought in order; they are tried again when they
        are touched.
        """
        begun = set(self._placed(entry.ref for entry in self._state.unfinished()))
        failed = [place.ref for place in begun if not self.reconcile(place.ref)]
        known = self._placed(self._state.documents())
        return (*failed, *(place.ref for place in known if not self._swept(place)))

    def _swept(self, place: Place) -> bool:
        if not self._disk.leftovers(place, LINGER.total_seconds()):
            return True
        try:
            with self._held(place.ref) as (_, found):
                self._writer.joiner.sweep(place, found)
                return True
        except PomnenkaError:
            return False

    def reconcile(self, ref: DocumentRef) -> bool:
        """Look whether somebody else changed a document, and join it with ours (d.4, M6).

        False when it cannot be done now.
        """
        try:
            if ref.name is DocumentName.LOG:
                self._writer.check_log(self._layout.place(ref))
                return True
            with self._held(ref):
                return True
        except PomnenkaError:
            return False

    def migrate(self, old: int, new: int) -> tuple[DocumentRef, ...]:
        """A chat has another id: its documents and room notes about it move along (G4).

        Gives those that could not be moved. It may be repeated, and after a crash it has to be.
        """
        return Migration(self, self._layout, self._state, self._disk).run(old, new)

    def tend(self, everything: bool = False) -> None:
        """What is to be done every few seconds: late lines, and changes by others (d.3, d.4).

        Args:
            everything: look at every document that was ever touched, not only at those that
                were written in the last ten minutes.
        """
        since = self._clock() - WINDOW
        refs = self._everything() if everything else self._state.touched(since)
        lingering = self._writer.joiner.lingering.places()
        for place in {*self._placed(refs), *lingering}:
            signature = self._disk.signature(place)
            moved = signature != self._signatures.get(place.ref)
            if (moved or place in lingering) and self.reconcile(place.ref):
                self._signatures[place.ref] = signature

    def _everything(self) -> set[DocumentRef]:
        """Every document that was ever touched, and those whose changes are reported."""
        known = self._state.documents()
        reported = (DocumentRef(ref.space, name) for ref in known for name in REPORTED)
        return {*known, *(ref for ref in reported if ref.is_proper)}

    def _placed(self, refs: Iterable[DocumentRef]) -> Iterator[Place]:
        """The places of documents; a name that is not allowed any more has none."""
        for ref in refs:
            with contextlib.suppress(ValueError):
                yield self._layout.place(ref)

    def close(self) -> None:
        """Remove the files that are still watched for late lines, after a last look."""
        for place in self._writer.joiner.lingering.places():
            with contextlib.suppress(PomnenkaError), self._disk.lock(place):
                self._writer.meet(place, timedelta(0))

    @contextlib.contextmanager
    def _held(self, ref: DocumentRef) -> Iterator[tuple[Place, Version]]:
        """The place of a document and how it stands, with its lock held."""
        place = self._layout.place(ref)
        with self._guarded(ref), self._disk.lock(place):
            yield place, self._writer.meet(place)

    @contextlib.contextmanager
    def _guarded(self, ref: DocumentRef) -> Iterator[None]:
        """No writing in a space where a write may not have lasted (W8)."""
        if ref.space in self._frozen:
            raise StorageReadOnly(ref)
        try:
            yield
        except SyncError as error:
            self._frozen.add(ref.space)
            raise StorageReadOnly(ref) from error

    def _entry(
        self,
        ref: DocumentRef,
        author: Author,
        items: tuple[Recorded, ...],
        patches: tuple[Patch, ...],
    ) -> Entry:
        """A journal entry without digests; its log lines are stamped with the present time."""
        at, log = self._clock(), self._stamped(items)
        return Entry(self._new_id(), "", ref, author, at, "", "", "", items, patches, log)

    def _stamped(self, items: tuple[Recorded, ...]) -> tuple[str, ...]:
        at = self._clock()
        return tuple(stamped(line, at) for item in items if not item.undone for line in item.log)

    def _write(self, change: Change, applied: tuple[str, ...]) -> Receipt:
        left = self._writer.write(change)
        lines = change.found.document.count, left.document.count
        return _receipt(replace(change.entry, lines=lines), left, applied)


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


def _asked(author: Author, ref: DocumentRef, step: str) -> str:
    """The name of one step of a request, "" when the request has none."""
    return f"{author.request} {ref.key} {step}" if author.request else ""


def _applied(entry: Entry) -> tuple[str, ...]:
    return tuple(item.key for item in entry.items if not item.undone)


def _receipt(entry: Entry, left: Version, applied: tuple[str, ...]) -> Receipt:
    return Receipt(entry.op, left.document, *entry.lines, applied, entry.skipped, left.digest)


def _nothing(found: Version, skipped: tuple[str, ...] = ()) -> Receipt:
    """Nothing was written."""
    count = found.document.count
    return Receipt("", found.document, count, count, (), skipped, found.digest)
