"""What is said to a whole group: hello on joining, and that more people can read now (R6, G3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from handlers.answers import answer
from handlers.chats import shared
from handlers.context import TOPICS, Posts, Turn
from handlers.messages import render
from handlers.messages.reply import Post, Reply
from memory.spaces import DocumentName, DocumentRef, SpaceKind, channel

_GREETED = "greeted"
_REST = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Rights:
    """What the bot may do in a chat; ``hears_all``: privacy mode is off, or it is an admin."""

    admin: bool = False
    hears_all: bool = False


def here(turn: Turn, reply: Reply, answering: int = 0) -> Posts:
    """A message to the whole chat."""
    place = turn.place
    return (Post(reply, place.chat, place.topic, answering=answering),)


def hello(turn: Turn, rights: Rights) -> Posts:
    """What is kept where and who can read it; not again for a month, whoever adds it (R6)."""
    state, chat = turn.services.state, turn.place.chat
    greeted = state.preference(chat, _GREETED, {})
    today = {"day": turn.today.isoformat(), "by": turn.request}
    if greeted and greeted["by"] != turn.request and _lately(turn, greeted["day"]):
        return ()
    state.prefer(chat, _GREETED, today)
    voice = turn.voice()
    hears = "all" if rights.hears_all else "some"
    lines = [voice("group.hello", username=turn.username), voice(f"group.hello.{hears}")]
    lines += [] if rights.admin else [voice("group.hello.no_admin")]
    return here(turn, Reply("\n\n".join(lines)))


def _lately(turn: Turn, day: str) -> bool:
    return turn.today - date.fromisoformat(day) < _REST


def grown(turn: Turn) -> Posts:
    """Somebody entered: how many can read the chat's memory now, if it holds anything (G3)."""
    said = kept(turn, turn.place.chat)
    audience = turn.roster.audience(turn.place.chat)
    members = turn.services.state.members
    known = len(members.people(turn.place.chat))
    readers = audience.readers if audience else known
    if not said or not members.grow(turn.place.chat, readers, turn.request):
        return ()
    voice = turn.voice(turn.services.languages.detect(said, turn.person.language[:2]))
    if audience is None:
        return here(turn, Reply(voice("group.grown_unknown")))
    return here(turn, Reply(voice("group.grown", readers)))


def kept(turn: Turn, chat: int) -> str:
    """The first entry of a chat's memory, its topics' included; "" when there is none."""
    known = (ref.space for ref in turn.services.state.documents())
    topics = {s for s in known if s.kind is SpaceKind.CHANNEL and s.number == chat}
    refs = (DocumentRef(s, DocumentName.CHANNEL) for s in sorted({*topics, channel(chat)}))
    found = (turn.services.store.read(ref).document.entries for ref in refs)
    return next((entries[0].text for entries in found if entries), "")


_SWITCH = {"on": True, "off": False}


def topics(turn: Turn) -> Posts:
    """/topics on, /topics off: whether each topic has a memory of its own; for admins (G4)."""
    voice, space = turn.voice(), shared.space(turn)
    if space is None:
        return answer(turn, render.say(voice, "group.only_there"), voice)
    at_desk = replace(turn, shared=space)
    state, chat = turn.services.state, turn.place.chat
    if not state.members.is_admin(chat, turn.person.id, turn.now):
        return answer(at_desk, render.say(voice, "group.admins_only"), voice)
    switch = turn.said.argument.lower()
    if switch not in _SWITCH:
        return answer(at_desk, render.say(voice, "topics.usage"), voice)
    if _SWITCH[switch] and not turn.place.forum:
        return answer(at_desk, render.say(voice, "topics.none"), voice)
    state.prefer(chat, TOPICS, _SWITCH[switch])
    return answer(at_desk, render.say(voice, f"topics.{switch}"), voice)
