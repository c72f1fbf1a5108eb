"""Where an entry can go, as a short code that a stored card carries, and how it is shown; pure.

A code is a document's name, followed by ``/`` and a heading (USER.md) or a slug (projects).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from memory.document import PIN, Document
from memory.layout import DEFAULT_NAMES
from memory.spaces import DocumentName, slug_of

MOST = 8


def shown(code: str) -> str:
    """The place as a person reads it: ``notes.md``, ``USER.md › Style``, ``projects/x.md``."""
    name, rest = split(code)
    if name is DocumentName.PROJECT:
        return f"projects/{rest}.md"
    file = PurePosixPath(DEFAULT_NAMES[name]).name
    return f"{file} › {rest.removesuffix(PIN).strip()}" if rest else file


def code(name: DocumentName, slug: str = "") -> str:
    """The code of a document; ``slug`` names a project."""
    return f"{name}/{slug}" if slug else str(name)


def split(code: str) -> tuple[DocumentName, str]:
    """The document of a code, and its heading or slug."""
    name, _, rest = code.partition("/")
    return DocumentName(name), rest


def project(slug: str) -> str:
    """The code of a project's document."""
    return code(DocumentName.PROJECT, slug)


def rules(user: Document) -> tuple[str, ...]:
    """Places for a rule: the sections of USER.md (or its end without any), then AGENTS.md (T6)."""
    headings = [h.title for h in user.headings if h.level == 2 and h.title]
    sections = [f"{DocumentName.USER}/{title}" for title in headings[: MOST - 1]]
    return (*(sections or [str(DocumentName.USER)]), str(DocumentName.AGENTS))


def projects(target: str, known: Sequence[str]) -> tuple[str, ...]:
    """Places for a project fact: the named project, else the known ones (T8)."""
    slug = slug_of(target)
    return tuple(project(s) for s in ([slug] if slug else known)[:MOST])
