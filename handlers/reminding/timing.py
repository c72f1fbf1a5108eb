"""A message that asks for a reminder, and one that tells another time for it (T9)."""

from __future__ import annotations

from dataclasses import replace

from curation import engine
from curation.engine import Hints
from handlers import choices, dialogs
from handlers.answers import answer
from handlers.choices import Choice
from handlers.context import Posts, Turn
from handlers.keeping import cards, keep
from handlers.keeping.keep import Content
from handlers.messages import outcome, render
from handlers.reminding import remind, reminders
from memory.dialogs import Dialog


def wish(turn: Turn, content: Content) -> Posts:
    """A card with what is to be told and when; other parts of the message stand on it too."""
    voice = turn.voice(content.language)
    if not choices.is_on(turn.services.state, turn.person.id, Choice.REMINDERS):
        return answer(turn, render.say(voice, "remind.off"), voice)
    if said := content.text and remind.refusal(turn, content.text):
        return answer(turn, replace(render.say(voice, said), refused=True), voice)
    if _is_mixed(turn, content):
        return keep.remember(turn, content)
    return keep.show(turn, [remind.offer(turn, content.text)], voice)


def _is_mixed(turn: Turn, content: Content) -> bool:
    hints = Hints(turn.person.language[:2], trigger=content.language)
    parts = turn.services.engine.judge(content.text, hints).parts
    homes = [part.verdict.home for part in parts if isinstance(part.verdict, engine.Route)]
    return len(parts) > 1 and engine.Home.REMINDER in homes


def heard(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """Another time for a reminder of a card or of the list; asked again when there is none."""
    if "reminder" in dialog.payload:
        return reminders.moved(turn, dialog, text)
    voice = turn.voice(dialog.payload["language"])
    card = turn.services.state.dialog(dialog.payload["card"])
    if card is None or card.status != "open" or card.expires <= turn.now:
        dialogs.close(turn, dialog)
        return answer(turn, render.say(voice, "dialog.expired"), voice)
    return _retimed(turn, dialog, card, text)


def _retimed(turn: Turn, dialog: Dialog, card: Dialog, text: str) -> Posts:
    outcomes, part = cards.parts(card), dialog.payload["part"]
    one = outcomes[part]
    voice = turn.voice(dialog.payload["language"])
    if not isinstance(one, outcome.Reminding):
        dialogs.close(turn, dialog)
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    when = remind.understood(turn, text, one.at)
    if when.moment is None:
        return answer(turn, render.ask(voice, f"remind.again.{when.problem}"), voice)
    dialogs.close(turn, dialog)
    outcomes[part] = remind.retimed(one, when)
    return cards.update(turn, card, outcomes)
