"""The values of a change-set: what is changed, why, and under which limits (product.md 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory.document import Span


class Op(StrEnum):
    """What a change does; SHORTEN exists in the keep profile only."""

    DELETE = "delete"
    MERGE = "merge"
    SHORTEN = "shorten"


class Category(StrEnum):
    """Why lines are deleted (C3)."""

    SUPERSEDED = "superseded"
    DETAIL = "detail"
    DUPLICATE = "duplicate"
    EPHEMERAL = "ephemeral"
    STALE_SECTION = "stale-section"


class Profile(StrEnum):
    """Which limits hold: the night's, a person's, or keep.md's (product.md 2)."""

    STRICT = "strict"
    INTERACTIVE = "interactive"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to whole lines of one document.

    ``original`` holds the lines of all ``spans`` in file order, without terminators;
    several spans only in the keep profile (entries to merge need not be adjacent).
    ``new_text`` replaces the first span of a merge or shorten; ``reason`` is English.
    """

    op: Op
    spans: tuple[Span, ...]
    original: tuple[str, ...]
    new_text: tuple[str, ...] = ()
    category: Category | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its name as in benchmarks/data/COMPACTION.md and the change's number.

    ``change`` counts from 0; None where the rule concerns the whole change-set.
    """

    rule: str
    change: int | None = None
