"""Words of all languages by class, found in one pass: what a danger is made of (T2, T5)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from locales import Grammar, flat
from locales.grammar import alternation

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CJK = re.compile(r"[\u2e80-\u9fff]+")
_BORDER = re.compile(r"[.!?;。！？；](?:\s|$)|[。！？；\n]")
_SHORTEST_PREFIX = 2
_LONGEST_CJK = 9
_MOST = 60

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a class; ``text`` is "" for a single word that is looked up."""

    language: str
    name: str
    text: str = ""


@dataclass(slots=True)
class Index:
    """First words, beginnings of first words, and Chinese phrases, each with their classes."""

    words: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    prefixes: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    signs: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))


Found = Mapping[str, Mapping[str, list[Span]]]


@lru_cache(maxsize=16)
def index(guards: tuple[Grammar, ...]) -> Index:
    """The classes of every language in one index."""
    made = Index()
    for grammar in guards:
        for name, phrases in grammar.table("safety.classes").items():
            for phrase in phrases:
                _enter(made, grammar.code, name, flat(phrase))
    return made


@lru_cache(maxsize=4)
def classes(plain: str, guards: tuple[Grammar, ...]) -> Found:
    """Language -> class -> spans in the flat text, in order; kept while one text is looked at."""
    known = index(guards)
    found: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for match in _WORD.finditer(plain):
        for phrase in _candidates(match.group(), known):
            whole = _pattern(phrase.text).match(plain, match.start()) if phrase.text else match
            if whole:
                found[phrase.language][phrase.name].append(whole.span())
    for match in _CJK.finditer(plain):
        for start in range(match.start(), match.end()):
            for end in range(start + 1, min(match.end(), start + _LONGEST_CJK) + 1):
                for phrase in known.signs.get(plain[start:end], ()):
                    found[phrase.language][phrase.name].append((start, end))
    return found


def meet(plain: str, first: Sequence[Span], second: Sequence[Span], gap: int) -> Span | None:
    """Where two classes stand in one sentence, at most ``gap`` characters apart, in order."""
    for a in first[:_MOST]:
        for b in second[:_MOST]:
            between = b[0] - a[1]
            if 0 <= between <= gap and not _BORDER.search(plain, a[1], b[0]):
                return a[0], b[1]
    return None


def near(plain: str, first: Sequence[Span], second: Sequence[Span], gap: int) -> Span | None:
    """Like :func:`meet`, in either order."""
    return meet(plain, first, second, gap) or meet(plain, second, first, gap)


def sentence(plain: str, span: Span) -> Span:
    """The sentence around a span."""
    start = max((m.end() for m in _BORDER.finditer(plain, 0, span[0])), default=0)
    following = _BORDER.search(plain, span[1])
    return start, following.start() if following else len(plain)


def within(spans: Sequence[Span], around: Span) -> list[Span]:
    """Those of the spans that lie in another span."""
    return [span for span in spans if around[0] <= span[0] and span[1] <= around[1]]


def _candidates(word: str, known: Index) -> Iterator[Phrase]:
    yield from known.words.get(word, ())
    for end in range(_SHORTEST_PREFIX, len(word) + 1):
        yield from known.prefixes.get(word[:end], ())


def _enter(made: Index, language: str, name: str, phrase: str) -> None:
    if _CJK.match(phrase):
        made.signs[phrase].append(Phrase(language, name))
        return
    first = phrase.split()[0]
    word = _WORD.match(first)
    head = word.group() if word else first
    single = phrase.rstrip("*") == head
    table = made.prefixes if first == head + "*" else made.words
    table[head].append(Phrase(language, name, "" if single else phrase))


@lru_cache(maxsize=4096)
def _pattern(phrase: str) -> re.Pattern[str]:
    """The pattern of a phrase, made when its first word is met for the first time."""
    return re.compile(alternation([phrase]))
