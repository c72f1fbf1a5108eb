"""The audit of MEMORY.md: one exhaustive proposal, certain and borderline items (C1-C4, C8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from curation.ages import Moment
from curation.details import detail
from curation.echoes import Echoes
from curation.engine import Companion, Proposal
from curation.ephemera import ephemeral, in_log
from curation.findings import Finding
from curation.merging import merges
from curation.notes import Known, Note, read
from curation.proposals import Row, block_row, fold_in, line_row, merge_row, propose
from curation.sections import covered, stale_blocks
from curation.settling import settle
from curation.supersession import Succession
from curation.voice import Voice
from locales import Languages
from memory.changeset import Category
from memory.document import Document, EntryKind

Alone = Callable[[Note], Finding | None]


def audit(
    document: Document, companions: Sequence[Companion], today: date, languages: Languages
) -> Proposal:
    """One numbered proposal over the whole document; pinned sections are never touched.

    ``companions`` are only read (C8). Items that are not certain are flagged ``borderline``.
    """
    voice = Voice(languages, today)
    auditor = _Auditor(Echoes(companions, voice), voice)
    return propose(document, settle(document, auditor.rows), languages)


class _Auditor:
    """Looks at drafts of one document; what a line shows on its own is judged once."""

    def __init__(self, echoes: Echoes, voice: Voice) -> None:
        self._echoes = echoes
        self._voice = voice
        self._known: Known = {}
        self._judged: dict[tuple[str, EntryKind, bool, bool, Moment | None], Finding | None] = {}

    def rows(self, document: Document) -> tuple[Row, ...]:
        """What one look at a document finds."""
        notes = read(document, self._voice, self._known)
        return _rows(document, notes, self.alone)

    def alone(self, note: Note) -> Finding | None:
        """What a line shows without a look at its neighbours."""
        key = (note.entry.text, note.entry.kind, in_log(note), note.parent < 0, note.frame)
        if key not in self._judged:
            chain = (self._echoes.find(note), detail(note), ephemeral(note))
            self._judged[key] = _surest(chain)
        return self._judged[key]


def _rows(document: Document, notes: Sequence[Note], alone: Alone) -> tuple[Row, ...]:
    found = _judged(notes, alone)
    blocks = stale_blocks(document, notes, _replaced(found))
    in_block = covered(blocks)
    lines = _families(notes, {i: f for i, f in found.items() if i not in in_block})
    joined = merges(notes, lines.keys() | in_block.keys(), lambda note: alone(note) is None)
    return fold_in(
        (*dict.fromkeys(lines.values()), *map(block_row, blocks)), tuple(map(merge_row, joined))
    )


def _judged(notes: Sequence[Note], alone: Alone) -> dict[int, Finding]:
    """What is found out about each line on its own and against newer lines."""
    replaced = Succession(notes).findings()
    newer = {f.newer for f in replaced.values() if f.certain}
    found: dict[int, Finding] = {}
    for note in notes:
        finding = None if note.pinned else _judge(note, alone, replaced.get(note.index), newer)
        if finding:
            found[note.index] = finding
    return _repeated(notes) | found | _aftermath(notes, found)


def _repeated(notes: Sequence[Note]) -> dict[int, Finding]:
    """Lines that stand once more below the same heading, but not as the next line (a merge)."""
    first: dict[tuple[str, int, int, int], Note] = {}
    found: dict[int, Finding] = {}
    for before, note in pairwise((None, *notes)):
        assert note
        key = (note.entry.text, note.entry.section, note.entry.subsection, note.parent)
        other = first.setdefault(key, note)
        apart = before is None or before.entry.text != note.entry.text
        if other is not note and apart and not note.pinned:
            found[note.index] = Finding(
                Category.DUPLICATE, "repeated", certain=False, newer=other.index
            )
    return found


def _aftermath(notes: Sequence[Note], found: Mapping[int, Finding]) -> dict[int, Finding]:
    """Dated repairs that directly follow the failure they end."""
    ended: dict[int, Finding] = {}
    for broken, mended in pairwise(notes):
        cause = found.get(broken.index)
        near = broken.headings == mended.headings and not mended.pinned
        if cause and cause.reason == "ephemeral_failure" and near and mended.index not in found:
            shared = set(broken.subject) & set(mended.subject)
            if shared and mended.past and mended.has("swap", "repair") and not mended.ahead:
                ended[mended.index] = replace(cause, newer=-1)
    return ended


def _judge(note: Note, alone: Alone, replaced: Finding | None, newer: set[int]) -> Finding | None:
    """The first certain finding, else the first one; what replaces another line stays."""
    certain_old = replaced if replaced and replaced.certain else None
    if note.index in newer:
        return _ticked(note) or certain_old or _only_today(alone(note))
    return _surest((_ticked(note), alone(note), replaced))


def _only_today(finding: Finding | None) -> Finding | None:
    """What was true on one day replaces nothing for long."""
    return finding if finding and finding.reason == "ephemeral_now" else None


def _surest(chain: Iterable[Finding | None]) -> Finding | None:
    found = [f for f in chain if f]
    return next((f for f in found if f.certain), found[0] if found else None)


def _ticked(note: Note) -> Finding | None:
    booked = any(m.exact and m.first > note.voice.today for m in note.moments)
    if not note.done or booked:
        return None
    return Finding(Category.SUPERSEDED, "task_done")


def _replaced(found: Mapping[int, Finding]) -> Mapping[int, list[int]]:
    """For each line that replaces others, those others: what it says still holds."""
    older: dict[int, list[int]] = defaultdict(list)
    for index, finding in found.items():
        if finding.newer >= 0 and finding.certain:
            older[finding.newer].append(index)
    return older


def _children(notes: Sequence[Note]) -> Mapping[int, list[int]]:
    children: dict[int, list[int]] = defaultdict(list)
    for note in notes:
        children[note.parent].append(note.index)
    return children


def _families(notes: Sequence[Note], found: Mapping[int, Finding]) -> dict[int, Row]:
    """Rows for lines, a parent with its children being one; no kept child loses its parent."""
    children = _children(notes)
    rows: dict[int, Row] = {}

    def family(index: int) -> list[int]:
        return [index, *(j for child in children.get(index, ()) for j in family(child))]

    for note in notes:
        finding = found.get(note.index)
        if finding is None or note.index in rows:
            continue
        members = family(note.index)
        verdicts = [_verdict(notes[i], found.get(i), finding) for i in members]
        if all(verdicts):
            sure = all(v.certain for v in verdicts if v)
            newer = notes[finding.newer] if finding.newer >= 0 else None
            row = line_row([notes[i] for i in members], replace(finding, certain=sure), newer)
            rows |= dict.fromkeys(members, row)
    return rows


def _verdict(note: Note, own: Finding | None, parent: Finding) -> Finding | None:
    """A child without a rule of its own goes with a parent that was true for a moment only."""
    return own if own is parent or (own and own.certain) else _inherited(note, parent) or own


def _inherited(child: Note, parent: Finding) -> Finding | None:
    lasting = child.ahead or child.done is False or child.has("standing", "health")
    if lasting or parent.category is not Category.EPHEMERAL:
        return None
    return replace(parent, reason="ephemeral_child")
