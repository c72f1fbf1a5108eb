"""Ways to change a document, as values: every edit becomes hunks, and hunks can be undone.

An `Edit` is a pure function that plans hunks on the document it is given; the store calls it
under the lock on freshly read bytes. It returns ``()`` when there is nothing to do (a no-op)
and None when the lines it was made for are no longer there (the item is then skipped, D5).

All lines that an edit does not name stay byte for byte (W2). New lines take the document's own
terminator; a byte order mark stays in front. Texts are one line each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memory.document import BOM, Document, Entry, EntryKind, Heading, LineKind, Span
from memory.folding import same_title


@dataclass(frozen=True, slots=True)
class Hunk:
    """Raw lines ``old`` at line ``start`` (0-based) that become ``new``; ends included."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def stop(self) -> int:
        """The line after the last old one."""
        return self.start + len(self.old)


Edit = Callable[[Document], tuple[Hunk, ...] | None]


def apply(document: Document, hunks: Iterable[Hunk]) -> Document:
    """The document with hunks applied; all other lines stay byte for byte.

    The hunks do not overlap; those at one line take effect in the order given.
    """
    raw: list[str] = []
    line = 0
    for hunk in sorted(hunks, key=lambda h: h.start):
        raw += document.raw[line : hunk.start]
        raw += hunk.new
        line = hunk.stop
    return Document((*raw, *document.raw[line:]))


def locate(lines: Sequence[str], block: Sequence[str], wanted: int) -> int | None:
    """Where a block of lines stands: at ``wanted``, else at the only place it occurs, else None.

    An empty block stands wherever ``wanted`` lies inside the lines.
    """
    if tuple(lines[wanted : wanted + len(block)]) == tuple(block) and wanted <= len(lines):
        return wanted
    places = occurrences(lines, block)
    return places[0] if len(places) == 1 else None


def occurrences(lines: Sequence[str], block: Sequence[str]) -> tuple[int, ...]:
    """Every line at which a block of whole lines begins; none for an empty block."""
    if not block:
        return ()
    size, want, found, start = len(block), tuple(block), [], -1
    for _ in range(lines.count(want[0])):
        start = lines.index(want[0], start + 1)
        if tuple(lines[start : start + size]) == want:
            found.append(start)
    return tuple(found)


def append_entry(text: str, heading: str = "") -> Edit:
    """Add ``- text`` as the last entry of a file, or of a section.

    Without a heading: below the last content of the file (K12). With a heading: above the first
    deeper heading of that ``##`` (M4). The first heading of that name is meant; the edit is None
    when there is none. Blank lines and rules that end the place stay below the new entry.

    Raises:
        ValueError: the text has a line break or is blank.
    """
    line = f"- {_one_line(text)}"

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        place = _place(document, heading) if heading else Span(0, document.count)
        return None if place is None else insert(document, place, line)

    return plan


def insert(document: Document, place: Span, line: str) -> tuple[Hunk, ...]:
    """Put a line below the last content of a place, as `append_entry` does.

    Raises:
        ValueError: the line holds a line feed.
    """
    return splice(document, _added(document, _end(document, place), (line,)))


def replace_entry(old: str, new: str) -> Edit:
    """Give the first entry whose text is ``old`` another text; letter case counts.

    Its marker and indent stay, its continuation lines go, its children stay.

    Raises:
        ValueError: the new text has a line break or is blank.
    """
    _one_line(new)

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        entry = _find(document, old)
        if entry is None:
            return None
        if new == old:
            return ()
        return splice(document, {entry.span: (prefix(document, entry) + new.strip(),)})

    return plan


def remove_entry(old: str) -> Edit:
    """Remove the first entry whose text is ``old``, with its continuation lines and children."""

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        entry = _find(document, old)
        return None if entry is None else splice(document, {document.block(entry): ()})

    return plan


def add_heading(title: str, entry: str = "") -> Edit:
    """Add a ``## title`` section at the end of the file, with a first entry if one is given.

    Where that section exists the entry is appended to it. One blank line is put above the
    heading, and one below it where the document's other sections have one.

    Raises:
        ValueError: title or entry has a line break, or the title is blank.
    """
    head = f"## {_one_line(title)}"
    line = (f"- {_one_line(entry)}",) if entry else ()

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        if _titled(document, title):
            return append_entry(entry, title)(document) if entry else ()
        stop = _above_open_fence(document, Span(0, document.count))
        above = ("",) if stop and document.lines[stop - 1].strip() else ()
        below = ("",) if line and _is_airy(document) else ()
        return splice(document, _added(document, stop, (*above, head, *below, *line)))

    return plan


def splice(document: Document, changes: Mapping[Span, Sequence[str]]) -> tuple[Hunk, ...]:
    """The hunks that put new lines (without terminators) in the place of spans.

    An empty span inserts above its line; touching spans become one hunk. A replaced last line
    that had no terminator gets none; a line put below it is terminated.

    Raises:
        ValueError: spans overlap, or a new line holds a line feed.
    """
    if any("\n" in line for lines in changes.values() for line in lines):
        raise ValueError("a new line holds a line feed")
    spans = sorted(changes, key=lambda s: (s.start, s.stop))
    if any(one.stop > other.start for one, other in pairwise(spans)):
        raise ValueError("spans overlap")
    hunks = _joined(_hunk(document, span, changes[span]) for span in spans)
    if hunks:
        hunks = _joined([*hunks[:-1], _below_last(document, hunks[-1])])
        hunks[0] = _below_mark(document, hunks[0])
    return tuple(hunks)


