"""What `pomnenka check` finds in the spaces, as values (R2, S2, S5, M5).

A problem keeps the bot or an agent from working and ends the command with 1; a hint is for a
person to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from curation.governance import Matter, Repair
from memory.document import Document
from memory.overlays import Overlay
from memory.spaces import DocumentName
from memory.strays import Stray


class Level(StrEnum):
    """How much a finding weighs."""

    PROBLEM = "problem"
    HINT = "hint"


class Code(StrEnum):
    """What was found."""

    SETTINGS = "settings"
    UNREADABLE = "unreadable"
    STATE = "state"
    BACKUP = "backup"
    ORPHAN = "orphan"
    DEAD = "dead_pointer"
    MISNAMED = "misnamed_pointer"
    STALE = "stale_topic"
    MISPLACED = "misplaced"
    BYPASSED = "bypassed"
    FULL = "index_full"
    LINES = "many_lines"
    BYTES = "many_bytes"
    NOT_BOUND = "overlay_not_bound"
    NEAR_CAP = "overlay_near_cap"
    HEADING = "overlay_heading"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: where, and the data its sentence is made from."""

    level: Level
    code: Code
    where: str
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {k: v for k, v in asdict(self).items() if v or k != "detail"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How long documents should be: lines of the index, keep.md and MEMORY.md."""

    index_warn: int = 150
    index_full: int = 180
    keep: int = 150
    memory: int = 250


USER_BYTES, GROUP_BYTES = 8 * 1024, 32 * 1024
"""Above these an agent's reader warns (prior_art_seeds.md 2.1)."""

_MATTERS = {
    Matter.STALE: Code.STALE,
    Matter.DEAD: Code.DEAD,
    Matter.MISNAMED: Code.MISNAMED,
    Matter.ORPHAN: Code.ORPHAN,
}


def repairs(index: str, found: Iterable[Repair]) -> Iterator[Finding]:
    """What /tidy would propose for an index."""
    for one in found:
        detail = {"file": one.file, "text": one.text, "new": one.new, "days": one.days}
        yield Finding(Level.HINT, _MATTERS[one.matter], index, detail)


def misplaced(folder: str, found: Iterable[Stray]) -> Iterator[Finding]:
    """Files that look like a document and are none."""
    for one in found:
        yield Finding(Level.HINT, Code.MISPLACED, f"{folder}/{one.file}", {"like": one.like})


def weighed(name: DocumentName, path: str, document: Document, limits: Limits) -> Iterator[Finding]:
    """Whether a document is near or over what its readers take (K10, C1, S1)."""
    lines = {
        DocumentName.INDEX: limits.index_warn - 1,
        DocumentName.KEEP: limits.keep,
        DocumentName.MEMORY: limits.memory,
    }
    sizes = {DocumentName.USER: USER_BYTES, DocumentName.GROUP: GROUP_BYTES}
    if name is DocumentName.INDEX and document.count >= limits.index_full:
        yield Finding(Level.PROBLEM, Code.FULL, path, {"lines": document.count})
    elif name in lines and document.count > lines[name]:
        yield Finding(Level.HINT, Code.LINES, path, {"lines": document.count})
    size = len(document.to_bytes()) if name in sizes else 0
    if size > sizes.get(name, 0):
        yield Finding(Level.HINT, Code.BYTES, path, {"bytes": size, "limit": sizes[name]})


def overlaid(folder: str, found: Iterable[Overlay]) -> Iterator[Finding]:
    """Overlays that do not load, and what is wrong with those that do (M5)."""
    for one in found:
        path = f"{folder}/{one.file}"
        if one.reason:
            yield Finding(Level.HINT, Code.NOT_BOUND, path, {"reason": str(one.reason)})
        if one.near_cap:
            yield Finding(Level.HINT, Code.NEAR_CAP, path, {"bytes": one.size})
        if one.headings:
            yield Finding(Level.HINT, Code.HEADING, path, {"lines": list(one.headings)})
