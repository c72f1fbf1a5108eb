"""First contact: /start, also from a group's link, and /help (R6)."""

from __future__ import annotations

from handlers import letters, settings, waiting
from handlers.answers import answer
from handlers.context import Posts, Turn
from handlers.messages import render


def start(turn: Turn) -> Posts:
    """Say what is kept where and who can read it; then what could not be said before (G2).

    The first time, the language and the time zone are asked for on the same message (R6).
    """
    voice = turn.voice()
    first = settings.first(turn)
    hello = first or answer(turn, render.say(voice, "start.hello"), voice)
    return (*hello, *(letters.collected(turn) or waiting.remind(turn)))


def help(turn: Turn) -> Posts:
    """What can be said, in one message."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.text", username=turn.username), voice)


def unknown(turn: Turn) -> Posts:
    """A command that does not exist: named only in a private chat."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.unknown"), voice) if turn.place.private else ()