def _joined(hunks: Iterable[Hunk]) -> list[Hunk]:
    """Hunks in file order, those that touch made one."""
    result: list[Hunk] = []
    for hunk in hunks:
        if result and result[-1].stop == hunk.start:
            last = result.pop()
            hunk = Hunk(last.start, last.old + hunk.old, last.new + hunk.new)
        result.append(hunk)
    return result


def _hunk(document: Document, span: Span, lines: Sequence[str]) -> Hunk:
    old, end = document.raw[span.start : span.stop], document.newline
    last = _terminator(old[-1]) if old else end
    new = [line + end for line in lines[:-1]] + [line + last for line in lines[-1:]]
    return Hunk(span.start, old, tuple(new))


def _terminator(raw: str) -> str:
    if raw.endswith("\r\n"):
        return "\r\n"
    return "\n" if raw.endswith("\n") else ""


def _below_mark(document: Document, hunk: Hunk) -> Hunk:
    """The hunk with the byte order mark left in front of the first line."""
    if hunk.start or not document.raw or not document.raw[0].startswith(BOM):
        return hunk
    old, new = hunk.old, hunk.new
    if not old:
        old, new = document.raw[:1], (*new, document.raw[0].removeprefix(BOM))
    elif not new:
        new = document.raw[len(old) : len(old) + 1]
        old += new
    first, *rest = new or ("",)
    return Hunk(0, old, (BOM + first.removeprefix(BOM), *(line for line in rest if line)))


def _below_last(document: Document, hunk: Hunk) -> Hunk:
    """The hunk with every new line terminated that has another one below it."""
    raw = document.raw
    if raw and hunk.start == len(raw) and not _terminator(raw[-1]):
        hunk = Hunk(hunk.start - 1, raw[-1:], (*raw[-1:], *hunk.new))
    ended = [x if _terminator(x) else x + document.newline for x in hunk.new[:-1]]
    return replace(hunk, new=(*ended, *hunk.new[-1:]))


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text or not text.strip():
        raise ValueError("an entry or a title is one line that is not blank")
    return text.strip()


def _find(document: Document, text: str) -> Entry | None:
    return next((e for e in document.entries if e.text == text), None)


def _titled(document: Document, title: str) -> Heading | None:
    """The first section of that name."""
    name = title.strip(" \t")
    found = (h for h in document.headings if h.level == 2 and same_title(h.title, name))
    return next(found, None)


def _place(document: Document, heading: str) -> Span | None:
    """The lines right below a section's heading, up to the next heading of any level."""
    home = _titled(document, heading)
    if home is None:
        return None
    deeper = (h.line for h in document.headings if h.line in home.body)
    return Span(home.body.start, next(deeper, home.body.stop))


def _added(document: Document, end: int, lines: Sequence[str]) -> dict[Span, Sequence[str]]:
    """Lines put above line ``end``, and a blank one where an entry there would join them."""
    entries = document.entries if end < document.count else ()
    below = next((e for e in entries if e.span.start == end), None)
    apart = below is None or below.kind is EntryKind.BULLET
    stands = below is not None and below.kind is EntryKind.FENCE and not below.indent
    return {Span(end, end): lines if apart or stands else (*lines, "")}


def _end(document: Document, place: Span) -> int:
    """The line below the last content of a place, never inside a fence left open."""
    stop = _above_open_fence(document, place)
    filled = (LineKind.TEXT, LineKind.FENCE, LineKind.HEADING)
    end = next(
        (i + 1 for i in range(stop - 1, place.start - 1, -1) if document.kinds[i] in filled),
        place.start,
    )
    if end and document.kinds[end - 1] is LineKind.HEADING and _is_loose(document, end):
        end += 1
    return end


def _above_open_fence(document: Document, place: Span) -> int:
    fence = document.open_fence
    if fence is None or fence not in place:
        return place.stop
    tops = (e.span.start for e in document.entries if e.indent == 0)
    return max((top for top in tops if place.start <= top <= fence), default=place.start)


def _is_loose(document: Document, line: int) -> bool:
    """Whether a blank line below a heading is followed by another one or by nothing."""
    kinds = document.kinds[line : line + 2]
    return bool(kinds) and all(kind is LineKind.BLANK for kind in kinds)


def prefix(document: Document, entry: Entry) -> str:
    """What stands before the text of an entry in its first line."""
    line = document.lines[entry.span.start]
    rest = line.lstrip().removeprefix(entry.marker)
    return line[: len(line) - len(rest.lstrip())]


def _is_airy(document: Document) -> bool:
    """Whether the first section has a blank line below its heading."""
    first = next((h.line for h in document.headings if h.level == 2), None)
    return first is not None and document.kinds[first + 1 : first + 2] == (LineKind.BLANK,)
