"""What a person did to their reminders last, so that /undo takes that back first (K9, T9)."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from handlers.answers import answer
from handlers.context import Posts, Turn
from handlers.messages import render
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from handlers.reminding import remindwords
from memory.reminders import Reminder

_KEPT = "reminder_changes"
_MOST = 20


class Did(StrEnum):
    """What was done to a reminder."""

    MADE = "made"
    CANCELLED = "cancelled"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a reminder; ``at`` is when it was done, ``due`` and the rest what was before.

    ``undone`` names the request that took it back, "" while it stands (W4).
    """

    reminder: int
    did: str
    at: float
    due: float
    zone: str
    exact: bool
    undone: str = ""


def note(turn: Turn, did: Did, before: Reminder) -> None:
    """Remember a change; one that comes again is known already."""
    known = _changes(turn)
    if did is Did.MADE and any(c.reminder == before.id for c in known):
        return
    due, now = before.due.timestamp(), turn.now.timestamp()
    _store(turn, [*known, Change(before.id, did, now, due, before.zone, before.exact)])


def revived(turn: Turn, reminder: int) -> None:
    """A cancellation was taken back by its own button."""
    kept = [c for c in _changes(turn) if (c.reminder, c.did) != (reminder, Did.CANCELLED)]
    _store(turn, kept)


def last(turn: Turn, voice: Voice, after: float) -> Posts | None:
    """/undo, when the person's last change was one of reminders, not before a moment."""
    known = _changes(turn)
    again = [c for c in known if turn.request and c.undone == turn.request]
    fresh = [c for c in known if not c.undone and c.at >= after and _stands(turn, c)]
    if again:
        return answer(turn, _said(turn, again[0], voice), voice)
    if not fresh:
        return None
    change = fresh[-1]
    reply = _said(turn, change, voice)
    _take_back(turn, change)
    done = replace(change, undone=turn.request or turn.services.new_id())
    _store(turn, [done if c == change else c for c in known])
    return answer(turn, reply, voice)


def _changes(turn: Turn) -> list[Change]:
    found = turn.services.state.preference(turn.person.id, _KEPT, [])
    return [Change(*row) for row in found] if isinstance(found, list) else []


def _store(turn: Turn, changes: list[Change]) -> None:
    rows = [list(astuple(change)) for change in changes[-_MOST:]]
    turn.services.state.prefer(turn.person.id, _KEPT, rows)


def _stands(turn: Turn, change: Change) -> bool:
    """Whether there is something to take back: it did not ring, and would not ring at once."""
    one = turn.services.state.reminders.reminder(turn.person.id, change.reminder)
    wanted = "cancelled" if change.did == Did.CANCELLED else "open"
    ahead = change.did == Did.MADE or change.due > turn.now.timestamp()
    return one is not None and one.status == wanted and ahead


def _take_back(turn: Turn, change: Change) -> None:
    reminders, person = turn.services.state.reminders, turn.person.id
    one = reminders.reminder(person, change.reminder)
    if change.did == Did.MADE:
        reminders.cancel(person, change.reminder, turn.now)
    elif change.did == Did.CANCELLED:
        reminders.revive(person, change.reminder)
    elif one:
        due = datetime.fromtimestamp(change.due, UTC)
        reminders.move(replace(one, due=due, zone=change.zone, exact=change.exact))


def _said(turn: Turn, change: Change, voice: Voice) -> Reply:
    one = turn.services.state.reminders.reminder(turn.person.id, change.reminder)
    text = one.text if one else ""
    if change.did == Did.MADE:
        return render.say(voice, "reminders.cancelled", text=text)
    due = datetime.fromtimestamp(change.due, turn.now.tzinfo).isoformat()
    said = "reminders.again" if change.did == Did.CANCELLED else "reminders.moved"
    return render.say(voice, said, text=text, when=remindwords.moment(due, voice))
