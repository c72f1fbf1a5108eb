"""The write protocol: from a planned change to bytes that last, beside a writer without locks.

Steps 4 to 9 of reliability.md d.3: an intent row, a temporary file, an exchange, a look at what
came out and at what stands there now, the log, a done row. What somebody else wrote in between is
joined with ours (`memory.lineage`), so that neither side loses a line. All of it happens under
the lock of the document, which the caller holds.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.disk import SETTLE, Contents, Disk
from memory.document import Document
from memory.edits import Hunk, apply
from memory.errors import Shrunk, StateError, Unfinished, Unreadable, WriteFailed
from memory.journal import Entry, Recorded
from memory.ledger import Notice
from memory.lineage import Step, ancestor, changes, common, merge, nearest
from memory.lingering import LINGER, Lingering
from memory.operations import Author
from memory.patches import Patch, marked, unmarked
from memory.shelf import Shelf, Version, version_of
from memory.spaces import DocumentName, DocumentRef, Layout, Place
from memory.state import State

WINDOW = timedelta(minutes=10)
"""For how long a line of ours that a foreign write dropped counts as not seen by it (d.4)."""

REPORTED = frozenset({DocumentName.USER})
"""Documents whose changes by others are reported (M6)."""

OUTSIDE, MERGED, REAPPLIED = "outside", "merged", "reapplied"
MISSING, SHRUNK = "missing", "shrunk"
_ROUNDS, _STRANGERS = 6, 8
_MOST, _HALF, _PATIENCE = 0.9, 0.5, 1.0
_SHELF_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """A planned write; ``undone`` is the operation that an undo leaves behind."""

    place: Place
    found: Version
    after: Document
    entry: Entry
    undone: Entry | None = None


class Writer:
    """Reads documents, carries changes out, and joins what others wrote with ours."""

    def __init__(
        self,
        layout: Layout,
        state: State,
        disk: Disk,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._layout, self._state, self._disk = layout, state, disk
        self._clock, self._new_id = clock, new_id
        self._shelf = Shelf(_SHELF_BYTES)
        self._signatures: dict[DocumentRef, tuple[int, ...]] = {}
        self._owed: dict[DocumentRef, Version] = {}
        self._strangers: dict[DocumentRef, deque[Document]] = {}
        self._told: dict[DocumentRef, str] = {}
        self.lingering = Lingering(clock)

    def read(self, place: Place) -> Version:
        """The document as it is on disk now; raises `Unreadable`."""
        return self._shelf.version(place.ref, self._disk.read(place))

    def meet(self, place: Place, wait: timedelta = LINGER) -> Version:
        """The document as it stands, what was begun finished, what is foreign joined with ours.

        Args:
            wait: for how long what came out of an exchange is watched.

        Raises:
            Unreadable: it is no text. Shrunk: less than half of it is left (B4).
            Unfinished, WriteFailed, StateError: it cannot be brought in order now.
        """
        for entry in self._state.unfinished(place.ref):
            self._finish(place, entry)
        known = self.known(place.ref)
        if known is None:
            found = self.read(place)
            self._state.know(place.ref, found.known)
        else:
            found = self._join_all(place, known, self._owed.pop(place.ref, None))
        return self._with_late_lines(place, found, wait)

    def sweep(self, place: Place, version: Version) -> None:
        """Remove what a crash left beside a document, after joining what is foreign in it."""
        for token in self._disk.leftovers(place, LINGER.total_seconds()):
            entry = self._state.entry(token)
            late = self._late(place, token, version)
            if entry and late and late.digest not in (entry.before, entry.after):
                version = self._with_lines_of(place, version, self._news(late, entry), None)
            self._disk.discard(place, token)

    def _news(self, late: Version, entry: Entry) -> Version:
        """A text that came out once, without the lines that were removed since."""
        steps = self._state.steps(entry.ref, entry.at)
        gone = {line for step in steps for patch in step.patches for line in patch.hunk.old}
        return version_of(Document(tuple(x for x in late.document.raw if x not in gone)), entry.ref)

    def moved(self, place: Place) -> bool:
        """Whether a file has changed since the last time this was asked, by us or by others."""
        signature = self._disk.signature(place)
        moved = self._signatures.get(place.ref) != signature
        self._signatures[place.ref] = signature
        return moved

    def known(self, ref: DocumentRef) -> Version | None:
        """The document as it was last left or seen."""
        known = self._state.known(ref)
        if known is None or known.data is None:
            return None
        document = self._shelf.document(ref, known.digest, known.data)
        return Version(document, known.digest, known.data)

    def write(self, change: Change) -> Version:
        """Write a change; gives the document as it stands afterwards.

        Raises:
            WriteFailed, StateError: nothing was changed.
            Unfinished: it was begun, and `meet` will finish it.
            Shrunk: it was written, and then somebody else took most of the document away.
            SyncError: the bytes may not last.
        """
        version = version_of(change.after, change.place.ref)
        entry = self._planned(change, version)
        stranger = self._put(change, version, entry)
        with _unfinished(change.place.ref):
            try:
                left = self._join_all(change.place, version, stranger)
            except Shrunk:
                self._conclude(entry, version, change.undone)
                raise
            self._conclude(entry, left, change.undone)
        return left

    def _planned(self, change: Change, version: Version) -> Entry:
        """The entry with what only this moment knows; the log is tried before anything is done."""
        entry, log_start = change.entry, 0
        if entry.log:
            log = self._log_place(entry.ref)
            self._disk.append(log, ())
            log_start = self._disk.size(log)
        return replace(
            entry,
            before=change.found.digest,
            after=version.digest,
            expected=version.digest,
            log_start=log_start,
            lines=(change.found.document.count, change.after.count),
        )

    def _put(self, change: Change, version: Version, entry: Entry) -> Version | None:
        """Put a version in its place; gives what came out if it is not what was found before."""
        self._state.intend(entry)
        try:
            came_out = self._disk.swap(change.place, version.data, change.found.contents, entry.op)
        except WriteFailed as error:
            self._state.fail(entry, error.cause)
            raise
        return self._stranger(change.place, entry, version, came_out)

    def _stranger(
        self, place: Place, entry: Entry, version: Version, came_out: Contents | None
    ) -> Version | None:
        """What came out, when somebody else had slipped in and it can be joined already."""
        if came_out is None:
            return None
        self.lingering.add(place, entry.op, came_out)
        if came_out.digest == entry.before:
            return None
        late = self._late(place, entry.op, version)
        return late if late and version.survives(late) else None

    def _conclude(self, entry: Entry, left: Version, undone: Entry | None = None) -> None:
        """The log and the done row (step 9)."""
        if entry.log:
            self._disk.append(self._log_place(entry.ref), _encoded(entry.log))
        self._state.complete(entry, left.known, undone)
        self._shelf.put(left.digest, left.document, len(left.data))

    def _join_all(self, place: Place, version: Version, stranger: Version | None = None) -> Version:
        """Join what came out of a swap, and what stands in the place, until both are known.

        When somebody else writes faster than we can join, the rest is joined at the next touch;
        until then it lies beside the document.
        """
        for _ in range(_ROUNDS):
            found = self._look(place, version)
            base = self._base(place.ref, version, stranger) if stranger else None
            wanted = self._accepted(place.ref, version, found)
            if stranger and base:
                wanted = merge(base, wanted, stranger.document)
            if wanted == found.document:
                return found
            source = MERGED if stranger else REAPPLIED
            version, stranger = self._put_joined(place, found, wanted, source)
        if stranger:
            self._owed[place.ref] = stranger
        return replace(version, contents=found.contents)

    def _look(self, place: Place, ours: Version) -> Version:
        contents = self._disk.read(place, lambda found: _rest(found, ours))
        return self._shelf.version(place.ref, contents)

    def _accepted(self, ref: DocumentRef, version: Version, found: Version) -> Document:
        """What stands in the place, taken for the new state, with the lines it has not seen.

        One that is exactly an older version may be a person's own undoing: nothing is put back,
        and the lines that went are shown.
        """
        if found.digest == version.digest:
            return found.document
        self._refuse_shrunk(ref, version, found)
        base = self._base(ref, version, found)
        merged = merge(base, version.document, found.document)
        older = merged != found.document and base == found.document
        self.observe(ref, version, found, MISSING if older else OUTSIDE)
        return found.document if older else merged

    def _refuse_shrunk(self, ref: DocumentRef, version: Version, found: Version) -> None:
        if version.survives(found):
            return
        if self._told.get(ref) != found.digest:
            removed = _texts(changes(version.document, found.document))[1]
            self._state.tell(Notice(ref, SHRUNK, self._clock(), (), removed))
            self._told[ref] = found.digest
        raise Shrunk(ref)

    def _base(self, ref: DocumentRef, version: Version, theirs: Version) -> Document:
        """The version that a foreign text was made from: one of ours, or an earlier foreign one."""
        ours = ancestor(version.document, self._steps(ref), theirs.document)
        seen = self._strangers.setdefault(ref, deque(maxlen=_STRANGERS))
        base = nearest(theirs.document, (ours, *seen))
        seen.append(theirs.document)
        return base

    def _steps(self, ref: DocumentRef) -> Iterator[Step]:
        """Our changes of the last ten minutes, newest first, down to one by somebody else."""
        for entry in self._state.steps(ref, self._clock() - WINDOW):
            if entry.author.source == OUTSIDE:
                return
            yield Step(tuple(patch.hunk for patch in entry.patches))

    def observe(
        self, ref: DocumentRef, before: Version, found: Version, kind: str = OUTSIDE
    ) -> None:
        """Record what somebody else changed, and report it where that is promised (M6)."""
        entry = self._foreign(ref, before, found, OUTSIDE)
        added, removed = _texts(tuple(patch.hunk for patch in entry.patches))
        told = kind != OUTSIDE or ref.name in REPORTED
        notices = [Notice(ref, kind, entry.at, added, removed)] if told else []
        self._state.observe(entry, found.known, *notices)

    def _put_joined(
        self, place: Place, found: Version, merged: Document, source: str
    ) -> tuple[Version, Version | None]:
        """Put both sides' lines in the place; gives them, and what came out if it is news.

        No intent is needed: after a crash both sides are still there to be joined again.
        """
        whole = version_of(merged, place.ref)
        entry = self._foreign(place.ref, found, whole, source)
        came_out = self._disk.swap(place, whole.data, found.contents, entry.op)
        self._state.observe(entry, whole.known)
        return whole, self._stranger(place, entry, whole, came_out)

    def _foreign(self, ref: DocumentRef, before: Version, after: Version, source: str) -> Entry:
        """A step that no person asked for; nobody can undo it."""
        hunks = changes(before.document, after.document)
        return Entry(
            op=self._new_id(),
            undoes="",
            ref=ref,
            author=Author(0, source=source),
            at=self._clock(),
            before=before.digest,
            after=after.digest,
            expected=after.digest,
            items=(Recorded("", (), undone=True),),
            patches=tuple(Patch(0, hunk) for hunk in hunks),
        )

    def _with_late_lines(self, place: Place, version: Version, wait: timedelta) -> Version:
        """Join what was written into files after they had come out (step 8)."""
        for displaced in self.lingering.due(place, wait):
            late = self._late(place, displaced.token, version)
            if late is not None and late.digest != displaced.contents.digest:
                earlier = self._shelf.version(place.ref, displaced.contents)
                base = earlier if late.survives(earlier) else None
                version = self._with_lines_of(place, version, late, base)
            self._disk.discard(place, displaced.token)
        return version

    def _with_lines_of(
        self, place: Place, version: Version, late: Version, base: Version | None
    ) -> Version:
        """The document with what was added to ``base``, or to what both have in common."""
        start = base.document if base else common(version.document, late.document)
        merged = merge(start, version.document, late.document)
        if merged == version.document:
            return version
        return self._join_all(place, *self._put_joined(place, version, merged, MERGED))

    def _late(self, place: Place, token: str, version: Version) -> Version | None:
        """What a file holds by now that came out when ``version`` was put in its place."""
        try:
            contents = self._disk.displaced(place, token, lambda found: _rest(found, version))
            return self._shelf.version(place.ref, contents) if contents else None
        except Unreadable:
            return None

    def _finish(self, place: Place, entry: Entry) -> None:
        """Bring an operation to its end that was begun and neither done nor given up (W1)."""
        version = self.known(place.ref) or self._shelf.version(place.ref, None)
        with _unfinished(place.ref):
            if version.digest == entry.before:
                version = self._done_again(place, version, entry)
            self._log_missing(entry)
            self._state.complete(entry, version.known, self._undone(entry))

    def _undone(self, entry: Entry) -> Entry | None:
        """What is left of the operation that an undo took back, None for any other entry."""
        undone = self._state.entry(entry.undoes) if entry.undoes else None
        if undone is None:
            return None
        keys = {item.key for item in entry.items}
        wanted = tuple(i for i in undone.standing if undone.items[i].key in keys)
        trusted = undone.expected == entry.before
        return undone.without(wanted, entry.after if trusted else undone.expected)

    def _done_again(self, place: Place, before: Version, entry: Entry) -> Version:
        """What the operation leaves, from wherever it was interrupted."""
        hunks = [patch.hunk for patch in entry.patches]
        after = marked(apply(unmarked(before.document), hunks), before.document)
        version, found = version_of(after, place.ref), self.read(place)
        if found.digest == entry.before:
            self._disk.discard(place, entry.op)
            came_out = self._disk.swap(place, version.data, found.contents, entry.op)
            return self._join_all(place, version, self._stranger(place, entry, version, came_out))
        late = self._late(place, entry.op, version)
        known = late is None or late.digest in (entry.before, version.digest)
        return self._join_all(place, version, None if known else late)

    def _log_missing(self, entry: Entry) -> None:
        """Append the log lines that an interrupted operation did not come to write."""
        log = self._log_place(entry.ref)
        present = Counter(self._disk.tail(log, entry.log_start).split(b"\n"))
        missing = []
        for line in _encoded(entry.log):
            present[line] -= 1
            if present[line] < 0:
                missing.append(line)
        if missing:
            self._disk.append(log, missing)

    def _log_place(self, ref: DocumentRef) -> Place:
        return self._layout.place(DocumentRef(ref.space, DocumentName.LOG))


def _rest(found: Contents, ours: Version) -> float:
    """How long bytes must have rested to be trusted: the more of ours is missing, the longer."""
    share = len(found.data) / max(len(ours.data), 1)
    if found.digest == ours.digest or (found.data.endswith(b"\n") and share >= _MOST):
        return 0.0
    return SETTLE if share >= _HALF else _PATIENCE


@contextlib.contextmanager
def _unfinished(ref: DocumentRef) -> Iterator[None]:
    """Errors after the exchange: the intent is kept, so the operation will be finished."""
    try:
        yield
    except Shrunk:
        raise
    except (WriteFailed, Unreadable, StateError) as error:
        raise Unfinished(ref) from error


def _encoded(lines: Sequence[str]) -> list[bytes]:
    return [line.encode("utf-8", "backslashreplace") for line in lines]


def _texts(hunks: Sequence[Hunk]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that come in and go out, without their ends."""
    added = tuple(line.rstrip("\r\n") for hunk in hunks for line in hunk.new)
    removed = tuple(line.rstrip("\r\n") for hunk in hunks for line in hunk.old)
    return added, removed
