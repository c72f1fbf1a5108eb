"""Where the documents of every space lie: paths are made from ids and one table only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from memory.spaces import (
    EMPTIED,
    SLUGS,
    DocumentName,
    DocumentRef,
    Space,
    SpaceKind,
    channel,
    personal,
)

DEFAULT_NAMES: Mapping[DocumentName, str] = MappingProxyType(
    {
        DocumentName.KEEP: "keep.md",
        DocumentName.MEMORY: "memory/MEMORY.md",
        DocumentName.USER: "USER.md",
        DocumentName.AGENTS: "AGENTS.md",
        DocumentName.SOUL: "SOUL.md",
        DocumentName.NOTES: "notes.md",
        DocumentName.INDEX: "memory.md",
        DocumentName.PROJECT: "projects/{slug}.md",
        DocumentName.TOPIC: "memory_{slug}.md",
        DocumentName.ARCHIVE: "archive/memory_{slug}.md",
        DocumentName.ROOM: "rooms/{slug}.md",
        DocumentName.DATED: "memories/{slug}.md",
        DocumentName.OVERLAY: "config/skills/{slug}.md",
        DocumentName.CHANNEL: "CHANNEL.md",
        DocumentName.GROUP: "GROUP.md",
        DocumentName.LOG: "log/memory-clean.log",
    }
)
"""Where documents lie in the folder of their space."""

WILDCARD = "{slug}"
"""What stands for the slug in the names of documents of which a space has several."""


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

        The names as they are then, ``{slug}`` included, stand in the attribute ``names``.

        Raises:
            ValueError: a name leaves its folder, lacks ``{slug}``, or could be another one's.
        """
        merged = {**DEFAULT_NAMES, **names}
        self._names = {name: _parts(name, pattern) for name, pattern in merged.items()}
        if any(_could_meet(one, other) for one, other in combinations(self._names.items(), 2)):
            raise ValueError("two documents have one name")
        self.names: Mapping[DocumentName, str] = MappingProxyType(merged)
        self._workspace = workspace.resolve()
        self._homes = {personal(user): home.resolve() for user, home in homes.items()}

    def folder(self, space: Space) -> Path:
        """The folder of a space: ``<workspace>/users/<id>``, or the user's own one."""
        return self._homes.get(space) or self._workspace.joinpath(*space.parts)

    def place(self, ref: DocumentRef) -> Place:
        """The file of a document.

        Raises:
            ValueError: the space has no such document, or the slug is none of its kind.
        """
        if not ref.is_proper:
            raise ValueError(ref)
        parts = tuple(part.replace(WILDCARD, ref.slug) for part in self._names[ref.name])
        if ref.space in self._homes:
            return Place(self._homes[ref.space], parts, ref)
        return Place(self._workspace, (*ref.space.parts, *parts), ref)

    def path(self, ref: DocumentRef) -> Path:
        """The path of a document; raises as `place`."""
        return self.place(ref).path

    def name(self, ref: DocumentRef) -> str:
        """How people call a document: its name inside the space, such as ``memory/MEMORY.md``."""
        return "/".join(self._names[ref.name]).replace(WILDCARD, ref.slug)

    def slugs(self, space: Space, name: DocumentName) -> tuple[str, ...]:
        """Which documents of one kind exist, by their slugs, sorted; foreign names are left out.

        A file without a byte is none where documents move as a whole (`EMPTIED`).
        """
        *folders, last = self._names[name]
        found = _names(self.folder(space).joinpath(*folders), name in EMPTIED)
        slugs = (slug_in(file, last) for file in found)
        return tuple(sorted(s for s in slugs if DocumentRef(space, name, s).is_proper))

    def listed(self, space: Space, name: DocumentName) -> tuple[str, ...]:
        """Every file name in the folder of such documents, proper or not, sorted."""
        return tuple(sorted(_names(self.folder(space).joinpath(*self._names[name][:-1]))))

    def spaces(self) -> tuple[Space, ...]:
        """Every space that has a folder, with the configured homes; foreign names are left out."""
        found = {space for space, home in self._homes.items() if home.is_dir()}
        for kind in SpaceKind:
            found |= {Space(kind, name) for name in _folders(self._workspace / kind.value)}
        found |= {topic for space in tuple(found) for topic in self._topics(space)}
        return tuple(sorted(space for space in found if space.is_proper))

    def _topics(self, space: Space) -> Iterator[Space]:
        if space.kind is SpaceKind.CHANNEL and space.is_proper:
            threads = (n for n in _folders(self.folder(space)) if n.isascii() and n.isdigit())
            yield from (channel(space.number, int(n)) for n in threads if not n.startswith("0"))

    def documents(self, space: Space) -> tuple[DocumentRef, ...]:
        """Every document a space may have; of those with slugs the existing ones; the log last."""
        names = [n for n in DocumentName if n in space.documents]
        single = (DocumentRef(space, n) for n in names if n not in SLUGS)
        several = (
            DocumentRef(space, n, s) for n in names if n in SLUGS for s in self.slugs(space, n)
        )
        *most, log = single
        return (*most, *several, log)


def slug_in(file: str, pattern: str) -> str:
    """What stands in a file's name where its pattern has the slug, "" when it does not fit."""
    head, tail = pattern.split(WILDCARD)
    fits = file.startswith(head) and file.endswith(tail) and len(file) > len(head) + len(tail)
    return file[len(head) : len(file) - len(tail)] if fits else ""


def printable(name: str) -> str:
    """A file name as text that can be printed: bytes that are no UTF-8 by their numbers."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _names(folder: Path, filled: bool = False) -> list[str]:
    try:
        return [path.name for path in folder.iterdir() if not filled or path.lstat().st_size]
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def _folders(parent: Path) -> list[str]:
    return [name for name in _names(parent) if (parent / name).is_dir()]


def _parts(name: DocumentName, pattern: str) -> tuple[str, ...]:
    path = PurePosixPath(pattern)
    bad = path.is_absolute() or ".." in path.parts or not path.parts or "\0" in pattern
    slugs = pattern.count(WILDCARD), path.name.count(WILDCARD)
    if bad or slugs != ((1, 1) if name in SLUGS else (0, 0)):
        raise ValueError(pattern)
    return path.parts


_Name = tuple[DocumentName, tuple[str, ...]]


def _could_meet(one: _Name, other: _Name) -> bool:
    """Whether two documents can be one file: by equal names, or by what a slug may be."""
    if one[1][:-1] != other[1][:-1]:
        return False
    if one[0] in SLUGS and other[0] in SLUGS:
        (head, tail), (heads, tails) = one[1][-1].split(WILDCARD), other[1][-1].split(WILDCARD)
        return _nests(head, heads) and _nests(tail[::-1], tails[::-1])
    return _takes(one, other[1][-1]) or _takes(other, one[1][-1])


def _nests(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _takes(one: _Name, file: str) -> bool:
    """Whether a file could be such a document."""
    if one[0] not in SLUGS:
        return one[1][-1] == file
    return bool(SLUGS[one[0]].fullmatch(slug_in(file, one[1][-1])))
