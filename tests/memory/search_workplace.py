"""Documents, facts and an index in a folder, for the tests of search."""

from datetime import UTC, datetime

from locales.terms import Terms
from memory.ages import Ages
from memory.factrows import Deed
from memory.factrules import Draft
from memory.files import PosixDisk
from memory.indexing import FILE
from memory.layout import Layout
from memory.operations import Author
from memory.search import Index, Question
from memory.sources import Sources
from memory.spaces import DocumentName, DocumentRef, group, personal
from memory.state import State
from memory.store import Store

ALICE, PETR, FAMILY = personal(111), personal(222), group("family")
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


class Counting(Terms):
    """Terms that count the texts they are asked for."""

    count = 0

    def tokens(self, text):
        self.count += 1
        return super().tokens(text)


class Coarse(PosixDisk):
    """A disk on which whatever happens within one tick of its clock looks the same."""

    def __init__(self, locks, tick):
        super().__init__(locks, fsync=False)
        self.tick = tick

    def signature(self, place):
        return (1, 8, self.tick, self.tick) if super().signature(place) else ()


class Workplace:
    """Documents, facts and an index over them in a folder."""

    def __init__(self, folder, languages):
        self.folder, self.now = folder, NOON
        self.layout = Layout(folder / "workspace")
        self.disk = PosixDisk(folder / "locks", fsync=False)
        self.state = State(folder / "state.db", synchronous="OFF")
        self.ids = iter(range(10**6))
        self.store = Store(self.layout, self.state, self.disk, self.clock, self.new_id)
        self.terms = Counting(languages)
        self.index = self.opened()

    def opened(self, now=lambda: 10**20):
        """An index over everything; files are old by its clock, so their times are trusted."""
        sources = Sources(self.layout, self.disk, self.state.facts, self.terms, now)
        ages = Ages(self.layout, self.disk, self.state, self.clock)
        return Index(self.folder, sources, self.terms, ages)

    def clock(self):
        return self.now

    def new_id(self):
        return f"{next(self.ids):026d}"

    def put(self, text, name="keep", slug="", space=ALICE):
        path = self.layout.path(DocumentRef(space, DocumentName(name), slug))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def fact(self, *draft, space=ALICE):
        deed = Deed(Author(space.number), self.now, self.new_id())
        return self.state.facts.add(deed, Draft(*draft))

    def found(self, words, *spaces, **fields):
        """The texts that are found."""
        return [hit.text for hit in self.search(words, *spaces, **fields).hits]

    def search(self, words, *spaces, **fields):
        question = Question(words, self.now.date(), **fields)
        return self.index.search(spaces or [ALICE], question)

    @property
    def file(self):
        return self.folder / FILE
