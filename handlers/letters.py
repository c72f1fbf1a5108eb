"""Answers that could not be delivered: put by until the person opens the private chat (G2)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from handlers.context import Posts, Turn
from handlers.reply import Button, Post, Reply

_KEY = "undelivered"
_MOST = 10


def put_by(turn: Turn, posts: Sequence[Post]) -> None:
    """Keep answers that the bot was not allowed to send; the newest ten of a person."""
    state, person = turn.services.state, turn.person.id
    waiting = [*state.preference(person, _KEY, []), *map(_to_json, posts)]
    state.prefer(person, _KEY, waiting[-_MOST:])


def collected(turn: Turn) -> Posts:
    """The answers put by, for the private chat; they are given once."""
    state, person = turn.services.state, turn.person.id
    waiting = state.preference(person, _KEY, [])
    if waiting:
        state.prefer(person, _KEY, [])
    return tuple(Post(_reply(one), turn.home, dialog=one["dialog"]) for one in waiting)


def _to_json(post: Post) -> dict[str, Any]:
    return {"reply": dataclasses.asdict(post.reply), "dialog": post.dialog}


def _reply(values: dict[str, Any]) -> Reply:
    fields = dict(values["reply"])
    rows = fields.pop("buttons")
    return Reply(**fields, buttons=tuple(tuple(Button(**b) for b in row) for row in rows))
