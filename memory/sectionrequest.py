"""What a section operation is asked with, what may be asked of which document, what comes of it.

A request comes from a person, an agent or a program; nothing in it is trusted. `flaw` and
`decode` look at its form alone, `memory.sections` at the document (M1, M4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from memory.edits import Hunk
from memory.folding import LONGEST, fold
from memory.spaces import DocumentName

_BREAK = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f\ud800-\udfff]")
_DATE = re.compile(r"\[[0-9]{4}-[0-9]{2}-[0-9]{2}\](?:[ \t]+|$)")
_MARKER = re.compile(r"[-*+][ \t]+(?=\S)")


class Op(StrEnum):
    """What can be done with the sections of a document."""

    HEADINGS = "headings"
    SHOW = "show"
    APPEND = "append"
    ADD_HEADING = "add-heading"
    REMOVE = "remove"
    REPLACE = "replace"
    REMOVE_HEADING = "remove-heading"
    REMOVE_SUBHEADING = "remove-subheading"


class Outcome(StrEnum):
    """What a sound request came to."""

    APPLIED = "applied"
    NOOP_DUP = "noop_dup"
    NOOP_NO_MATCH = "noop_no_match"


class Code(StrEnum):
    """Why nothing was done."""

    UNKNOWN_OP = "unknown_op"
    NOT_ALLOWED = "not_allowed"
    SECTION_FIXED = "section_fixed"
    FIELD_ONLY = "field_only"
    WRONG_TYPE = "wrong_type"
    UNEXPECTED_FIELD = "unexpected_field"
    MISSING_FIELD = "missing_field"
    NOT_TEXT = "not_text"
    EMPTY_HEADING = "empty_heading"
    EMPTY_LINE = "empty_line"
    EMPTY_MATCH = "empty_match"
    HEADING_CONTAINS_NEWLINE = "heading_contains_newline"
    LINE_CONTAINS_NEWLINE = "line_contains_newline"
    HEADING_STARTS_WITH_HASH = "heading_starts_with_hash"
    LINE_STARTS_WITH_HASH = "line_starts_with_hash"
    HEADING_MISSING = "heading_missing"
    HEADING_EXISTS = "heading_exists"
    HEADING_AMBIGUOUS = "heading_ambiguous"
    SUBHEADING_MISSING = "subheading_missing"
    SUBHEADING_AMBIGUOUS = "subheading_ambiguous"
    MULTIPLE_MATCHES = "multiple_matches"
    PINNED_SECTION = "pinned_section"
    PINNED_HEADING = "pinned_heading"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry or a heading that could be meant; ``line`` counts from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a request cannot be done.

    ``field`` names the field at fault. ``available`` are the headings (or subheadings) that
    exist. ``candidates`` are the entries that match, or the equal headings in the order of
    their occurrence.
    """

    code: Code
    field: str = ""
    available: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """What a request changes.

    ``before`` and ``after`` are the texts that go and come: an entry's, or the title of a
    heading that goes. ``heading`` and ``subheading`` are the place by its full titles.
    ``similar`` are existing headings that a new one is close to; ``created`` says that an append
    made the first heading of an empty document.
    """

    op: Op
    hunks: tuple[Hunk, ...]
    before: str = ""
    after: str = ""
    heading: str = ""
    subheading: str = ""
    similar: tuple[str, ...] = ()
    created: bool = False

    @property
    def outcome(self) -> Outcome:
        """Always ``applied``."""
        return Outcome.APPLIED


@dataclass(frozen=True, slots=True)
class Noop:
    """A request that changes nothing, and the entry that says so.

    ``candidates`` hold the entry that stands already (``noop_dup``), or prose and numbered items
    that match but are not reached by this operation (``noop_no_match``).
    """

    outcome: Outcome
    candidates: tuple[Candidate, ...] = ()


Result = Planned | Noop | Fault


