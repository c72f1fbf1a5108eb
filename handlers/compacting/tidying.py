"""The governance proposal and its report as messages; pure (S5, C4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.characters import visible
from curation.governance import Matter, Repair
from handlers.callbacks import Verb, encode
from handlers.compacting.repairing import Outcome
from handlers.messages import listing
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice

_TEXT = 160


@dataclass(frozen=True, slots=True)
class Note:
    """Something that only a person can put right.

    ``kind`` is contradiction or repetition (two lines of two files), stray (a file and the
    document it is ``like``), or long (the index, its lines as ``text``, its limit as ``like``).
    """

    kind: str
    file: str
    text: str = ""
    other: str = ""
    said: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A proposal as it stands on a card; ``shown`` is the index's name for people."""

    repairs: tuple[tuple[int, Repair], ...]
    notes: tuple[Note, ...] = ()
    off: frozenset[int] = frozenset()
    page: int = 0
    shown: str = ""

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its repairs."""
        return frozenset(n for n, _ in self.repairs)

    @property
    def chosen(self) -> tuple[tuple[int, Repair], ...]:
        """What Apply would carry out."""
        return tuple((n, repair) for n, repair in self.repairs if n not in self.off)


_Row = tuple[tuple[int, Repair] | None, str]


def sheet(sheet: Sheet, voice: Voice, dialog: str) -> Reply:
    """One page of the proposal; what can only be looked at follows the numbered rows."""
    pages = listing.paged(_rows(sheet, voice))
    page = min(sheet.page, len(pages) - 1)
    count = len(sheet.repairs)
    head = [voice("tidy.found", count, document=sheet.shown), ""] if count else []
    body = [*head, *_grouped(pages[page], sheet.off, voice)]
    if not dialog:
        return Reply("\n".join(body))
    shown = [row for row, _ in pages[page] if row]
    toggles = (listing.toggle(n, label(r), n in sheet.off, dialog) for n, r in shown)
    turning = listing.page_buttons(page, len(pages), dialog)
    decision = listing.decision(len(sheet.chosen), voice, dialog)
    text = "\n".join([*body, "", voice("compact.commands")])
    return Reply(text, (*toggles, *turning, decision))


def _rows(sheet: Sheet, voice: Voice) -> list[_Row]:
    numbered: list[_Row] = [((n, r), row(n, r, voice)) for n, r in sheet.repairs]
    return [*numbered, *((None, _note(note, voice)) for note in sheet.notes)]


def row(number: int, repair: Repair, voice: Voice) -> str:
    """One numbered row: what it is about, and what would be done."""
    count = repair.days if repair.matter is Matter.STALE else None
    params = {"text": _short(repair.text), "file": _short(repair.file), "new": _short(repair.new)}
    return voice(f"tidy.row.{repair.matter}", count, number=number, **params)


def _note(note: Note, voice: Voice) -> str:
    names = ("file", "text", "other", "said", "like")
    params = {name: _short(getattr(note, name)) for name in names}
    return voice(f"tidy.note.{note.kind}", **params)


def label(repair: Repair) -> str:
    """What a repair is about, in a few words."""
    return _short(repair.text)


def _grouped(page: Sequence[_Row], off: frozenset[int], voice: Voice) -> list[str]:
    lines: list[str] = []
    last = ""
    for numbered, text in page:
        head = f"tidy.head.{numbered[1].matter}" if numbered else "tidy.head.notes"
        if head != last:
            lines += [*([""] if lines else []), voice(head)]
            last = head
        lines.append(f"<s>{text}</s>" if numbered and numbered[0] in off else text)
    return lines


def report(done: Sequence[tuple[int, Repair, Outcome]], voice: Voice) -> Reply:
    """How much was carried out, what was left out, and Undo for each (C6, D5)."""
    applied = [(n, repair, what.op) for n, repair, what in done if what.op]
    missed = [row(n, repair, voice) for n, repair, what in done if what.skipped]
    said = voice("tidy.applied", len(applied)) if applied else voice("tidy.unchanged")
    skipped = ["", voice("compact.skipped", len(missed)), *missed] if missed else []
    return Reply("\n".join([said, *skipped]), _undo(applied, voice))


def _undo(applied: Sequence[tuple[int, Repair, str]], voice: Voice) -> Rows:
    """One Undo for a single repair, else one for each; below the report, which stays."""
    if len(applied) == 1:
        return ((Button(voice.plain("button.undo"), encode(applied[0][2], Verb.UNDO)),),)
    return tuple(
        (Button(shortened(f"↩ {n}. {label(repair)}", 40), encode(op, Verb.UNDO, n)),)
        for n, repair, op in applied
    )


def _short(text: str) -> str:
    return shortened(visible(text), _TEXT)
