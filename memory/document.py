"""A document as raw lines with their ends, and the structure found in them.

Nothing here changes a byte: ``Document.parse(data).to_bytes() == data`` for every
UTF-8 text. Lines end at ``\\n`` only (W7); fenced code is opaque.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

PIN = "<!-- pinned -->"
BOM = "\ufeff"

_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?[ \t]*$")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_RULE = re.compile(r"\s*(-{3,}|\*{3,}|_{3,})\s*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


class LineKind(StrEnum):
    """What one line is, as the entry scanner sees it."""

    BLANK = "blank"
    HEADING = "heading"
    RULE = "rule"
    FENCE = "fence"
    TEXT = "text"


class EntryKind(StrEnum):
    """What an entry is made of."""

    BULLET = "bullet"
    PARAGRAPH = "paragraph"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of lines, 0-based and half open: ``start <= line < stop``."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __contains__(self, line: object) -> bool:
        return isinstance(line, int) and self.start <= line < self.stop


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line with the block below it.

    ``body`` runs from the line after the heading to the next heading of the same or a
    higher level. ``title`` is the text without ``#`` marks, pin marker included.
    ``section`` is the line of the governing ``##`` (itself for level 1 and 2).
    """

    line: int
    level: int
    title: str
    body: Span
    section: int

    @property
    def pinned(self) -> bool:
        """Whether this is a ``##`` heading that ends in the byte-exact pin marker (M4)."""
        return self.level == 2 and self.title.endswith(PIN)


@dataclass(frozen=True, slots=True)
class Entry:
    """A bullet with its continuation lines, a paragraph (or table), or a top-level fence.

    A nested bullet is an entry of its own; `Document.block` gives an entry with its children.
    ``text`` is the content in one line: marker removed, continuation lines joined by a blank.
    ``section`` and ``subsection`` are the lines of the governing ``##`` and ``###`` (or deeper)
    headings, -1 where there is none.
    """

    span: Span
    kind: EntryKind
    marker: str
    indent: int
    text: str
    section: int
    subsection: int


