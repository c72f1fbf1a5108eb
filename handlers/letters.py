"""Answers that could not be delivered: put by until the person opens the private chat (G2)."""

from __future__ import annotations

from typing import Any

from handlers.context import Posts, Turn
from handlers.envelope import reply_from_json, reply_to_json
from handlers.reply import Post
from memory.state import State

_KEY = "undelivered"
_MOST = 10


def put_by(state: State, person: int, post: Post) -> None:
    """Keep an answer that the bot was not allowed to send; the newest ten of a person."""
    waiting = [*state.preference(person, _KEY, []), _to_json(post)]
    state.prefer(person, _KEY, waiting[-_MOST:])


def collected(turn: Turn) -> Posts:
    """The answers put by, for the private chat; they are given once."""
    state, person = turn.services.state, turn.person.id
    waiting = state.preference(person, _KEY, [])
    if waiting:
        state.prefer(person, _KEY, [])
    return tuple(
        Post(reply_from_json(one["reply"]), turn.home, dialog=one["dialog"]) for one in waiting
    )


def _to_json(post: Post) -> dict[str, Any]:
    return {"reply": reply_to_json(post.reply), "dialog": post.dialog}
