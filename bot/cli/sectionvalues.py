"""What came of a section operation, as JSON values for programs; pure (M1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from handlers.browsing.sectioning import Done
from memory.sections import Candidate, Code, Fault, Noop, Op, Outcome, Planned, Section

_AVAILABLE = {
    Code.HEADING_MISSING: "available_headings",
    Code.HEADING_EXISTS: "available_headings",
    Code.SUBHEADING_MISSING: "available_subheadings",
}
_NUMBERED = (Code.HEADING_AMBIGUOUS, Code.SUBHEADING_AMBIGUOUS)

Values = dict[str, Any]


def outcome(result: Planned | Noop, op: str = "") -> Values:
    """An outcome; ``op`` is the operation in the journal, to undo it by."""
    if isinstance(result, Noop):
        key = "existing" if result.outcome is Outcome.NOOP_DUP else "not_bullets"
        found = {key: candidates(result.candidates)} if result.candidates else {}
        return {"outcome": str(result.outcome), **found}
    texts = {
        "operation": op,
        "heading": result.heading,
        "subheading": result.subheading,
        "before": result.before,
        "entry": result.after,
        "similar_headings": list(result.similar),
    }
    return {"outcome": str(result.outcome), **{k: v for k, v in texts.items() if v}}


def details(fault: Fault) -> Values:
    """What a fault says besides its code."""
    values: Values = {"field": fault.field} if fault.field else {}
    if fault.code in _AVAILABLE:
        values[_AVAILABLE[fault.code]] = list(fault.available)
    if fault.candidates:
        values["candidates"] = candidates(fault.candidates, fault.code in _NUMBERED)
    return values


def candidates(found: Sequence[Candidate], numbered: bool = False) -> list[Values]:
    """Entries with their lines; headings with the occurrence to name them by."""
    return [
        {"text": one.text, "line": one.line, **({"occurrence": n} if numbered else {})}
        for n, one in enumerate(found, 1)
    ]


def section(one: Section) -> Values:
    """A heading as `pomnenka memory headings` gives it."""
    inner = [
        {"subheading": sub.title, "occurrence": sub.occurrence, "line": sub.line}
        for sub in one.subheadings
    ]
    place = {"occurrence": one.occurrence, "line": one.line}
    return {"heading": one.title, "pinned": one.pinned, **place, "subheadings": inner}


def hushed(done: Done) -> Done:
    """The same without a word of what stands in the document, for where others read along (G2)."""
    result = done.result
    match result:
        case Planned(op=Op.REMOVE):
            result = replace(result, before="…")
        case Planned(op=Op.REPLACE | Op.ADD_HEADING):
            result = replace(result, before="", similar=())
        case Noop():
            result = replace(result, candidates=())
        case Fault():
            result = replace(result, available=(), candidates=())
    return replace(done, result=result)
