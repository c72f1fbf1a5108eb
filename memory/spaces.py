"""Who owns which space, and where its documents lie: paths are made from ids only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    PROJECT = "project"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Space:
    """One owner's memory; ``owner`` is a Telegram id."""

    kind: SpaceKind
    owner: int


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document of a space; ``slug`` names the project and is empty for all others."""

    space: Space
    name: DocumentName
    slug: str = ""


def personal(user: int) -> Space:
    """The space of one person."""
    return Space(SpaceKind.PERSONAL, user)
