"""Who owns which space, and where its documents lie: paths are made from ids only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from types import MappingProxyType

LONGEST_SLUG = 40
"""How many characters a slug may have."""

_SLUG = re.compile(rf"[a-z0-9_-]{{1,{LONGEST_SLUG}}}")
_OWNER = re.compile(r"-?[1-9][0-9]{0,18}")
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

    @property
    def key(self) -> str:
        """The reference as one word, such as ``users/111/keep/``; `ref_of` reads it back."""
        return f"{self.space.kind.value}/{self.space.owner}/{self.name.value}/{self.slug}"


def ref_of(key: str) -> DocumentRef:
    """The reference that `DocumentRef.key` wrote."""
    kind, owner, name, slug = key.split("/")
    return DocumentRef(Space(SpaceKind(kind), int(owner)), DocumentName(name), slug)


def personal(user: int) -> Space:
    """The space of one person."""
    return Space(SpaceKind.PERSONAL, user)


DEFAULT_NAMES: Mapping[DocumentName, str] = MappingProxyType(
    {
        DocumentName.KEEP: "keep.md",
        DocumentName.MEMORY: "memory/MEMORY.md",
        DocumentName.USER: "USER.md",
        DocumentName.AGENTS: "AGENTS.md",
        DocumentName.SOUL: "SOUL.md",
        DocumentName.NOTES: "notes.md",
        DocumentName.PROJECT: "projects/{slug}.md",
        DocumentName.LOG: "log/memory-clean.log",
    }
)
"""Where documents lie in the folder of their space."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file on disk: a trusted root, and the names below it that may not be links."""

    root: Path
    parts: tuple[str, ...]
    ref: DocumentRef

    @property
    def path(self) -> Path:
        """The whole path, for reading by people."""
        return self.root.joinpath(*self.parts)


class Layout:
    """Where the documents of every space lie; paths are made from ids and this table only."""

    def __init__(
        self,
        workspace: Path,
        names: Mapping[DocumentName, str] = MappingProxyType({}),
        homes: Mapping[int, Path] = MappingProxyType({}),
    ) -> None:
        """``names`` replaces default names; ``homes`` are existing folders of some users.

        Raises:
            ValueError: a name leaves its folder, or the project's lacks ``{slug}``.
        """
        merged = {**DEFAULT_NAMES, **names}
        self._names = {name: _parts(name, pattern) for name, pattern in merged.items()}
        self._workspace = workspace.resolve()
        self._homes = {user: home.resolve() for user, home in homes.items()}

    def folder(self, space: Space) -> Path:
        """The folder of a space: ``<workspace>/users/<id>``, or the user's own one."""
        if space.kind is SpaceKind.PERSONAL and space.owner in self._homes:
            return self._homes[space.owner]
        return self._workspace / space.kind.value / str(space.owner)

    def place(self, ref: DocumentRef) -> Place:
        """The file of a document.

        Raises:
            ValueError: a project without a proper slug, or another document with one.
        """
        wants_slug = ref.name is DocumentName.PROJECT
        if wants_slug != bool(ref.slug) or (wants_slug and not _is_slug(ref.slug)):
            raise ValueError(ref)
        parts = tuple(part.replace("{slug}", ref.slug) for part in self._names[ref.name])
        if ref.space.kind is SpaceKind.PERSONAL and ref.space.owner in self._homes:
            return Place(self._homes[ref.space.owner], parts, ref)
        return Place(self._workspace, (ref.space.kind.value, str(ref.space.owner), *parts), ref)

    def path(self, ref: DocumentRef) -> Path:
        """The path of a document; raises as `place`."""
        return self.place(ref).path

    def name(self, ref: DocumentRef) -> str:
        """How people call a document: its name inside the space, such as ``memory/MEMORY.md``."""
        return "/".join(self._names[ref.name]).replace("{slug}", ref.slug)

    def projects(self, space: Space) -> tuple[str, ...]:
        """The slugs of the project files that exist, sorted; foreign names are left out."""
        *folders, last = self._names[DocumentName.PROJECT]
        head, tail = last.split("{slug}")
        try:
            found = [path.name for path in self.folder(space).joinpath(*folders).iterdir()]
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return ()
        ours = (n for n in found if n.startswith(head) and n.endswith(tail))
        slugs = (n[len(head) : len(n) - len(tail)] for n in ours)
        return tuple(sorted(filter(_is_slug, slugs)))

    def spaces(self) -> tuple[Space, ...]:
        """Every space that has a folder, with the configured homes; foreign names are left out."""
        found = {personal(user) for user, home in self._homes.items() if home.is_dir()}
        for kind in SpaceKind:
            found |= {Space(kind, int(n)) for n in _folders(self._workspace / kind.value)}
        return tuple(sorted(found, key=lambda space: (space.kind, space.owner)))

    def documents(self, space: Space) -> tuple[DocumentRef, ...]:
        """Every document a space may have, projects only where they exist, the log last."""
        single = [n for n in DocumentName if n not in (DocumentName.PROJECT, DocumentName.LOG)]
        return (
            *(DocumentRef(space, name) for name in single),
            *(DocumentRef(space, DocumentName.PROJECT, slug) for slug in self.projects(space)),
            DocumentRef(space, DocumentName.LOG),
        )


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


def _is_slug(slug: str) -> bool:
    return bool(_SLUG.fullmatch(slug)) and slug not in _DEVICES


def _folders(parent: Path) -> list[str]:
    try:
        inside = list(parent.iterdir())
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
    return [p.name for p in inside if _OWNER.fullmatch(p.name) and p.is_dir()]


def _parts(name: DocumentName, pattern: str) -> tuple[str, ...]:
    path = PurePosixPath(pattern)
    bad = path.is_absolute() or ".." in path.parts or not path.parts or "\0" in pattern
    if bad or (name is DocumentName.PROJECT) != (path.name.count("{slug}") == 1):
        raise ValueError(pattern)
    return path.parts
