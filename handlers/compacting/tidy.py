"""Governance of the index as a numbered proposal: /tidy, its answers, and the monthly hint (S5)."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from curation.governance import Estate, Matter, Repair, Twin, contradictions, repetitions, survey
from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb
from handlers.compacting import compact, estate, repairing, tidying
from handlers.compacting.compact import Pick
from handlers.compacting.tidying import Note, Sheet
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.messages import render
from handlers.messages.voice import Voice
from memory import strays
from memory.dialogs import Dialog
from memory.errors import DocumentError
from memory.spaces import DocumentName, DocumentRef, Space, personal
from memory.strays import Stray

MOST = 24
"""How many repairs stand in one proposal; the others wait for the next."""

_EACH = 3
_NEXT = "tidy_next"
_MONTH, _DAY = timedelta(days=30), timedelta(days=1)


def tidy(turn: Turn) -> Posts:
    """One proposal for the index and its topics, or the word that all is in order (S5)."""
    voice = compact.spoken(turn)
    found = estate.gather(turn.services, _space(turn))
    repairs = _undeclined(turn, survey(found, turn.today))[:MOST]
    sheet = Sheet(tuple(enumerate(repairs, 1)), _notes(turn, found), shown=_shown(turn))
    if not (sheet.repairs or sheet.notes):
        return answer(turn, render.say(voice, "tidy.clean", document=sheet.shown), voice)
    if not sheet.repairs:
        return answer(turn, tidying.sheet(sheet, voice, ""), voice)
    for old in dialogs.waiting(turn):
        if old.kind == Kind.TIDY:
            dialogs.close(turn, old, "superseded")
    dialog = dialogs.open_dialog(turn, Question(Kind.TIDY, _payload(sheet, voice)))
    return answer(turn, tidying.sheet(sheet, voice, dialog.id), voice, dialog.id)


def _space(turn: Turn) -> Space:
    """Whose index it is: only a personal space has one."""
    return personal(turn.person.id)


def _shown(turn: Turn) -> str:
    return turn.services.layout.name(DocumentRef(_space(turn), DocumentName.INDEX))


def _notes(turn: Turn, found: Estate) -> tuple[Note, ...]:
    """What nobody can put right but the person, a few of each kind."""
    shelves = estate.shelves(turn.services, _space(turn), found)
    compare = turn.services.engine.compare
    return (
        *(_twin("contradiction", t) for t in contradictions(shelves, compare, _EACH)),
        *(_twin("repetition", t) for t in repetitions(shelves, _EACH)),
        *(Note("stray", s.file, like=s.like) for s in _strays(turn)[:_EACH]),
        *_long(turn, found.index.count),
    )


def _twin(kind: str, twin: Twin) -> Note:
    return Note(kind, twin.file, twin.text, twin.other, twin.said)


def _long(turn: Turn, count: int) -> tuple[Note, ...]:
    """An index that is about to be too long for its reader, or is (S1)."""
    if count < turn.policy.index_warn:
        return ()
    return (Note("long", _shown(turn), text=str(count), like=str(turn.policy.index_full)),)


def _strays(turn: Turn) -> tuple[Stray, ...]:
    return strays.strays(turn.services.layout, _space(turn))


def _payload(sheet: Sheet, voice: Voice) -> dialogs.Payload:
    return {
        "repairs": [[n, dataclasses.asdict(repair)] for n, repair in sheet.repairs],
        "notes": [dataclasses.asdict(note) for note in sheet.notes],
        "off": [],
        "page": 0,
        "shown": sheet.shown,
        "language": voice.language,
    }


def sheet_of(dialog: Dialog) -> Sheet:
    """The proposal of a stored question, as it was left."""
    payload = dialog.payload
    repairs = tuple((n, _repair(fields)) for n, fields in payload["repairs"])
    notes = tuple(Note(**fields) for fields in payload["notes"])
    off = frozenset(payload["off"])
    return Sheet(repairs, notes, off, payload["page"], payload["shown"])


def _repair(fields: dict[str, Any]) -> Repair:
    return Repair(**{**fields, "matter": Matter(fields["matter"])})


def _undeclined(turn: Turn, found: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """Repairs without those that the person decided against lately (C7)."""
    since = turn.now - timedelta(days=turn.policy.kept_days)
    resting = turn.services.state.declined(_space(turn), DocumentName.INDEX, since)
    return tuple(repair for repair in found if _trace(repair) not in resting)


def _trace(repair: Repair) -> str:
    """What is remembered of a repair that was decided against."""
    return f"{repair.matter} {repair.file} {repair.digest}"


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A pressed button of the proposal: toggle, page, Apply or Cancel."""
    assert turn.press
    sheet = sheet_of(dialog)
    match turn.press.verb:
        case Verb.APPLY:
            return apply(turn, dialog, sheet)
        case Verb.CANCEL:
            return cancel(turn, dialog)
    turned = compact.turned_over(turn, dialog, sheet.numbers)
    voice = turn.voice(dialog.payload["language"])
    return replaced(turn, tidying.sheet(sheet_of(turned), voice, dialog.id))


def select(turn: Turn, dialog: Dialog, pick: Pick) -> Posts:
    """``keep 3 7`` or ``delete 2 5``: as with a compaction (D2)."""
    sheet = sheet_of(dialog)
    off = pick.off(sheet.numbers)
    if off is None:
        return compact.valid_numbers(turn, dialog, sheet.numbers)
    return apply(turn, dialog, replace(sheet, off=off))


def cancel(turn: Turn, dialog: Dialog) -> Posts:
    """Nothing is changed."""
    voice = turn.voice(dialog.payload["language"])
    if not dialogs.close(turn, dialog):
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    return compact.instead(turn, dialog, render.say(voice, "compact.cancelled"), voice)


def apply(turn: Turn, dialog: Dialog, sheet: Sheet) -> Posts:
    """Carry out what is chosen, each repair whole or not at all, and report it (S5, D5)."""
    voice = turn.voice(dialog.payload["language"])
    if not dialogs.close(turn, dialog):
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    try:
        done = [(n, repair, repairing.carry_out(turn, n, repair)) for n, repair in sheet.chosen]
    except DocumentError:
        dialogs.reopen(turn, dialog)
        raise
    kept = [_trace(repair) for n, repair in sheet.repairs if n in sheet.off]
    turn.services.state.decline(_space(turn), DocumentName.INDEX, kept, turn.now)
    return compact.instead(turn, dialog, tidying.report(done, voice), voice)


def hint(turn: Turn, voice: Voice) -> Posts:
    """A word, once in 30 days, that there is something to tidy (S5); looked at once a day."""
    state, today = turn.services.state, turn.today
    due = state.preference(turn.person.id, _NEXT, "")
    if due and date.fromisoformat(due) > today:
        return ()
    found = _undeclined(turn, survey(estate.gather(turn.services, _space(turn)), today))
    state.prefer(turn.person.id, _NEXT, (today + (_MONTH if found else _DAY)).isoformat())
    if not found:
        return ()
    return answer(turn, render.say(voice, "tidy.hint", len(found), document=_shown(turn)), voice)
