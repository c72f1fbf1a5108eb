"""What came of a section operation, as a sentence; pure (M1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handlers.messages.reply import shortened
from handlers.messages.voice import Voice, quoted
from memory.sectionplaces import bare
from memory.sections import Candidate, Code, Fault, Noop, Op, Outcome, Planned, Result

MOST = 20
"""How many headings or candidates are listed in one sentence."""

_TEXT, _LONGEST = 300, 700
_AMBIGUOUS = frozenset({Code.HEADING_AMBIGUOUS, Code.SUBHEADING_AMBIGUOUS})


def sentence(voice: Voice, result: Result) -> str:
    """The sentence for a result, as HTML; lists of what could be meant stand below it."""
    match result:
        case Planned():
            return _done(voice, result)
        case Noop():
            return _nothing(voice, result)
        case Fault():
            return _fault(voice, result)


def _done(voice: Voice, planned: Planned) -> str:
    entry = shortened(planned.after or planned.before, _LONGEST)
    texts = {"heading": _place(planned), "entry": entry}
    match planned.op:
        case Op.REMOVE_HEADING | Op.REMOVE_SUBHEADING:
            return voice("section.gone", heading=bare(planned.before))
        case Op.ADD_HEADING:
            return _headed(voice, planned)
        case Op.APPEND if planned.created:
            return _headed(voice, planned)
        case Op.REPLACE if not planned.before:
            return voice("section.value", **texts)
        case Op.REPLACE:
            return _placed(voice, f"section.{planned.op}", old=planned.before, **texts)
    return _placed(voice, f"section.{planned.op}", **texts)


def _place(planned: Planned) -> str:
    """Where it happened, as a person reads it: ``Style › Email``."""
    return " › ".join(filter(None, (bare(planned.heading), planned.subheading)))


def _placed(voice: Voice, id: str, **texts: str) -> str:
    if texts["heading"]:
        return voice(id, **texts)
    return voice(f"{id}.loose", **{k: v for k, v in texts.items() if k != "heading"})


def _headed(voice: Voice, planned: Planned) -> str:
    title = bare(planned.heading)
    if planned.after:
        said = voice("section.heading.entry", heading=title, entry=planned.after)
    else:
        said = voice("section.heading", heading=title)
    if not planned.similar:
        return said
    names = ", ".join(planned.similar[:MOST])
    return f"{said}\n{voice('section.similar', len(planned.similar), names=names)}"


def _nothing(voice: Voice, noop: Noop) -> str:
    if noop.outcome is Outcome.NOOP_DUP:
        known = noop.candidates[0].text if noop.candidates else "…"
        return voice("section.noop_dup", entry=known)
    said = voice("section.noop_no_match")
    if not noop.candidates:
        return said
    return "\n".join([said, voice("section.beyond"), *_lines(noop.candidates)])


def _fault(voice: Voice, fault: Fault) -> str:
    id = f"section.{fault.code}"
    if fault.code in (Code.WRONG_TYPE, Code.UNEXPECTED_FIELD, Code.MISSING_FIELD):
        return voice(id, field=fault.field)
    return "\n".join([voice(id), *_meant(voice, fault)])


def _meant(voice: Voice, fault: Fault) -> Iterable[str]:
    """What could have been meant instead, one a line."""
    if fault.code in _AMBIGUOUS:
        return [f"{n}. {_row(one)}" for n, one in enumerate(fault.candidates[:MOST], 1)]
    if fault.code is Code.HEADING_MISSING and not fault.available:
        return [voice("section.none")]
    if fault.code is Code.SUBHEADING_MISSING and not fault.available:
        return [voice("section.none.below")]
    titles = [f"• {quoted(title)}" for title in fault.available]
    return [*_cut(titles), *_lines(fault.candidates)]


def _lines(candidates: Sequence[Candidate]) -> list[str]:
    return _cut([f"• {_row(one)}" for one in candidates])


def _row(one: Candidate) -> str:
    return f"{quoted(shortened(one.text, _TEXT))} ({one.line})"


def _cut(lines: list[str]) -> list[str]:
    return lines if len(lines) <= MOST else [*lines[:MOST], "…"]
