"""An edited message applies nothing again; who edits what was kept is told so, once (B11)."""

from __future__ import annotations

from handlers.answers import answer
from handlers.context import Posts, Turn
from handlers.keeping import keep, revise
from handlers.messages import render
from handlers.messages.outcome import Kept
from handlers.messages.reply import Reply
from memory.store import Operation

_KEY = "edits_told"
_REMEMBERED = 50


def remark(turn: Turn) -> Posts:
    """The entries that came from the message, with their buttons; nothing for any other one."""
    kept = [
        Kept(revise.entry_of(done), done.op)
        for done in _operations(turn)
        if done.keys == (keep.ENTRY,) and done.added
    ]
    if not kept or not _first(turn):
        return ()
    voice = turn.voice(turn.services.languages.detect(kept[0].entry, turn.person.language[:2]))
    card = render.card(kept, voice)
    said = voice("edited.unchanged")
    return answer(turn, Reply(f"{said}\n\n{card.html}", card.buttons), voice)


def _operations(turn: Turn) -> list[Operation]:
    state, place = turn.services.state, turn.place
    ids = state.operations_from(turn.person.id, place.chat, place.message)
    found = (turn.services.store.operation(op) for op in ids)
    return [done for done in found if done]


def _first(turn: Turn) -> bool:
    """Whether no other request was answered about the message; from now on this one is (W4)."""
    state, message = turn.services.state, f"{turn.place.chat}:{turn.place.message}"
    told = dict(state.preference(turn.person.id, _KEY, []))
    if told.setdefault(message, turn.request) != turn.request:
        return False
    state.prefer(turn.person.id, _KEY, list(told.items())[-_REMEMBERED:])
    return True
