"""The bot's own name and persona: another value for a field of SOUL.md, and nothing else (T11)."""

from __future__ import annotations

from collections.abc import Collection

from curation import fitting
from handlers import places
from handlers.context import Turn
from handlers.messages import outcome
from handlers.messages.outcome import Outcome
from memory import sections
from memory.document import PIN, Document
from memory.sections import Noop, Op, Planned, Request
from memory.spaces import DocumentName
from memory.store import Item

_ENTRY = "entry"


def offer(turn: Turn, value: str, words: Collection[str]) -> Outcome:
    """Old and new value on a card, or the word that there is no field for it.

    ``words`` are flat words that mark the heading of the right field.
    """
    soul = turn.services.store.read(turn.document(DocumentName.SOUL))
    found = field(soul.document, value, words)
    if found is None:
        return outcome.Fieldless(value, soul.exists)
    title, result = found
    if isinstance(result, Noop):
        return outcome.Known(value, DocumentName.SOUL)
    return outcome.Persona(value, title, result.before)


def field(soul: Document, value: str, words: Collection[str]) -> tuple[str, Planned | Noop] | None:
    """The first field whose heading has one of the words, and what the value would change."""
    for section in sections.headings(soul):
        if fitting.names(section.title.removesuffix(PIN).strip(), words):
            result = sections.plan(soul, request(section.title, value))
            if isinstance(result, Planned | Noop):
                return section.title, result
    return None


def request(heading: str, value: str) -> Request:
    """The section operation that gives a field its value."""
    return Request(Op.REPLACE, heading, line=value, name=DocumentName.SOUL)


def put(turn: Turn, one: outcome.Persona) -> Outcome | None:
    """Give the field its value; None when the field is gone meanwhile."""
    ref = turn.document(DocumentName.SOUL)
    item = Item(_ENTRY, sections.edit(request(one.heading, one.entry)))
    receipt = turn.services.store.apply(ref, [item], turn.author(), one.entry)
    if receipt.skipped:
        return None
    if not receipt.changed:
        return outcome.Known(one.entry, DocumentName.SOUL)
    code = places.code(DocumentName.SOUL, heading=one.heading)
    where = places.shown(code, turn.services.layout.names)
    return outcome.Filed(one.entry, where, receipt.op, one.old)
