"""The index: lines that point to topic files, and the edits that keep them true (S2, S5); pure.

A pointer is a bullet ``- <topic> → <file>.md`` with the bare name of a file. Everything else in
the index, lines such as ``→ see USER.md`` too, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from memory.document import PIN, Document, Entry, EntryKind, Span
from memory.edits import Edit, Hunk, add_heading, append_entry, splice
from memory.folding import fold

ARROW = "→"

_POINTER = re.compile(r"(?P<topic>.*\S)\s*(?:→|->)\s*(?P<file>\S(?:.*\S)?)\s*$")
_LINK = re.compile(r"\[[^\]]*\]\((?P<file>[^)]+)\)|`(?P<code>[^`]+)`")
_BLANKS = re.compile(r"[\s-]+")
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Pointer:
    """One pointer of an index.

    ``text`` is the whole line without its bullet, ``file`` what stands behind the arrow. A
    ``pinned`` one stands in a pinned section, which governance leaves alone (M4).
    """

    line: int
    text: str
    topic: str
    file: str
    pinned: bool


def pointers(index: Document) -> tuple[Pointer, ...]:
    """Every pointer of an index, in file order."""
    pinned = {h.line for h in index.headings if h.pinned}
    found = (_pointer(index, entry, entry.section in pinned) for entry in index.entries)
    return tuple(pointer for pointer in found if pointer)


def _pointer(index: Document, entry: Entry, pinned: bool) -> Pointer | None:
    line = index.lines[entry.span.start]
    if entry.kind is not EntryKind.BULLET or len(line) > _LONGEST:
        return None
    text = line.strip().removeprefix(entry.marker).strip()
    match = _POINTER.fullmatch(text)
    file = _bare(match["file"]) if match else ""
    if not match or not (file.casefold().endswith(".md") or file.startswith("memory_")):
        return None
    return Pointer(entry.span.start, text, match["topic"].strip(), file, pinned)


def _bare(file: str) -> str:
    """A file name without the marks of a link or of code."""
    match = _LINK.fullmatch(file)
    return (match["file"] or match["code"]) if match else file


def likeness(file: str) -> str:
    """What stays of a file name that was written in another way: case, path, dashes, accents."""
    last = file.replace("\\", "/").rstrip("/").rpartition("/")[2]
    plain = _BLANKS.sub("_", fold(last)).removesuffix(".md")
    return plain if plain.startswith("memory_") else f"memory_{plain}"


def title_of(topic: Document, slug: str) -> str:
    """What a pointer calls a topic: its first heading, else its slug in words."""
    titles = (h.title.removesuffix(PIN).strip() for h in topic.headings)
    named = next((" ".join(title.split())[:120] for title in titles if title), "")
    return named.replace(ARROW, "-") or slug.replace("_", " ")


class Gate(StrEnum):
    """What the length of an index allows (S1)."""

    OPEN = "open"
    WARN = "warn"
    SHUT = "shut"


def gate(lines: int, warn: int, full: int) -> Gate:
    """Whether an index of so many lines, counted before the write, may grow (S1, W7)."""
    if lines >= full:
        return Gate.SHUT
    return Gate.WARN if lines >= warn else Gate.OPEN


def points_to(index: Document, file: str) -> bool:
    """Whether a pointer to this file stands in an index."""
    return any(pointer.file == file for pointer in pointers(index))


def link(topic: str, file: str, limit: int, heading: str = "") -> Edit:
    """Add a pointer; None in an index of ``limit`` lines (S1), ``()`` where one stands already.

    It goes below the last one of the section ``heading``; without such a section below those
    that stand there. An index with neither sections nor pointers gets that section.
    """
    line = f"{topic} {ARROW} {file}"

    def plan(index: Document) -> tuple[Hunk, ...] | None:
        if points_to(index, file):
            return ()
        if gate(index.count, limit, limit) is Gate.SHUT:
            return None
        sections = [h.title for h in index.headings if h.level == 2]
        if heading and not sections and not pointers(index):
            return add_heading(heading, line)(index)
        return append_entry(line, heading if heading in sections else _heading(index))(index)

    return plan


def _heading(index: Document) -> str:
    """The section for a new pointer: the last open one with pointers, else the last open one."""
    sections = {h.line: h.title for h in index.headings if h.level == 2 and not h.pinned}
    lines = {index.places[p.line][0] for p in pointers(index)}
    titles = [title for line, title in sections.items() if line in lines]
    return next(iter([*titles[-1:], *list(sections.values())[-1:]]), "")


def unlink(file: str) -> Edit:
    """Remove the open pointers to a file; nothing to do where there is none."""

    def plan(index: Document) -> tuple[Hunk, ...]:
        gone = (p.line for p in pointers(index) if p.file == file and not p.pinned)
        return splice(index, dict.fromkeys(_blocks(index, gone), ()))

    return plan


def relink(old: str, new: str) -> Edit:
    """Give the open pointers to ``old`` the file name ``new``; None where there is none."""

    def plan(index: Document) -> tuple[Hunk, ...] | None:
        found = [p for p in pointers(index) if p.file == old and not p.pinned]
        lines = {Span(p.line, p.line + 1): (_renamed(index.lines[p.line], new),) for p in found}
        return splice(index, lines) if found else None

    return plan


def _renamed(line: str, new: str) -> str:
    arrow = max(line.rfind(ARROW), line.rfind("->") + 1)
    return f"{line[: arrow + 1]} {new}"


def _blocks(index: Document, lines: Iterable[int]) -> list[Span]:
    """The entries that begin at these lines with their children, none inside another."""
    wanted = set(lines)
    spans: list[Span] = []
    for entry in index.entries:
        inside = bool(spans) and entry.span.start < spans[-1].stop
        if entry.span.start in wanted and not inside:
            spans.append(index.block(entry))
    return spans
