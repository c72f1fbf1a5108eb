"""What an agent should load before it answers somebody, in order (M8).

In a chat of several people that is the chat's memory and that of groups everybody there belongs
to, and nothing personal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from memory.errors import Unreadable
from memory.factrules import Fact
from memory.facts import Facts, Query
from memory.layout import Layout
from memory.scope import Conversation, Roster, readable
from memory.spaces import DocumentName, DocumentRef, Space, SpaceKind, personal
from memory.store import Store

MOST_FACTS = 1000
"""How many facts are loaded, the newest; what is left out is counted."""


class Part(StrEnum):
    """What a section of the context is."""

    SOUL = "soul"
    USER = "user"
    AGENTS = "agents"
    FACTS = "facts"
    GROUP = "group"
    CHANNEL = "channel"
    ROOM = "room"
    KEEP = "keep"
    MEMORY = "memory"
    INDEX = "index"
    DATED = "dated"


_FIRST = (Part.SOUL, Part.USER, Part.AGENTS)
_LAST = (Part.KEEP, Part.MEMORY, Part.INDEX)


@dataclass(frozen=True, slots=True)
class Section:
    """One document, or the current facts: its text as it stands, "" when it cannot be read.

    ``problem`` is then why (`Unreadable.cause`). ``left_out`` counts facts there was no room
    for. Shared: several people write it, so it is shown as information only (M3).
    """

    part: Part
    space: Space
    name: str
    text: str
    problem: str = ""
    left_out: int = 0

    @property
    def is_shared(self) -> bool:
        """Whether several people write it."""
        return self.space.kind is not SpaceKind.PERSONAL


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is loaded beside the rest: so many days of dated files, and in a chat of several
    people the person's own notes about it, for an agent whose turn nobody else reads."""

    today: date
    days: int = 0
    room_notes: bool = False


@dataclass(frozen=True, slots=True)
class Assembly:
    """Where the context is read from."""

    store: Store
    layout: Layout
    facts: Facts

    def sections(
        self, conversation: Conversation, roster: Roster, wanted: Wanted
    ) -> tuple[Section, ...]:
        """What there is for a conversation, in the order it should be loaded; empty ones not.

        Raises:
            StateError: the state cannot be read.
        """
        return tuple(self._sections(conversation, readable(conversation, roster), wanted))

    def _sections(
        self, conversation: Conversation, spaces: tuple[Space, ...], wanted: Wanted
    ) -> Iterator[Section]:
        mine = personal(conversation.user)
        own = mine in spaces
        if own:
            yield from self._documents(mine, _FIRST)
            yield from self._known(mine, wanted.today)
        yield from self._shared(spaces, SpaceKind.GROUP, Part.GROUP)
        yield from self._shared(spaces, SpaceKind.CHANNEL, Part.CHANNEL)
        if wanted.room_notes and not conversation.is_private:
            room = DocumentRef(mine, DocumentName.ROOM, str(conversation.chat))
            yield from self._document(Part.ROOM, room)
        if own:
            yield from self._documents(mine, _LAST)
            yield from self._dated(mine, wanted)

    def _documents(self, space: Space, parts: tuple[Part, ...]) -> Iterator[Section]:
        for part in parts:
            yield from self._document(part, DocumentRef(space, DocumentName(part)))

    def _shared(self, spaces: tuple[Space, ...], kind: SpaceKind, part: Part) -> Iterator[Section]:
        for space in (space for space in spaces if space.kind is kind):
            yield from self._document(part, DocumentRef(space, DocumentName(part)))

    def _dated(self, space: Space, wanted: Wanted) -> Iterator[Section]:
        days = {(wanted.today - timedelta(n)).isoformat() for n in range(wanted.days)}
        there = self.layout.slugs(space, DocumentName.DATED) if days else ()
        for day in (day for day in there if day in days):
            yield from self._document(Part.DATED, DocumentRef(space, DocumentName.DATED, day))

    def _document(self, part: Part, ref: DocumentRef) -> Iterator[Section]:
        name = self.layout.name(ref)
        try:
            found = self.store.read(ref)
        except Unreadable as error:
            yield Section(part, ref.space, name, "", error.cause)
            return
        text = found.document.to_bytes().decode().lstrip("\ufeff")
        if text.strip():
            yield Section(part, ref.space, name, text)

    def _known(self, space: Space, today: date) -> Iterator[Section]:
        query = Query(on=today.isoformat(), limit=MOST_FACTS)
        found = self.facts.facts(space.number, query)
        if found:
            left = self.facts.count(space.number, query) - len(found)
            text = "".join(f"- {said(fact)}\n" for fact in reversed(found))
            yield Section(Part.FACTS, space, "", text, left_out=left)


def said(fact: Fact) -> str:
    """A fact in the words of its triple, with its days."""
    since, until = f"from {fact.since}" * bool(fact.since), f"until {fact.until}" * bool(fact.until)
    days = " ".join(filter(None, (since, until)))
    triple = f"{fact.subject} {fact.predicate} {fact.object}"
    return f"{triple} ({days})" if days else triple
