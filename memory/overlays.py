"""Per-skill overlays: which of them reach an agent's prompt, and why another does not (M5).

An overlay is a person's own file. It is read here and never written. An agent loads
``config/skills/<skill>.md`` together with the skill of exactly that name; a file that does not
bind is silent, which is why somebody has to say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from memory.document import Document, Span
from memory.errors import Unreadable
from memory.layout import Layout, printable
from memory.operations import Snapshot
from memory.spaces import DocumentName, DocumentRef, Space

CAP = 32 * 1024
"""Above so many bytes an overlay is not loaded."""

NEAR = 24 * 1024
"""From so many bytes on a person is warned."""

TAKE_NONE = frozenset({"sensitive_actions", "untrusted_input"})
"""Skills that guard the agent and take no overlay."""

_SUFFIX = ".md"
_FENCE = "---"


class Reason(StrEnum):
    """Why an overlay does not reach the prompt."""

    BAD_NAME = "bad_name"
    WRONG_CASE = "wrong_case"
    UNKNOWN_SKILL = "unknown_skill"
    DISABLED = "disabled"
    TAKES_NONE = "takes_none"
    OVER_CAP = "over_cap"
    EMPTY = "empty"
    SYMLINK = "symlink"
    NOT_A_FILE = "not_a_file"
    NOT_UTF8 = "not_utf8"
    UNREADABLE = "unreadable"


_CAUSES = {
    "symlink": Reason.SYMLINK,
    "not_a_file": Reason.NOT_A_FILE,
    "not_utf8": Reason.NOT_UTF8,
    "too_large": Reason.OVER_CAP,
}


@dataclass(frozen=True, slots=True)
class Skills:
    """What is known of the agent's skills; ``known`` is empty when nothing is."""

    known: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Overlay:
    """One file of the overlay folder.

    ``reason`` is None when it binds. ``verified`` tells whether such a skill is known at all;
    without any list of skills every proper name is taken for one. ``headings`` are the lines
    (from 1) of a ``#`` or ``##`` outside fences, which escape the block it is put into.
    """

    skill: str
    file: str
    reason: Reason | None
    verified: bool
    size: int = 0
    headings: tuple[int, ...] = ()

    @property
    def binds(self) -> bool:
        """Whether it reaches the prompt."""
        return self.reason is None

    @property
    def near_cap(self) -> bool:
        """Whether it is about to become too long."""
        return NEAR <= self.size <= CAP


def examine(
    layout: Layout, space: Space, skills: Skills, read: Callable[[DocumentRef], Snapshot]
) -> tuple[Overlay, ...]:
    """Every overlay of a personal space, those that no skill could be named by included.

    Args:
        read: reads a document without following links, as `Store.read`; raises `Unreadable`.
    """
    names = layout.listed(space, DocumentName.OVERLAY)
    files = (printable(name) for name in names if name.casefold().endswith(_SUFFIX))
    return tuple(_examined(space, file, skills, read) for file in files)


def installed(layout: Layout, space: Space) -> frozenset[str]:
    """The skills that lie in ``skills/`` of the workspace, each in a folder of its own."""
    folder = layout.folder(space) / "skills"
    return frozenset(path.parent.name for path in _skill_files(folder))


def _skill_files(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.glob("*/SKILL.md")
    except OSError:
        return


def _examined(
    space: Space, file: str, skills: Skills, read: Callable[[DocumentRef], Snapshot]
) -> Overlay:
    skill = file[: -len(_SUFFIX)]
    ref = DocumentRef(space, DocumentName.OVERLAY, skill)
    verified = skill in skills.known
    reason = _misnamed(ref, file, skills)
    if reason in (Reason.WRONG_CASE, Reason.BAD_NAME):
        return Overlay(skill, file, reason, False)
    try:
        document = read(ref).document
    except Unreadable as error:
        return Overlay(skill, file, reason or _CAUSES.get(error.cause, Reason.UNREADABLE), verified)
    size = len(document.to_bytes())
    reason = reason or (Reason.OVER_CAP if size > CAP else None)
    reason = reason or (Reason.EMPTY if _is_empty(document) else None)
    return Overlay(skill, file, reason, verified, size, escaping(document))


def _misnamed(ref: DocumentRef, file: str, skills: Skills) -> Reason | None:
    """What the name alone says; an agent compares it letter by letter."""
    if not (ref.is_proper and file.endswith(_SUFFIX)):
        lower = replace(ref, slug=ref.slug.casefold())
        meant = lower.is_proper and (not skills.known or lower.slug in skills.known | TAKE_NONE)
        return Reason.WRONG_CASE if meant else Reason.BAD_NAME
    if ref.slug in TAKE_NONE:
        return Reason.TAKES_NONE
    if ref.slug in skills.disabled:
        return Reason.DISABLED
    unknown = skills.known and ref.slug not in skills.known
    return Reason.UNKNOWN_SKILL if unknown else None


def _frontmatter(document: Document) -> Span:
    """The lines of the block between ``---`` at the very top, marks included."""
    lines = [line.rstrip() for line in document.lines]
    if lines[:1] == [_FENCE] and _FENCE in lines[1:]:
        return Span(0, lines.index(_FENCE, 1) + 1)
    return Span(0, 0)


def _is_empty(document: Document) -> bool:
    body = document.lines[_frontmatter(document).stop :]
    return not any(line.strip() for line in body)


def escaping(document: Document) -> tuple[int, ...]:
    """The lines (from 1) of headings that are too high for an overlay."""
    top = _frontmatter(document)
    return tuple(h.line + 1 for h in document.headings if h.level <= 2 and h.line not in top)
