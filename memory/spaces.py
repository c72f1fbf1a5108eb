"""Who owns which space, and which documents a space has (product.md 1, 2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

LONGEST_SLUG = 40
"""How many characters a slug made from a title may have."""

_ID = r"-?[1-9][0-9]{0,18}"
_DEVICES = frozenset({"con", "prn", "aux", "nul"}).union(
    f"{port}{n}" for port in ("com", "lpt") for n in range(10)
)
_LETTERS = str.maketrans(
    dict(zip("абвгґдезіиійклмнопрстуфьыэъ", "abvggdeziyijklmnoprstuf\0ye\0", strict=True))
    | dict(zip("łđøıðħŋ", "ldoidhn", strict=True))
    | {"є": "ie", "ж": "zh", "ї": "i", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh"}
    | {"щ": "shch", "ю": "iu", "я": "ia", "ё": "io", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th"}
)


class SpaceKind(StrEnum):
    """Whose memory a space is."""

    PERSONAL = "users"
    CHANNEL = "channels"
    GROUP = "groups"


class DocumentName(StrEnum):
    """The closed list of documents a space may have (product.md 2)."""

    KEEP = "keep"
    MEMORY = "memory"
    USER = "user"
    AGENTS = "agents"
    SOUL = "soul"
    NOTES = "notes"
    INDEX = "index"
    PROJECT = "project"
    TOPIC = "topic"
    ARCHIVE = "archive"
    ROOM = "room"
    DATED = "dated"
    OVERLAY = "overlay"
    CHANNEL = "channel"
    GROUP = "group"
    LOG = "log"


SLUGS: Mapping[DocumentName, re.Pattern[str]] = MappingProxyType(
    {
        DocumentName.PROJECT: re.compile(rf"[a-z0-9_-]{{1,{LONGEST_SLUG}}}"),
        DocumentName.TOPIC: re.compile(rf"[a-z0-9_]{{1,{LONGEST_SLUG}}}"),
        DocumentName.ARCHIVE: re.compile(rf"[a-z0-9_]{{1,{LONGEST_SLUG}}}"),
        DocumentName.ROOM: re.compile(_ID),
        DocumentName.DATED: re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
        DocumentName.OVERLAY: re.compile(r"[a-z0-9][a-z0-9_-]{0,63}"),
    }
)
"""Documents of which a space has several, and how the one is named: project, topic and archived
topic by a slug, room notes by the id of the chat, dated files by their day, overlays by their
skill."""

EMPTIED = frozenset({DocumentName.TOPIC, DocumentName.ARCHIVE})
"""What moves as a whole and leaves an empty file behind: without a byte it counts as not there."""

READ_ONLY = frozenset({DocumentName.DATED, DocumentName.OVERLAY})
"""What this program reads and never writes."""

_SHARED = {DocumentName.CHANNEL, DocumentName.GROUP}
_OWNERS: Mapping[SpaceKind, re.Pattern[str]] = MappingProxyType(
    {
        SpaceKind.PERSONAL: re.compile(_ID),
        SpaceKind.CHANNEL: re.compile(_ID),
        SpaceKind.GROUP: re.compile(r"[a-z0-9][a-z0-9._-]{1,63}"),
    }
)
_DOCUMENTS: Mapping[SpaceKind, frozenset[DocumentName]] = MappingProxyType(
    {
        SpaceKind.PERSONAL: frozenset(DocumentName) - _SHARED,
        SpaceKind.CHANNEL: frozenset({DocumentName.CHANNEL, DocumentName.LOG}),
        SpaceKind.GROUP: frozenset({DocumentName.GROUP, DocumentName.LOG}),
    }
)


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """One owner's memory.

    ``owner`` is a Telegram id in decimal digits (a user's or a chat's), or the id of a group:
    2 to 64 of ``a-z 0-9 . _ -``. ``topic`` is the thread of a forum that has a memory of its
    own, 0 for the whole chat. The constructor checks nothing; `is_proper` does.
    """

    kind: SpaceKind
    owner: str
    topic: int = 0

    @property
    def code(self) -> str:
        """The space as one word: ``users/111``, ``channels/-100.7``, ``groups/family``."""
        topic = f".{self.topic}" if self.topic else ""
        return f"{self.kind.value}/{self.owner}{topic}"

    @property
    def number(self) -> int:
        """The Telegram id behind a personal space or a channel, 0 for a group."""
        return 0 if self.kind is SpaceKind.GROUP else int(self.owner)

    @property
    def parts(self) -> tuple[str, ...]:
        """Its folder below the workspace: ``channels/<chat>[/<topic>]`` and alike."""
        topic = (str(self.topic),) if self.topic else ()
        return (self.kind.value, self.owner, *topic)

    @property
    def is_proper(self) -> bool:
        """Whether the owner is an id of its kind, so that paths may be made from it."""
        fits = bool(_OWNERS[self.kind].fullmatch(self.owner))
        return fits and (self.topic > 0 if self.kind is SpaceKind.CHANNEL and self.topic else True)

    @property
    def documents(self) -> frozenset[DocumentName]:
        """The documents such a space may have."""
        return _DOCUMENTS[self.kind]


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document of a space; ``slug`` tells which one where there are several (`SLUGS`)."""

    space: Space
    name: DocumentName
    slug: str = ""

    @property
    def key(self) -> str:
        """The reference as one word, such as ``users/111/keep/``; `ref_of` reads it back."""
        return f"{self.space.code}/{self.name.value}/{self.slug}"

    @property
    def is_proper(self) -> bool:
        """Whether such a space has such a document, and the slug is one of its kind."""
        pattern = SLUGS.get(self.name)
        named = bool(pattern.fullmatch(self.slug)) if pattern else not self.slug
        known = self.name in self.space.documents and self.space.is_proper
        return known and named and self.slug not in _DEVICES


def ref_of(key: str) -> DocumentRef:
    """The reference that `DocumentRef.key` wrote."""
    space, name, slug = key.rsplit("/", 2)
    return DocumentRef(space_of(space), DocumentName(name), slug)


def space_of(code: str) -> Space:
    """The space that `Space.code` wrote."""
    kind, owner = code.split("/", 1)
    if kind != SpaceKind.CHANNEL:
        return Space(SpaceKind(kind), owner)
    chat, _, topic = owner.partition(".")
    return channel(int(chat), int(topic or 0))


def personal(user: int) -> Space:
    """The space of one person."""
    return Space(SpaceKind.PERSONAL, str(user))


def channel(chat: int, topic: int = 0) -> Space:
    """The space of a Telegram chat, or of one topic of a forum (G4)."""
    return Space(SpaceKind.CHANNEL, str(chat), topic)


def group(id: str) -> Space:
    """The space of a named set of users."""
    return Space(SpaceKind.GROUP, id)


def slug_of(title: str) -> str:
    """A title as a slug: lower-case ASCII letters, digits, ``_`` and ``-``, at most 40.

    Letters are transliterated; "" when nothing of the title can be written that way. What some
    systems take for a device (``con``, ``nul``) gets a ``_`` before it (B18).
    """
    plain = unicodedata.normalize("NFC", title[:400]).casefold().translate(_LETTERS)
    bare = unicodedata.normalize("NFKD", plain).translate(_LETTERS)
    ascii_only = "".join(c for c in bare if not unicodedata.combining(c) and c != "\0")
    dashed = re.sub(r"[^a-z0-9_]+", "-", ascii_only.lower())
    slug = dashed[:LONGEST_SLUG].strip("-")
    return f"_{slug}" if slug in _DEVICES else slug
