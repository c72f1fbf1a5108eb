"""/fact, and what is answered to it; facts taken back (F1-F4)."""

from __future__ import annotations

import math

from curation import tellings
from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import factlines, factviews, noting
from handlers.keeping import cards
from handlers.messages import render
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from memory.dialogs import Dialog
from memory.factrules import EVENTS, VOCABULARY, Alike, Choice, Draft, Fault, FaultCode, Near, known
from memory.facts import Facts
from memory.operations import Refusal

_EXAMPLES = ("works_at", "lives_in", "has_role", "owns", "speaks", "prefers", "allergic_to")


def fact(turn: Turn) -> Posts:
    """/fact: what follows is stored, asked about when it is near a known one, or explained."""
    said = turn.said.argument
    voice = turn.voice(turn.heard(said))
    if not said:
        return answer(turn, Reply(voice("fact.how")), voice)
    why = cards.forbidden(turn, said)
    if why:
        return answer(turn, noting.reply(why, voice), voice)
    draft = read(turn, said)
    if draft is None:
        return _unread(turn, said, voice)
    if not known(draft.predicate):
        return answer(turn, _unknown(draft, voice), voice)
    return show(turn, noting.note(turn, draft), voice)


def _unread(turn: Turn, said: str, voice: Voice) -> Posts:
    """A known fact that is said to be over is shown with its buttons; else why there is none."""
    languages, today = turn.services.languages, turn.today.isoformat()
    over = tellings.over(said, languages, today)
    known = factviews.like(turn, noting.draft_of(over)) if over else None
    if known:
        return factviews.card(turn, known, voice)
    if tellings.is_wrong_day(said, languages, today):
        return answer(turn, noting.reply(Fault(FaultCode.INVALID_DATE), voice), voice)
    return answer(turn, Reply(voice("fact.unclear"), refused=True), voice)


def read(turn: Turn, said: str) -> Draft | None:
    """The fact that was typed, with today as the day of an event that names none."""
    today = turn.today.isoformat()
    found = tellings.told(said, turn.services.languages, today, VOCABULARY)
    return noting.draft_of(tellings.dated(found, EVENTS, today)) if found else None


def _unknown(draft: Draft, voice: Voice) -> Reply:
    names = ", ".join(_EXAMPLES)
    said = voice("fact.unknown_predicate", predicate=draft.predicate, names=names)
    return Reply(said, refused=True)


def show(turn: Turn, outcome: noting.Noted | str, voice: Voice) -> Posts:
    """What came of it; a near fact becomes a question with buttons."""
    if not isinstance(outcome, Near):
        return answer(turn, noting.reply(outcome, voice), voice)
    dialog = _opened(turn, outcome, voice)
    return answer(turn, asked(dialog, voice), voice, dialog.id)


def _opened(turn: Turn, near: Near, voice: Voice) -> Dialog:
    """The question about a near fact, stored."""
    return dialogs.open_dialog(turn, Question(Kind.FACT, noting.payload(near, voice)))


def asked(dialog: Dialog, voice: Voice) -> Reply:
    """The question about a near fact as a message."""
    stored = dialog.payload
    near = Near(Draft(**stored["draft"]), (), Alike(stored["alike"]))
    return Reply(stored["text"], noting.near_buttons(near, voice, dialog.id))


def press(turn: Turn, dialog: Dialog) -> Posts:
    """The answer to a near fact: the same, another one, or none."""
    assert turn.press
    stored, draft = dialog.payload, Draft(**dialog.payload["draft"])
    voice = turn.voice(stored["language"])
    choices = {Verb.REPLACE: Choice(same=stored["known"][0]), Verb.BOTH: Choice(apart=True)}
    choice = choices.get(turn.press.verb)
    if choice is None:
        dialogs.close(turn, dialog)
        said = render.say(voice, "fact.skipped", fact=factlines.line(draft, voice))
        return replaced(turn, said, dialog.id)
    outcome = noting.note(turn, draft, choice)
    dialogs.close(turn, dialog)
    if isinstance(outcome, Near):
        again = _opened(turn, outcome, voice)
        return replaced(turn, asked(again, voice), again.id)
    return replaced(turn, noting.reply(outcome, voice), dialog.id)


def undo(turn: Turn) -> Posts:
    """The Undo button of a change of facts; below a card that has other buttons (1)."""
    assert turn.press
    voice = turn.voice()
    reply = taken_back(turn, turn.press.id, voice)
    return answer(turn, reply, voice) if turn.press.number else replaced(turn, reply)


def taken_back(turn: Turn, op: str, voice: Voice) -> Reply:
    """A change of facts taken back, or why it is not."""
    done = turn.services.state.facts.undo(noting.deed(turn, "undo"), op)
    if isinstance(done, Refusal):
        return render.say(voice, f"undo.{done}")
    return noting.reply(done, voice)


def changed(turn: Turn) -> float:
    """When the person last changed facts; for ever when this request took that back already."""
    facts: Facts = turn.services.state.facts
    newest = facts.last(turn.person.id)
    if facts.undone_by(turn.person.id, turn.request):
        return math.inf
    return newest.at if newest else 0.0


def last(turn: Turn, voice: Voice, after: float) -> Posts | None:
    """/undo, when the person's last change was one of facts, later than a moment."""
    facts: Facts = turn.services.state.facts
    op = facts.undone_by(turn.person.id, turn.request)
    newest = None if op else facts.last(turn.person.id)
    op = op or (newest.op if newest and newest.at > after else "")
    return answer(turn, taken_back(turn, op, voice), voice) if op else None
