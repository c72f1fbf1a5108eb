"""Where an entry can go, as a short code that a stored card carries, and how it is shown; pure.

A code is ``<document>[/<slug>][/<heading>]``: a project, topic or room notes are named by their
slug, a group's document by the group's id; what follows is the heading: ``user/Style``,
``topic/course``, ``group/family/Reference``, ``channel/Decisions``, ``soul/Name``, ``notes``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from memory.document import PIN
from memory.layout import DEFAULT_NAMES
from memory.spaces import SLUGS, DocumentName, slug_of

MOST = 8

_CLOSE = 0.8

_NAMED = frozenset(SLUGS) | {DocumentName.GROUP}
"""Documents whose code has a second word that tells which one is meant."""


@dataclass(frozen=True, slots=True)
class Code:
    """What a code says; ``slug`` is a group's id where the document is a group's."""

    name: DocumentName
    slug: str = ""
    heading: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, (str(self.name), self.slug, self.heading)))


def split(code: str) -> Code:
    """The parts of a code.

    Raises:
        ValueError: no document has that name.
    """
    word, _, rest = code.partition("/")
    name = DocumentName(word)
    if name not in _NAMED:
        return Code(name, heading=rest)
    slug, _, heading = rest.partition("/")
    return Code(name, slug, heading)


def code(name: DocumentName, slug: str = "", heading: str = "") -> str:
    """The code of a document, or of one section of it."""
    return str(Code(name, slug, heading))


def shown(code: str, names: Mapping[DocumentName, str] = DEFAULT_NAMES) -> str:
    """The place as a person reads it: ``notes.md``, ``USER.md › Style``, ``projects/x.md``.

    ``names`` are those of the layout, which a voice carries.
    """
    place = split(code)
    heading = place.heading.removesuffix(PIN).strip()
    file = _file(place, names)
    return f"{file} › {heading}" if heading else file


def _file(place: Code, names: Mapping[DocumentName, str]) -> str:
    path = PurePosixPath(names[place.name])
    if place.name in SLUGS and place.slug:
        return str(path).replace("{slug}", place.slug)
    return f"{path.name} ({place.slug})" if place.slug else path.name


def project(slug: str) -> str:
    """The code of a project's document."""
    return code(DocumentName.PROJECT, slug)


def projects(target: str, known: Sequence[str]) -> tuple[str, ...]:
    """Places for a project fact: the named project, else the known ones (T8)."""
    slug = slug_of(target)
    return tuple(project(s) for s in ([slug] if slug else known)[:MOST])


def near(slug: str, known: Sequence[str]) -> str:
    """The existing name that a new one is probably meant for, "" for none (T8)."""
    close = [(SequenceMatcher(None, slug, one).ratio(), one) for one in known]
    likeness, best = max(close, default=(0.0, ""))
    return best if likeness >= _CLOSE or best in _longer(slug, known) else ""


def _longer(slug: str, known: Sequence[str]) -> list[str]:
    """Names that are the beginning of the other one, word by word."""
    return [one for one in known if one.startswith(f"{slug}-") or slug.startswith(f"{one}-")]