@dataclass(frozen=True, slots=True)
class Request:
    """One section operation; None is a field that was not given.

    ``occurrence`` and ``suboccurrence`` tell which of several equal headings is meant (from 1,
    0 for unsaid), ``at`` in which line (from 1) the entry begins. ``name`` is the kind of
    document, ``day`` the date that a rule in AGENTS.md gets. ``automatic`` marks the night,
    compaction, governance and models, for which pins hold (M4).
    """

    op: str
    heading: str | None = None
    subheading: str | None = None
    match: str | None = None
    line: str | None = None
    occurrence: int = 0
    suboccurrence: int = 0
    at: int = 0
    name: DocumentName = DocumentName.USER
    day: str = ""
    automatic: bool = False


_READS = frozenset({Op.HEADINGS, Op.SHOW})
_ENTRIES = _READS | {Op.REMOVE, Op.REPLACE}

POWERS: Mapping[DocumentName, frozenset[Op]] = MappingProxyType(
    {
        DocumentName.USER: frozenset(Op),
        DocumentName.AGENTS: frozenset(Op),
        DocumentName.TOPIC: frozenset(Op),
        DocumentName.NOTES: frozenset(Op),
        DocumentName.PROJECT: frozenset(Op),
        DocumentName.CHANNEL: frozenset(Op),
        DocumentName.GROUP: frozenset(Op),
        DocumentName.ROOM: frozenset(Op),
        DocumentName.SOUL: _READS | {Op.REPLACE},
        DocumentName.KEEP: _ENTRIES,
        DocumentName.MEMORY: _ENTRIES,
        DocumentName.INDEX: _READS,
        DocumentName.ARCHIVE: _READS,
    }
)
"""What a person may do with the sections of each document (product.md 2); the rest: nothing."""

SECTIONED = frozenset(
    {
        DocumentName.USER,
        DocumentName.SOUL,
        DocumentName.CHANNEL,
        DocumentName.GROUP,
        DocumentName.ROOM,
    }
)
"""Documents in which every entry stands in a section, so that a heading has to be named."""

_WHOLE = frozenset({Op.ADD_HEADING, Op.REMOVE_HEADING, Op.REMOVE_SUBHEADING})
_PLACE = ("heading", "occurrence")
_DEEP = (*_PLACE, "subheading", "suboccurrence")
_TAKES: Mapping[Op, tuple[str, ...]] = {
    Op.HEADINGS: (),
    Op.SHOW: _DEEP,
    Op.APPEND: (*_DEEP, "line"),
    Op.ADD_HEADING: ("heading", "line"),
    Op.REMOVE: (*_DEEP, "match", "at"),
    Op.REPLACE: (*_DEEP, "match", "at", "line"),
    Op.REMOVE_HEADING: _PLACE,
    Op.REMOVE_SUBHEADING: _DEEP,
}
_NEEDS: Mapping[Op, tuple[str, ...]] = {
    Op.HEADINGS: (),
    Op.SHOW: (),
    Op.APPEND: ("line",),
    Op.ADD_HEADING: ("heading",),
    Op.REMOVE: ("match",),
    Op.REPLACE: ("match", "line"),
    Op.REMOVE_HEADING: ("heading",),
    Op.REMOVE_SUBHEADING: ("heading", "subheading"),
}
_TEXTS = ("heading", "subheading", "match", "line")
_NUMBERS = ("occurrence", "suboccurrence", "at")


def allows(name: DocumentName, op: Op) -> bool:
    """Whether a document takes an operation at all (product.md 2)."""
    return op in POWERS.get(name, frozenset())


