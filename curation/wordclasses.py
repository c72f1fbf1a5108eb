"""Words of all languages by class, found in one pass: what a danger is made of (T2, T5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from locales import Grammar, flat
from locales.grammar import alternation

_WORD = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)(?=\s*(\S?))")
_CJK = re.compile(r"[\u2e80-\u9fff]+")
_BORDER = re.compile(r"[.!?;。！？；](?=\s|$)|[。！？；\n]")
_SIGNS = frozenset(".!?;。！？；")
_SHORTEST_PREFIX = 2
_LONGEST_CJK = 9
_MOST = 60

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a class; ``text`` is "" for a single word that is looked up.

    ``sign`` is the first character of what follows the first word in it.
    """

    language: str
    name: str
    text: str = ""
    sign: str = ""


@dataclass(slots=True)
class Index:
    """First words, beginnings of first words, and Chinese phrases, each with their classes.

    Of a first word only those phrases are tried that go on as the text does: ``words`` holds
    them by the character that comes next, those of one word under "" and under each.
    """

    words: dict[str, dict[str, list[Phrase]]] = field(default_factory=dict)
    prefixes: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    signs: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))


Found = Mapping[str, Mapping[str, list[Span]]]


@lru_cache(maxsize=16)
def index(guards: tuple[Grammar, ...]) -> Index:
    """The classes of every language in one index."""
    made, firsts = Index(), defaultdict[str, list[Phrase]](list)
    for grammar in guards:
        for name, phrases in grammar.table("safety.classes").items():
            for phrase in phrases:
                _enter(made, firsts, Phrase(grammar.code, name, flat(phrase)))
    for head, phrases in firsts.items():
        made.words[head] = {
            sign: [phrase for phrase in phrases if phrase.sign in ("", sign)]
            for sign in {"", *(phrase.sign for phrase in phrases)}
        }
    return made


@lru_cache(maxsize=4)
def classes(plain: str, guards: tuple[Grammar, ...]) -> Found:
    """Language -> class -> spans in the flat text, in order; kept while one text is looked at."""
    known = index(guards)
    found: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    candidates: dict[tuple[str, str], list[Phrase]] = {}
    for match in _WORD.finditer(plain):
        said = match[1], match[2]
        if said not in candidates:
            candidates[said] = [*_candidates(*said, known)]
        for phrase in candidates[said]:
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
    borders = _borders(plain)
    after = bisect_left(borders, span[1])
    stop = borders[after] if after < len(borders) else len(plain)
    if plain[span[0] - 1 : span[0]] in _SIGNS:
        return span[0], stop
    before = bisect_left(borders, span[0])
    return borders[before - 1] + 1 if before else 0, stop


@lru_cache(maxsize=4)
def _borders(plain: str) -> list[int]:
    """Where the signs stand that part sentences."""
    return [match.start() for match in _BORDER.finditer(plain)]


def within(spans: Sequence[Span], around: Span) -> list[Span]:
    """Those of the spans that lie in another span."""
    return [span for span in spans if around[0] <= span[0] and span[1] <= around[1]]


def _candidates(word: str, sign: str, known: Index) -> Iterator[Phrase]:
    by_sign = known.words.get(word)
    if by_sign:
        yield from by_sign.get(sign) or by_sign[""]
    for end in range(_SHORTEST_PREFIX, len(word) + 1):
        yield from known.prefixes.get(word[:end], ())


def _enter(made: Index, firsts: dict[str, list[Phrase]], phrase: Phrase) -> None:
    text = phrase.text
    if _CJK.match(text):
        made.signs[text].append(replace(phrase, text=""))
        return
    first = text.split()[0]
    word = _WORD.match(first)
    head = word.group() if word else first
    single = text.rstrip("*") == head
    sign = "" if single else text.removeprefix(head).lstrip()[0]
    table = made.prefixes if first == head + "*" else firsts
    table[head].append(replace(phrase, text="" if single else text, sign=sign))


@lru_cache(maxsize=4096)
def _pattern(phrase: str) -> re.Pattern[str]:
    """The pattern of a phrase, made when its first word is met for the first time."""
    return re.compile(alternation([phrase]))
