"""Section operations: how people and agents change structured documents (M1, M4; seed 002).

`plan` says what a request does to a document: hunks, nothing, or a fault. `edit` is the same as
an `Edit` for `Store.apply`, planned again under the lock. Nothing raises on odd values, and all
lines that a request does not name stay byte for byte (W2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from memory import edits, fields
from memory.document import PIN, Document, Entry, Heading, Span
from memory.edits import Edit, Hunk, splice
from memory.sectionplaces import (
    bullets,
    candidates,
    home,
    is_pinned,
    key_of,
    matching,
    occurrences,
    others,
    region,
    sections,
    twin,
)
from memory.sectionrequest import (
    POWERS,
    Candidate,
    Code,
    Fault,
    Noop,
    Op,
    Outcome,
    Planned,
    Request,
    Result,
    allows,
    decode,
    flaw,
    stamped,
    undated,
    unmarked,
)
from memory.spaces import DocumentName

__all__ = [
    "POWERS",
    "Candidate",
    "Code",
    "Fault",
    "Noop",
    "Op",
    "Outcome",
    "Planned",
    "Request",
    "Result",
    "Section",
    "Subsection",
    "allows",
    "decode",
    "edit",
    "entries",
    "headings",
    "plan",
    "show",
]

_CLOSE = 85
"""How alike two titles are that a person may have confused, of 100."""


@dataclass(frozen=True, slots=True)
class Subsection:
    """A ``###`` heading; ``occurrence`` counts equal ones of its section, 0 for an only one."""

    title: str
    occurrence: int
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A ``##`` heading as it is addressed, pin marker included.

    ``occurrence`` tells equal headings apart (from 1, 0 for an only one); ``line`` is where it
    stands, from 1.
    """

    title: str
    pinned: bool
    occurrence: int
    line: int
    subheadings: tuple[Subsection, ...]


Plan = Callable[[Document, Request], Result]


def headings(document: Document) -> tuple[Section, ...]:
    """The sections of a document with their subsections, in file order."""
    known: list[tuple[Heading, list[Heading]]] = []
    for heading in document.headings:
        if heading.level == 2:
            known.append((heading, []))
        elif heading.level == 3 and known and heading.line in known[-1][0].body:
            known[-1][1].append(heading)
    numbers = occurrences([heading for heading, _ in known])
    return tuple(
        Section(h.title, h.pinned, number, h.line + 1, _below(inner))
        for (h, inner), number in zip(known, numbers, strict=True)
    )


def _below(known: Sequence[Heading]) -> tuple[Subsection, ...]:
    numbers = occurrences(known)
    return tuple(Subsection(h.title, n, h.line + 1) for h, n in zip(known, numbers, strict=True))


def show(document: Document, request: Request) -> str | Fault:
    """The raw text of a section or subsection with its heading, of everything for none."""
    fault = flaw(request)
    place = fault or home(document, request)
    if isinstance(place, Fault):
        return place
    span = Span(place.line, place.body.stop) if place else Span(0, document.count)
    return "".join(document.raw[span.start : span.stop])


def entries(document: Document, request: Request) -> tuple[Candidate, ...] | Fault:
    """The bullets that `remove` and `replace` reach in the place a request names."""
    place = home(document, request)
    if isinstance(place, Fault):
        return place
    return candidates(bullets(document, _reach(document, place)))


def plan(document: Document, request: Request) -> Result:
    """What a request does to a document as it stands; never raises (M1)."""
    fault = flaw(request)
    if fault:
        return fault
    planned = _PLANS.get(Op(request.op))
    return planned(document, request) if planned else Fault(Code.UNKNOWN_OP)


def edit(request: Request, report: Callable[[Result], object] = bool) -> Edit:
    """A request as an edit; ``report`` gets the result of each planning, the last one counts.

    The edit is None on a fault and ``()`` where nothing is to be done.
    """

    def planning(document: Document) -> tuple[Hunk, ...] | None:
        result = plan(document, request)
        report(result)
        if isinstance(result, Planned):
            return result.hunks
        return () if isinstance(result, Noop) else None

    return planning


def _append(document: Document, request: Request) -> Result:
    place = home(document, request)
    if isinstance(place, Fault):
        return _first(document, request) if _is_first(document, request) else place
    text = stamped(request)
    known = twin(bullets(document, region(document, place)), text)
    if known:
        return Noop(Outcome.NOOP_DUP, candidates((known,)))
    hunks = edits.insert(document, region(document, place), f"- {text}")
    return Planned(Op.APPEND, hunks, "", text, *_titles(document, place.line if place else -1))


def _first(document: Document, request: Request) -> Result:
    """The first section of a document in which nothing stands yet, made by an append."""
    made = plan(document, replace(request, op=Op.ADD_HEADING))
    return replace(made, op=Op.APPEND, created=True) if isinstance(made, Planned) else made


def _is_first(document: Document, request: Request) -> bool:
    """Whether there is no heading to choose, and no particular one is meant."""
    return _is_void(document) and not (request.subheading or request.occurrence)


def _is_void(document: Document) -> bool:
    return not any(line.strip() for line in document.lines)


def _add_heading(document: Document, request: Request) -> Result:
    title = _title(request.heading or "")
    if not title:
        return Fault(Code.EMPTY_HEADING, "heading")
    if request.automatic and title.endswith(PIN):
        return Fault(Code.PINNED_HEADING, "heading")
    known = tuple(h.title for h in sections(document))
    if any(key_of(one) == key_of(title) for one in known):
        return Fault(Code.HEADING_EXISTS, "heading", known)
    text = stamped(request) if request.line is not None else ""
    hunks = edits.add_heading(title, text)(document)
    similar = tuple(one for one in known if _is_close(one, title))
    return Planned(Op.ADD_HEADING, hunks or (), after=text, heading=title, similar=similar)


def _title(said: str) -> str:
    """A title as it will be read back."""
    return Document.of(f"## {said.strip()}").headings[0].title


def _is_close(one: str, other: str) -> bool:
    pair = key_of(one), key_of(other)
    return max(fuzz.ratio(*pair), fuzz.token_set_ratio(*pair)) >= _CLOSE


def _remove(document: Document, request: Request) -> Result:
    entry = _chosen(document, request)
    if not isinstance(entry, Entry):
        return entry
    hunks = splice(document, {document.block(entry): ()})
    return Planned(Op.REMOVE, hunks, entry.text, "", *_titles(document, entry.span.start))


def _replace(document: Document, request: Request) -> Result:
    if request.name is DocumentName.SOUL:
        return fields.set_value(document, request)
    entry = _chosen(document, request)
    if not isinstance(entry, Entry):
        return entry
    text, plain = stamped(request), unmarked(request.line or "")
    rest = [e for e in bullets(document, _around(document, entry)) if e is not entry]
    same = entry if entry.text in (text, plain) or undated(entry.text) == plain else None
    known = same or twin(rest, text)
    if known:
        return Noop(Outcome.NOOP_DUP, candidates((known,)))
    hunks = splice(document, {entry.span: (edits.prefix(document, entry) + text,)})
    return Planned(Op.REPLACE, hunks, entry.text, text, *_titles(document, entry.span.start))


def _remove_heading(document: Document, request: Request) -> Result:
    place = home(document, request)
    if not isinstance(place, Heading):
        return place or Fault(Code.MISSING_FIELD, "heading")
    if request.automatic and is_pinned(document, place.line):
        return Fault(Code.PINNED_SECTION, "heading")
    hunks = splice(document, {_whole(document, place): ()})
    return Planned(Op(request.op), hunks, place.title, "", *_titles(document, place.line))


def _whole(document: Document, place: Heading) -> Span:
    """A heading with its body; at the end of the file the blank lines above go with it."""
    start = place.line
    while place.body.stop == document.count and start and not document.lines[start - 1].strip():
        start -= 1
    return Span(start, place.body.stop)


def _chosen(document: Document, request: Request) -> Entry | Noop | Fault:
    """The one bullet that a request matches."""
    place = home(document, request)
    if isinstance(place, Fault):
        return place
    reach, wanted = _reach(document, place), request.match or ""
    found = matching(bullets(document, reach), wanted, request.at)
    if len(found) > 1:
        return Fault(Code.MULTIPLE_MATCHES, "match", candidates=candidates(found))
    if not found:
        beyond = matching(others(document, reach), wanted, request.at)
        return Noop(Outcome.NOOP_NO_MATCH, candidates(beyond))
    if request.automatic and is_pinned(document, found[0].span.start):
        return Fault(Code.PINNED_SECTION, "heading", candidates=candidates(found))
    return found[0]


def _reach(document: Document, place: Heading | None) -> Span:
    """Where a match is looked for: the place with all its subsections."""
    return place.body if place else Span(0, document.count)


def _around(document: Document, entry: Entry) -> Span:
    """The lines between the two headings that an entry stands between."""
    above = max(entry.section, entry.subsection)
    heading = next((h for h in document.headings if h.line == above), None)
    return region(document, heading)


def _titles(document: Document, line: int) -> tuple[str, str]:
    """The titles of the section and the subsection that a line stands in, "" for none."""
    section, subsection = document.places[line] if line >= 0 else (-1, -1)
    titles = {h.line: h.title for h in document.headings if h.level > 1}
    return titles.get(section, ""), titles.get(subsection, "")


_PLANS: Mapping[Op, Plan] = {
    Op.APPEND: _append,
    Op.ADD_HEADING: _add_heading,
    Op.REMOVE: _remove,
    Op.REPLACE: _replace,
    Op.REMOVE_HEADING: _remove_heading,
    Op.REMOVE_SUBHEADING: _remove_heading,
}
