"""Where an answer goes: personal matter to the private chat, at most a neutral line elsewhere."""

from __future__ import annotations

from handlers.context import Posts, Turn
from handlers.messages.reply import Button, Post, Reply
from handlers.messages.voice import Voice

_PAYLOAD = "group"


def answer(turn: Turn, reply: Reply, voice: Voice, dialog: str = "") -> Posts:
    """A new message in the person's private chat (G2); about shared memory, in the chat itself.

    Asked for in a group where the bot may not write to the person first, one neutral line
    with a link to the private chat stands in for it.
    """
    place = turn.place
    if turn.at_desk:
        return (Post(reply, place.chat, place.topic, answering=place.message, dialog=dialog),)
    neutral = None if turn.place.private else _neutral(turn, voice)
    return (Post(reply, turn.home, dialog=dialog, otherwise=neutral),)


def replaced(turn: Turn, reply: Reply, dialog: str = "") -> Posts:
    """The pressed message, edited in place."""
    place = turn.place
    return (Post(reply, place.chat, place.topic, edit=place.message, dialog=dialog),)


def _neutral(turn: Turn, voice: Voice) -> Post:
    link = f"https://t.me/{turn.username}?start={_PAYLOAD}"
    button = Button(voice.plain("button.open_private"), url=link)
    place = turn.place
    reply = Reply(voice("group.open_private"), ((button,),))
    return Post(reply, place.chat, place.topic, answering=place.message)
