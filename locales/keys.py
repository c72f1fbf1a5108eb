"""The one key function: what duplicates, audit and search compare instead of words (K8, X2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from locales.grammar import Grammar, flat

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,:/]\d+)*)"
    r"|(?P<han>[\u3400-\u9fff]+)"
    r"|(?P<word>[^\W\d_\u3400-\u9fff]+(?:['’ʼ][^\W\d_]+)*)"
    r"|(?P<sign>[%€$£°])"
)


class Kind(StrEnum):
    """What a key is made from."""

    WORD = "word"
    NUMBER = "number"
    NAME = "name"
    LIMITER = "limiter"
    NEGATION = "negation"


class Key(NamedTuple):
    """One comparable token: ``stem`` to compare, ``surface`` as typed."""

    stem: str
    surface: str
    kind: Kind


def keys(text: str, grammar: Grammar) -> tuple[Key, ...]:
    """The keys of a text in order: lemma, then stem, then flat; stop words are dropped.

    Numbers, units, limiters ("only") and negations stay. Chinese gives pairs of characters.
    """
    return tuple(_keys(text, grammar))


def polarity(text: str, grammar: Grammar) -> frozenset[str]:
    """The stems that the text denies; "" stands for a negation with nothing after it.

    A word negated by its prefix denies its own stem, a free negation denies the next content
    word's. Two texts with the same keys and other polarities say opposite things.
    """
    return polarity_of(keys(text, grammar), grammar)


def polarity_of(found: Iterable[Key], grammar: Grammar) -> frozenset[str]:
    """The polarity of a text by its keys."""
    denied: set[str] = set()
    open_negation = False
    for key in found:
        if key.kind is Kind.NEGATION:
            open_negation = True
        elif open_negation or _prefixed(key.surface, grammar):
            denied.add(key.stem)
            open_negation = False
    return frozenset(denied | {""}) if open_negation else frozenset(denied)


def _keys(text: str, grammar: Grammar) -> Iterator[Key]:
    first = True
    for match in _TOKEN.finditer(text):
        surface = match.group()
        if match.lastgroup == "number":
            yield Key(surface.replace(",", "."), surface, Kind.NUMBER)
        elif match.lastgroup == "han":
            yield from _pairs(surface)
        elif match.lastgroup == "sign":
            yield Key(surface, surface, Kind.WORD)
        else:
            yield from _word(surface, grammar, first)
        first = False


def _pairs(run: str) -> Iterator[Key]:
    for i in range(max(1, len(run) - 1)):
        yield Key(run[i : i + 2], run[i : i + 2], Kind.WORD)


def _word(surface: str, grammar: Grammar, first: bool) -> Iterator[Key]:
    plain = flat(surface)
    if _negates(plain, grammar):
        yield Key(plain, surface, Kind.NEGATION)
    elif plain in grammar.words("lexicon.limiters"):
        yield Key(plain, surface, Kind.LIMITER)
    elif plain in grammar.words("lexicon.numerals"):
        yield Key(grammar.stem(surface), surface, Kind.NUMBER)
    elif not grammar.is_stop(surface):
        named = surface[0].isupper() and (not first or grammar.lemma(surface) == surface.lower())
        yield Key(grammar.stem(surface), surface, Kind.NAME if named else Kind.WORD)


def _negates(plain: str, grammar: Grammar) -> bool:
    return plain in grammar.words("lexicon.negations") or plain.endswith("n't")


def _prefixed(surface: str, grammar: Grammar) -> bool:
    plain = flat(surface)
    prefixes = grammar.words("lexicon.negation_prefixes")
    return any(
        plain.startswith(prefix) and not flat(grammar.lemma(surface)).startswith(prefix)
        for prefix in prefixes
    )
