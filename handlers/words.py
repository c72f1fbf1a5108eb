"""Answers in words, and messages that are no command: which question are they for? (D2, K3)."""

from __future__ import annotations

from curation.triggers import Answer, Selection
from handlers import cards, compact, dialogs, keep, render, revise, waiting
from handlers.answers import answer
from handlers.context import Posts, Turn
from handlers.dialogs import Kind
from handlers.keep import Content
from memory.dialogs import Dialog

_AGREEABLE = frozenset({Kind.CARD, Kind.COMPACT})
_ENDABLE = _AGREEABLE | {Kind.MOVE, Kind.CONTENT, Kind.EDIT}


def select(turn: Turn, intent: Selection) -> Posts:
    """``keep 3 7``: for the proposal that waits, and never stored when none does (D2)."""
    dialog = dialogs.addressed(turn, dialogs.waiting(turn), frozenset({Kind.COMPACT}))
    if dialog is None:
        voice = turn.voice()
        return answer(turn, render.say(voice, "dialog.no_numbers"), voice)
    pick = compact.Pick(intent.verb == "keep", frozenset(intent.numbers))
    return compact.select(turn, dialog, pick)


def agree_or_cancel(turn: Turn, intent: Answer) -> Posts:
    """``apply``, ``ok``, ``cancel``: the same as the button of the waiting question (D2)."""
    kinds = _ENDABLE if intent.verb == "cancel" else _AGREEABLE
    dialog = dialogs.addressed(turn, dialogs.waiting(turn), kinds)
    voice = turn.voice()
    if dialog is None:
        return answer(turn, render.say(voice, "dialog.none"), voice) if turn.place.private else ()
    if intent.verb == "cancel":
        return waiting.end(turn, dialog, voice)
    if dialog.kind == Kind.COMPACT:
        return compact.apply(turn, dialog, compact.sheet_of(dialog))
    return cards.agree(turn, dialog)


def plain(turn: Turn) -> Posts:
    """A message without a trigger: foreign text, the answer to a question, or a hint."""
    if not turn.place.private or not turn.said.text:
        return ()
    if turn.said.foreign:
        return keep.remember(turn, Content(turn.said.text, foreign=True))
    dialog = dialogs.listening(turn, dialogs.waiting(turn))
    if dialog is not None:
        return heard(turn, dialog)
    voice = turn.voice(turn.services.languages.detect(turn.said.text, turn.person.language[:2]))
    return answer(turn, render.say(voice, "help.hint"), voice)


def heard(turn: Turn, dialog: Dialog) -> Posts:
    """The next message answers a listening question."""
    if dialog.kind == Kind.EDIT:
        return revise.reword(turn, dialog, turn.said.text)
    if dialog.kind == Kind.CARD:
        return cards.reason(turn, dialog, turn.said.text)
    dialogs.close(turn, dialog)
    return keep.remember(turn, Content(turn.said.text))
