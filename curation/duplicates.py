"""How a new entry relates to known ones: exact, same, extends, contradicts or different (K8).

The residue rule: what two entries have in common is set aside, and what is left over on each
side decides. Numbers, negations, limiters and names never count as nearly equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import JaroWinkler

from curation.comparison import PREFIX, Prepared, Table, prepare, vocabulary
from curation.engine import Match, Relation
from locales.grammar import Grammar, flat
from locales.keys import Key, Kind
from memory.folding import strict

_ALIKE = 0.88
_FARTHEST = 3
_SCANNED = 3000
_CANDIDATES = 24
_HALF = 0.5
_MOVED = 3
_FEWEST = 2
_RANK = {Relation.SAME: 3, Relation.CONTRADICTS: 2, Relation.EXTENDS: 1}


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
    new, table = prepare(entry, known.grammar), vocabulary(known.grammar)
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
    near = a[:PREFIX] == b[:PREFIX] and min(len(a), len(b)) >= PREFIX
    return near and abs(len(a) - len(b)) <= _FARTHEST and JaroWinkler.similarity(a, b) >= _ALIKE


def _relation(pair: _Pair, table: Table) -> Relation:
    if not pair.matched and not (pair.old.numbers & pair.new.numbers):
        return Relation.DIFFERENT
    if _is_other_subject(pair) or _is_counterpart(pair, table):
        return Relation.DIFFERENT
    if _denies(pair, table) or _turns_round(pair, table):
        return Relation.CONTRADICTS
    lost = pair.old.numbers - pair.new.numbers
    gained = pair.new.numbers - pair.old.numbers
    if lost and gained:
        return _replaced(pair, table)
    if not pair.added and not gained:
        return _repeated(pair, table)
    if not pair.left and not lost:
        return _extended(pair)
    return _substituted(pair, table)


def _is_other_subject(pair: _Pair) -> bool:
    """Whether each side begins with a name that the other does not have."""
    if _named_first(pair.old.words, pair.left) and _named_first(pair.new.words, pair.added):
        return True
    if any(_full_name(pair.old, pair.left)) and any(_full_name(pair.new, pair.added)):
        return True
    first_left = pair.old.words[:1] == pair.left[:1] and pair.left
    first_added = pair.new.words[:1] == pair.added[:1] and pair.added
    named = pair.added[0].kind is Kind.NAME if first_added and pair.added else False
    if first_left and first_added and pair.left[0].kind is Kind.NAME:
        return not _names(pair.matched)
    return bool(named and (first_left or not pair.left) and not _names(pair.matched))


def _full_name(side: Prepared, own: Sequence[Key]) -> Iterator[bool]:
    """Whether a name of this side alone is the second part of a name that comes first."""
    for first, second in zip(side.words[:1], side.words[1:2], strict=False):
        yield first.kind is Kind.NAME and second.kind is Kind.NAME and second in own


def _is_counterpart(pair: _Pair, table: Table) -> bool:
    """Whether both begin with opposites: the left one is not the right one."""
    return frozenset({pair.old.opening, pair.new.opening}) in table.counterparts


def _turns_round(pair: _Pair, table: Table) -> bool:
    """Whether the same words stand on the other sides of a comparison."""
    if pair.left or pair.added or not table.comparing & pair.old.surface & pair.new.surface:
        return False
    old, new = (words[-1] for words in (pair.old.words, pair.new.words))
    twins = dict(pair.matched)
    return twins.get(old) != new and len(pair.matched) > 1


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


def _denies(pair: _Pair, table: Table) -> bool:
    """Whether one side denies or turns round what the other says of the same thing.

    One word alone in common, with more on both sides, is a subject or a verb and no such thing,
    unless both begin with it and it is what is denied.
    """
    if pair.left and pair.added and all(_takes_many(match, table) for match in pair.matched):
        return False
    if _denies_first(pair):
        return True
    if len(pair.matched) < _FEWEST and pair.left and pair.added and not _is_small(pair):
        return False
    if _denies_small(pair.old, pair.new, table) or _denies_small(pair.new, pair.old, table):
        return True
    stems = {stem for one, other in pair.matched for stem in (one.stem, other.stem)}
    turned = (pair.old.denied ^ pair.new.denied) & stems
    if pair.coverage < _HALF:
        return False
    ended = pair.old.ended != pair.new.ended and len(pair.left) <= 1
    return bool(turned) or ended or _opposed(pair, table) or _negated(pair, table)


def _takes_many(match: tuple[Key, Key], table: Table) -> bool:
    """Whether what is in common holds of many things side by side: an allergy, a taste."""
    stems = {stem for key in match for stem in (key.stem, flat(key.surface))}
    return bool(stems & table.many)


def _denies_first(pair: _Pair) -> bool:
    """Whether what both begin with is denied by one of them."""
    first = {word.stem for word in (*pair.old.words[:1], *pair.new.words[:1])}
    turned = (pair.old.denied ^ pair.new.denied) & first
    return bool(turned) and _first_matches(pair)


def _denies_small(one: Prepared, other: Prepared, table: Table) -> bool:
    """Whether a word is denied that the other side says, too small to be compared there."""
    own = one.surface - other.surface
    return any(
        word.startswith(prefix) and word.removeprefix(prefix) in other.surface - one.surface
        for word in own
        for prefix in table.prefixes
    )


def _negated(pair: _Pair, table: Table) -> bool:
    """Whether a negation stands on one side only, and denies no word of that side alone."""
    if any(_is_opposite(a.stem, b.stem, table) for a in pair.left for b in pair.added):
        return True
    own = {word.stem for word in (*pair.left, *pair.added)}
    free = (pair.old.surface ^ pair.new.surface) & table.negations
    explained = (pair.old.denied ^ pair.new.denied) & own
    return bool(free) and _is_small(pair) and not explained


def _is_opposite(one: str, other: str, table: Table) -> bool:
    return any(one == prefix + other or other == prefix + one for prefix in table.prefixes)


def _first_matches(pair: _Pair) -> bool:
    return bool(pair.matched) and pair.matched[0] == (pair.old.words[0], pair.new.words[0])


def _is_small(pair: _Pair) -> bool:
    return len(pair.left) <= 1 and len(pair.added) <= 1


def _opposed(pair: _Pair, table: Table) -> bool:
    old, new = pair.old.surface, pair.new.surface
    return any(
        (a in old and b in new and a not in new and b not in old)
        or (b in old and a in new and b not in new and a not in old)
        for a, b in table.opposites
    )


def _replaced(pair: _Pair, table: Table) -> Relation:
    """Both sides have a number that the other lacks."""
    if len(pair.matched) == 1 and _is_other_matter(pair, table):
        return Relation.DIFFERENT
    heads = pair.old.words[:1] == pair.left[:1], pair.new.words[:1] == pair.added[:1]
    if all(heads) and pair.left and pair.added:
        return Relation.DIFFERENT
    if not pair.left or not pair.added or (_is_small(pair) and pair.coverage >= _HALF):
        return Relation.CONTRADICTS if pair.coverage >= _HALF else Relation.DIFFERENT
    return _substituted(pair, table)


def _is_other_matter(pair: _Pair, table: Table) -> bool:
    """Whether each side says of what it has a number: a hat's size is not a ring's."""
    shared = pair.old.stems | pair.old.uncompared, pair.new.stems | pair.new.uncompared
    own = shared[0] - shared[1], shared[1] - shared[0]
    similar = {word.stem for match in pair.matched for word in match}
    placed = table.places & pair.old.surface and table.places & pair.new.surface
    return not placed and all(side - similar - table.light for side in own)


def _unseen(pair: _Pair, table: Table) -> bool:
    """Whether the new one has a word that is not compared and yet is no small one."""
    return bool(pair.new.uncompared - pair.old.stems - pair.old.uncompared - table.light)


def _repeated(pair: _Pair, table: Table) -> Relation:
    """The new one has no word and no number of its own."""
    if pair.left and _unseen(pair, table):
        return _substituted(pair, table)
    if len(pair.matched) < _HALF * len(pair.old.words):
        return Relation.DIFFERENT
    if pair.old.limiters != pair.new.limiters:
        return Relation.EXTENDS
    return Relation.SAME


def _extended(pair: _Pair) -> Relation:
    """Everything old stands in the new one, which says more."""
    begins = _first_matches(pair) or len(pair.matched) > 1
    return Relation.EXTENDS if begins else Relation.DIFFERENT


def _is_moved(pair: _Pair, table: Table) -> bool:
    """Whether one and the same thing is said to be in two places."""
    placed = table.places & pair.old.surface and table.places & pair.new.surface
    alone = len(pair.matched) == 1 and pair.matched[0][0].kind is not Kind.NAME
    few = len(pair.left) + len(pair.added) <= _MOVED
    return bool(placed) and alone and few and _first_matches(pair)


def _substituted(pair: _Pair, table: Table) -> Relation:
    """Both sides have something of their own: one value for another, or another matter."""
    if pair.new.ended and not pair.old.ended and pair.left and pair.added:
        return Relation.DIFFERENT
    numbered = pair.old.numbers - pair.new.numbers, pair.new.numbers - pair.old.numbers
    if pair.left and pair.added and not _is_small(pair) and any(numbered) != all(numbered):
        return Relation.DIFFERENT
    if any(word.kind is Kind.NAME for word in pair.left[:1]) and pair.left[0] == pair.old.words[0]:
        return Relation.DIFFERENT
    stems = {stem for one, _ in pair.matched for stem in (one.stem, flat(one.surface))}
    few = len(pair.left) <= 2 and len(pair.added) <= 2
    loose = bool(stems & table.loose) and not _is_small(pair)
    if few and not loose and _first_matches(pair) and stems & table.single:
        return Relation.CONTRADICTS
    if not stems & table.many and _is_moved(pair, table):
        return Relation.CONTRADICTS
    own = {stem for word in pair.left for stem in (word.stem, flat(word.surface))}
    if (stems | own) & table.many or not few or pair.coverage < _HALF or len(pair.matched) < 2:
        return Relation.DIFFERENT
    if not _is_small(pair) and pair.coverage <= _HALF:
        return Relation.DIFFERENT
    return Relation.CONTRADICTS if _first_matches(pair) else Relation.DIFFERENT
