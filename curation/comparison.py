"""An entry as it is compared with others: its content words, numbers, limits and denials (K8)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from curation.phrasing import bare
from locales.grammar import NEVER, Grammar, flat
from locales.keys import Key, Kind, keys, polarity_of

_HAN = re.compile("([\u3400-\u9fff])")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_LETTER = re.compile(r"(?<![\w.'-])[^\W\d_\u3400-\u9fff](?![\w.'-])")
PREFIX = 4
_SHORTEST = 3
_PREPARED = 30_000


@dataclass(frozen=True, slots=True)
class Table:
    """The compiled table ``duplicates`` of a language; stems and flat words."""

    synonyms: dict[str, str]
    values: dict[str, str]
    many: frozenset[str]
    single: frozenset[str]
    loose: frozenset[str]
    light: frozenset[str]
    weak: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    negations: frozenset[str]
    prefixes: frozenset[str]
    ended: re.Pattern[str]
    letters: frozenset[str]
    small: frozenset[str]
    comparing: frozenset[str]
    places: frozenset[str]
    counterparts: frozenset[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as it is compared: content words in order, numbers, limits, what it denies."""

    words: tuple[Key, ...]
    numbers: Counter[str]
    limiters: frozenset[str]
    denied: frozenset[str]
    surface: frozenset[str]
    ended: bool
    opening: str = ""
    uncompared: frozenset[str] = frozenset()

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words that are compared."""
        return frozenset(word.stem for word in self.words)

    @property
    def buckets(self) -> frozenset[str]:
        """What an inverted index finds this entry by."""
        return frozenset(word.stem[:PREFIX] for word in self.words) | {
            "#" + number for number in self.numbers
        }


@lru_cache(maxsize=32)
def vocabulary(grammar: Grammar) -> Table:
    """The compiled tables of a language; made once."""
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

    return Table(
        synonyms,
        values,
        stems_of("many"),
        stems_of("single"),
        stems_of("loose"),
        stems_of("light"),
        frozenset(map(flat, table.get("weak_limiters", ()))),
        tuple((a, b) for a, b in (flat(row).split() for row in table.get("opposites", ()))),
        grammar.words("lexicon.negations"),
        grammar.words("lexicon.negation_prefixes"),
        re.compile(rf"(?<!\w)(?:{ended})(?!\w)") if ended else NEVER,
        frozenset(map(flat, table.get("letters", ()))),
        frozenset(
            word for row in grammar.table("rewrite").get("small", ()) for word in flat(row).split()
        )
        | grammar.words("rewrite.prepositions"),
        grammar.words("duplicates.comparing"),
        grammar.words("duplicates.places"),
        frozenset(frozenset(flat(row).split()) for row in table.get("opposites", ())),
    )


@lru_cache(maxsize=_PREPARED)
def prepare(text: str, grammar: Grammar) -> Prepared:
    """What of an entry is compared in the grammar of a language; remembered for many entries."""
    table = vocabulary(grammar)
    spaced = _HAN.sub(r" \1 ", text)
    words, numbers, limiters = [], Counter[str](), set()
    found = keys(spaced, grammar)
    denied = {table.synonyms.get(stem, stem) for stem in polarity_of(found, grammar)}
    for key in found:
        plain = flat(key.surface)
        if plain in table.values or key.kind is Kind.NUMBER:
            numbers[table.values.get(plain) or table.values.get(key.stem, key.stem)] += 1
        elif key.kind is Kind.LIMITER:
            limiters |= {plain} - table.weak
        elif key.kind is not Kind.NEGATION and not _is_light(key, plain, table):
            stem = _affirmed(key, grammar, table)
            denied |= {stem} - {key.stem}
            words.append(key._replace(stem=table.synonyms.get(stem, stem)))
    if table.letters:
        numbers |= Counter(set(_LETTER.findall(flat(spaced))) - table.letters)
    return Prepared(
        tuple(words),
        numbers,
        frozenset(limiters),
        frozenset(denied),
        frozenset(_WORD.findall(flat(spaced))),
        bool(table.ended.search(flat(text))),
        next(iter(_WORD.findall(flat(spaced))), ""),
        _uncompared(spaced, words, grammar, table),
    )


def _uncompared(text: str, words: Sequence[Key], grammar: Grammar, table: Table) -> frozenset[str]:
    """The stems of words that are no keys, and yet are neither small nor light nor numbers."""
    seen = {flat(word.surface) for word in words} | table.small | table.negations
    found = (w for w in _WORD.findall(text) if w.isalpha() and len(w) >= _SHORTEST)
    stems = (grammar.stem(w) for w in found if flat(w) not in seen and flat(w) not in table.values)
    return frozenset(table.synonyms.get(stem, stem) for stem in stems) - table.light


def _affirmed(key: Key, grammar: Grammar, table: Table) -> str:
    """The stem without a negating prefix that the dictionary did not see through."""
    lower = key.surface.lower()
    if grammar.lemma(lower) != lower:
        return key.stem
    for prefix in table.prefixes:
        rest = lower.removeprefix(prefix)
        if rest != lower and len(rest) >= _SHORTEST and grammar.lemma(rest) != rest:
            return grammar.stem(rest)
    return key.stem


def _is_light(key: Key, plain: str, table: Table) -> bool:
    return key.kind is Kind.WORD and (key.stem in table.light or plain in table.light)
