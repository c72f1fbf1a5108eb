"""Which heading and which entry of a document is meant by what somebody typed (M4).

A heading is taken as it is written; else without case and accents; else without its pin marker.
An entry is taken when its text is equal; else when it holds the text, without case and accents.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from memory.document import PIN, Document, Entry, EntryKind, Heading, Span
from memory.folding import LONGEST, fold, same_title, strict
from memory.sectionrequest import Candidate, Code, Fault, Request, undated, unmarked

_BULLETS = frozenset("-*+")
_ACCENTS = re.compile("([\u0300-\u036f]{8})[\u0300-\u036f]+")


def bare(title: str) -> str:
    """A title without its pin marker."""
    return title.removesuffix(PIN).rstrip(" \t")


def key_of(title: str) -> str:
    """What two titles have in common that are the same but for case, accents and pin."""
    return _key(bare(title.strip(" \t")))


def sections(document: Document) -> tuple[Heading, ...]:
    """The ``##`` headings, in file order."""
    return tuple(h for h in document.headings if h.level == 2)


def subsections(document: Document, home: Heading) -> tuple[Heading, ...]:
    """The ``###`` headings of a section, in file order."""
    return tuple(h for h in document.headings if h.level == 3 and h.line in home.body)


def occurrences(known: Sequence[Heading]) -> tuple[int, ...]:
    """Which of the equal headings each one is, from 1; 0 for an only one."""
    keys = [key_of(heading.title) for heading in known]
    total, seen, found = Counter(keys), Counter[str](), []
    for key in keys:
        seen[key] += 1
        found.append(seen[key] if total[key] > 1 else 0)
    return tuple(found)


def home(document: Document, request: Request) -> Heading | Fault | None:
    """The heading or subheading that a request names; None when it names none."""
    if not request.heading:
        return None
    known = sections(document)
    found = _one(known, request.heading, request.occurrence, "heading")
    if isinstance(found, Fault) or not request.subheading:
        return found
    inner = subsections(document, found)
    return _one(inner, request.subheading, request.suboccurrence, "subheading")


def _one(known: Sequence[Heading], wanted: str, which: int, field: str) -> Heading | Fault:
    found = _named(known, wanted, which)
    if len(found) == 1:
        return found[0]
    if found:
        equal = tuple(Candidate(h.title, h.line + 1) for h in found)
        return Fault(Code(f"{field}_ambiguous"), field, candidates=equal)
    return Fault(Code(f"{field}_missing"), field, tuple(h.title for h in known))


def _named(known: Sequence[Heading], wanted: str, which: int) -> Sequence[Heading]:
    """The headings of a name: the only one, or all equal ones when it is not said which."""
    wanted = wanted.strip(" \t")
    group = [h for h in known if key_of(h.title) == key_of(wanted)]
    if which:
        return group[which - 1 : which]
    exact = [h for h in group if same_title(h.title, wanted)]
    close = [h for h in group if _key(h.title) == _key(wanted)]
    best = exact or close
    return best if len(best) == 1 else group


def is_pinned(document: Document, line: int) -> bool:
    """Whether a line stands in a section that is pinned (M4)."""
    section = document.places[line][0]
    return any(h.pinned for h in document.headings if h.line == section)


def region(document: Document, heading: Heading | None) -> Span:
    """The lines right below a heading, above the next heading of any level; all for None."""
    if heading is None:
        return Span(0, document.count)
    deeper = (h.line for h in document.headings if h.line in heading.body)
    return Span(heading.body.start, next(deeper, heading.body.stop))


def bullets(document: Document, within: Span) -> tuple[Entry, ...]:
    """The bullets that begin in a span, nested ones too; numbered items are none (M4)."""
    return tuple(e for e in _entries(document, within) if e.marker in _BULLETS)


def others(document: Document, within: Span) -> tuple[Entry, ...]:
    """Prose and numbered items of a span, which only go with their heading (M4)."""
    return tuple(
        e
        for e in _entries(document, within)
        if e.marker not in _BULLETS and e.kind is not EntryKind.FENCE
    )


def _entries(document: Document, within: Span) -> tuple[Entry, ...]:
    return tuple(e for e in document.entries if e.span.start in within)


def matching(entries: Sequence[Entry], wanted: str, at: int = 0) -> Sequence[Entry]:
    """The entries meant by a text: an equal one, else all that hold it.

    ``at`` narrows them to the one that begins in this line (from 1). A date stamp in front of
    an entry need not be typed; the bullet it was copied with does not count.
    """
    placed = [e for e in entries if at in (0, e.span.start + 1)]
    return _matching(placed, wanted.strip()) or _matching(placed, unmarked(wanted))


def _matching(entries: Sequence[Entry], wanted: str) -> Sequence[Entry]:
    key = _key(wanted)
    if not key:
        return ()
    exact = [e for e in entries if _is_exactly(e.text, wanted)]
    if exact:
        return exact
    folded = [(e, _key(e.text)) for e in entries]
    equal = [e for e, text in folded if key in (text, _key(undated(text)))]
    return equal or [e for e, text in folded if key in text]


def _is_exactly(text: str, wanted: str) -> bool:
    return any(same_title(_short(one), _short(wanted)) for one in (text, undated(text)))


def _key(text: str) -> str:
    """A text without case and accents."""
    return fold(_short(text))


def _short(text: str) -> str:
    """A text that is cheap to normalise: its beginning, no letter with very many accents."""
    start = text[:LONGEST]
    return start if start.isascii() else _ACCENTS.sub(r"\1", start)


def twin(entries: Sequence[Entry], text: str) -> Entry | None:
    """An entry that says the same but for case, blanks, a full stop and its date (K8)."""
    wanted = _essence(text)
    return next((e for e in entries if _essence(e.text) == wanted), None)


def _essence(text: str) -> tuple[str, str]:
    plain = undated(text)
    return strict(_short(plain)), plain[LONGEST:]


def candidates(entries: Sequence[Entry]) -> tuple[Candidate, ...]:
    """Entries as they are shown to somebody who has to choose."""
    return tuple(Candidate(e.text, e.span.start + 1) for e in entries)