@dataclass(frozen=True)
class Document:
    """An immutable text of whole raw lines (each with its own terminator, as found)."""

    raw: tuple[str, ...]

    @classmethod
    def parse(cls, data: bytes) -> Document:
        """Read bytes as UTF-8 lines.

        Raises:
            UnicodeDecodeError: the bytes are not UTF-8; nothing is guessed (W3).
        """
        return cls.of(data.decode("utf-8"))

    @classmethod
    def of(cls, text: str) -> Document:
        """Split a text after every ``\\n``, and nowhere else."""
        pieces = text.split("\n")
        tail = (pieces.pop(),)
        return cls((*(p + "\n" for p in pieces), *(tail if tail[0] else ())))

    def to_bytes(self) -> bytes:
        """The bytes this document was made from."""
        return "".join(self.raw).encode("utf-8")

    @cached_property
    def digest(self) -> str:
        """The sha256 of the bytes, in hex."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def count(self) -> int:
        """How many lines there are, for every cap (W7): each ``\\n`` and an unterminated last."""
        return len(self.raw)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without terminators (``\\n`` or ``\\r\\n``); a BOM is not part of line 0."""
        return tuple(_bare(r.removeprefix(BOM) if i == 0 else r) for i, r in enumerate(self.raw))

    @cached_property
    def newline(self) -> str:
        """The terminator new lines should take: the first one found, else ``\\n``."""
        first = self.raw[0] if self.raw else ""
        return "\r\n" if first.endswith("\r\n") else "\n"

    @cached_property
    def kinds(self) -> tuple[LineKind, ...]:
        """What each line is; every line of a fence, its marks included, is FENCE."""
        kinds, fence = [], ""
        for line in self.lines:
            kind, fence = _kind(line, fence)
            kinds.append(kind)
        return tuple(kinds)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """Every heading outside fences, in file order."""
        found = [
            (i, *_heading(self.lines[i]))
            for i, kind in enumerate(self.kinds)
            if kind is LineKind.HEADING
        ]
        ends = _ends([(line, level) for line, level, _ in found], len(self.raw))
        result, section = [], -1
        for (line, level, title), end in zip(found, ends, strict=True):
            section = line if level <= 2 else section
            result.append(Heading(line, level, title, Span(line + 1, end), section))
        return tuple(result)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in file order."""
        return tuple(_entry(self, span, place) for span, place in _spans(self))

    def block(self, entry: Entry) -> Span:
        """The lines of an entry together with its nested children."""
        stop = entry.span.stop
        for child in self.entries[self._order[entry.span.start] + 1 :]:
            if child.span.start != stop or child.indent <= entry.indent:
                break
            stop = child.span.stop
        return Span(entry.span.start, stop)

    @cached_property
    def _order(self) -> dict[int, int]:
        return {e.span.start: i for i, e in enumerate(self.entries)}


def _bare(raw: str) -> str:
    return raw.removesuffix("\n").removesuffix("\r") if raw.endswith("\n") else raw


def _kind(line: str, fence: str) -> tuple[LineKind, str]:
    mark = _FENCE.match(line)
    if fence:
        closes = mark and mark[1].startswith(fence) and not line.strip().strip("`~")
        return LineKind.FENCE, "" if closes else fence
    if mark:
        return LineKind.FENCE, mark[1]
    if _HEADING.match(line):
        return LineKind.HEADING, ""
    if not line.strip():
        return LineKind.BLANK, ""
    return (LineKind.RULE if _RULE.match(line) else LineKind.TEXT), ""


def _heading(line: str) -> tuple[int, str]:
    match = _HEADING.match(line)
    assert match
    return len(match[1]), match[2] or ""


def _ends(levels: list[tuple[int, int]], total: int) -> list[int]:
    """For each heading the line where a heading of its level or higher begins."""
    ends = [total] * len(levels)
    open_: list[int] = []
    for i, (line, level) in enumerate(levels):
        while open_ and levels[open_[-1]][1] >= level:
            ends[open_.pop()] = line
        open_.append(i)
    return ends


def _spans(document: Document) -> list[tuple[Span, tuple[int, int]]]:
    """The line spans of all entries, each with its (section, subsection) lines."""
    spans: list[tuple[Span, tuple[int, int]]] = []
    levels = {h.line: h.level for h in document.headings}
    start, fenced, section, subsection = -1, False, -1, -1

    def close(stop: int) -> None:
        if start >= 0:
            spans.append((Span(start, stop), (section, subsection)))

    for i, kind in enumerate(document.kinds):
        line = document.lines[i]
        if kind is LineKind.TEXT:
            if start < 0 or fenced or _ITEM.match(line):
                close(i)
                start = i
            fenced = False
        elif kind is LineKind.FENCE:
            if start < 0 or (not fenced and not line[:1].isspace()):
                close(i)
                start, fenced = i, True
        else:
            close(i)
            start, fenced = -1, False
            if kind is LineKind.HEADING:
                section, subsection = (
                    (i, -1) if levels[i] <= 2 else (section, i)
                )
    close(len(document.kinds))
    return spans


def _entry(document: Document, span: Span, place: tuple[int, int]) -> Entry:
    first = document.lines[span.start]
    item = _ITEM.match(first)
    if item:
        kind, marker, indent, head = (
            EntryKind.BULLET, item[2], len(item[1].expandtabs(4)), first[item.end() :],
        )
    else:
        fence = document.kinds[span.start] is LineKind.FENCE
        kind, marker, indent, head = (
            EntryKind.FENCE if fence else EntryKind.PARAGRAPH, "", 0, first.strip(),
        )
    rest = (line.strip() for line in document.lines[span.start + 1 : span.stop])
    return Entry(span, kind, marker, indent, " ".join([head.strip(), *rest]), *place)
