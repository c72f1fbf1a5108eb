"""Into which section of a document an entry goes, and how it gets there (T6, S3)."""

from __future__ import annotations

from curation.engine import Aspect
from curation.fitting import Spot
from handlers.context import Turn
from handlers.places import Code
from memory.document import PIN, Document
from memory.edits import Edit, Hunk, add_heading, append_entry, replace_entry
from memory.spaces import DocumentName, DocumentRef
from memory.store import Item, Receipt

ENTRY = "entry"
"""The key of the only item of an operation that files one entry."""


def spots_of(document: Document) -> tuple[Spot, ...]:
    """The ``##`` sections of a document with the texts of their entries."""
    found = []
    for heading in document.headings:
        if heading.level == 2 and heading.title.removesuffix(PIN).strip():
            inside = (e.text for e in document.entries if e.span.start in heading.body)
            found.append(Spot(heading.title, tuple(inside)))
    return tuple(found)


def heading_words(turn: Turn, aspect: Aspect) -> frozenset[str]:
    """Words of every language in the titles of places for such a rule or field."""
    guards = turn.services.languages.guards
    return frozenset().union(*(g.words(f"filing.headings.{aspect}") for g in guards))


def spoken(turn: Turn, text: str) -> str:
    """The language of a text, else that of the person."""
    hint = turn.person.language[:2]
    return turn.services.languages.detect(text, hint) or turn.voice().language


def write(turn: Turn, ref: DocumentRef, entry: str, at: tuple[Code, str]) -> Receipt:
    """Write an entry below the heading of a place, or instead of the entry named beside it."""
    place, replaces = at
    dated = f"[{turn.today:%Y-%m-%d}] {entry}" if ref.name is DocumentName.AGENTS else entry
    item = Item(ENTRY, entering(dated, place.heading, replaces))
    return turn.services.store.apply(ref, [item], turn.author(), entry)


def entering(text: str, heading: str, replaces: str = "") -> Edit:
    """The edit: nothing when the line stands already, so that a repeated update is harmless.

    A document without any section gets the heading. When the entry that was to give way is
    gone meanwhile, the new one is added (D5).
    """

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        if any(entry.text == text for entry in document.entries):
            return ()
        hunks = replace_entry(replaces, text)(document) if replaces else None
        if hunks is not None:
            return hunks
        if heading and not any(h.level == 2 for h in document.headings):
            return add_heading(heading, text)(document)
        return append_entry(text, heading)(document)

    return plan
