"""How a new entry relates to known ones: exact, same, extends, contradicts or different (K8).

The residue rule: what two entries have in common is set aside, and what is left over on each
side decides. Numbers, negations, limiters and names never count as nearly equal.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz.distance import JaroWinkler

from curation.engine import Match, Relation
from curation.phrasing import bare
from locales.grammar import NEVER, Grammar, flat
from locales.keys import Key, Kind, keys, polarity_of
from memory.folding import strict

_HAN = re.compile("([\u3400-\u9fff])")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_LETTER = re.compile(r"(?<![\w.'-])[^\W\d_\u3400-\u9fff](?![\w.'-])")
_PREFIX = 4
_ALIKE = 0.88
_FARTHEST = 3
_SHORTEST = 3
_PREPARED = 30_000
_SCANNED = 3000
_CANDIDATES = 24
_HALF = 0.5
_RANK = {Relation.SAME: 3, Relation.CONTRADICTS: 2, Relation.EXTENDS: 1}


@dataclass(frozen=True, slots=True)
class _Table:
    """The compiled table ``duplicates`` of a language; stems and flat words."""

    synonyms: dict[str, str]
    values: dict[str, str]
    many: frozenset[str]
    single: frozenset[str]
    light: frozenset[str]
    weak: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    negations: frozenset[str]
    prefixes: frozenset[str]
    ended: re.Pattern[str]
    letters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as it is compared: content words in order, numbers, limits, what it denies."""

    words: tuple[Key, ...]
    numbers: frozenset[str]
    limiters: frozenset[str]
    denied: frozenset[str]
    surface: frozenset[str]
    ended: bool

    @property
    def buckets(self) -> frozenset[str]:
        """What an inverted index finds this entry by."""
        return frozenset(word.stem[:_PREFIX] for word in self.words) | {
            "#" + number for number in self.numbers
        }


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two entries laid side by side."""

    old: Prepared
    new: Prepared
    matched: tuple[tuple[Key, Key], ...]
    left: tuple[Key, ...]
    added: tuple[Key, ...]

    @property
    def coverage(self) -> float:
        """How much of the shorter one stands in the other."""
        total = min(len(self.old.words), len(self.new.words))
        return len(self.matched) / total if total else 0.0


@lru_cache(maxsize=32)
def _table(grammar: Grammar) -> _Table:
    table = grammar.table("duplicates")
    synonyms: dict[str, str] = {}
    for row in table.get("synonyms", ()):
        stems = [grammar.stem(word) for word in row.split()]
        synonyms |= dict.fromkeys(stems, stems[0])

    values: dict[str, str] = {}
    for word, value in table.get("values", {}).items():
        values |= {grammar.stem(word): value, flat(word): value}
    ended = "|".join(map(bare, table.get("ended", ())))

    def stems_of(name: str) -> frozenset[str]:
        words = table.get(name, ())
        return frozenset(grammar.stem(word) for word in words) | {flat(word) for word in words}

    return _Table(
        synonyms,
        values,
        stems_of("many"),
        stems_of("single"),
        stems_of("light"),
        frozenset(map(flat, table.get("weak_limiters", ()))),
        tuple((a, b) for a, b in (flat(row).split() for row in table.get("opposites", ()))),
        grammar.words("lexicon.negations"),
        grammar.words("lexicon.negation_prefixes"),
        re.compile(rf"(?<!\w)(?:{ended})(?!\w)") if ended else NEVER,
        frozenset(map(flat, table.get("letters", ()))),
    )


@lru_cache(maxsize=_PREPARED)
def prepare(text: str, grammar: Grammar) -> Prepared:
    """What of an entry is compared in the grammar of a language; remembered for many entries."""
    table = _table(grammar)
    spaced = _HAN.sub(r" \1 ", text)
    words, numbers, limiters = [], set(), set()
    found = keys(spaced, grammar)
    denied = {table.synonyms.get(stem, stem) for stem in polarity_of(found, grammar)}
    for key in found:
        plain = flat(key.surface)
        if plain in table.values or key.kind is Kind.NUMBER:
            numbers.add(table.values.get(plain) or table.values.get(key.stem, key.stem))
        elif key.kind is Kind.LIMITER:
            limiters |= {plain} - table.weak
        elif key.kind is not Kind.NEGATION and not _is_light(key, plain, table):
            stem = _affirmed(key, grammar, table)
            denied |= {stem} - {key.stem}
            words.append(key._replace(stem=table.synonyms.get(stem, stem)))
    if table.letters:
        numbers |= set(_LETTER.findall(flat(spaced))) - table.letters
    return Prepared(
        tuple(words),
        frozenset(numbers),
        frozenset(limiters),
        frozenset(denied),
        frozenset(_WORD.findall(flat(spaced))),
        bool(table.ended.search(flat(text))),
    )


def _affirmed(key: Key, grammar: Grammar, table: _Table) -> str:
    """The stem without a negating prefix that the dictionary did not see through."""
    lower = key.surface.lower()
    if grammar.lemma(lower) != lower:
        return key.stem
    for prefix in table.prefixes:
        rest = lower.removeprefix(prefix)
        if rest != lower and len(rest) >= _SHORTEST and grammar.lemma(rest) != rest:
            return grammar.stem(rest)
    return key.stem


def _is_light(key: Key, plain: str, table: _Table) -> bool:
    return key.kind is Kind.WORD and (key.stem in table.light or plain in table.light)


@dataclass
class Index:
    """The keys of many entries in one language; `add` keeps it up to date cheaply."""

    grammar: Grammar
    texts: list[str] = field(default_factory=list)
    entries: list[Prepared] = field(default_factory=list)
    _exact: dict[str, int] = field(default_factory=dict)
    _places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, text: str) -> None:
        """Append one entry."""
        entry = prepare(text, self.grammar)
        for bucket in entry.buckets:
            self._places[bucket].append(len(self.texts))
        self._exact.setdefault(strict(text), len(self.texts))
        self.texts.append(text)
        self.entries.append(entry)

    def exact(self, text: str) -> int | None:
        """The entry that repeats ``text``, but for case, blanks and the final full stop."""
        return self._exact.get(strict(text))

    def near(self, entry: Prepared) -> list[int]:
        """The entries that share most with ``entry``, rare words first looked up."""
        shared: Counter[int] = Counter()
        places = sorted((self._places.get(bucket, []) for bucket in entry.buckets), key=len)
        seen = 0
        for rank, place in enumerate(places):
            if rank > 1 and seen + len(place) > _SCANNED:
                break
            shared.update(place)
            seen += len(place)
        best = sorted(shared, key=lambda i: (-shared[i], len(self.entries[i].words), i))
        return best[:_CANDIDATES]


def index(existing: Sequence[str], grammar: Grammar) -> Index:
    """An index of entries; about 30 µs an entry, cached by the engine."""
    made = Index(grammar)
    for text in existing:
        made.add(text)
    return made


def compare(entry: str, known: Index) -> Match:
    """How an entry relates to the nearest known one.

    EXACT repeats it, SAME says nothing new, EXTENDS says more while the old stays true,
    CONTRADICTS cannot hold beside it; DIFFERENT has no index.
    """
    same = known.exact(entry)
    if same is not None:
        return Match(Relation.EXACT, same)
    new, table = prepare(entry, known.grammar), _table(known.grammar)
    best: tuple[float, int, int] | None = None
    for i in known.near(new):
        pair = _pair(known.entries[i], new)
        relation = _relation(pair, table)
        if relation is not Relation.DIFFERENT:
            weight = len(pair.matched) / max(len(pair.old.words), len(pair.new.words), 1)
            best = max(best or (-1.0, 0, 0), (weight, _RANK[relation], -i))
    if best is None:
        return Match(Relation.DIFFERENT)
    return Match(next(r for r, rank in _RANK.items() if rank == best[1]), -best[2])


def _pair(old: Prepared, new: Prepared) -> _Pair:
    free = list(new.words)
    matched, left = [], []
    for word in old.words:
        twin = next((other for other in free if _alike(word, other)), None)
        if twin is None:
            left.append(word)
        else:
            free.remove(twin)
            matched.append((word, twin))
    return _Pair(old, new, tuple(matched), tuple(left), tuple(free))


def _alike(one: Key, other: Key) -> bool:
    if one.stem == other.stem or flat(one.surface) == flat(other.surface):
        return True
    if one.kind is Kind.NAME and other.kind is Kind.NAME:
        return False
    a, b = one.stem, other.stem
    near = a[:_PREFIX] == b[:_PREFIX] and min(len(a), len(b)) >= _PREFIX
    return near and abs(len(a) - len(b)) <= _FARTHEST and JaroWinkler.similarity(a, b) >= _ALIKE


def _relation(pair: _Pair, table: _Table) -> Relation:
    if not pair.matched and not (pair.old.numbers & pair.new.numbers):
        return Relation.DIFFERENT
    if _is_other_subject(pair):
        return Relation.DIFFERENT
    if _denies(pair, table):
        return Relation.CONTRADICTS
    lost = pair.old.numbers - pair.new.numbers
    gained = pair.new.numbers - pair.old.numbers
    if lost and gained:
        return _replaced(pair, table)
    if not pair.added and not gained:
        return _repeated(pair)
    if not pair.left and not lost:
        return _extended(pair)
    return _substituted(pair, table)


def _is_other_subject(pair: _Pair) -> bool:
    """Whether each side begins with a name that the other does not have."""
    if _named_first(pair.old.words, pair.left) and _named_first(pair.new.words, pair.added):
        return True
    first_left = pair.old.words[:1] == pair.left[:1] and pair.left
    first_added = pair.new.words[:1] == pair.added[:1] and pair.added
    named = pair.added[0].kind is Kind.NAME if first_added and pair.added else False
    return bool(named and (first_left or not pair.left) and not _names(pair.matched))


def _named_first(words: Sequence[Key], own: Sequence[Key]) -> bool:
    """Whether a name that only this side has stands before all that both have."""
    for word in words:
        if word not in own:
            return False
        if word.kind is Kind.NAME:
            return True
    return False


def _names(matched: Sequence[tuple[Key, Key]]) -> bool:
    return any(one.kind is Kind.NAME for one, _ in matched)


def _denies(pair: _Pair, table: _Table) -> bool:
    """Whether one side denies or turns round what the other says of the same thing."""
    stems = {stem for one, other in pair.matched for stem in (one.stem, other.stem)}
    turned = (pair.old.denied ^ pair.new.denied) & stems
    first = {word.stem for word in (*pair.old.words[:1], *pair.new.words[:1])}
    if turned & first and _first_matches(pair):
        return True
    if pair.coverage < _HALF:
        return False
    ended = pair.old.ended != pair.new.ended and len(pair.left) <= 1
    return bool(turned) or ended or _opposed(pair, table) or _negated(pair, table)


def _negated(pair: _Pair, table: _Table) -> bool:
    """Whether a negation stands on one side only, and denies no word of that side alone."""
    if any(_is_opposite(a.stem, b.stem, table) for a in pair.left for b in pair.added):
        return True
    own = {word.stem for word in (*pair.left, *pair.added)}
    free = (pair.old.surface ^ pair.new.surface) & table.negations
    explained = (pair.old.denied ^ pair.new.denied) & own
    return bool(free) and _is_small(pair) and not explained


def _is_opposite(one: str, other: str, table: _Table) -> bool:
    return any(one == prefix + other or other == prefix + one for prefix in table.prefixes)


def _first_matches(pair: _Pair) -> bool:
    return bool(pair.matched) and pair.matched[0] == (pair.old.words[0], pair.new.words[0])


def _is_small(pair: _Pair) -> bool:
    return len(pair.left) <= 1 and len(pair.added) <= 1


def _opposed(pair: _Pair, table: _Table) -> bool:
    old, new = pair.old.surface, pair.new.surface
    return any(
        (a in old and b in new and a not in new and b not in old)
        or (b in old and a in new and b not in new and a not in old)
        for a, b in table.opposites
    )


def _replaced(pair: _Pair, table: _Table) -> Relation:
    """Both sides have a number that the other lacks."""
    if not pair.left or not pair.added or (_is_small(pair) and pair.coverage >= _HALF):
        return Relation.CONTRADICTS if pair.coverage >= _HALF else Relation.DIFFERENT
    return _substituted(pair, table)


def _repeated(pair: _Pair) -> Relation:
    """The new one has no word and no number of its own."""
    if len(pair.matched) < _HALF * len(pair.old.words):
        return Relation.DIFFERENT
    if pair.old.limiters != pair.new.limiters:
        return Relation.EXTENDS
    return Relation.SAME


def _extended(pair: _Pair) -> Relation:
    """Everything old stands in the new one, which says more."""
    begins = _first_matches(pair) or len(pair.matched) > 1
    return Relation.EXTENDS if begins else Relation.DIFFERENT


def _substituted(pair: _Pair, table: _Table) -> Relation:
    """Both sides have something of their own: one value for another, or another matter."""
    if any(word.kind is Kind.NAME for word in pair.left[:1]) and pair.left[0] == pair.old.words[0]:
        return Relation.DIFFERENT
    stems = {stem for one, _ in pair.matched for stem in (one.stem, flat(one.surface))}
    few = len(pair.left) <= 2 and len(pair.added) <= 2
    if few and _first_matches(pair) and stems & table.single:
        return Relation.CONTRADICTS
    if stems & table.many or not few or pair.coverage < _HALF or len(pair.matched) < 2:
        return Relation.DIFFERENT
    if not _is_small(pair) and pair.coverage <= _HALF:
        return Relation.DIFFERENT
    return Relation.CONTRADICTS if _first_matches(pair) else Relation.DIFFERENT
