"""What a conversation works with: who said what where, the services, and the policy.

Everything here is a value. A handler is a plain function from a `Turn` to the posts that
answer it; it runs in a worker thread and never sees Telegram.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Protocol, TypeVar

from curation.engine import Engine
from handlers.callbacks import Press
from handlers.choices import zone_of
from handlers.known import Known
from handlers.messages.reply import Post
from handlers.messages.voice import Voice
from locales import Languages
from memory.layout import Layout
from memory.scope import Conversation, Roster
from memory.search import Index
from memory.spaces import DocumentName, DocumentRef, Space, personal
from memory.state import State
from memory.store import Author, Store

T = TypeVar("T")

TOPICS = "topics"
"""The preference of a forum whose topics have memories of their own (G4)."""


class Run(Protocol):
    """The way into the application's own thread pool."""

    def __call__(self, function: Callable[..., T], /, *args: object) -> Awaitable[T]:
        """Call ``function(*args)`` in a worker thread."""


@dataclass(frozen=True, slots=True)
class Services:
    """Everything concrete a handler calls; chosen once, by ``bot/``.

    ``clock`` gives local time with its zone; ``new_id`` random ids for dialogs.
    """

    store: Store
    state: State
    engine: Engine
    languages: Languages
    layout: Layout
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    run: Run
    index: Index
    known: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that handlers need.

    ``keep_limit`` and ``keep_target`` are lines of keep.md (K10), ``hint_lines`` of MEMORY.md
    (C1), ``index_warn`` and ``index_full`` of the index (S1); ``kept_days`` is how long a
    declined item rests (C7), ``dialog_days`` how long a question waits (D6).
    """

    members: frozenset[int] = frozenset()
    admins: frozenset[int] = frozenset()
    everyone: bool = False
    default_language: str = "en"
    keep_compaction: str = "ask"
    keep_limit: int = 150
    keep_target: int = 120
    hint_lines: int = 250
    index_warn: int = 150
    index_full: int = 180
    kept_days: int = 90
    dialog_days: int = 7


@dataclass(frozen=True, slots=True)
class Person:
    """Who acts: the numeric id is the identity (G1); ``language`` is Telegram's code or ""."""

    id: int
    name: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where it was said; ``message`` is the person's message or the pressed one.

    ``forum`` says that the chat has topics.
    """

    chat: int
    message: int = 0
    topic: int = 0
    private: bool = True
    forum: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A message: its text, and what it answers or brings along.

    ``foreign`` marks text that somebody else wrote (a forward; K2). ``quoted`` is the
    text of the message replied to and ``quoted_foreign`` whether another person wrote it.
    ``answers`` is the bot's own message that is replied to, 0 for none.
    """

    text: str = ""
    foreign: bool = False
    quoted: str = ""
    quoted_foreign: bool = True
    answers: int = 0
    addressed: bool = False

    @property
    def argument(self) -> str:
        """What follows the first word, which is a command such as ``/fact``."""
        words = self.text.split(None, 1)
        return words[1].strip() if len(words) > 1 else ""


@dataclass(frozen=True)
class Turn:
    """One update as a handler sees it; ``username`` is the bot's own, without ``@``.

    ``request`` names the message or press: what was done for it is not done again when it
    comes again after a crash (W4). ``shared`` is the space of several people that it is about.
    """

    services: Services
    policy: Policy
    person: Person
    place: Place
    username: str
    said: Said = Said()
    press: Press | None = None
    request: str = ""
    shared: Space | None = None

    @property
    def space(self) -> Space:
        """The space it is about: the person's own (G2: also when asked for in a group).

        ``shared`` is a chat's or a group's, where somebody works on that (G3, G6).
        """
        return self.shared or personal(self.person.id)

    @property
    def at_desk(self) -> bool:
        """Whether it stands in a chat of several people, because it is about their memory."""
        return self.shared is not None and not self.place.private

    @cached_property
    def conversation(self) -> Conversation:
        """Whose conversation it is, from where the update came and never from its text (B8)."""
        place = self.place
        if place.private:
            return Conversation(self.person.id)
        apart = place.topic and self.services.state.preference(place.chat, TOPICS, False)
        return Conversation(self.person.id, place.chat, place.topic if apart else 0)

    @property
    def roster(self) -> Roster:
        """Who belongs where, as far as it is relied upon now (M2)."""
        return self.services.state.members.at(self.now)

    def document(self, name: DocumentName, slug: str = "") -> DocumentRef:
        """A document of that space."""
        return DocumentRef(self.space, name, slug)

    @property
    def home(self) -> int:
        """The private chat: the only place where personal matter is answered (G2)."""
        return self.person.id

    def author(self, source: str = "chat") -> Author:
        """Who to name in the journal."""
        place = self.place
        return Author(self.person.id, place.chat, place.message, source, self.request)

    @cached_property
    def now(self) -> datetime:
        """The moment of this turn, in the person's time zone where one is chosen (R7)."""
        zone = zone_of(self.services.state, self.person.id)
        now = self.services.clock()
        return now.astimezone(zone) if zone else now

    @property
    def today(self) -> date:
        """The day of this turn, in that zone."""
        return self.now.date()

    @cached_property
    def chosen(self) -> str:
        """The interface language the person chose in /settings, "" for none."""
        return str(self.services.state.preference(self.person.id, "language", "") or "")

    def heard(self, text: str) -> str:
        """The language of something said, "" when unknown; a word or a name alone tells none."""
        told = len(text.split()) > 1
        return self.services.languages.detect(text, self.person.language[:2]) if told else ""

    def voice(self, heard: str = "") -> Voice:
        """The interface language: chosen, else heard, else Telegram's, else the default (L1)."""
        languages = self.services.languages
        wishes = (self.chosen, heard, self.person.language[:2], self.policy.default_language)
        spoken = spoken_languages(languages)
        code = next((code for code in wishes if code in spoken), spoken[0])
        return Voice(code, languages.catalogue(code), self.services.layout.names)


def spoken_languages(languages: Languages) -> tuple[str, ...]:
    """The configured languages that have messages, in their order."""
    return tuple(code for code in languages.codes if languages.catalogue(code).ids)


Posts = tuple[Post, ...]
Handler = Callable[[Turn], Posts]
