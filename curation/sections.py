"""Stale sections: a whole block that belongs to something finished, past or former (C3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from curation.ages import Moment
from curation.notes import Note, journal, short
from curation.partings import before_cue
from memory.document import Document, Heading, Span

_SETTLED = timedelta(days=10)
_QUIET = timedelta(days=60)
_YEAR = timedelta(days=366)
_AFTER = timedelta(days=120)


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
    document: Document, notes: Sequence[Note], replaced: Mapping[int, Collection[int]]
) -> tuple[StaleBlock, ...]:
    """All stale blocks, outermost only.

    ``replaced`` gives for each line the older lines it replaces: where one of those stands outside
    the block, the block carries what still holds and stays.
    """
    found: list[StaleBlock] = []
    for block in _blocks(document, notes):
        inside = found and block.heading.line in found[-1].span
        if not inside and not _carries(block, replaced):
            found.extend(_stale(block))
    return tuple(found)


def _carries(block: Block, replaced: Mapping[int, Collection[int]]) -> bool:
    own = {note.index for note in block.notes}
    return any(older not in own for index in own for older in replaced.get(index, ()))


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
    hits = voice.title(block.heading.title)
    named = voice.calendar.moments(block.heading.title, voice.today)
    closed = "former" in hits or any(at > 0 for at in hits.get("ended", ()))
    days = [m.last for m in _own_days(block.notes)]
    if _open(block, closed) or journal(block.heading.title, named):
        return
    if hits.keys() & {"log", "decision", "standing"} or any(m.first > voice.today for m in named):
        return
    over = closed or _over(named, block, days) or _closed(block, days, voice.today)
    finished = _finished(block)
    ended = max(days, default=None) or max((m.last for m in named), default=voice.today)
    if not (over or finished) or (voice.today - ended < _SETTLED and not closed):
        return
    ruled = any(n.has("standing", "decision") for n in block.notes)
    if closed or not ruled:
        certain = not ruled and (closed or _certain(block))
        last = block.notes[-1].entry.span.stop
        yield StaleBlock(block, Span(block.heading.line, last), min(ended, voice.today), certain)


def _open(block: Block, closed: bool) -> bool:
    """Whether something in the block is pinned, lies ahead, is still to do, or is about health."""
    return any(
        n.pinned or n.ahead or n.has("health") or (n.done is False and not closed)
        for n in block.notes
    )


def _finished(block: Block) -> bool:
    """The last line says that the whole thing is over: itself, or after lines that are past."""
    last = block.notes[-1]
    direct = last.headings[-1] == block.heading
    if not last.past or last.has("takes", "now") or not (direct or _told(block)):
        return False
    title = {short(stem) for stem in last.voice.stems(block.heading.title)}
    marked = sum(bool(n.past) or bool(n.done) for n in block.notes)
    half = 2 * marked >= len(block.notes)
    return any(half or not before_cue(last, at) - title for at in last.hits.get("ended", ()))


def _told(block: Block) -> bool:
    """Whether below each of its headings two lines in three are dated, ticked or told as past."""
    pages = groupby(block.notes, key=lambda note: note.headings[-1].line)
    return all(_past(tuple(notes)) for _, notes in pages)


def _past(notes: Sequence[Note]) -> bool:
    return 3 * sum(bool(n.past or n.done or n.told) for n in notes) >= 2 * len(notes)


def _own_days(notes: Sequence[Note]) -> Iterator[Moment]:
    return (m for n in notes for m in n.past)


def _over(named: Sequence[Moment], block: Block, days: Sequence[date]) -> bool:
    """The heading names a past period that no line outlives, or a mostly past current one."""
    today = block.notes[0].voice.today
    if not named or all(m.last < today for m in named):
        later = max((m.last for m in named), default=today) + _AFTER
        return bool(named) and not any(day > later for day in days)
    brief = all(m.last - m.first <= _YEAR for m in named)
    past = 2 * sum(bool(n.past or n.done or n.told) for n in block.notes) >= len(block.notes)
    return brief and past and bool(days) and max(days) < today


def _closed(block: Block, days: Sequence[date], today: date) -> bool:
    """Without a date above: ticked tasks and lines told in the past, the last day long ago."""
    ticked = any(n.done for n in block.notes)
    quiet = bool(days) and today - max(days) > _QUIET
    marked = sum(bool(n.past) or bool(n.done) for n in block.notes)
    return (
        ticked
        and quiet
        and len(block.notes) >= 4
        and 2 * marked >= len(block.notes)
        and _told(block)
    )


def _certain(block: Block) -> bool:
    return len(block.notes) >= 2 and any(n.past or n.done for n in block.notes)


def covered(blocks: Sequence[StaleBlock]) -> Mapping[int, StaleBlock]:
    """The stale block of each note that is in one."""
    return {note.index: stale for stale in blocks for note in stale.block.notes}
