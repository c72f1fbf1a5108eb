"""What a menu's spot means in a document as it stands now, and what may be done there (D5, M4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from curation.characters import visible
from handlers.browsing import documents
from handlers.browsing.menu import Spot, View, mark_of
from handlers.context import Turn
from handlers.messages.reply import shortened
from handlers.messages.voice import Voice
from memory.document import Document, Entry, Heading
from memory.journal import Entry as Step
from memory.sectionplaces import bare
from memory.sections import Op
from memory.spaces import DocumentName, DocumentRef
from memory.store import UNDO_DAYS

SECTION = 2
"""The level of a section's heading."""

_BULLETS = frozenset("-*+")
_TITLE = 120
_SINGLE = (["entry"], ["section"])


@dataclass(frozen=True, slots=True)
class Sight:
    """A document as it is read for one page."""

    turn: Turn
    voice: Voice
    ref: DocumentRef
    document: Document

    @property
    def title(self) -> str:
        """What the document is called."""
        return documents.title(self.turn, self.ref, self.voice)

    @property
    def sections(self) -> tuple[Heading, ...]:
        """The ``##`` headings that have a name."""
        found = (h for h in self.document.headings if h.level == SECTION)
        return tuple(h for h in found if bare(h.title))

    def may(self, op: Op) -> bool:
        """Whether a person may do that here (product.md 2)."""
        return documents.allowed(self.ref, op)


def sight(turn: Turn, spot: Spot, voice: Voice) -> Sight | None:
    """The document of a spot; None when it may not be read here any more.

    Raises:
        Unreadable: as `Store.read`.
    """
    ref = documents.reference(turn, spot.ref)
    return Sight(turn, voice, ref, turn.services.store.read(ref).document) if ref else None


def entry_at(document: Document, spot: Spot) -> Entry | None:
    """The entry a spot means: where it stood, else the only one with that text (D5)."""
    here = [e for e in document.entries if e.span.start == spot.line]
    if here and mark_of(here[0].text) == spot.mark:
        return here[0]
    same = [e for e in document.entries if mark_of(e.text) == spot.mark]
    return same[0] if len(same) == 1 else None


def heading_at(document: Document, spot: Spot) -> Heading | None:
    """The heading a spot means, found as an entry is."""
    here = [h for h in document.headings if h.line == spot.line]
    if here and mark_of(here[0].title) == spot.mark:
        return here[0]
    same = [h for h in document.headings if mark_of(h.title) == spot.mark]
    return same[0] if len(same) == 1 else None


def entry_spot(ref: DocumentRef, entry: Entry) -> Spot:
    """The spot of an entry."""
    return Spot(View.ENTRY, ref.key, entry.span.start, mark_of(entry.text))


def heading_spot(ref: DocumentRef, heading: Heading, view: View = View.SECTION) -> Spot:
    """The spot of a section or subsection."""
    return Spot(view, ref.key, heading.line, mark_of(heading.title))


def inside(document: Document, heading: Heading) -> tuple[Entry, ...]:
    """Every entry below a heading, those of its subsections too."""
    return tuple(e for e in document.entries if e.span.start in heading.body)


def deeper_than(document: Document, heading: Heading) -> tuple[Heading, ...]:
    """The headings below a heading."""
    return tuple(h for h in document.headings if h.line in heading.body)


def home_of(document: Document, entry: Entry) -> Heading | None:
    """The section or subsection that an entry stands in."""
    lines = {h.line: h for h in document.headings if h.level >= SECTION}
    return lines.get(entry.subsection) or lines.get(entry.section)


def parent(document: Document, heading: Heading) -> Heading | None:
    """The section of a subsection, None for a section."""
    above = (h for h in document.headings if h.line == heading.section and h is not heading)
    return next((h for h in above if h.level == SECTION), None)


def named(heading: Heading) -> str:
    """A heading as it is shown, as plain text."""
    pin = "📌 " if heading.pinned else ""
    return f"{pin}{shortened(visible(bare(heading.title)), _TITLE)}"


def where(seen: Sight, heading: Heading | None) -> str:
    """Where a heading stands, as plain text: ``USER.md › Style › Email``."""
    if heading is None:
        return seen.title
    above = parent(seen.document, heading)
    steps = [seen.title, *([named(above)] if above else []), named(heading)]
    return " › ".join(steps)


def steps_to(document: Document, heading: Heading | None) -> tuple[str, ...]:
    """The titles that lead to a heading: of a section, or of a section and its subsection."""
    if heading is None:
        return ()
    above = parent(document, heading)
    return (above.title, heading.title) if above else (heading.title,)


def children(document: Document, entry: Entry) -> int:
    """How many entries stand below an entry and go with it."""
    block = document.block(entry)
    return sum(1 for e in document.entries if e.span.start in block) - 1


def can_change(seen: Sight, entry: Entry) -> bool:
    """Whether a person may reword and delete an entry here: bullets only (M4)."""
    return seen.may(Op.REMOVE) and entry.marker in _BULLETS


def is_anothers(seen: Sight, entry: Entry) -> bool:
    """Whether an entry of shared memory was not written by who looks at it, or by nobody known.

    The newest change of the journal that worded it is asked, for as long as it can be undone;
    who moved it or brought it back did not write it.
    """
    if not documents.is_shared(seen.ref):
        return False
    line, turn = seen.document.lines[entry.span.start].strip(), seen.turn
    steps = turn.services.state.steps(seen.ref, turn.now - timedelta(days=UNDO_DAYS))
    newest = next((step for step in steps if _worded(step, line)), None)
    return newest is None or newest.author.user != turn.person.id


def _worded(step: Step, line: str) -> bool:
    """Whether a change of one thing wrote a line that had not stood there before."""
    hunks = [patch.hunk for patch in step.patches]
    stood = any(line == old.strip() for hunk in hunks for old in hunk.old)
    stands = any(line == new.strip() for hunk in hunks for new in hunk.new)
    single = [item.key for item in step.items] in _SINGLE
    return stands and not stood and single and not step.undoes


def can_move(seen: Sight, entry: Entry) -> bool:
    """Whether an entry can be moved: not one with others below it, which would be torn apart."""
    return can_change(seen, entry) and not children(seen.document, entry)


def is_field(seen: Sight) -> bool:
    """Whether the sections of a document are fields with a value each."""
    return seen.ref.name is DocumentName.SOUL
