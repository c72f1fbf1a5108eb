"""Entries that hold some words, in every document that a conversation may change (M1)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from handlers.browsing import documents
from handlers.browsing.menu import Spot
from handlers.browsing.menusights import Sight, can_change, entry_spot, home_of, where
from handlers.context import Turn
from handlers.messages.voice import Voice
from memory.document import Span
from memory.errors import Unreadable
from memory.folding import fold
from memory.sectionplaces import bullets, matching
from memory.sections import Op
from memory.spaces import DocumentRef


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry, and where it stands as plain text."""

    spot: Spot
    text: str
    where: str


def matches(turn: Turn, words: str, voice: Voice) -> tuple[Hit, ...]:
    """The entries whose text is or holds the words; case and accents do not matter."""
    if not fold(words):
        return ()
    refs = [ref for ref in documents.existing(turn) if documents.allowed(ref, Op.REMOVE)]
    return tuple(hit for ref in refs for hit in _in(turn, ref, words, voice))


def _in(turn: Turn, ref: DocumentRef, words: str, voice: Voice) -> list[Hit]:
    with suppress(Unreadable):
        document = turn.services.store.read(ref).document
        seen = Sight(turn, voice, ref, document)
        found = matching(bullets(document, Span(0, document.count)), words)
        return [
            Hit(entry_spot(ref, e), e.text, where(seen, home_of(document, e)))
            for e in found
            if can_change(seen, e)
        ]
    return []
