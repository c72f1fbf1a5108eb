"""What a space offers to a search: its documents, and the facts of its owner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from memory.disk import Contents, Disk
from memory.document import PIN, Document
from memory.errors import Unreadable
from memory.factrules import Fact
from memory.facts import Facts, Query
from memory.indexing import Piece, Spot
from memory.layout import Layout
from memory.spaces import SLUGS, DocumentName, DocumentRef, Space, SpaceKind

_PAGE = 2000
_RECENT_NS = 2_000_000_000
_UNSETTLED = "?"
_KEPT = 4
_KEPT_BYTES = 2_000_000


class Labels(Protocol):
    """What predicates of facts are called."""

    def label(self, predicate: str) -> str:
        """The name of a predicate in people's words, "" when it has none."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that is indexed as a whole; without ``ref`` all facts of the owner.

    ``signature`` changes with every change, or ends in ``?`` while that is not certain.
    """

    space: Space
    signature: str
    ref: DocumentRef | None = None

    @property
    def key(self) -> str:
        """Its name among all sources."""
        return self.ref.key if self.ref else f"{self.space.code}/facts/"

    @property
    def is_settled(self) -> bool:
        """Whether every change to come will show in the signature."""
        return not self.signature.endswith(_UNSETTLED)

    @property
    def day(self) -> date | None:
        """The day of a dated file."""
        if self.ref is None or self.ref.name is not DocumentName.DATED:
            return None
        try:
            return date.fromisoformat(self.ref.slug)
        except ValueError:
            return None


class Sources:
    """Reads what is to be searched; it may be shared between threads."""

    def __init__(
        self,
        layout: Layout,
        disk: Disk,
        facts: Facts,
        labels: Labels,
        now: Callable[[], int] = time.time_ns,
    ) -> None:
        """``now`` is the clock that stamps files, in nanoseconds."""
        self._layout, self._disk, self._facts, self._labels = layout, disk, facts, labels
        self._now = now
        self._kept: dict[tuple[str, str], tuple[Document, str]] = {}

    def of(self, space: Space) -> tuple[Source, ...]:
        """What there is in a space; never its log, which speaks of what is gone."""
        refs = (r for r in self._layout.documents(space) if r.name is not DocumentName.LOG)
        signed = ((ref, self._signature(ref)) for ref in refs)
        found = tuple(Source(space, signature, ref) for ref, signature in signed if signature)
        return (*found, *self._graph(space))

    def _signature(self, ref: DocumentRef) -> str:
        """The state of a file; a time so recent may come again after another change."""
        numbers = self._disk.signature(self._layout.place(ref))
        if not numbers:
            return ""
        recent = self._now() - max(numbers[2:]) < _RECENT_NS
        return " ".join(map(str, numbers)) + (_UNSETTLED if recent else "")

    def _graph(self, space: Space) -> Iterator[Source]:
        if space.kind is SpaceKind.PERSONAL:
            newest = self._facts.last(space.number)
            version = self._facts.version(space.number)
            yield Source(space, f"{version} {newest.at if newest else 0}")

    def read(self, source: Source) -> tuple[Document, str] | None:
        """The document of a source and its digest; None when there is none any more.

        The last few are kept in memory while their files stay as they are.

        Raises:
            Unreadable: the file is there but cannot be taken for text (W3).
        """
        assert source.ref
        name = source.key, source.signature
        kept = self._kept.get(name) if source.is_settled else None
        contents = None if kept else self._disk.read(self._layout.place(source.ref))
        if contents is None:
            return kept
        read = _parsed(source.ref, contents), contents.digest
        if source.is_settled and len(contents.data) <= _KEPT_BYTES:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[name] = read
        return read

    def fact(self, space: Space, id: int) -> Fact | None:
        """A fact by its number."""
        return self._facts.fact(space.number, id)

    def facts(self, space: Space) -> Iterator[Fact]:
        """All facts of a space's owner, current and past, newest first."""
        skip = 0
        while page := self._facts.facts(space.number, Query(limit=_PAGE, skip=skip)):
            yield from page
            skip += len(page)

    def graph(self, space: Space) -> Iterator[Piece]:
        """The facts as pieces: subject, predicate in all its names, object."""
        for fact in self.facts(space):
            names = f"{fact.predicate.replace('_', ' ')} {self._labels.label(fact.predicate)}"
            yield Piece(f"{fact.subject} {fact.object}", names, Spot(fact.id, fact.id))


def _parsed(ref: DocumentRef, contents: Contents) -> Document:
    try:
        return Document.parse(contents.data)
    except UnicodeDecodeError as error:
        raise Unreadable(ref, "not_utf8") from error


def pieces(ref: DocumentRef, document: Document) -> Iterator[Piece]:
    """The entries of a document, below the titles of their sections and the document's own name.

    A heading with nothing under it is a piece as well.
    """
    titles = {h.line: h.title.removesuffix(PIN).strip() for h in document.headings}
    name = ref.slug.replace("_", " ").replace("-", " ") if _is_named(ref) else ""
    for entry in document.entries:
        above = (titles.get(entry.section, ""), titles.get(entry.subsection, ""))
        path = " ".join(filter(None, (name, *dict.fromkeys(above))))
        spot = Spot(entry.span.start, entry.span.stop, entry.section, entry.subsection)
        yield Piece(entry.text, path, spot)
    for heading in document.headings:
        if not len(heading.body):
            yield Piece(titles[heading.line], name, Spot(heading.line, heading.line + 1))


def _is_named(ref: DocumentRef) -> bool:
    """Whether the slug is made of words."""
    return ref.name in SLUGS and ref.name not in (DocumentName.ROOM, DocumentName.DATED)


def headings(document: Document, spot: Spot) -> tuple[str, ...]:
    """The titles an entry stands under; the document's rest is not looked at."""
    lines = dict.fromkeys(at for at in (spot.section, spot.subsection) if at >= 0)
    return tuple(filter(None, (text(document, Spot(at, at + 1)) for at in lines)))


def text(document: Document, spot: Spot) -> str:
    """The text of an entry or the title of a heading; the document's rest is not looked at."""
    part = Document(document.raw[spot.start : spot.stop])
    if part.lines[0].startswith("#") and part.headings:
        return part.headings[0].title.removesuffix(PIN).strip()
    return " ".join(entry.text for entry in part.entries)
