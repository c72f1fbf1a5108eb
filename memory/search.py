"""Finding what one may read: documents and facts of some spaces, ranked, each with its source (X2).

The index is brought up to date before every search, so that changes by anybody are seen, and
"nothing found" is said of everything that could be read; what could not is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol

from memory.document import Document
from memory.errors import StateError, Unreadable
from memory.factrules import SINGLE, Fact
from memory.folding import fold
from memory.indexing import FILE, Candidate, File, Piece, Row, Shelf, Spot, Token, Tokens
from memory.sources import Source, Sources, headings, pieces, text
from memory.spaces import DocumentName, DocumentRef, Space
from memory.spelling import respelled

LONGEST = 1000
"""How many characters of a question are looked at."""

MOST = 100
"""How many hits a search gives at most."""

_WORDS = 40
_CANDIDATES = 100
_CLOSE = 12
_BATCH = 50
_TRIES = 5


class Ages(Protocol):
    """When entries of documents were written."""

    def written(self, ref: DocumentRef, since: date) -> frozenset[str] | None:
        """The lines written on a day or later, without their ends; None for all there are."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for.

    ``since`` is the first day of what is found: of dated files their own day, of other entries
    the day they were written, of facts the day they were learned. ``today`` tells which facts
    are over. ``limit`` is how many hits are wanted, at most `MOST`.
    """

    words: str
    today: date
    since: date | None = None
    limit: int = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry of a document, or a fact, that answers a question.

    ``headings`` are the titles it stands under, ``line`` its first line counted from 1, ``day``
    the day of a dated file or the one a fact was learned on. ``over``: it was true once, or it
    is archived.
    """

    space: Space
    text: str
    ref: DocumentRef | None = None
    fact: Fact | None = None
    headings: tuple[str, ...] = ()
    line: int = 0
    day: str = ""
    over: bool = False

    @property
    def is_dated(self) -> bool:
        """Whether it stands in the file of one day."""
        return self.ref is not None and self.ref.name is DocumentName.DATED


