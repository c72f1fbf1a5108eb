"""Hits of a search that a newer line of the same document replaces: below that one (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from curation.engine import Engine, Item
from memory.changeset import Category
from memory.document import Document
from memory.search import Hit


def below(hits: Sequence[Hit], engine: Engine, today: date) -> tuple[Hit, ...]:
    """The hits in order, but what was true once below what says that it is over."""
    ordered = list(hits)
    for old, new in _replaced(hits, engine, today):
        here, there = ordered.index(old), ordered.index(new)
        if here < there:
            ordered.insert(there, ordered.pop(here))
    return tuple(ordered)


def _replaced(hits: Sequence[Hit], engine: Engine, today: date) -> list[tuple[Hit, Hit]]:
    """Pairs of a hit and the newer one that replaces it."""
    found: list[tuple[Hit, Hit]] = []
    for ref in dict.fromkeys(hit.ref for hit in hits if hit.ref):
        lines = sorted((hit for hit in hits if hit.ref == ref), key=lambda hit: hit.line)
        if len(lines) > 1:
            found += _among(lines, engine, today)
    return found


def _among(lines: Sequence[Hit], engine: Engine, today: date) -> list[tuple[Hit, Hit]]:
    document = Document.of("".join(f"- {' '.join(hit.text.split())}\n" for hit in lines))
    items = engine.audit(document, (), today).items
    return [(lines[old], lines[new]) for item in items for old, new in _places(item, len(lines))]


def _places(item: Item, count: int) -> list[tuple[int, int]]:
    """The lines that a certain finding replaces, each with the line that says so."""
    newer = item.evidence.rpartition(":")[2]
    if item.category is not Category.SUPERSEDED or item.borderline or not newer.isdigit():
        return []
    spans = [span for change in item.changes for span in change.spans]
    olds = [line for span in spans for line in range(span.start, span.stop)]
    return [(old, int(newer) - 1) for old in olds if old < count and 0 < int(newer) <= count]