def decode(obj: object) -> Request | Fault:
    """Read a request from JSON; never raises, whatever comes.

    Fields that are absent or null count as not given; ``name``, ``day`` and ``automatic`` are
    not read, they are the caller's.
    """
    if not isinstance(obj, dict):
        return Fault(Code.WRONG_TYPE)
    given = {key: value for key, value in obj.items() if value is not None}
    if "op" not in given:
        return Fault(Code.MISSING_FIELD, "op")
    for key, value in given.items():
        if key not in ("op", *_TEXTS, *_NUMBERS):
            return Fault(Code.UNEXPECTED_FIELD, str(key))
        if type(value) is not (int if key in _NUMBERS else str):
            return Fault(Code.WRONG_TYPE, key)
    return Request(**given)


def flaw(request: Request) -> Fault | None:
    """What is wrong with a request whatever stands in the document; None when nothing is."""
    if request.op not in set(Op):
        return Fault(Code.UNKNOWN_OP)
    op = Op(request.op)
    return _forbidden(request.name, op) or _misfit(request, op) or _malformed(request)


def unmarked(text: str) -> str:
    """A text without outer blanks and without the bullet it may have been copied with."""
    return _MARKER.sub("", text.strip(), count=1)


def undated(text: str) -> str:
    """A text without the date stamp ``[YYYY-MM-DD]`` in front of it."""
    return _DATE.sub("", text, count=1) if _DATE.match(text) else text


def stamped(request: Request) -> str:
    """The new text; a rule in AGENTS.md has its day in front unless one stands there."""
    text = unmarked(request.line or "")
    if request.name is not DocumentName.AGENTS or not request.day or undated(text) != text:
        return text
    return f"[{request.day}] {text}"


def _forbidden(name: DocumentName, op: Op) -> Fault | None:
    if allows(name, op):
        return None
    if name is DocumentName.SOUL:
        return Fault(Code.SECTION_FIXED if op in _WHOLE else Code.FIELD_ONLY)
    return Fault(Code.NOT_ALLOWED)


def _misfit(request: Request, op: Op) -> Fault | None:
    """A field that the operation does not take, or one that it lacks."""
    for field in (*_TEXTS, *_NUMBERS):
        if getattr(request, field) and field not in _TAKES[op]:
            return Fault(Code.UNEXPECTED_FIELD, field)
    for field in _needed(request, op):
        if getattr(request, field) is None:
            return Fault(Code.MISSING_FIELD, field)
    for field in _NUMBERS:
        if getattr(request, field) < 0:
            return Fault(Code.WRONG_TYPE, field)
    return None


def _needed(request: Request, op: Op) -> tuple[str, ...]:
    needs = _NEEDS[op]
    if request.name is DocumentName.SOUL:
        needs = tuple(field for field in needs if field != "match")
    sectioned = request.name in SECTIONED and op not in _READS
    return ("heading", *needs) if sectioned or request.subheading else needs


def _malformed(request: Request) -> Fault | None:
    """A field whose text cannot stand where it is meant to stand."""
    for field in _TEXTS:
        text = getattr(request, field)
        code = _wrong(request, field, text) if text is not None else None
        if code:
            return Fault(code, field)
    return None


def _wrong(request: Request, field: str, text: str) -> Code | None:
    if _NOT_TEXT.search(text):
        return Code.NOT_TEXT
    if field == "match":
        return None if fold(text[:LONGEST]) else Code.EMPTY_MATCH
    if field == "line":
        return _wrong_line(unmarked(text))
    if _BREAK.search(text.strip()):
        return Code.HEADING_CONTAINS_NEWLINE
    if text.strip().startswith("#") and request.op == Op.ADD_HEADING:
        return Code.HEADING_STARTS_WITH_HASH
    needed = field in _needed(request, Op(request.op))
    return Code.EMPTY_HEADING if needed and not fold(text[:LONGEST]) else None


def _wrong_line(text: str) -> Code | None:
    if _BREAK.search(text):
        return Code.LINE_CONTAINS_NEWLINE
    if text.startswith("#"):
        return Code.LINE_STARTS_WITH_HASH
    return None if fold(undated(text)[:LONGEST]).strip("-*_ ") else Code.EMPTY_LINE
