"""The index of a person with its topics, as governance looks at them (S5)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from curation.engine import Companion
from curation.governance import Estate, Topic
from handlers.context import Services
from memory import strays
from memory.document import Document
from memory.errors import Unreadable
from memory.spaces import DocumentName, DocumentRef, Space

_COMPARED = (DocumentName.USER, DocumentName.KEEP, DocumentName.MEMORY)


def gather(services: Services, space: Space) -> Estate:
    """The index, the topics that can be read, and what there is to point to."""
    layout = services.layout
    slugs = layout.slugs(space, DocumentName.TOPIC)
    found = (_topic(services, DocumentRef(space, DocumentName.TOPIC, slug)) for slug in slugs)
    return Estate(
        services.store.read(DocumentRef(space, DocumentName.INDEX)).document,
        tuple(topic for topic in found if topic),
        strays.present(layout, space),
        frozenset(layout.slugs(space, DocumentName.ARCHIVE)),
    )


def _topic(services: Services, ref: DocumentRef) -> Topic | None:
    document = _readable(services, ref)
    if document is None:
        return None
    file = PurePosixPath(services.layout.name(ref)).name
    return Topic(ref.slug, file, document, touched(services, ref))


def _readable(services: Services, ref: DocumentRef) -> Document | None:
    try:
        return services.store.read(ref).document
    except Unreadable:
        return None


def touched(services: Services, ref: DocumentRef) -> date:
    """The day a document was last changed: by its file's time or the journal's, the newer one."""
    now = services.clock()
    moments = (services.state.changed_at(ref), services.store.written_at(ref))
    return max((m.astimezone(now.tzinfo) for m in moments if m), default=now).date()


def shelves(services: Services, space: Space, estate: Estate) -> tuple[Companion, ...]:
    """The entries of USER.md, keep.md, MEMORY.md and the topics, under their files' names."""
    return tuple(_shelves(services, space, estate))


def _shelves(services: Services, space: Space, estate: Estate) -> Iterator[Companion]:
    for name in _COMPARED:
        ref = DocumentRef(space, name)
        document = _readable(services, ref)
        if document:
            yield Companion(PurePosixPath(services.layout.name(ref)).name, _texts(document))
    for topic in estate.topics:
        yield Companion(topic.file, _texts(topic.document))


def _texts(document: Document) -> tuple[str, ...]:
    return tuple(entry.text for entry in document.entries)
