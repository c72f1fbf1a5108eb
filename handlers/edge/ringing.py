"""Reminders whose moment has come: each told once, and how late it is where it is late (T9, R7)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import groupby

from handlers import acquaintance, choices
from handlers.access import Stance, stance
from handlers.choices import Choice
from handlers.context import Place, Policy, Posts, Services, Turn
from handlers.edge.outbox import Outbox
from handlers.messages import render
from handlers.messages.reply import Post, Reply, shortened
from handlers.messages.voice import Voice
from handlers.reminding import remindwords
from locales import dates
from memory.errors import PomnenkaError
from memory.reminders import Reminder

log = logging.getLogger("pomnenka.handlers")

LATE = timedelta(minutes=2)
"""From when on it is said how late a reminder comes."""

MOST_LATE = 5
"""How many late reminders a person gets one by one; further ones stand in one list."""

_LONGEST = 200


async def ring(username: str, services: Services, policy: Policy, outbox: Outbox) -> None:
    """Tell everybody what they wanted to be told by now."""
    try:
        due = await services.run(services.state.reminders.due, services.clock())
    except PomnenkaError as error:
        log.error("no reminders", extra={"facts": {"cause": type(error).__name__}})
        return
    by_person = sorted(due, key=lambda one: (one.user, one.due, one.id))
    for user, theirs in groupby(by_person, key=lambda one: one.user):
        try:
            person = await services.run(acquaintance.recall, services.state, user)
            turn = Turn(services, policy, person, Place(user), username)
            await _tell(turn, tuple(theirs), outbox)
        except PomnenkaError as error:
            log.error("reminder not told", extra={"facts": {"cause": type(error).__name__}})


async def _tell(turn: Turn, due: Sequence[Reminder], outbox: Outbox) -> None:
    services = turn.services
    now = services.clock()
    for told in batches(turn, await services.run(_awake, turn, due)):
        posts = await services.run(_posts, turn, told)
        fire = partial(services.state.reminders.fire, told, now)
        await outbox.commit(posts, turn.person.id, fire)


def _awake(turn: Turn, due: Sequence[Reminder]) -> tuple[Reminder, ...]:
    """What may be told now: nothing to strangers, and in quiet hours only what named its hour."""
    state, person = turn.services.state, turn.person.id
    if stance(person, False, turn.policy) is not Stance.WELCOME:
        return ()
    if not choices.is_on(state, person, Choice.REMINDERS):
        return ()
    quiet = choices.quiet_of(state, person)
    rests = quiet is not None and quiet.holds(turn.now)
    return tuple(one for one in due if one.exact or not rests)


def batches(turn: Turn, due: Sequence[Reminder]) -> Iterator[tuple[Reminder, ...]]:
    """Reminders one by one, but when many are late the later ones together."""
    late = [one for one in due if turn.now - one.due > LATE]
    together = late[MOST_LATE:] if len(late) > MOST_LATE + 1 else []
    yield from ((one,) for one in due if one not in together)
    if together:
        yield tuple(together)


def _posts(turn: Turn, told: Sequence[Reminder]) -> Posts:
    voice = turn.voice()
    reply = _one(turn, told[0], voice) if len(told) == 1 else _several(turn, told, voice)
    return (Post(reply, turn.home),)


def _one(turn: Turn, one: Reminder, voice: Voice) -> Reply:
    if turn.now - one.due <= LATE or _waited(turn, one):
        return render.say(voice, "remind.due", text=one.text)
    ago = dates.ago(one.due, voice.language, turn.now)
    return render.say(voice, "remind.late", text=one.text, ago=ago)


def _waited(turn: Turn, one: Reminder) -> bool:
    """Whether it only waited for the end of the quiet hours."""
    quiet = choices.quiet_of(turn.services.state, turn.person.id)
    due = one.due.astimezone(turn.now.tzinfo)
    return not one.exact and quiet is not None and quiet.holds(due)


def _several(turn: Turn, told: Sequence[Reminder], voice: Voice) -> Reply:
    rows = [_row(turn, one, voice) for one in told]
    return Reply("\n".join([voice("remind.missed", len(told)), *rows]))


def _row(turn: Turn, one: Reminder, voice: Voice) -> str:
    when = remindwords.moment(one.due.astimezone(turn.now.tzinfo).isoformat(), voice)
    return voice("remind.missed.row", when=when, text=shortened(one.text, _LONGEST))
