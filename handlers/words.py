"""Answers in words, and messages that are no command: which question are they for? (D2, K3)."""

from __future__ import annotations

import re

from curation.triggers import Answer, Selection, recognise
from handlers import dialogs, settings, waiting
from handlers.answers import answer
from handlers.browsing import browse, find
from handlers.chats import sharing
from handlers.compacting import compact, tidy
from handlers.context import Posts, Turn
from handlers.dialogs import Kind
from handlers.keeping import cards, keep, notes, revise
from handlers.keeping.keep import Content
from handlers.messages import render
from handlers.reminding import timing
from memory.dialogs import Dialog

_NUMBERED = re.compile(r"[^\d]+\d[\d\s,–-]*")
_LONGEST_MIX = 200
_LONGEST_QUESTION = 300
_LISTED = frozenset({Kind.COMPACT, Kind.TIDY})
_AGREEABLE = frozenset({Kind.CARD, Kind.SHARED}) | _LISTED
_ENDABLE = _AGREEABLE | {Kind.MOVE, Kind.CONTENT, Kind.EDIT, Kind.TIME, Kind.FACT}


def select(turn: Turn, intent: Selection) -> Posts:
    """``keep 3 7``: for the proposal that waits, and never stored when none does (D2)."""
    dialog = dialogs.addressed(turn, dialogs.here(turn), _LISTED)
    if dialog is None:
        return _of_menu(turn, intent)
    turn = sharing.standing(turn, dialog)
    pick = compact.Pick(intent.verb == "keep", frozenset(intent.numbers))
    if dialog.kind == Kind.TIDY:
        return tidy.select(turn, dialog, pick)
    return compact.select(turn, dialog, pick)


def _of_menu(turn: Turn, intent: Selection) -> Posts:
    """``delete 3`` while a list of entries is open and no proposal waits."""
    dialog = dialogs.addressed(turn, dialogs.here(turn), frozenset({Kind.BROWSE}))
    if dialog is None or intent.verb == "keep":
        voice = turn.voice()
        return answer(turn, render.say(voice, "dialog.no_numbers"), voice)
    return browse.delete(sharing.standing(turn, dialog), dialog, intent.numbers)


def mixed(turn: Turn) -> bool:
    """Whether numbers to keep and numbers to delete stand in one message (D2)."""
    pieces = _NUMBERED.findall(turn.said.text) if len(turn.said.text) < _LONGEST_MIX else []
    verbs = {_verb(turn, piece) for piece in pieces}
    return len(verbs) > 1 and "" not in verbs


def _verb(turn: Turn, piece: str) -> str:
    languages = turn.services.languages
    for said in (piece, piece.strip(" ,;").partition(" ")[2]):
        intent = recognise(said, False, turn.username, languages)
        if isinstance(intent, Selection):
            return intent.verb
    return ""


def refuse_mixed(turn: Turn) -> Posts:
    """Nothing is changed and nothing stored; the valid numbers are named (D2)."""
    return select(turn, Selection("keep", ()))


def agree_or_cancel(turn: Turn, intent: Answer) -> Posts:
    """``apply``, ``ok``, ``cancel``: the same as the button of the waiting question (D2)."""
    kinds = _ENDABLE | waiting.MENUS if intent.verb == "cancel" else _AGREEABLE
    dialog = dialogs.addressed(turn, dialogs.here(turn), kinds)
    voice = turn.voice()
    if dialog is None:
        return answer(turn, render.say(voice, "dialog.none"), voice) if turn.place.private else ()
    turn = sharing.standing(turn, dialog)
    if intent.verb == "cancel":
        return waiting.end(turn, dialog, voice)
    if dialog.kind == Kind.COMPACT:
        return compact.apply(turn, dialog, compact.sheet_of(dialog))
    if dialog.kind == Kind.TIDY:
        return tidy.apply(turn, dialog, tidy.sheet_of(dialog))
    if dialog.kind == Kind.SHARED:
        return answer(turn, render.say(voice, "dialog.use_buttons"), voice)
    return cards.agree(turn, dialog)


def plain(turn: Turn) -> Posts:
    """A message without a trigger: foreign text, the answer to a question, or a hint."""
    if not turn.place.private:
        return _replied(turn)
    if not turn.said.text:
        return ()
    if turn.said.foreign:
        dialogs.hush(turn, dialogs.waiting(turn))
        return keep.remember(turn, Content(turn.said.text, foreign=True))
    dialog = dialogs.listening(turn, dialogs.waiting(turn))
    if dialog is not None:
        return heard(turn, dialog)
    language = turn.heard(turn.said.text)
    if _is_question(turn.said.text):
        return find.wondered(turn, turn.said.text, language)
    voice = turn.voice(language)
    return answer(turn, render.say(voice, "help.hint"), voice)


def _is_question(text: str) -> bool:
    """Whether a message asks something in several words: it is nothing to keep (X2)."""
    said = text.rstrip()
    several = len(said.split()) > 1 or said.endswith("？")
    return said.endswith(("?", "？")) and several and len(said) <= _LONGEST_QUESTION


def _replied(turn: Turn) -> Posts:
    """In a group only a reply to a question about its memory is an answer (G2)."""
    asked = [d for d in dialogs.here(turn) if d.kind == Kind.EDIT and d.payload.get("listens")]
    if not asked or not turn.said.text or turn.said.foreign:
        return ()
    return heard(sharing.standing(turn, asked[0]), asked[0])


def heard(turn: Turn, dialog: Dialog) -> Posts:
    """The next message answers a listening question."""
    if dialog.kind == Kind.EDIT:
        return revise.reword(turn, dialog, turn.said.text)
    if dialog.kind == Kind.CARD:
        return cards.reason(turn, dialog, turn.said.text)
    if dialog.kind == Kind.CONTENT and "code" in dialog.payload:
        return notes.heard(turn, dialog, turn.said.text)
    if dialog.kind == Kind.SETTINGS:
        return settings.heard(turn, dialog, turn.said.text)
    if dialog.kind == Kind.TIME:
        return timing.heard(turn, dialog, turn.said.text)
    dialogs.close(turn, dialog)
    return keep.remember(turn, Content(turn.said.text))
