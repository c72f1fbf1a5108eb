"""Answers that could not be delivered: put by until the person opens the private chat (G2)."""

from __future__ import annotations

from handlers.context import Posts, Turn
from handlers.messages.envelope import reply_from_json, reply_to_json
from handlers.messages.reply import Post
from memory.state import State

_KEY = "undelivered"
_MOST = 10


def put_by(state: State, person: int, post: Post) -> None:
    """Keep an answer that the bot was not allowed to send; the newest ten of a person."""
    waiting = [one for one in state.preference(person, _KEY, []) if not one["given"]]
    letter = {"reply": reply_to_json(post.reply), "dialog": post.dialog, "given": ""}
    state.prefer(person, _KEY, [*waiting, letter][-_MOST:])


def collected(turn: Turn) -> Posts:
    """The answers put by, for the private chat; the same request may have them again (W4)."""
    state, person = turn.services.state, turn.person.id
    stored = state.preference(person, _KEY, [])
    letters = [one for one in stored if one["given"] in ("", turn.request)]
    if stored:
        state.prefer(person, _KEY, [{**one, "given": turn.request} for one in letters])
    return tuple(
        Post(reply_from_json(one["reply"]), turn.home, dialog=one["dialog"]) for one in letters
    )
