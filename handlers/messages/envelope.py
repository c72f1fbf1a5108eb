"""Posts to bytes and back, for the outbox and for letters; pure."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

from handlers.messages.reply import Button, Post, Reply

Json = dict[str, Any]

_PLACE = ("topic", "edit", "answering", "dialog", "quiet")
_SAID = ("placeholder", "refused")


def sealed(post: Post) -> bytes:
    """A post as bytes, without its chat."""
    return json.dumps(_values(post), separators=(",", ":")).encode("ascii")


def opened(body: bytes, chat: int) -> Post:
    """The post that `sealed` wrote, for a chat."""
    return _post(json.loads(body), chat)


def reply_to_json(reply: Reply) -> Json:
    """A reply as JSON; what is empty is left out."""
    rows = [[[b.text, b.data, b.url] for b in row] for row in reply.buttons]
    said = {name: value for name in _SAID if (value := getattr(reply, name))}
    drawn = {"picture": b64encode(reply.picture).decode("ascii")} if reply.picture else {}
    return {"html": reply.html, **({"buttons": rows} if rows else {}), **said, **drawn}


def reply_from_json(values: Json) -> Reply:
    """The reply that `reply_to_json` wrote."""
    rows = tuple(tuple(Button(*button) for button in row) for row in values.get("buttons", ()))
    said = {name: value for name, value in values.items() if name in _SAID}
    return Reply(values["html"], rows, **said, picture=b64decode(values.get("picture", "")))


def _values(post: Post) -> Json:
    place = {name: value for name in _PLACE if (value := getattr(post, name))}
    other = post.otherwise
    instead = {"otherwise": {"chat": other.chat, **_values(other)}} if other else {}
    return {"reply": reply_to_json(post.reply), **place, **instead}


def _post(values: Json, chat: int) -> Post:
    other = values.get("otherwise")
    return Post(
        reply_from_json(values["reply"]),
        chat,
        otherwise=_post(other, other["chat"]) if other else None,
        **{name: values[name] for name in _PLACE if name in values},
    )
