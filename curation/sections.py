"""Stale sections: a whole block that belongs to something finished, past or former (C3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from curation.ages import Moment
from curation.notes import Note
from memory.document import Document, Heading, Span

_SETTLED = timedelta(days=10)
_QUIET = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Block:
    """A heading with all notes below it."""

    heading: Heading
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class StaleBlock:
    """A block that may go whole: from its heading to its last entry, since ``ended``."""

    block: Block
    span: Span
    ended: date
    certain: bool


def stale_blocks(
    document: Document, notes: Sequence[Note], protected: Collection[int]
) -> tuple[StaleBlock, ...]:
    """All stale blocks, outermost only; ``protected`` notes carry what still holds."""
    found: list[StaleBlock] = []
    for block in _blocks(document, notes):
        inside = found and block.heading.line in found[-1].span
        if not inside and not any(note.index in protected for note in block.notes):
            found.extend(_stale(block))
    return tuple(found)


def _blocks(document: Document, notes: Sequence[Note]) -> Iterator[Block]:
    at = 0
    for heading in document.headings:
        while at < len(notes) and notes[at].entry.span.start < heading.line:
            at += 1
        stop = at
        while stop < len(notes) and notes[stop].entry.span.start < heading.body.stop:
            stop += 1
        if heading.level > 1 and stop > at:
            yield Block(heading, tuple(notes[at:stop]))


def _stale(block: Block) -> Iterator[StaleBlock]:
    voice = block.notes[0].voice
    if any(n.pinned or n.ahead or n.done is False or n.has("health") for n in block.notes):
        return
    hits = voice.title(block.heading.title)
    named = voice.calendar.moments(block.heading.title, voice.today)
    days = [m.last for m in _own_days(block.notes)]
    if "log" in hits or any(m.first > voice.today for m in named):
        return
    over = _over(named, days, voice.today)
    finished = block.notes[-1].has("ended") and bool(block.notes[-1].past)
    former = "former" in hits
    ended = max(days, default=None) or max((m.last for m in named), default=voice.today)
    over = over or _closed(block, days, voice.today)
    if not (over or finished or former) or (voice.today - ended < _SETTLED and not former):
        return
    ruled = sum(n.has("standing") for n in block.notes)
    if former or not ruled:
        certain = _certain(block, over or former, finished)
        last = block.notes[-1].entry.span.stop
        yield StaleBlock(block, Span(block.heading.line, last), min(ended, voice.today), certain)


def _own_days(notes: Sequence[Note]) -> Iterator[Moment]:
    return (m for n in notes for m in n.past)


def _over(named: Sequence[Moment], days: Sequence[date], today: date) -> bool:
    """The heading names a past period, or its current year while all days inside are past."""
    if not named:
        return False
    return all(m.last < today for m in named) or (bool(days) and max(days) < today)


def _closed(block: Block, days: Sequence[date], today: date) -> bool:
    """Without a date in its heading: mostly dated or ticked entries, the last one long ago."""
    marked = sum(bool(n.past) or bool(n.done) for n in block.notes)
    ticked = any(n.done for n in block.notes)
    quiet = bool(days) and today - max(days) > _QUIET
    return ticked and quiet and len(block.notes) >= 4 and 2 * marked >= len(block.notes)


def _certain(block: Block, over: bool, finished: bool) -> bool:
    signs = any(n.past or n.done for n in block.notes)
    return len(block.notes) >= 2 and signs and (over or finished)


def covered(blocks: Sequence[StaleBlock]) -> Mapping[int, StaleBlock]:
    """The stale block of each note that is in one."""
    return {note.index: stale for stale in blocks for note in stale.block.notes}
