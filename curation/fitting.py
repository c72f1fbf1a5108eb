"""Which place of a document fits a new entry best, by the words they share; pure (T6, T13, S3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from locales import Grammar, flat
from locales.keys import Kind, keys

_TITLE, _ENTRY, _WORD = 3.0, 1.0, 0.5
_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """A place by its title and the entries that stand in it."""

    title: str
    entries: tuple[str, ...] = ()


def ranked(
    entry: str, spots: Sequence[Spot], grammar: Grammar, words: Collection[str] = ()
) -> tuple[int, ...]:
    """The indexes of the spots, best first; equal ones in their order.

    A word in the title counts more than one in an entry. ``words`` are flat words that mark the
    right kind of place in a title.
    """
    scores = _scores(entry, spots, grammar, words)
    return tuple(sorted(range(len(spots)), key=lambda i: (-scores[i], i)))


def fitting(
    entry: str, spots: Sequence[Spot], grammar: Grammar, words: Collection[str] = ()
) -> tuple[int, ...]:
    """As `ranked`, without the spots that have nothing in common with the entry."""
    scores = _scores(entry, spots, grammar, words)
    return tuple(i for i in ranked(entry, spots, grammar, words) if scores[i])


def _scores(
    entry: str, spots: Sequence[Spot], grammar: Grammar, words: Collection[str]
) -> list[float]:
    wanted = _stems(entry, grammar)
    return [_score(wanted, spot, grammar, words) for spot in spots]


def _score(wanted: frozenset[str], spot: Spot, grammar: Grammar, words: Collection[str]) -> float:
    title = len(wanted & _stems(spot.title, grammar))
    shared = (len(wanted & _stems(line, grammar)) for line in spot.entries[:_MOST_LINES])
    return _TITLE * title + _ENTRY * max(shared, default=0) + _WORD * names(spot.title, words)


def names(title: str, words: Collection[str]) -> bool:
    """Whether a title has one of these flat words; one of a script without blanks anywhere."""
    plain = flat(title)
    tokens = {token.strip(".,:;()&/<!->") for token in plain.replace("/", " ").split()}
    return any(word in tokens or (not word.isascii() and word in plain) for word in words)


def _stems(text: str, grammar: Grammar) -> frozenset[str]:
    kinds = (Kind.WORD, Kind.NAME)
    return frozenset(key.stem for key in keys(text, grammar) if key.kind in kinds)
