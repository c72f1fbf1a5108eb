"""/reminders: what will be told, page by page, each with another time or none at all (R7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, tzinfo

from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, encode
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.messages import render
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice
from handlers.reminding import changes, remind, remindwords
from handlers.reminding.changes import Did
from memory.dialogs import Dialog
from memory.reminders import Reminder

PAGE = 5
_LONGEST, _LABEL = 300, 24


def show(turn: Turn) -> Posts:
    """The reminders that wait, the next one first."""
    voice = turn.voice()
    dialog = dialogs.open_dialog(turn, Question(Kind.REMINDERS, {"language": voice.language}))
    return answer(turn, _listed(turn, dialog, voice), voice, dialog.id)


def press(turn: Turn, dialog: Dialog) -> Posts:
    """Turn the page, ask for another time, cancel one, or take that back; edited in place."""
    assert turn.press
    voice, number = turn.voice(dialog.payload["language"]), turn.press.number
    state = turn.services.state.reminders
    match turn.press.verb:
        case Verb.WHEN:
            return _ask(turn, number, voice)
        case Verb.STOP if state.cancel(turn.person.id, number, turn.now):
            if one := state.reminder(turn.person.id, number):
                changes.note(turn, Did.CANCELLED, one)
            return _kept(turn, dialog, {"cancelled": number})
        case Verb.REVIVE:
            state.revive(turn.person.id, number)
            changes.revived(turn, number)
            return _kept(turn, dialog, {"cancelled": 0})
        case Verb.PAGE:
            return _kept(turn, dialog, {"page": number - 1, "cancelled": 0})
    return replaced(turn, _listed(turn, dialog, voice), dialog.id)


def _kept(turn: Turn, dialog: Dialog, changes: dict[str, int]) -> Posts:
    """The list as it is now, which the stored question remembers."""
    payload = {**dialog.payload, **changes}
    turn.services.state.amend(dialog.id, payload)
    voice = turn.voice(payload["language"])
    return replaced(turn, _listed(turn, replace(dialog, payload=payload), voice), dialog.id)


def again(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    """The list for a question that is shown anew."""
    return _listed(turn, dialog, voice)


def _listed(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    found = turn.services.state.reminders.waiting(turn.person.id)
    pages = max(1, -(-len(found) // PAGE))
    page = min(max(0, dialog.payload.get("page", 0)), pages - 1)
    shown = found[page * PAGE : (page + 1) * PAGE]
    zone = turn.now.tzinfo
    lines = [_line(n, one, voice, zone) for n, one in enumerate(shown, page * PAGE + 1)]
    head = voice("reminders.list", len(found)) if found else voice("reminders.none")
    undone = _undo(turn, dialog, voice)
    rows = [_row(n, one, dialog, voice) for n, one in enumerate(shown, page * PAGE + 1)]
    text = "\n\n".join([*undone[0], "\n".join([head, *lines])])
    return Reply(text, (*undone[1], *rows, *_turning(page, pages, dialog)))


def _line(number: int, one: Reminder, voice: Voice, zone: tzinfo | None) -> str:
    when = remindwords.moment(one.due.astimezone(zone).isoformat(), voice)
    text = shortened(one.text, _LONGEST)
    return voice("reminders.row", number=number, when=when, text=text)


def _row(number: int, one: Reminder, dialog: Dialog, voice: Voice) -> tuple[Button, ...]:
    return (
        Button(voice.plain("reminders.move", number=number), encode(dialog.id, Verb.WHEN, one.id)),
        Button(voice.plain("reminders.stop", number=number), encode(dialog.id, Verb.STOP, one.id)),
    )


def _turning(page: int, pages: int, dialog: Dialog) -> Rows:
    ways = [(page - 1, "‹"), (page + 1, "›")]
    found = [
        Button(sign, encode(dialog.id, Verb.PAGE, to + 1)) for to, sign in ways if 0 <= to < pages
    ]
    return (tuple(found),) if found else ()


def _undo(turn: Turn, dialog: Dialog, voice: Voice) -> tuple[tuple[str, ...], Rows]:
    """What was just cancelled, with the button that takes it back."""
    number = dialog.payload.get("cancelled", 0)
    one = turn.services.state.reminders.reminder(turn.person.id, number) if number else None
    if one is None or one.status != "cancelled":
        return (), ()
    said = voice("reminders.cancelled", text=shortened(one.text, _LONGEST))
    button = Button(voice.plain("button.undo"), encode(dialog.id, Verb.REVIVE, one.id))
    return (said,), ((button,),)


def _ask(turn: Turn, id: int, voice: Voice) -> Posts:
    """Ask for another time; the next message is taken for it."""
    one = turn.services.state.reminders.reminder(turn.person.id, id)
    if one is None or one.status != "open":
        return answer(turn, render.say(voice, "reminders.gone"), voice)
    payload = {"reminder": id, "entry": one.text, "language": voice.language}
    asked = dialogs.open_dialog(turn, Question(Kind.TIME, payload, listens=True))
    return answer(turn, render.ask(voice, "reminders.when", text=one.text), voice, asked.id)


def moved(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """The message has the new time of a reminder; without one it is asked for again."""
    voice = turn.voice(dialog.payload["language"])
    state = turn.services.state.reminders
    one = state.reminder(turn.person.id, dialog.payload["reminder"])
    local = one.due.astimezone(turn.now.tzinfo).isoformat() if one else ""
    when = remind.understood(turn, text, local)
    if when.moment is None:
        return answer(turn, render.ask(voice, f"remind.again.{when.problem}"), voice)
    dialogs.close(turn, dialog)
    due = when.moment.astimezone(UTC)
    if one is None or not state.move(
        replace(one, due=due, zone=remind.zone(turn), exact=when.exact)
    ):
        return answer(turn, render.say(voice, "reminders.gone"), voice)
    if due != one.due:
        changes.note(turn, Did.MOVED, one)
    said = remindwords.moment(when.moment.isoformat(), voice)
    done = voice("reminders.moved", text=one.text, when=said)
    return answer(turn, Reply(done + remindwords.left_out(remind.beside(when), voice)), voice)
