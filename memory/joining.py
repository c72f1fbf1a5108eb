"""What others wrote without a lock, joined with ours so that neither side loses a line (d.3, d.4).

All of it happens under the lock of the document, which the caller holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memory.disk import SETTLE, Contents, Disk
from memory.document import Document
from memory.edits import Hunk
from memory.errors import Shrunk, Unreadable
from memory.journal import Entry, Recorded
from memory.layout import Place
from memory.ledger import Notice, What
from memory.lineage import Step, ancestor, changes, common, merge, nearest, patches
from memory.lingering import LINGER, Lingering
from memory.operations import Author
from memory.shelf import Shelf, Version, version_of
from memory.spaces import DocumentName, DocumentRef
from memory.state import State

WINDOW = timedelta(minutes=10)
"""For how long a line of ours that a foreign write dropped counts as not seen by it (d.4)."""

REPORTED = frozenset({DocumentName.USER, DocumentName.CHANNEL, DocumentName.GROUP})
"""Documents whose changes by others are reported (M6)."""

OUTSIDE, MERGED, REAPPLIED = "outside", "merged", "reapplied"
"""Sources of the steps that no person asked for."""

_ROUNDS, _STRANGERS = 6, 8
_MOST, _HALF, _PATIENCE = 0.9, 0.5, 1.0
_PAGE = 4096


class Joiner:
    """Brings foreign texts and ours together, and remembers what still has to be.

    Args:
        shelf: where documents are parsed.
        clock: the time of the journal.
        new_id: names the steps that no person asked for.
    """

    def __init__(
        self,
        state: State,
        disk: Disk,
        shelf: Shelf,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._state, self._disk, self._shelf = state, disk, shelf
        self._clock, self._new_id = clock, new_id
        self._owed: dict[DocumentRef, list[Version]] = {}
        self._strangers: dict[DocumentRef, deque[tuple[datetime, Document]]] = {}
        self.lingering = Lingering(clock)

    def join_all(self, place: Place, version: Version, stranger: Version | None = None) -> Version:
        """Join what came out of a swap, and what stands in the place, until both are known.

        When somebody else writes faster than we can join, the rest is joined at the next touch;
        until then it lies beside the document.
        """
        strangers = self._owed.setdefault(place.ref, [])
        strangers += [stranger] if stranger else []
        for _ in range(_ROUNDS):
            found = self._look(place, version)
            bases = [self._base(place.ref, version, each) for each in strangers]
            wanted = self._accepted(place.ref, version, found)
            for base, each in zip(bases, strangers, strict=True):
                wanted = merge(base, wanted, each.document)
            if wanted == found.document:
                strangers.clear()
                return found
            source = MERGED if strangers else REAPPLIED
            version, came_out = self._put_joined(place, version, found, wanted, source)
            strangers[:] = [came_out] if came_out else []
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
        if older or merged == found.document:
            self.observe(ref, version, found, What.MISSING if older else What.OUTSIDE)
        return found.document if older else merged

    def _refuse_shrunk(self, ref: DocumentRef, version: Version, found: Version) -> None:
        if version.survives(found):
            return
        removed = _texts(changes(version.document, found.document))[1]
        self._state.tell_once(Notice(ref, What.SHRUNK, self._clock(), (), removed), found.digest)
        raise Shrunk(ref)

    def _base(self, ref: DocumentRef, version: Version, theirs: Version) -> Document:
        """The version that a foreign text was made from: one of ours, or an earlier foreign one.

        Of a foreign one only those lines are taken that stand in theirs, and in ours unless we
        removed them: nothing goes that was not surely removed.
        """
        ours = ancestor(version.document, self._steps(ref), theirs.document)
        remembered = self._strangers.setdefault(ref, deque(maxlen=_STRANGERS))
        seen = [document for at, document in remembered if at > self._clock() - WINDOW]
        base = nearest(theirs.document, (ours, *seen))
        remembered.append((self._clock(), theirs.document))
        if base is ours:
            return base
        sure = {*version.document.raw, *self._removed(ref)}
        return Document(tuple(x for x in common(base, theirs.document).raw if x in sure))

    def _removed(self, ref: DocumentRef) -> Iterator[str]:
        """The lines that people took away by this program within the window."""
        for entry in self._state.steps(ref, self._clock() - WINDOW):
            if entry.author.source not in (OUTSIDE, MERGED, REAPPLIED):
                for patch in entry.patches:
                    yield from set(patch.hunk.old) - set(patch.hunk.new)

    def _steps(self, ref: DocumentRef) -> Iterator[Step]:
        """Our changes of the last ten minutes, newest first, down to one by somebody else."""
        for entry in self._state.steps(ref, self._clock() - WINDOW):
            if entry.author.source == OUTSIDE:
                return
            yield Step(tuple(patch.hunk for patch in entry.patches))

    def observe(
        self, ref: DocumentRef, before: Version, found: Version, kind: What = What.OUTSIDE
    ) -> None:
        """Record what somebody else changed, and report it where that is promised (M6)."""
        entry = self._foreign(ref, before, found, OUTSIDE)
        added, removed = _texts(tuple(patch.hunk for patch in entry.patches))
        told = kind is not What.OUTSIDE or ref.name in REPORTED
        notices = [Notice(ref, kind, entry.at, added, removed)] if told else []
        self._state.observe(entry, found.known, *notices)

    def _put_joined(
        self, place: Place, version: Version, found: Version, merged: Document, source: str
    ) -> tuple[Version, Version | None]:
        """Put both sides' lines in the place; gives them, and what came out if it is news.

        No intent is needed: after a crash both sides are still there to be joined again.
        """
        whole = version_of(merged, place.ref)
        entry = self._foreign(place.ref, found, whole, source)
        came_out = self._disk.swap(place, whole.data, found.contents, entry.op)
        if found.digest not in (version.digest, self._state.digest(place.ref)):
            self.observe(place.ref, version, found)
        self._state.observe(entry, whole.known)
        return whole, self.stranger(place, entry, whole, came_out)

    def _foreign(self, ref: DocumentRef, before: Version, after: Version, source: str) -> Entry:
        """A step that no person asked for; nobody can undo it."""
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
            patches=patches(before.document, after.document),
        )

    def stranger(
        self, place: Place, entry: Entry, version: Version, came_out: Contents | None
    ) -> Version | None:
        """What came out, when somebody else had slipped in and it can be joined already."""
        if came_out is None:
            return None
        self.lingering.add(place, entry.op, came_out)
        if came_out.digest == entry.before:
            return None
        late = self.late(place, entry.op, version)
        return late if late and version.survives(late) else None

    def with_late_lines(self, place: Place, version: Version, wait: timedelta) -> Version:
        """Join what was written into files after they had come out (step 8)."""
        for displaced in self.lingering.due(place, wait):
            late = self.late(place, displaced.token, version)
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
        return self.join_all(place, *self._put_joined(place, version, version, merged, MERGED))

    def late(self, place: Place, token: str, version: Version) -> Version | None:
        """What a file holds by now that came out when ``version`` was put in its place."""
        try:
            contents = self._disk.displaced(place, token, lambda found: _rest(found, version))
            return self._shelf.version(place.ref, contents) if contents else None
        except Unreadable:
            return None

    def sweep(self, place: Place, version: Version) -> None:
        """Remove what a crash left beside a document, after joining what is foreign in it."""
        for token in self._disk.leftovers(place, LINGER.total_seconds()):
            entry = self._state.entry(token)
            late = self.late(place, token, version)
            if entry and late and late.digest not in (entry.before, entry.after):
                version = self._with_lines_of(place, version, self._news(late, entry), None)
            self._disk.discard(place, token)

    def _news(self, late: Version, entry: Entry) -> Version:
        """A text that came out once, without the lines that were removed since."""
        steps = self._state.steps(entry.ref, entry.at)
        gone = {line for step in steps for patch in step.patches for line in patch.hunk.old}
        return version_of(Document(tuple(x for x in late.document.raw if x not in gone)), entry.ref)


def _rest(found: Contents, ours: Version) -> float:
    """How long bytes must have rested to be trusted: the more of ours is missing, the longer.

    A file that ends between two lines and not at a whole page is taken for whole at once.
    """
    share = len(found.data) / max(len(ours.data), 1)
    torn = not found.data.endswith(b"\n") or len(found.data) % _PAGE == 0
    if found.digest == ours.digest or (not torn and share >= _MOST):
        return 0.0
    return SETTLE if share >= _HALF else _PATIENCE


def _texts(hunks: Sequence[Hunk]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that come in and go out, without their ends."""
    added = tuple(line.rstrip("\r\n") for hunk in hunks for line in hunk.new)
    removed = tuple(line.rstrip("\r\n") for hunk in hunks for line in hunk.old)
    return added, removed
