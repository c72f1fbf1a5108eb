"""Who may talk to the bot: deny by default, by numeric id (G1, G2, R6)."""

from __future__ import annotations

from enum import StrEnum

from handlers.context import Policy, Posts, Turn
from handlers.messages import render
from handlers.messages.reply import Post

ANONYMOUS_ADMIN = 1087968824
CHANNEL_BOT = 136817688
SERVICE = 777000
"""Ids under which Telegram sends what no person signed."""

_TOLD = "stranger_told"


class Stance(StrEnum):
    """How the bot meets a sender."""

    WELCOME = "welcome"
    STRANGER = "stranger"
    NOBODY = "nobody"


def stance(sender: int, as_chat: bool, policy: Policy) -> Stance:
    """How to meet a sender; ``as_chat`` tells that a chat, not a person, signed (G2)."""
    if as_chat or sender in (0, ANONYMOUS_ADMIN, CHANNEL_BOT, SERVICE):
        return Stance.NOBODY
    if policy.everyone or sender in policy.members or sender in policy.admins:
        return Stance.WELCOME
    return Stance.STRANGER


def turn_away(turn: Turn) -> Posts:
    """One neutral sentence with the stranger's id, at most once a day, in private only (R6)."""
    state, today = turn.services.state, turn.today.isoformat()
    if not turn.place.private or state.preference(turn.person.id, _TOLD, "") == today:
        return ()
    state.prefer(turn.person.id, _TOLD, today)
    voice = turn.voice()
    return (Post(render.say(voice, "access.stranger", number=turn.person.id), turn.place.chat),)


def nobody(turn: Turn) -> Posts:
    """Anonymous admins and channels are told that only a person has a memory (G2)."""
    if not (turn.said.addressed or turn.place.private):
        return ()
    place = turn.place
    reply = render.say(turn.voice(), "access.nobody")
    return (Post(reply, place.chat, place.topic, answering=place.message),)
