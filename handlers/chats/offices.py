"""What the bot's admins may do: see to groups, and see how much there is, never what (G6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handlers import start
from handlers.acquaintance import recall
from handlers.answers import answer
from handlers.context import Place, Posts, Turn
from handlers.messages import render
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from memory.spaces import DocumentName, DocumentRef
from memory.spaces import group as group_space

_CHANGES = ("add", "remove")
_LONGEST_ID = 19


def _is_admin(turn: Turn) -> bool:
    return turn.person.id in turn.policy.admins


def group(turn: Turn) -> Posts:
    """/group: the own groups; for the bot's admins all of them, with add and remove."""
    words, voice = turn.said.argument.split(), turn.voice()
    if not words or words == ["list"]:
        return answer(turn, _listed(turn, voice), voice)
    if not _is_admin(turn):
        return start.unknown(turn)
    if len(words) == 3 and words[0] in _CHANGES and _is_id(words[2]):
        return _changed(turn, words, voice)
    return answer(turn, render.say(voice, "groups.usage"), voice)


def _is_id(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= _LONGEST_ID and int(word) > 0


def _listed(turn: Turn, voice: Voice) -> Reply:
    members = turn.services.state.members
    ids = members.groups() if _is_admin(turn) else members.groups_of(turn.person.id)
    if not ids:
        return render.say(voice, "groups.none")
    rows = [voice("groups.row", len(members.members_of(id)), group=id) for id in ids]
    return Reply("\n".join([voice("groups.list"), *rows]))


def _changed(turn: Turn, words: Sequence[str], voice: Voice) -> Posts:
    verb, id, user = words[0], words[1], int(words[2])
    members = turn.services.state.members
    if id not in members.groups():
        return answer(turn, render.say(voice, "groups.unknown", group=id), voice)
    if verb == "remove":
        return answer(turn, _removed(turn, id, user, voice), voice)
    others = members.members_of(id) - {user}
    members.enrol(id, user)
    said = voice("groups.added", len(others) + 1, group=id, number=user)
    return (*answer(turn, Reply(said), voice), *_announced(turn, id, others))


def _removed(turn: Turn, id: str, user: int, voice: Voice) -> Reply:
    members = turn.services.state.members
    if members.dismiss(id, user):
        return Reply(voice("groups.removed", len(members.members_of(id)), group=id, number=user))
    configured = user in members.members_of(id)
    said = "groups.configured" if configured else "groups.no_member"
    return render.say(voice, said, group=id, number=user)


def _announced(turn: Turn, id: str, members: Iterable[int]) -> Posts:
    """Each member is told that one more person reads the group's memory, if it holds any (G3)."""
    ref = DocumentRef(group_space(id), DocumentName.GROUP)
    if not turn.services.store.read(ref).document.entries:
        return ()
    return tuple(
        post for user in sorted(members) if user != turn.person.id for post in _told(turn, id, user)
    )


def _told(turn: Turn, id: str, user: int) -> Posts:
    person = recall(turn.services.state, user)
    reader = Turn(turn.services, turn.policy, person, Place(user), turn.username)
    voice, count = reader.voice(), len(turn.services.state.members.members_of(id))
    return answer(reader, Reply(voice("groups.grown", count, group=id)), voice)


def stats(turn: Turn) -> Posts:
    """/stats: numbers only, for the bot's admins; for others there is no such command (G6)."""
    if not _is_admin(turn):
        return start.unknown(turn)
    voice = turn.voice()
    midnight = turn.now.replace(hour=0, minute=0, second=0, microsecond=0)
    found = turn.services.state.statistics.numbers(midnight)
    rows = (
        voice("stats.users", found.users),
        voice("stats.channels", found.channels),
        voice("stats.groups", found.groups),
        voice("stats.lines", found.lines),
        voice("stats.writes", found.writes),
    )
    return answer(turn, Reply("\n".join(rows)), voice)
