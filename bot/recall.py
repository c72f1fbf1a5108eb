"""Search put together: the index with what it reads and the words of the configured languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from locales import Languages
from locales.terms import Terms
from memory.ages import Ages
from memory.disk import Disk
from memory.layout import Layout
from memory.search import Index
from memory.sources import Sources
from memory.state import State


def open_index(
    state: State, layout: Layout, disk: Disk, languages: Languages, clock: Callable[[], datetime]
) -> Index:
    """The index beside a state; nothing is read before the first search."""
    terms = Terms(languages)
    sources = Sources(layout, disk, state.facts, terms)
    return Index(state.path.parent, sources, terms, Ages(layout, disk, state, clock))
