"""Topics: which file an entry belongs to, and a topic written with its pointer (S1, S2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation import fitting
from curation.engine import Route
from curation.fitting import Spot
from handlers import places
from handlers.context import Turn
from handlers.keeping import placing
from handlers.messages import outcome
from handlers.messages.outcome import Outcome
from handlers.places import Code
from locales.keys import Kind
from memory.document import PIN, Document
from memory.edits import Edit
from memory.errors import PomnenkaError, Unfinished
from memory.folding import fold
from memory.operations import WITH
from memory.pointers import Gate, gate, link, pointers, title_of
from memory.spaces import DocumentName, DocumentRef, slug_of
from memory.store import Item, Receipt

_POINTER = "pointer"
_MOST = 3
_WORDS = 3


@dataclass(frozen=True)
class _Shelf:
    """The topics of a person by their slugs, the index, and what it calls the files it names."""

    turn: Turn
    known: tuple[str, ...]
    index: Document
    full: bool
    called: Mapping[str, str]

    def takes(self, slug: str) -> bool:
        """Whether something can be written for that topic without a pointer too many (S1)."""
        return not self.full or file_of(self.turn, slug) in self.called

    def title(self, slug: str) -> str:
        """What the index calls a topic, "" when it does not name it."""
        return self.called.get(file_of(self.turn, slug), "")

    def name(self, title: str) -> str:
        """The slug of the topic of that title: an existing one's, its letters', or a number."""
        same = (one for one in self.known if title and fold(self.title(one)) == fold(title))
        numbers = (f"topic_{n}" for n in range(1, len(self.known) + 2))
        free = next(one for one in numbers if one not in self.known)
        return next(same, "") or slug(title) or (free if title else "")


def slug(title: str) -> str:
    """A title as the name of a topic: lower-case ASCII letters, digits and ``_`` (T13)."""
    return slug_of(title).replace("-", "_").strip("_")


def existing(turn: Turn) -> tuple[str, ...]:
    """Codes of the topics that are there."""
    known = turn.services.layout.slugs(turn.space, DocumentName.TOPIC)
    return tuple(places.code(DocumentName.TOPIC, one) for one in known)


def offer(turn: Turn, route: Route, entry: str) -> Outcome:
    """The card with the topics it can go to; the name of a new file is shown before it is made.

    An index that is full takes no new topic, and the card says so (S1).
    """
    shelf = _shelf(turn)
    name = shelf.name(_title(turn, route))
    lines = 0 if shelf.takes(name) else shelf.index.count
    near = [] if name in shelf.known or not route.target else _near(turn, shelf, route.target)
    there = file_of(turn, near[0]) if near else ""
    found, exists = choices(turn, route), name in shelf.known
    return outcome.BelongsIn(route.home, entry, route.target, found, exists, there, lines)


def choices(turn: Turn, route: Route) -> tuple[str, ...]:
    """Codes of topics, those that are there first, and keep.md as the way out (T13)."""
    shelf, title = _shelf(turn), _title(turn, route)
    name = shelf.name(title)
    near = _near(turn, shelf, route.target or route.entry)
    own = [name] if name in shelf.known else []
    there = list(dict.fromkeys([*own, *near[:_MOST]])) or ([] if name else shelf.known)
    codes = [places.code(DocumentName.TOPIC, s) for s in there[: places.MOST] if shelf.takes(s)]
    if name and name not in shelf.known and shelf.takes(name):
        codes.append(places.code(DocumentName.TOPIC, name, title))
    return (*codes, str(DocumentName.KEEP))


def _shelf(turn: Turn) -> _Shelf:
    known = turn.services.layout.slugs(turn.space, DocumentName.TOPIC)
    index = turn.services.store.read(turn.document(DocumentName.INDEX)).document
    full = _gate(turn, index) is Gate.SHUT
    called = {pointer.file: pointer.topic for pointer in pointers(index)}
    return _Shelf(turn, known, index, full, called)


def _gate(turn: Turn, index: Document) -> Gate:
    return gate(index.count, turn.policy.index_warn, turn.policy.index_full)


def file_of(turn: Turn, topic: str) -> str:
    """The bare name of a topic's file, as a pointer gives it."""
    ref = turn.document(DocumentName.TOPIC, topic)
    return turn.services.layout.name(ref).rpartition("/")[2]


def _title(turn: Turn, route: Route) -> str:
    """What a new topic is called: as it was named, else the first words of what is told."""
    if route.target:
        return route.target[:1].upper() + route.target[1:]
    label = route.entry.partition(":")[0]
    languages = turn.services.languages
    found = languages.key(label, placing.spoken(turn, route.entry))
    words = [key.surface for key in found if key.kind in (Kind.WORD, Kind.NAME)]
    said = " ".join(words[:_WORDS])
    return said[:1].upper() + said[1:]


