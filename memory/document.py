"""A document as raw lines with their ends, and the structure found in them.

Nothing here changes a byte: ``Document.parse(data).to_bytes() == data`` for every
UTF-8 text. Lines end at ``\\n`` only (W7); fenced code is opaque.

The structure is CommonMark's, with these differences on purpose: a heading starts in the first
column; a line of ``=`` or ``-`` under a text makes no heading; nothing is code by indentation
alone; an item's number has one to three digits (a year is no marker) and may begin an entry
under any line; a blank line ends an entry; a fence may be indented at will, ends only at its
closing mark or with the file; HTML is text. docs/format.md says it in plain words.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

PIN = "<!-- pinned -->"
BOM = "\ufeff"

_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_ITEM = re.compile(r"([ \t]*)([-*+]|[0-9]{1,3}[.)])[ \t]+")
_RULE = re.compile(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r"[ \t]*(`{3,}(?!.*`)|~{3,})", re.DOTALL)


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


_CONTENT = (LineKind.TEXT, LineKind.FENCE)


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
    higher level. ``title`` is the text without ``#`` marks (closing ones too), pin marker included.
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
    ``indent`` counts the columns before it, a tab reaching to the next multiple of four.
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
        first, *rest = self.raw or ("",)
        raw = (first.removeprefix(BOM), *rest)
        found = [line[:-2] if line[-2:] == "\r\n" else line.removesuffix("\n") for line in raw]
        return tuple(found) if self.raw else ()

    @cached_property
    def newline(self) -> str:
        """The terminator new lines should take: the first one found, else ``\\n``."""
        first = self.raw[0] if self.raw else ""
        return "\r\n" if first.endswith("\r\n") else "\n"

    @cached_property
    def kinds(self) -> tuple[LineKind, ...]:
        """What each line is; every line of a fence, its marks included, is FENCE."""
        return self._scanned[0]

    @cached_property
    def open_fence(self) -> int | None:
        """The line that opens a fence which nothing closes, or None."""
        if not self.raw or not self._scanned[1][-1]:
            return None
        return max(i for i, kind in enumerate(self.kinds) if self._opens(i, kind))

    @cached_property
    def _scanned(self) -> tuple[tuple[LineKind, ...], tuple[str, ...]]:
        """The kinds of the lines, and the fence marks that are open after each."""
        kinds, marks, fence = [], [], ""
        for line in self.lines:
            kind, fence = _kind(line, fence)
            kinds.append(kind)
            marks.append(fence)
        return tuple(kinds), tuple(marks)

    def _opens(self, line: int, kind: LineKind) -> bool:
        """Whether a line is the first one of a fence."""
        return kind is LineKind.FENCE and not (line and self._scanned[1][line - 1])

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
        return tuple(_entry(self, span) for span in self._entry_spans())

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """For each line the (section, subsection) heading lines above it, as in `Entry`."""
        levels = {h.line: h.level for h in self.headings}
        found, place = [], (-1, -1)
        for line in range(len(self.raw)):
            if line in levels:
                place = (line, -1) if levels[line] <= 2 else (place[0], line)
            found.append(place)
        return tuple(found)

    def block(self, entry: Entry) -> Span:
        """The lines of an entry together with its nested children.

        A child is a deeper indented entry below it, also after blank lines.
        """
        stop = entry.span.stop
        for index in range(self._order[entry.span.start] + 1, len(self.entries)):
            child = self.entries[index]
            gap = self.kinds[stop : child.span.start]
            if child.indent <= entry.indent or any(k is not LineKind.BLANK for k in gap):
                break
            stop = child.span.stop
        return Span(entry.span.start, stop)

    def _entry_spans(self) -> list[Span]:
        spans: list[Span] = []
        start, own_fence = -1, False
        for i, kind in enumerate(self.kinds):
            begins = kind in _CONTENT and self._begins(i, start >= 0, own_fence)
            if start >= 0 and (begins or kind not in _CONTENT):
                spans.append(Span(start, i))
            if begins or kind not in _CONTENT:
                start = i if begins else -1
            own_fence = kind is LineKind.FENCE and (begins or own_fence)
        return [*spans, Span(start, len(self.raw))] if start >= 0 else spans

    def _begins(self, line: int, inside: bool, own_fence: bool) -> bool:
        """Whether a text or fence line begins an entry; ``own_fence``: the last one is a fence."""
        if not inside:
            return True
        if self.kinds[line] is LineKind.TEXT:
            return own_fence or _item(self.lines[line]) is not None
        opens = self._opens(line, LineKind.FENCE)
        return opens and (own_fence or not self.lines[line][:1].isspace())

    @cached_property
    def _order(self) -> dict[int, int]:
        return {e.span.start: i for i, e in enumerate(self.entries)}


def _kind(line: str, fence: str) -> tuple[LineKind, str]:
    """The kind of a line below an open ``fence`` mark ("" for none), and the fence after it.

    Its first character, and the last one of a rule, tell which patterns can fit at all.
    """
    stripped = line.strip()
    first = stripped[:1] or " "
    mark = _FENCE.match(line) if first in "`~" else None
    if fence:
        closes = mark and mark[1].startswith(fence) and not stripped.strip(fence[0])
        return LineKind.FENCE, "" if closes else fence
    if mark:
        return LineKind.FENCE, mark[1]
    if first == "#" and _HEADING.match(line):
        return LineKind.HEADING, ""
    if first == " ":
        return LineKind.BLANK, ""
    ruled = first in "-*_" and stripped[-1] == first and _RULE.match(stripped)
    return (LineKind.RULE if ruled else LineKind.TEXT), ""


def _heading(line: str) -> tuple[int, str]:
    level = len(line) - len(line.lstrip("#"))
    title = line[level:].strip(" \t")
    return level, _CLOSING.sub("", title).rstrip(" \t")


def _item(line: str) -> re.Match[str] | None:
    return _ITEM.match(line.rstrip())


def _ends(levels: list[tuple[int, int]], total: int) -> list[int]:
    """For each heading the line where a heading of its level or higher begins."""
    ends = [total] * len(levels)
    open_: list[int] = []
    for i, (line, level) in enumerate(levels):
        while open_ and levels[open_[-1]][1] >= level:
            ends[open_.pop()] = line
        open_.append(i)
    return ends


def _entry(document: Document, span: Span) -> Entry:
    first = document.lines[span.start]
    kind, marker, content = EntryKind.PARAGRAPH, "", first.strip()
    if document.kinds[span.start] is LineKind.FENCE:
        kind = EntryKind.FENCE
    elif item := _item(first):
        kind, marker, content = EntryKind.BULLET, item[2], first[item.end() :].strip()
    indent = _columns(first)
    rest = (line.strip() for line in document.lines[span.start + 1 : span.stop])
    text = " ".join([content, *rest])
    return Entry(span, kind, marker, indent, text, *document.places[span.start])


def _columns(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank.expandtabs(4))
