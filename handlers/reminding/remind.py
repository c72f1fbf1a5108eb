"""Reminders: from a wish to a card with the time understood, and from the card to the row (T9)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

from curation import admission, engine
from curation.engine import Hints
from handlers import choices, dialogs
from handlers.answers import answer
from handlers.callbacks import Verb
from handlers.choices import Choice
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.messages import outcome, render
from handlers.messages.outcome import Reminding
from handlers.reminding import changes
from handlers.reminding.changes import Did
from locales import dates
from locales.dates import Problem, When
from memory.dialogs import Dialog
from memory.reminders import Reminder

EMPTY = "empty"
FULL = "full"
OFF = "off"
"""Problems of a reminder beside those of its time: no matter, too many that wait, and reminders
that are switched off."""

_SMALL_WORD = 3
_DANGEROUS = frozenset(
    {engine.Refusal.SECRET, engine.Refusal.HEALTH_VALUE, engine.Refusal.INJECTION}
)


def offer(turn: Turn, text: str) -> Reminding:
    """The card of a wish to be reminded; it asks for what was not understood."""
    when = understood(turn, text)
    return timed(Reminding(one_line(text), when.rest or _quoted(turn)), when)


def _quoted(turn: Turn) -> str:
    """The message replied to, "" where it may not be told either (K2, W6)."""
    quoted = turn.said.quoted
    return "" if quoted and refusal(turn, quoted) else one_line(quoted)


def calendar(turn: Turn, text: str) -> Reminding | None:
    """The offer to be told of an appointment that is not kept; None without its time (T3)."""
    when = understood(turn, text)
    if when.moment is None:
        return None
    whole = one_line(text)
    return replace(timed(Reminding(whole, whole), when), calendar=True)


def understood(turn: Turn, text: str, day: str = "") -> When:
    """What a text says about time; a time without a day is meant on the day of ``day``."""
    known = datetime.fromisoformat(day).date() if day else None
    code = turn.services.languages.detect(text, turn.person.language[:2])
    return dates.understand(text, turn.now, turn.services.languages, code, known)


def timed(one: Reminding, when: When) -> Reminding:
    """The card with another time, or with the reason why there is none."""
    if not one.text:
        return replace(one, at=_iso(when), exact=when.exact, problem=EMPTY)
    return replace(one, at=_iso(when), exact=when.exact, problem=str(when.problem))


def retimed(one: Reminding, when: When) -> Reminding:
    """The card with the time of an answer; what the answer said beside it is shown, not used."""
    return replace(timed(one, when), beside=beside(when))


def beside(when: When) -> str:
    """What an answer says beside its time, "" where that is a small word at most."""
    telling = any(len(word) > _SMALL_WORD for word in when.rest.split())
    return when.rest if when.moment and telling else ""


def _iso(when: When) -> str:
    return when.moment.isoformat() if when.moment else ""


def one_line(text: str) -> str:
    """The text with line breaks and runs of blanks collapsed."""
    return " ".join(text.split())


def decide(turn: Turn, one: Reminding, verb: Verb) -> outcome.Outcome | None:
    """Make the reminder of a card; None when the verb does not fit (D2)."""
    if verb is not Verb.REMIND or not (one.at and one.text):
        return None
    if not choices.is_on(turn.services.state, turn.person.id, Choice.REMINDERS):
        return replace(one, at="", problem=OFF)
    moment = datetime.fromisoformat(one.at)
    if moment <= turn.now:
        return replace(one, at="", problem=str(Problem.PAST))
    wanted = Reminder(0, turn.person.id, one.text, moment.astimezone(UTC), zone(turn), one.exact)
    made = turn.services.state.reminders.create(wanted, _asked(turn, one))
    if made is None:
        return replace(one, at="", problem=FULL)
    changes.note(turn, Did.MADE, made)
    return outcome.Reminded(made.text, made.due.astimezone(turn.now.tzinfo).isoformat())


def zone(turn: Turn) -> str:
    """The name of the zone in which the person speaks of time, "" where it has none."""
    return getattr(turn.now.tzinfo, "key", "")


def _asked(turn: Turn, one: Reminding) -> str:
    request = turn.request or turn.services.new_id()
    return f"{request}:{hashlib.sha256(f'{one.at} {one.text}'.encode()).hexdigest()[:16]}"


def refusal(turn: Turn, text: str) -> str:
    """The id of the sentence that says why a text may not be told later, "" when it may (W6)."""
    admitted = admission.clean(text, turn.services.languages)
    if isinstance(admitted, admission.Rejected):
        return f"admission.{admitted.why}"
    if admitted.veiled:
        return f"admission.{admission.Why.BIDI}"
    judged = turn.services.engine.judge(admitted.text, Hints(turn.person.language[:2]))
    whys = [p.verdict.why for p in judged.parts if isinstance(p.verdict, engine.Refuse)]
    serious = [why for why in whys if why in _DANGEROUS]
    return f"refused.{serious[0]}" if serious else ""


def is_asking(one: outcome.Outcome) -> bool:
    """Whether the next message is what a reminder lacks: its matter or its time."""
    return isinstance(one, Reminding) and not (one.at and one.text)


def answered(turn: Turn, one: Reminding, text: str) -> Reminding | str:
    """The card with what was missing, or the id of the sentence that says why not."""
    if one.text:
        return retimed(one, understood(turn, text, one.at))
    if said := refusal(turn, text):
        return said
    fresh = offer(turn, text)
    if one.at and not fresh.at:
        fresh = replace(fresh, at=one.at, exact=one.exact)
    return replace(fresh, text=fresh.text or one_line(text))


def ask_time(turn: Turn, dialog: Dialog, part: int) -> Posts:
    """Ask for another time; the next message is taken for it."""
    voice = turn.voice(dialog.payload["language"])
    payload = {"card": dialog.id, "part": part, "language": voice.language}
    asked = dialogs.open_dialog(turn, Question(Kind.TIME, payload, listens=True))
    return answer(turn, render.ask(voice, "remind.when"), voice, asked.id)