def _near(turn: Turn, shelf: _Shelf, text: str) -> list[str]:
    """The topics whose name or pointer shares words with a text, the nearest first."""
    spots = [Spot(f"{one.replace('_', ' ')} {shelf.title(one)}") for one in shelf.known]
    grammar = turn.services.languages.grammar(placing.spoken(turn, text))
    return [shelf.known[i] for i in fitting.fitting(text, spots, grammar)]


@dataclass(frozen=True, slots=True)
class _Done:
    """The two operations of one topic: the file's, and the pointer's."""

    ref: DocumentRef
    topic: Receipt
    pointer: Receipt

    @property
    def op(self) -> str:
        """The newer operation, whose undo takes back both."""
        return self.pointer.op or self.topic.op


def file(turn: Turn, entry: str, place: Code, replaces: str = "") -> Outcome | None:
    """The topic's file first, then its pointer, both read back; or neither (S2).

    Where a pointer stands already only the topic is written. None when the code names no topic.
    """
    ref, shelf = turn.document(DocumentName.TOPIC, place.slug), _shelf(turn)
    if not ref.is_proper:
        return None
    if not shelf.takes(place.slug):
        return outcome.Full(entry, shelf.index.count)
    heading = place.heading or _section(turn, ref, entry)
    at = Code(place.name, place.slug, heading), replaces
    written = placing.write(turn, ref, entry, at)
    if written.skipped:
        return None
    linked = _linked(turn, ref, entry, written)
    if linked is None:
        return outcome.Full(entry, shelf.index.count)
    return _filed(turn, _Done(ref, written, linked), entry, replaces)


def _section(turn: Turn, ref: DocumentRef, entry: str) -> str:
    """The section of a topic that fits an entry; "" for its end."""
    spots = placing.spots_of(turn.services.store.read(ref).document)
    grammar = turn.services.languages.grammar(placing.spoken(turn, entry))
    found = fitting.fitting(entry, spots, grammar)
    return spots[found[0]].title if found else ""


def _linked(turn: Turn, ref: DocumentRef, entry: str, written: Receipt) -> Receipt | None:
    """Make sure of the pointer; without one the topic's write is taken back (None)."""
    store, author = turn.services.store, turn.author(WITH + written.op if written.op else "chat")
    item = Item(_POINTER, _pointing(turn, ref, entry, written.document))
    try:
        receipt = store.apply(turn.document(DocumentName.INDEX), [item], author, entry)
    except Unfinished:
        raise
    except PomnenkaError:
        _take_back(turn, written)
        raise
    if receipt.skipped:
        _take_back(turn, written)
        return None
    return receipt


def _take_back(turn: Turn, written: Receipt) -> None:
    if written.op:
        turn.services.store.undo(written.op, turn.author("undo"))


def _pointing(turn: Turn, ref: DocumentRef, entry: str, topic: Document) -> Edit:
    """The edit that adds the pointer, under the section of the index that fits best."""
    index = turn.services.store.read(turn.document(DocumentName.INDEX)).document
    title, language = title_of(topic, ref.slug), placing.spoken(turn, entry)
    spots = placing.spots_of(index)
    found = fitting.fitting(title, spots, turn.services.languages.grammar(language))
    default = turn.voice(language).plain("heading.topics")
    heading = spots[found[0]].title if found else default
    return link(title, file_of(turn, ref.slug), turn.policy.index_full, heading)


def _filed(turn: Turn, done: _Done, entry: str, replaces: str) -> Outcome:
    if not done.op:
        return outcome.Known(entry, DocumentName.TOPIC)
    file = file_of(turn, done.ref.slug)
    if not done.pointer.op:
        return outcome.Filed(entry, file, done.op, replaces)
    warned = gate(done.pointer.before, turn.policy.index_warn, turn.policy.index_full)
    lines = done.pointer.document.count if warned is Gate.WARN else 0
    return outcome.Filed(entry, file, done.op, replaces, _place_of(turn, done, file), lines)


def _place_of(turn: Turn, done: _Done, file: str) -> str:
    """Where the pointer stands, as a person reads it."""
    index = done.pointer.document
    line = next((p.line for p in pointers(index) if p.file == file), 0)
    above = index.places[line][0] if index.places else -1
    title = next((h.title.removesuffix(PIN).strip() for h in index.headings if h.line == above), "")
    name = turn.services.layout.name(turn.document(DocumentName.INDEX))
    return f"{name} › {title}" if title else name
