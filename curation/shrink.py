"""Compaction of keep.md: equal, contained and passed entries go, a subject becomes a line (K10).

Steps are taken in order of certainty until the file is short enough. Nothing is written freely:
merges are made of the entries' own words, and a shortening must pass the fact-keeping guard.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from curation.engine import Proposal
from curation.ephemera import ephemeral
from curation.guard import losses
from curation.notes import Note, read
from curation.proposals import Row, propose
from curation.rewrite import rewrite
from curation.supersession import Succession
from curation.voice import Voice
from locales import Languages
from memory.changeset import Category, Op
from memory.document import Document, EntryKind
from memory.folding import strict

FILE = "keep.md"
_CHARACTERS = 200
_WORDS = 15
_CROWD = 60
_SUBJECT = re.compile(r"(?P<label>[^—–:;]{2,40}?)(?P<sign>\s[—–]\s|:\s)(?=\S)")


def shrink(document: Document, target: int, today: date, languages: Languages) -> Proposal:
    """A proposal under the keep profile that brings the file towards ``target`` lines.

    It may stay above the target: only what is certain is proposed. Entries with children, and
    lines that are no bullets, are left alone (K12).
    """
    voice = Voice(languages, today)
    notes = [note for note in read(document, voice) if note.entry.kind is EntryKind.BULLET]
    parents = {note.parent for note in notes}
    plain = [n for n in notes if n.parent < 0 and n.index not in parents and not n.pinned]
    rows = _until(target, document.count, _steps(plain))
    return propose(document, rows, languages)


def _steps(notes: Sequence[Note]) -> Iterator[Row]:
    """All rows, the most certain first; a line is in one row only."""
    taken: set[int] = set()
    for step in _STEPS:
        left = [note for note in notes if note.index not in taken]
        for find in step(left):
            if not taken & set(find.members):
                taken |= set(find.members)
                yield find.row


def _until(target: int, count: int, rows: Iterator[Row]) -> Iterator[Row]:
    while count > target:
        row = next(rows, None)
        if row is None:
            return
        count -= row.removes
        yield row


@dataclass(frozen=True, slots=True)
class _Find:
    """A row with the notes it changes."""

    row: Row
    members: tuple[int, ...]


def _gone(note: Note, category: Category, reason: str, other: Note | None = None) -> _Find:
    """A deletion; ``other`` is the entry that says it still."""
    days = max((m.last for m in note.past), default=note.voice.today)
    newer = other.entry.span.start if other else -1
    params = (("date", days.isoformat()),)
    text = note.entry.text
    row = Row(Op.DELETE, note.entry.span, text, reason, category, params, newer, file=FILE)
    return _Find(row, (note.index,))


def _equal(notes: Sequence[Note]) -> Iterator[_Find]:
    """Entries that are equal but for case, blanks and the full stop; the first one stays."""
    first: dict[str, Note] = {}
    for note in notes:
        other = first.setdefault(strict(note.entry.text), note)
        if other is not note:
            yield _gone(note, Category.DUPLICATE, "keep_equal", other)


def _contained(notes: Sequence[Note]) -> Iterator[_Find]:
    """Entries whose words, numbers, limits and denials all stand in order in a longer one."""
    facts = [(note, _facts(note)) for note in notes]
    places: dict[str, list[int]] = defaultdict(list)
    for i, (_, stems) in enumerate(facts):
        for stem in stems:
            places[stem].append(i)
    away: set[int] = set()
    for i, (note, stems) in enumerate(facts):
        rarest = min(stems, key=lambda stem: len(places[stem]), default="")
        for j in places.get(rarest, ())[:_CROWD]:
            other, more = facts[j]
            if j != i and j not in away and _says_all(note, stems, other, more):
                away.add(i)
                yield _gone(note, Category.DUPLICATE, "keep_contained", other)
                break


def _facts(note: Note) -> tuple[str, ...]:
    """All stems of an entry in order: words, numbers, limits and negations."""
    return tuple(key.stem for key in note.voice.languages.key(note.text, note.language))


def _says_all(note: Note, stems: tuple[str, ...], other: Note, more: tuple[str, ...]) -> bool:
    shorter = len(stems) < len(more) or (stems == more and other.index < note.index)
    rest = iter(more)
    in_order = all(stem in rest for stem in stems)
    return len(stems) > 1 and shorter and in_order and note.denied == other.denied


def _passed(notes: Sequence[Note]) -> Iterator[_Find]:
    """Ticked tasks, and what was true for a moment or on a day that is past."""
    for note in notes:
        finding = ephemeral(note)
        if note.done and not note.ahead:
            yield _gone(note, Category.SUPERSEDED, "task_done")
        elif finding and finding.certain:
            reason = "keep_passed" if note.past else "keep_transient"
            yield _gone(note, Category.EPHEMERAL, reason)


def _replaced(notes: Sequence[Note]) -> Iterator[_Find]:
    """Entries that a newer entry replaces."""
    by_index = {note.index: note for note in notes}
    for index, finding in Succession(notes).findings().items():
        if finding.certain and not by_index[index].ahead:
            newer = by_index[finding.newer]
            yield _gone(by_index[index], Category.SUPERSEDED, "superseded_by", newer)


def _joined(notes: Sequence[Note]) -> Iterator[_Find]:
    """Entries about one subject ("Ada — …"), said once, wherever they stand."""
    groups: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        subject = _SUBJECT.match(note.entry.text)
        if subject and len(note.entry.span) == 1 and note.done is None:
            groups[subject.group()].append(note)
    for head, group in groups.items():
        yield from _portions(head, group)


def _portions(head: str, group: Sequence[Note]) -> Iterator[_Find]:
    """The entries of one subject in lines of bearable length."""
    portion: list[Note] = []
    for note in group:
        if portion and len(_one_line(head, [*portion, note])) > _CHARACTERS:
            yield from _merge(head, portion)
            portion = []
        portion.append(note)
    yield from _merge(head, portion)


def _merge(head: str, portion: Sequence[Note]) -> Iterator[_Find]:
    if len(portion) < 2:
        return
    line = _one_line(head, portion)
    first, *others = (note.entry.span for note in portion)
    text = line.split(" ", 1)[1]
    row = Row(Op.MERGE, first, text, "merge_topic", new_text=(line,), also=tuple(others), file=FILE)
    yield _Find(row, tuple(note.index for note in portion))


def _one_line(head: str, portion: Sequence[Note]) -> str:
    rests = [note.entry.text[len(head) :].removesuffix(".") for note in portion]
    return f"{portion[0].entry.marker} {head}{'; '.join(dict.fromkeys(rests))}"


def _shortened(notes: Sequence[Note]) -> Iterator[_Find]:
    """Wordy entries without their filler, if the guard finds nothing lost."""
    for note in notes:
        text, grammar = note.entry.text, note.voice.languages.grammar(note.language)
        if len(text.split()) <= _WORDS and len(note.entry.span) == 1:
            continue
        entry = rewrite(text, grammar).entry
        if len(entry) < len(text) and not losses(text, entry, grammar):
            line = f"{note.entry.marker} {entry}"
            row = Row(
                Op.SHORTEN, note.entry.span, entry, "keep_shorten", new_text=(line,), file=FILE
            )
            yield _Find(row, (note.index,))


_STEPS: tuple[Callable[[Sequence[Note]], Iterator[_Find]], ...] = (
    _equal,
    _contained,
    _passed,
    _replaced,
    _joined,
    _shortened,
)
