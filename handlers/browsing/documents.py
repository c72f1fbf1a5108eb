"""Which documents can be opened in a conversation, what they are called, and which one is meant.

What may be read is decided by who would read the answer, and asked again at every press (G2, D3).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath

from handlers.context import Turn
from handlers.messages.voice import Voice
from memory import scope
from memory.folding import fold
from memory.sections import Op, allows
from memory.spaces import (
    SLUGS,
    DocumentName,
    DocumentRef,
    Space,
    SpaceKind,
    channel,
    personal,
    ref_of,
)

_SINGLE = (
    DocumentName.KEEP,
    DocumentName.MEMORY,
    DocumentName.USER,
    DocumentName.AGENTS,
    DocumentName.SOUL,
    DocumentName.NOTES,
    DocumentName.INDEX,
    DocumentName.CHANNEL,
    DocumentName.GROUP,
)
_SEVERAL = (DocumentName.PROJECT, DocumentName.TOPIC)
_LATE = (DocumentName.OVERLAY, DocumentName.ARCHIVE)


def alone(turn: Turn) -> Turn:
    """The turn as if it stood in the private chat, where personal matter is answered (G2)."""
    if turn.place.private:
        return turn
    return replace(turn, shared=None, place=replace(turn.place, chat=turn.home, private=True))


def existing(turn: Turn) -> tuple[DocumentRef, ...]:
    """The documents that are there and may be read where the turn stands, in a fixed order.

    In private the notes about each chat that the person shares with the bot are among them,
    written or not; old daily files stand last, the newest first.
    """
    found = [ref for space in _readable(turn) for ref in _of(turn, space) if _is_there(turn, ref)]
    early = [ref for ref in found if ref.name not in _LATE]
    late = [ref for ref in found if ref.name in _LATE]
    return (*early, *rooms(turn), *late, *_dated(turn))


def _readable(turn: Turn) -> tuple[Space, ...]:
    return scope.readable(turn.conversation, turn.roster)


def _of(turn: Turn, space: Space) -> Iterable[DocumentRef]:
    yield from (DocumentRef(space, name) for name in _SINGLE if name in space.documents)
    if space.kind is SpaceKind.PERSONAL:
        for name in (*_SEVERAL, *_LATE):
            yield from (
                DocumentRef(space, name, s) for s in turn.services.layout.slugs(space, name)
            )


def _is_there(turn: Turn, ref: DocumentRef) -> bool:
    return ref.name in SLUGS or turn.services.store.written_at(ref) is not None


def rooms(turn: Turn) -> tuple[DocumentRef, ...]:
    """The notes about the chats a person shares with the bot, in private only (M2)."""
    if not turn.place.private:
        return ()
    own = personal(turn.person.id)
    found = turn.roster.rooms_of(turn.person.id)
    shared = [str(room.chat) for room in found if room.chat != turn.person.id]
    return tuple(DocumentRef(own, DocumentName.ROOM, chat) for chat in shared)


def _dated(turn: Turn) -> tuple[DocumentRef, ...]:
    if not turn.place.private:
        return ()
    own = personal(turn.person.id)
    days = turn.services.layout.slugs(own, DocumentName.DATED)
    return tuple(DocumentRef(own, DocumentName.DATED, day) for day in reversed(days))


def reference(turn: Turn, key: str) -> DocumentRef | None:
    """The document behind a stored key, None when it may not be read here any more (D3).

    A chat that moved to another id is followed (G4).
    """
    with suppress(ValueError):
        ref = ref_of(key)
        if ref.space.kind is SpaceKind.CHANNEL and not turn.place.private:
            ref = replace(ref, space=channel(turn.place.chat, ref.space.topic))
        if ref.is_proper and ref.space in _readable(turn):
            return ref if ref.name is not DocumentName.ROOM or ref in rooms(turn) else None
    return None


def is_shared(ref: DocumentRef) -> bool:
    """Whether other people write there too (M3)."""
    return ref.space.kind is not SpaceKind.PERSONAL


def allowed(ref: DocumentRef, op: Op) -> bool:
    """Whether a person may do that with a document from the chat (product.md 2)."""
    return allows(ref.name, op)


def title(turn: Turn, ref: DocumentRef, voice: Voice) -> str:
    """What a document is called, as plain text."""
    if ref.name is DocumentName.ROOM:
        return voice.plain("browse.room", chat=_chat_title(turn, ref))
    name = turn.services.layout.name(ref)
    if ref.space.kind is SpaceKind.GROUP:
        return f"{name} ({ref.space.owner})"
    if ref.space.topic:
        return voice.plain("browse.topic", document=name)
    return PurePosixPath(name).name if ref.name not in SLUGS else name


def _chat_title(turn: Turn, ref: DocumentRef) -> str:
    titles = {str(r.chat): r.title for r in turn.roster.rooms_of(turn.person.id)}
    return titles.get(ref.slug) or ref.slug


def named(turn: Turn, said: str, voice: Voice) -> tuple[DocumentRef, ...]:
    """The documents that a name means: as it is written, else its short name, else its beginning.

    Case and accents do not matter unless two names differ in nothing else (memory.md, MEMORY.md).
    """
    known = [ref for ref in existing(turn) if not _is_behind(turn, ref)]
    names = {ref: _names(turn, ref, voice) for ref in known}
    wanted, key = said.strip(), fold(said)
    exact = [ref for ref, known in names.items() if wanted in known[:2]]
    if exact or not key:
        return tuple(exact)
    folded = {ref: [fold(name) for name in known] for ref, known in names.items()}
    for tier in (slice(2), slice(2, 4), slice(None)):
        same = [ref for ref, known in folded.items() if key in known[tier]]
        if same:
            return tuple(same)
    return tuple(r for r, known in folded.items() if any(n.startswith(key) for n in known))


def own(turn: Turn, said: str, voice: Voice) -> tuple[DocumentRef, ...]:
    """The person's own documents that a name means where others read along (G2).

    What is shared elsewhere is not there, and of notes on chats one at most is told of: their
    number is the person's own matter.
    """
    found = [ref for ref in named(alone(turn), said, voice) if not is_shared(ref)]
    others = tuple(ref for ref in found if ref.name is not DocumentName.ROOM)
    return tuple(found) if len(found) == 1 else others


def _is_behind(turn: Turn, ref: DocumentRef) -> bool:
    """Whether a topic of a forum has a memory of its own, which its names mean first (G4)."""
    own = turn.conversation.channels
    return ref.space in own[1:] and _is_there(turn, replace(ref, space=own[0]))


def _names(turn: Turn, ref: DocumentRef, voice: Voice) -> list[str]:
    """What a document may be called: its path and file, two short names, and its file's stem."""
    path = turn.services.layout.name(ref)
    file = PurePosixPath(path).name
    short = [ref.slug or str(ref.name)] * 2
    if ref.name is DocumentName.ROOM:
        short = [_chat_title(turn, ref), title(turn, ref, voice)]
    if ref.space.kind is SpaceKind.GROUP:
        short = [ref.space.owner, str(ref.name)]
    return [path, file, *short, file.partition(".")[0]]


def missing(turn: Turn, said: str) -> DocumentRef | None:
    """A document that has such a name and is not written yet, None for none.

    It is the person's own, or the memory of the chat or of a group that is reached here.
    """
    own = personal(turn.person.id)
    wanted = fold(said.strip())
    shared = [s for s in _readable(turn) if s.kind is not SpaceKind.PERSONAL]
    for ref in (ref for space in shared for ref in _of(turn, space)):
        if wanted in {fold(turn.services.layout.name(ref)), str(ref.name)}:
            return ref
    for name in _SINGLE:
        ref = DocumentRef(own, name)
        if ref.is_proper and wanted in {fold(turn.services.layout.name(ref)), str(name)}:
            return ref
    return None
