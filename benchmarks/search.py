"""How well and how fast entries are found among ten thousand.

Documents: the sentences of the open data are cut into clauses, and each document joins two clauses
of different sentences; so every word stands in dozens of documents, and only two together name one.

Questions: a document's two content words, one of each clause, that stand together in no other
document; each is replaced by another form of the same word from simplemma's Czech dictionary. The
index uses that dictionary too, so this shows that forms meet, and not how good the dictionary is.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import combinations, product
from pathlib import Path

from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

from bot.recall import open_index
from locales import Languages, load
from memory.files import PosixDisk
from memory.folding import fold
from memory.layout import Layout
from memory.search import Index, Question
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State

FOLDER = Path(__file__).parent
CODES = ("cs", "en")
OWNER = personal(111)

_SEED = 4
_TODAY = date(2026, 12, 1)
_CUT = re.compile(r"\s+[—–-]\s+|[,;:.!?()]\s*|\s+(?:a|and|und)\s+")
_WORD = re.compile(r"[^\W\d_]{4,}")


def main(count: int, questions: int) -> Iterator[str]:
    """The figures, as rows of text."""
    chance = random.Random(_SEED)
    documents = combined(sentences(FOLDER / "data"), count, chance)
    asked = list(Forms(load(["cs"])).questions(documents, questions, chance))
    chinese = tomllib.loads((FOLDER / "recall_zh.toml").read_text("utf-8"))
    extra = [fact for part in ("open", "held") for fact, _ in chinese[part]]
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), load([*CODES, "zh"]))
        place.write([*documents, *extra])
        yield place.build()
        yield place.rebuild_after_edit()
        for name, shape in (("inflected", str), ("inflected, without accents", fold)):
            yield place.row(name, [(shape(words), text) for words, text in asked])
        for part in ("open", "held"):
            yield place.row(f"Chinese, {part} half", [(q, fact) for fact, q in chinese[part]])


def sentences(data: Path) -> list[str]:
    """Every sentence of the open data, in all its languages."""
    found: dict[str, None] = {}
    for line in (data / "keep_cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        found |= dict.fromkeys(case[k] for k in ("input", "reference", "new") if case.get(k))
    for path in sorted((data / "compaction").rglob("*.md")):
        lines = path.read_text("utf-8").splitlines()
        found |= dict.fromkeys(line[2:] for line in lines if line.startswith("- "))
    return list(found)


def combined(texts: Sequence[str], count: int, chance: random.Random) -> list[str]:
    """So many different documents of two clauses each."""
    clauses = [c.strip() for text in texts for c in _CUT.split(text)]
    clauses = sorted({c for c in clauses if 2 <= len(_WORD.findall(c)) <= 8})
    found: dict[str, None] = {}
    while len(found) < count:
        one, other = chance.sample(clauses, 2)
        found[f"{one} — {other}"] = None
    return list(found)


@dataclass(frozen=True)
class Forms:
    """The Czech words with their other forms."""

    languages: Languages

    @cached_property
    def by_lemma(self) -> dict[str, list[str]]:
        """All forms of each word that the dictionary has."""
        found = defaultdict(list)
        for form, lemma in DEFAULT_DICTIONARY_FACTORY.get_dictionary("cs").items():
            if form.islower() and len(form) > 2 and not form.startswith("ne"):
                found[lemma].append(form)
        return found

    def questions(
        self, documents: Sequence[str], count: int, chance: random.Random
    ) -> Iterator[tuple[str, str]]:
        """Pairs of words as another form, each with the one document that has both."""
        words = [[self._lemmas(part) for part in text.split(" — ", 1)] for text in documents]
        pairs = Counter(frozenset(p) for parts in words for p in self._all_pairs(parts))
        order = list(range(len(documents)))
        chance.shuffle(order)
        for number in order:
            one, other = words[number]
            fitting = [p for p in product(one, other) if pairs[frozenset(p)] == 1]
            if fitting and count > 0:
                count -= 1
                chosen = chance.choice(fitting)
                surfaces = {**one, **other}
                asked = (self._other(lemma, surfaces[lemma], chance) for lemma in chosen)
                yield " ".join(asked), documents[number]

    def _all_pairs(self, parts: Sequence[dict[str, str]]) -> Iterable[tuple[str, str]]:
        return combinations({lemma for part in parts for lemma in part}, 2)

    def _lemmas(self, text: str) -> dict[str, str]:
        """The words of a text that have other forms, by their lemmas."""
        grammar = self.languages.grammar("cs")
        found = {}
        for word in _WORD.findall(text):
            lemma = DEFAULT_DICTIONARY_FACTORY.get_dictionary("cs").get(word.lower())
            if lemma and not grammar.is_stop(word) and self._others(lemma, word):
                found[lemma] = word
        return found

    def _others(self, lemma: str, word: str) -> list[str]:
        return [form for form in self.by_lemma[lemma] if fold(form) != fold(word)]

    def _other(self, lemma: str, word: str, chance: random.Random) -> str:
        return chance.choice(self._others(lemma, word))


class Place:
    """A memory in a folder, with its index."""

    def __init__(self, folder: Path, languages: Languages) -> None:
        self._folder = folder
        self._layout = Layout(folder / "memory")
        self._state = State(folder / "state.db", synchronous="OFF")
        disk = PosixDisk(folder / "locks", fsync=False)
        self.index: Index = open_index(
            self._state, self._layout, disk, languages, lambda: datetime.now(UTC)
        )
        self._path = self._layout.path(DocumentRef(OWNER, DocumentName.MEMORY))

    def write(self, documents: Sequence[str]) -> None:
        """All documents as entries of MEMORY.md."""
        self._path.parent.mkdir(parents=True)
        lines = [f"- {text}\n" for text in documents]
        parts = [f"\n## {i // 100}\n" * (i % 100 == 0) + line for i, line in enumerate(lines)]
        self._path.write_text("".join(parts), "utf-8")

    def build(self) -> str:
        """The first search, which makes the index."""
        start = time.perf_counter()
        self.find("nic", 1)
        seconds = time.perf_counter() - start
        size = (self._folder / "search.db").stat().st_size / 2**20
        memory = self._path.stat().st_size / 2**20
        time.sleep(2.1)
        self.find("nic", 1)
        return f"index of {memory:.2f} MiB: {seconds:.1f} s, {size:.1f} MiB"

    def rebuild_after_edit(self) -> str:
        """A search after another program changed one line near the beginning."""
        text = self._path.read_text("utf-8")
        self._path.write_text(
            text.replace("- ", "- Zuzanin žebřík visí ve stodole\n- ", 1), "utf-8"
        )
        start = time.perf_counter()
        found = self.find("žebříky stodola", 1)
        seconds = time.perf_counter() - start
        time.sleep(2.1)
        self.find("nic", 1)
        return f"after an edit by another program: {seconds * 1000:.0f} ms, found {len(found)}"

    def row(self, name: str, asked: Sequence[tuple[str, str]]) -> str:
        """Recall and speed of some questions."""
        places, times, spent = [], [], []
        for words, text in asked:
            start, busy = time.perf_counter(), time.process_time()
            found = self.find(words, 5)
            times.append(time.perf_counter() - start)
            spent.append(time.process_time() - busy)
            places.append(found.index(text) if text in found else 99)
        first, five = (sum(place < n for place in places) / len(places) for n in (1, 5))
        last = statistics.quantiles(times, n=100)[98]
        half, cpu = statistics.median(times) * 1000, statistics.median(spent) * 1000
        speed = f"p50 {half:.1f} ms (CPU {cpu:.1f}), p99 {last * 1000:.1f} ms"
        return f"{name:28} {len(asked):4} questions  R@1 {first:.2f}  R@5 {five:.2f}  {speed}"

    def find(self, words: str, limit: int) -> list[str]:
        """The texts that are found."""
        found = self.index.search([OWNER], Question(words, _TODAY, limit=limit))
        return [hit.text for hit in found.hits]
