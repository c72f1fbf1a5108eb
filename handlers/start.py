"""First contact: /start, deep links into a waiting question, and /help (R6)."""

from __future__ import annotations

from handlers import dialogs, render, waiting
from handlers.answers import answer
from handlers.context import Posts, Turn


def start(turn: Turn) -> Posts:
    """Say what is kept where and who can read it; a link brings its question along."""
    voice = turn.voice()
    payload = turn.said.text.partition(" ")[2].strip()
    dialog = turn.services.state.dialog(payload) if payload else None
    if dialog and dialog.asker == turn.person.id and dialog.status == "open":
        return waiting.again(turn, dialog)
    hello = answer(turn, render.say(voice, "start.hello", name=turn.person.name), voice)
    return (*hello, *waiting.remind(turn)) if dialogs.waiting(turn) else hello


def help(turn: Turn) -> Posts:
    """What can be said, in one message."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.text", username=turn.username), voice)


def unknown(turn: Turn) -> Posts:
    """A command that does not exist: named only in a private chat."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.unknown"), voice) if turn.place.private else ()
