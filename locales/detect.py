"""The language of a short text: n-gram profiles, stop words, script and a prior (L2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import pairwise
from math import log

from langdetect.detector_factory import DetectorFactory
from langdetect.utils.lang_profile import LangProfile

from locales.grammar import Grammar, flat

_SCALE = 0.22
_STOP_WEIGHT = 2.2
_ALPHA = 0.5 / 10_000
_PRIOR = 0.6
_HEARD = 0.9
_MARGIN = 0.15
_PROFILES = {"zh": "zh-cn"}
_SCRIPTS = {"zh": re.compile(r"[\u3400-\u9fff]"), "uk": re.compile(r"[\u0400-\u04ff]")}
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_ACCENTED = re.compile(r"[\u00df-\u024f]")
_FOREIGN_LETTER = 1.5
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ][^\W\d_]+)*")


class Detector:
    """Scores a text against langdetect's public n-gram tables of the given languages only."""

    def __init__(self, grammars: Sequence[Grammar]) -> None:
        """Read the profiles of ``grammars``; nothing else of langdetect is used."""
        self._grammars = tuple(grammars)
        self._alphabets = ["".join(g.table("lexicon").get("letters", [])) for g in grammars]
        self._shares = _profiles([grammar.code for grammar in grammars])
        self._telling = _telling([grammar.stop_words for grammar in grammars])

    def detect(self, text: str, hints: Mapping[str, float] | str = "") -> str:
        """The code of the likeliest language, "" when the text gives no evidence.

        ``hints`` is Telegram's language code, or weights by code of what was heard from the
        person, such as the words before the text; those are trusted more.
        """
        candidates = self._fitting(text)
        if len(candidates) < 2 or not _WORD.search(text):
            return self._grammars[candidates[0]].code if candidates else ""
        scores = self._scores(text, _priors(hints, [g.code for g in self._grammars]))
        ranked = sorted(candidates, key=lambda i: scores[i], reverse=True)
        if not hints and scores[ranked[0]] - scores[ranked[1]] < _MARGIN:
            return ""
        return self._grammars[ranked[0]].code

    def _fitting(self, text: str) -> list[int]:
        """The languages whose script the text is mostly written in."""
        counts: dict[str, float] = {
            code: len(script.findall(text)) for code, script in _SCRIPTS.items()
        }
        counts[""] = len(_LATIN.findall(text)) / 2
        most = max(counts, key=lambda code: counts[code])
        if not counts[most]:
            return []
        return [
            i
            for i, grammar in enumerate(self._grammars)
            if (grammar.code == most if most else grammar.code not in _SCRIPTS)
        ]

    def _scores(self, text: str, priors: list[float]) -> list[float]:
        lower = text.lower()
        plain = flat(lower)
        weights = self._folded if plain == lower else self._weights
        found = filter(None, map(weights.get, _grams(lower)))
        scores: list[float] = [sum(column) for column in zip(priors, *found, strict=True)]
        for word in _WORD.findall(plain):
            for i, telling in enumerate(self._telling):
                scores[i] += _STOP_WEIGHT * (word in telling)
        for letter in _ACCENTED.findall(lower):
            for i, foreign in enumerate(self._alphabets):
                scores[i] -= _FOREIGN_LETTER * (letter not in foreign)
        return scores

    @cached_property
    def _weights(self) -> dict[str, tuple[float, ...]]:
        """What an n-gram counts for each language."""
        return _weights(self._shares)

    @cached_property
    def _folded(self) -> dict[str, tuple[float, ...]]:
        """The weights of n-grams summed over their spelling without diacritics."""
        folded: dict[str, list[float]] = {}
        for gram, shares in self._shares.items():
            row = folded.setdefault(flat(gram), [0.0] * len(shares))
            row[:] = [old + new for old, new in zip(row, shares, strict=True)]
        return _weights(folded)


def _profiles(codes: Sequence[str]) -> dict[str, list[float]]:
    factory = DetectorFactory()
    folder = files("langdetect") / "profiles"
    for index, code in enumerate(codes):
        source = (folder / _PROFILES.get(code, code)).read_text(encoding="utf-8")
        factory.add_profile(LangProfile(**json.loads(source)), index, len(codes))
    table: dict[str, list[float]] = factory.word_lang_prob_map
    return table


def _weights(shares: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    return {
        gram: tuple(_SCALE * log((_ALPHA + share) / _ALPHA) for share in row)
        for gram, row in shares.items()
    }


def _telling(stop_words: Sequence[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """The stop words of each language that not all of them share."""
    shared = frozenset.intersection(*stop_words) if len(stop_words) > 1 else frozenset()
    return tuple(words - shared for words in stop_words)


def _priors(hints: Mapping[str, float] | str, codes: Sequence[str]) -> list[float]:
    trust = _PRIOR if isinstance(hints, str) else _HEARD
    if isinstance(hints, str):
        hints = {hints.split("-")[0].lower(): 1.0} if hints else {}
    total = sum(hints.get(code, 0.0) for code in codes)
    if not total:
        return [0.0] * len(codes)
    rest = (1 - trust) / len(codes)
    return [log(rest + trust * hints.get(code, 0.0) / total) for code in codes]


def _grams(lower: str) -> Iterator[str]:
    for word in _WORD.findall(lower):
        padded = f" {word} "
        yield from word
        yield from map("".join, pairwise(padded))
        yield from map("".join, zip(padded, padded[1:], padded[2:], strict=False))
