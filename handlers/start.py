"""First contact: /start, deep links into a waiting question, and /help (R6)."""

from __future__ import annotations

from handlers import keep, outcome, render, revise, waiting
from handlers.answers import LAST, answer
from handlers.context import Posts, Turn
from handlers.voice import Voice
from memory.spaces import DocumentName


def start(turn: Turn) -> Posts:
    """Say what is kept where and who can read it; a link brings its question along."""
    voice = turn.voice()
    payload = turn.said.text.partition(" ")[2].strip()
    dialog = turn.services.state.dialog(payload) if payload else None
    if dialog and dialog.asker == turn.person.id and dialog.status == "open":
        return waiting.again(turn, dialog)
    hello = answer(turn, render.say(voice, "start.hello"), voice)
    last = _last(turn, voice) if payload == LAST else ()
    return (*hello, *waiting.remind(turn), *last)


def _last(turn: Turn, voice: Voice) -> Posts:
    """What was kept last, for somebody who comes from a group (G2)."""
    done = turn.services.store.last(turn.person.id)
    if done is None or done.ref.name is not DocumentName.KEEP or done.keys != (keep.ENTRY,):
        return ()
    return answer(turn, render.card([outcome.Kept(revise.entry_of(done), done.op)], voice), voice)


def help(turn: Turn) -> Posts:
    """What can be said, in one message."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.text", username=turn.username), voice)


def unknown(turn: Turn) -> Posts:
    """A command that does not exist: named only in a private chat."""
    voice = turn.voice()
    return answer(turn, render.say(voice, "help.unknown"), voice) if turn.place.private else ()
