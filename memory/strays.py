"""Files of a space that look like a document and are none: nobody reads them there (S5).

Only folders that have documents are looked at, and only names that were meant for one: the
other files of an agent's workspace are its own business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memory.layout import WILDCARD, Layout, printable, slug_in
from memory.spaces import SLUGS, DocumentName, DocumentRef, Space

_ELSEWHERE = frozenset({DocumentName.OVERLAY, DocumentName.LOG})


@dataclass(frozen=True, slots=True, order=True)
class Stray:
    """A file by its path in the space, and the document's name that it looks like."""

    file: str
    like: str


def present(layout: Layout, space: Space) -> frozenset[str]:
    """The names a pointer of the index can lead to: files beside it, topics, whole names."""
    refs = layout.documents(space)
    topics = (ref for ref in refs if ref.name is DocumentName.TOPIC)
    emptied = set(_emptied(layout, space))
    beside = {name for name in layout.listed(space, DocumentName.INDEX) if name not in emptied}
    whole = {layout.name(ref) for ref in refs if layout.path(ref).is_file()}
    return frozenset(beside | whole | {PurePosixPath(layout.name(t)).name for t in topics})


def _emptied(layout: Layout, space: Space) -> Iterator[str]:
    """The topic files that moved to the archive and left an empty file."""
    here = set(layout.slugs(space, DocumentName.TOPIC))
    for name in layout.listed(space, DocumentName.TOPIC):
        slug = slug_in(name, _pattern(layout, space, DocumentName.TOPIC).name)
        if slug and DocumentRef(space, DocumentName.TOPIC, slug).is_proper and slug not in here:
            yield name


def strays(layout: Layout, space: Space) -> tuple[Stray, ...]:
    """Every look-alike of a space, sorted: another case, a wrong folder, a name that is no slug."""
    names = [name for name in DocumentName if name in space.documents - _ELSEWHERE]
    patterns = {name: _pattern(layout, space, name) for name in names}
    found = {}
    for name, pattern in patterns.items():
        for file in layout.listed(space, name):
            path = pattern.parent / file
            if not file.startswith(".") and not layout.folder(space).joinpath(path).is_dir():
                found[str(path)] = path
    judged = ((path, _like(path, space, patterns)) for path in found.values())
    return tuple(sorted(Stray(printable(str(p)), like) for p, like in judged if like))


def _pattern(layout: Layout, space: Space, name: DocumentName) -> PurePosixPath:
    """The name of a document inside its space, ``{slug}`` where several have one."""
    return PurePosixPath(layout.name(DocumentRef(space, name, WILDCARD)))


def _like(path: PurePosixPath, space: Space, patterns: dict[DocumentName, PurePosixPath]) -> str:
    """The document a file looks like, "" for one that is a document or none of ours."""
    if any(_is(path, DocumentRef(space, name), patterns[name]) for name in patterns):
        return ""
    single = [p for name, p in patterns.items() if name not in SLUGS]
    several = [p for name, p in patterns.items() if name in SLUGS]
    meant = [
        *(p for p in single if str(p).casefold() == str(path).casefold()),
        *(p for p in single if p.name.casefold() == path.name.casefold()),
        *(p for p in several if p.parent == path.parent and _fits(path.name, p.name)),
        *(p for p in several if not p.name.startswith(WILDCARD) and _fits(path.name, p.name)),
    ]
    return str(meant[0]).replace(WILDCARD, "…") if meant else ""


def _is(path: PurePosixPath, ref: DocumentRef, pattern: PurePosixPath) -> bool:
    if ref.name not in SLUGS:
        return path == pattern
    slug = slug_in(path.name, pattern.name)
    proper = DocumentRef(ref.space, ref.name, slug).is_proper
    return path.parent == pattern.parent and bool(slug) and proper


def _fits(name: str, pattern: str) -> bool:
    return bool(slug_in(name.casefold(), pattern.casefold()))