@dataclass(frozen=True, slots=True)
class Findings:
    """The best hits first; ``total`` counts all, ``unread`` is what could not be looked at."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    unread: tuple[DocumentRef, ...] = ()


class _MovedOn(Exception):  # noqa: N818  (a name says what happened)
    """A document changed while it was searched."""


@dataclass
class _Sight:
    """What one search sees: sources by their numbers, and documents that were read for it."""

    sources: dict[int, Source] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    unread: list[DocumentRef] = field(default_factory=list)


class Index:
    """Search over documents and facts; it may be shared between threads and processes."""

    def __init__(self, folder: Path, sources: Sources, tokens: Tokens, ages: Ages) -> None:
        """``folder`` is that of the state, in which the index gets a file of its own."""
        self._file = File(folder / FILE, tokens)
        self._sources, self._tokens, self._ages = sources, tokens, ages

    def search(self, spaces: Sequence[Space], question: Question) -> Findings:
        """What answers a question in some spaces, which the caller has the right to read.

        An entry is found when it shares a word with the question; the more words the better.

        Raises:
            StateError: the state cannot be read.
        """
        for _ in range(_TRIES):
            with suppress(_MovedOn):
                return self._file.use(partial(self._searched, spaces, question))
        raise StateError(FILE)

    def marks(self, text: str, words: str) -> tuple[tuple[int, int], ...]:
        """Where words of a question stand in a text, as spans of it."""
        asked = {term for word in self._asked(words) for term in word[2]}
        found = self._tokens.tokens(text)
        return tuple((start, stop) for start, stop, terms, _ in found if asked & set(terms))

    def asks(self, words: str) -> bool:
        """Whether a question has a word that says something by itself: "how are you?" has none."""
        return any(not slight for _, _, _, slight in self._tokens.asked(words[:LONGEST]))

    def near(self, spaces: Sequence[Space], words: str) -> tuple[str, ...]:
        """Questions that are spelled nearly so and would find something, best first."""
        return respelled(words[:LONGEST], self._texts(spaces), self._tokens)

    def _texts(self, spaces: Sequence[Space]) -> Iterator[str]:
        for source in (source for space in spaces for source in self._sources.of(space)):
            try:
                yield from (piece.own for piece in self._pieces(source, _Sight())[1])
            except Unreadable:
                continue

    def _asked(self, words: str) -> list[Token]:
        """The words of a question that matter; all of them where none says much."""
        found = self._tokens.asked(words[:LONGEST])
        telling = [word for word in found if not word[3]]
        distinct = {word[2]: word for word in telling or found}
        return list(distinct.values())[:_WORDS]

    def _searched(self, spaces: Sequence[Space], question: Question, shelf: Shelf) -> Findings:
        sight = self._seen(shelf, spaces)
        words = self._asked(question.words)
        among = self._recent(sight, question.since)
        hashes = [
            [shelf.hash(space, term) for space in spaces for term in terms]
            for _, _, terms, _ in words
        ]
        if not hashes or among == []:
            return Findings(unread=tuple(sight.unread))
        flat = dict.fromkeys(one for word in hashes for one in word)
        found, total = shelf.find(flat, _CANDIDATES, among)
        hits, dropped = self._hits(sight, question, _ranked(found, hashes))
        return Findings(hits, total - dropped, tuple(sight.unread))

    def _seen(self, shelf: Shelf, spaces: Sequence[Space]) -> _Sight:
        """Everything there is in some spaces, with the index of it up to date."""
        sight = _Sight()
        for space in dict.fromkeys(spaces):
            known, there = shelf.sources(space), self._sources.of(space)
            changed = [s for s in there if not _is_same(known.get(s.key), s)]
            same = [s for s in there if _is_same(known.get(s.key), s)]
            sight.sources |= {known[s.key].id: s for s in same}
            sight.digests |= {s.key: known[s.key].digest for s in same}
            gone = known.keys() - {source.key for source in there}
            for start in range(0, max(len(changed), bool(gone)), _BATCH):
                with shelf.writing():
                    for key in gone if not start else ():
                        shelf.remove(known[key].id)
                    for source in changed[start : start + _BATCH]:
                        self._indexed(shelf, source, sight)
        return sight

    def _indexed(self, shelf: Shelf, source: Source, sight: _Sight) -> None:
        """Bring one source up to date, or take it out when it cannot be read."""
        row = shelf.sources(source.space).get(source.key)
        try:
            digest, found = self._pieces(source, sight)
        except Unreadable:
            assert source.ref
            sight.unread.append(source.ref)
            digest = ""
        if not digest:
            if row:
                shelf.remove(row.id)
            return
        id = shelf.name(source.space, source.key, source.signature, digest)
        sight.sources[id], sight.digests[source.key] = source, digest
        if row is None or row.digest != digest:
            shelf.fill(source.space, id, found)

    def _pieces(self, source: Source, sight: _Sight) -> tuple[str, Iterator[Piece]]:
        """The digest of a source and what is in it; "" when it is gone.

        Raises:
            Unreadable: as `Sources.read`.
        """
        if source.ref is None:
            return source.signature, self._sources.graph(source.space)
        read = self._sources.read(source)
        if read is None:
            return "", iter(())
        sight.documents[source.key] = read[0]
        return read[1], pieces(source.ref, read[0])

    def _recent(self, sight: _Sight, since: date | None) -> list[int] | None:
        """The sources that may hold something of a day or later; None for all."""
        if since is None:
            return None
        return [id for id, source in sight.sources.items() if self._may_hold(source, since)]

    def _may_hold(self, source: Source, since: date) -> bool:
        if source.ref is None:
            return True
        if source.day:
            return source.day >= since
        written = self._ages.written(source.ref, since)
        return written is None or bool(written)

    def _hits(
        self, sight: _Sight, question: Question, ranked: Sequence[tuple[int, Candidate]]
    ) -> tuple[tuple[Hit, ...], int]:
        """The best hits, and how many candidates are none after all."""
        limit = max(0, min(question.limit, MOST))
        least = max(2 * limit, _CLOSE)
        phrase = fold(question.words[:LONGEST])
        found: list[tuple[int, bool, Hit]] = []
        dropped = 0
        for matched, candidate in ranked:
            if len(found) >= least and question.since is None:
                break
            hit = self._hit(candidate, sight, question)
            if hit is None:
                dropped += 1
            else:
                found.append((matched, phrase in fold(hit.text), hit))
        found.sort(key=lambda one: (-one[0], one[2].over, not one[1], one[2].is_dated))
        return tuple(_after_current([hit for _, _, hit in found])[:limit]), dropped

    def _hit(self, found: Candidate, sight: _Sight, question: Question) -> Hit | None:
        """A candidate as it is shown; None when it is none after all."""
        source = sight.sources.get(found.source)
        if source is None:
            raise _MovedOn
        if source.ref is None:
            fact = self._sources.fact(source.space, found.place.start)
            return _of_fact(source.space, fact, question) if fact else None
        document = self._document(source, sight)
        if not self._is_since(source, document, found.place, question.since):
            return None
        return Hit(
            source.space,
            text(document, found.place),
            source.ref,
            headings=headings(document, found.place),
            line=found.place.start + 1,
            day=source.day.isoformat() if source.day else "",
            over=source.ref.name is DocumentName.ARCHIVE,
        )

    def _is_since(self, source: Source, document: Document, spot: Spot, since: date | None) -> bool:
        if since is None or source.day or source.ref is None:
            return True
        written = self._ages.written(source.ref, since)
        lines = document.lines[spot.start : spot.stop]
        return written is None or any(line in written for line in lines)

    def _document(self, source: Source, sight: _Sight) -> Document:
        """A document as it is indexed; raises `_MovedOn` when it stands otherwise by now."""
        if source.key not in sight.documents:
            try:
                read = self._sources.read(source)
            except Unreadable:
                read = None
            if read is None or read[1] != sight.digests[source.key]:
                raise _MovedOn
            sight.documents[source.key] = read[0]
        return sight.documents[source.key]


def _is_same(row: Row | None, source: Source) -> bool:
    return row is not None and row.signature == source.signature and source.is_settled


def _of_fact(space: Space, fact: Fact, question: Question) -> Hit | None:
    if question.since and fact.learned < question.since.isoformat():
        return None
    over = bool(fact.until) and fact.until <= question.today.isoformat()
    said = f"{fact.subject} {fact.predicate} {fact.object}"
    return Hit(space, said, fact=fact, day=fact.learned, over=over)


def _ranked(
    found: Sequence[Candidate], hashes: Sequence[Sequence[str]]
) -> list[tuple[int, Candidate]]:
    """Candidates with how many words of the question they have: most words first."""
    counted = [(sum(any(h in one.hashes for h in w) for w in hashes), one) for one in found]
    return sorted(counted, key=lambda pair: (-pair[0], pair[1].weight))


def _after_current(hits: Sequence[Hit]) -> list[Hit]:
    """The hits in order, but what was true once below what is true now instead (X2)."""
    ordered = list(hits)
    for hit in [h for h in hits if h.over and h.fact and h.fact.predicate in SINGLE]:
        rivals = [i for i, other in enumerate(ordered) if _succeeds(other, hit)]
        at = ordered.index(hit)
        if rivals and rivals[-1] > at:
            ordered.insert(rivals[-1], ordered.pop(at))
    return ordered


def _succeeds(new: Hit, old: Hit) -> bool:
    if new.over or new.fact is None or old.fact is None:
        return False
    same = new.space == old.space and new.fact.predicate == old.fact.predicate
    return same and fold(new.fact.subject) == fold(old.fact.subject)
