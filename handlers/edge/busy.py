"""What a chat is told when it sent more than the bot can take at once (B23)."""

from __future__ import annotations

from handlers import access
from handlers.access import Stance
from handlers.context import Policy, Posts, Turn
from handlers.messages import render
from handlers.messages.reply import Post


def is_told(sender: int, policy: Policy) -> bool:
    """Whether this person is told of messages that were not taken; strangers are not (G1)."""
    return access.stance(sender, False, policy) is Stance.WELCOME


def not_taken(turn: Turn, count: int) -> Posts:
    """How many messages of a chat were not taken and have to be sent again."""
    return (Post(render.say(turn.voice(), "busy.not_taken", count), turn.place.chat),)
