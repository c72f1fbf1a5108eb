"""Cue phrases of all configured languages, found in one walk over a line's words (C3).

A cue says what kind of sentence a line is ("it failed", "from now on"). Phrases stand in
``locales/<lang>/audit.toml``; a line costs the same however many phrases there are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from locales import Languages, flat

_TOKEN = re.compile(
    r"\d+(?:[.,:]\d+)*|[^\W\d_]{1,12}-?\d+(?:[.,]\d+)*(?!\w)|[^\W\d_]+(?:/[^\W\d_]+)?(?:['’-][^\W\d_]+)*|[%→°€$£]+",
    re.UNICODE,
)
_GROUPED = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
NUMBER = "#"
MAYBE = "?"


class Token(NamedTuple):
    """A word, number or sign: as typed, flat (no case, no accents), and where it starts."""

    surface: str
    flat: str
    start: int

    @property
    def number(self) -> bool:
        """Whether this is written in digits."""
        return self.surface[0].isdigit()


Hits = Mapping[str, tuple[int, ...]]


@lru_cache(maxsize=2048)
def tokens(text: str) -> tuple[Token, ...]:
    """The words, numbers and signs of a text."""
    return tuple(Token(m.group(), flat(m.group()), m.start()) for m in _TOKEN.finditer(text))


def ungrouped(text: str) -> str:
    """The text with ``18 204`` written as one number."""
    return _GROUPED.sub("", text)


class _Phrase(NamedTuple):
    cue: str
    rest: tuple[str, ...]


class Lexicon:
    """All cues of some languages, ready to be read off a line."""

    def __init__(self, languages: Languages) -> None:
        """Index the phrases of ``[audit.cues]`` by their first word."""
        self._exact: dict[str, list[_Phrase]] = defaultdict(list)
        self._begun: dict[str, list[_Phrase]] = defaultdict(list)
        for grammar in languages.grammars:
            for cue, phrases in grammar.table("audit.cues").items():
                for phrase in phrases:
                    self._add(cue, flat(phrase).split())
        self._known: dict[str, tuple[_Phrase, ...]] = {}

    def read(self, line: Sequence[Token]) -> Hits:
        """Each cue with the positions at which one of its phrases starts."""
        hits: dict[str, tuple[int, ...]] = {}
        for at, token in enumerate(line):
            for phrase in self._starting(token):
                before = hits.get(phrase.cue, ())
                if before[-1:] != (at,) and _follows(line, at + 1, phrase.rest):
                    hits[phrase.cue] = (*before, at)
        return hits

    def _add(self, cue: str, words: list[str]) -> None:
        first, phrase = words[0], _Phrase(cue, tuple(words[1:]))
        if first.endswith("*"):
            self._begun[first[:-1]].append(phrase)
        else:
            self._exact[first].append(phrase)

    def _starting(self, token: Token) -> tuple[_Phrase, ...]:
        word = NUMBER if token.number else token.flat
        if word not in self._known:
            self._known[word] = tuple(self._lookup(word))
        return self._known[word]

    def _lookup(self, word: str) -> Iterator[_Phrase]:
        yield from self._exact.get(word, ())
        for end in range(2, len(word) + 1):
            yield from self._begun.get(word[:end], ())


def _follows(line: Sequence[Token], at: int, rest: Sequence[str]) -> bool:
    """Whether the words of ``rest`` stand from position ``at`` on."""
    if not rest:
        return True
    if rest[0] == MAYBE:
        return _follows(line, at, rest[1:]) or _follows(line, at + 1, rest[1:])
    return at < len(line) and _fits(line[at], rest[0]) and _follows(line, at + 1, rest[1:])


def _fits(token: Token, word: str) -> bool:
    if word == NUMBER:
        return token.number
    if word.endswith("*"):
        return token.flat.startswith(word[:-1])
    return token.flat == word
