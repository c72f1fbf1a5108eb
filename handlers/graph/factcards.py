"""The "+ Fact" button of what was kept: only pressing it stores the fact (T14, F4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curation.triples import Triple
from handlers import callbacks, dialogs
from handlers.answers import replaced
from handlers.context import Posts, Turn
from handlers.graph import facts, noting
from handlers.messages import render
from handlers.messages.outcome import Kept, Outcome
from handlers.messages.payloads import outcome_from_json, outcome_to_json
from handlers.messages.voice import Voice
from memory.dialogs import Dialog
from memory.factrules import Near
from memory.facts import Added


def press(turn: Turn, dialog: Dialog) -> Posts:
    """ "+ Fact": the fact is stored, and the card says so; a near one is asked about below."""
    assert turn.press
    part, _ = callbacks.place(turn.press.number)
    stored = dialog.payload
    voice, parts = turn.voice(stored["language"]), [outcome_from_json(p) for p in stored["parts"]]
    one = parts[part] if part < len(parts) else None
    if str(part) not in stored["triples"] or not isinstance(one, Kept) or not one.offered:
        return ()
    draft = noting.draft_of(Triple(**stored["triples"][str(part)]))
    outcome = noting.note(turn, draft)
    parts[part] = _noted(one, outcome, voice)
    _settle(turn, dialog, parts)
    below = facts.show(turn, outcome, voice) if isinstance(outcome, Near) else ()
    return (*replaced(turn, render.card(parts, voice, dialog.id), dialog.id), *below)


def _noted(one: Kept, outcome: noting.Noted | str, voice: Voice) -> Kept:
    """The kept entry with what became of its fact."""
    if isinstance(outcome, Near):
        return replace(one, offered=False)
    op = outcome.op if isinstance(outcome, Added) else ""
    return replace(one, offered=False, noted=noting.reply(outcome, voice).html, noted_op=op)


def _settle(turn: Turn, dialog: Dialog, parts: Sequence[Outcome]) -> None:
    """Keep the question open as long as another part has its button."""
    stored = {**dialog.payload, "parts": [outcome_to_json(one) for one in parts]}
    if any(isinstance(one, Kept) and one.offered for one in parts):
        turn.services.state.amend(dialog.id, stored)
    else:
        dialogs.close(turn, dialog)
