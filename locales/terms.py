"""The words of a text as search compares them: what a text is found by, and what a question asks.

A word has several terms: its key in every configured language (lemma, then stem, then flat), and
itself without case and diacritics. So a question finds a text when they share one term a word,
whatever languages both are in (X2).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from locales.grammar import Grammar, flat
from locales.languages import Languages
from memory.folding import fold

_RUNS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,:/]\d+)*)"
    rf"|(?P<run>[{_RUNS}]+)"
    rf"|(?P<word>[^\W\d_{_RUNS}](?:[^\W\d_{_RUNS}]|[\u0300-\u036f])*"
    rf"(?:['’ʼ][^\W\d_{_RUNS}]+)*)"
    r"|(?P<sign>[^\s\w!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f])"
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LATIN = str.maketrans(
    dict(zip("абвгґдезіийклмнопрстуфыэ", "abvggdeziyjklmnoprstufye", strict=True))
    | {"є": "ie", "ж": "zh", "ї": "i", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch"}
    | {"ю": "iu", "я": "ia", "ё": "io", "ь": "", "ъ": ""}
)
_SPELLINGS = 4000
_LONGEST = 64


class Token(NamedTuple):
    """A word of a text: where it stands, what it is found by, and whether it says little."""

    start: int
    stop: int
    terms: tuple[str, ...]
    slight: bool


class Terms:
    """The terms of words in the configured languages; it may be shared between threads."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._stored = lru_cache(maxsize=50_000)(self._forms)
        self._asked = lru_cache(maxsize=2_000)(self._readings)
        self.version = "1 " + " ".join(languages.codes)

    def tokens(self, text: str) -> tuple[Token, ...]:
        """What a text is found by, in order; positions are those of ``text``."""
        return tuple(self._found(text, False))

    def asked(self, text: str) -> tuple[Token, ...]:
        """What a question asks for: as `tokens`, with every reading of a word without accents."""
        return tuple(self._found(text, True))

    def label(self, predicate: str) -> str:
        """What a predicate is called, and the words people ask for it with, in every language."""
        id, languages = f"predicate.{predicate}", self._languages
        catalogues = (languages.catalogue(code) for code in languages.codes)
        names = [catalogue.text(id) for catalogue in catalogues if id in catalogue.ids]
        tables = (grammar.table("find.facts") for grammar in languages.grammars)
        return " ".join([*names, *(str(table.get(predicate, "")) for table in tables)])

    def _found(self, text: str, asked: bool) -> Iterator[Token]:
        for match in _TOKEN.finditer(text):
            surface = unicodedata.normalize("NFKC", match.group())[:_LONGEST]
            if match.lastgroup == "run":
                yield from _pairs(surface, match.start(), asked)
            elif match.lastgroup == "word":
                terms, slight = (self._asked if asked else self._stored)(surface)
                yield Token(*match.span(), terms, slight)
            else:
                yield Token(*match.span(), (surface.replace(",", "."),), False)

    def _forms(self, word: str) -> tuple[tuple[str, ...], bool]:
        """The terms of a word in a text, and whether some language calls it a stop word."""
        grammars = self._languages.grammars
        stems = (grammar.stem(word) for grammar in grammars)
        found = dict.fromkeys(filter(None, (fold(word), *stems)))
        latin = dict.fromkeys(t.translate(_LATIN) for t in found if _CYRILLIC.search(t))
        return (*found, *latin), any(_is_slight(word, grammar) for grammar in grammars)

    def _readings(self, word: str) -> tuple[tuple[str, ...], bool]:
        """The same for a word of a question."""
        terms, slight = self._stored(word)
        more = (stem for grammar in self._languages.grammars for stem in _accented(word, grammar))
        return tuple(dict.fromkeys((*terms, *more))), slight


def _is_slight(word: str, grammar: Grammar) -> bool:
    """Whether a word says little in a search; a preposition does, though a text needs it."""
    return grammar.is_stop(word) or flat(word) in grammar.words("find.slight")


def _accented(word: str, grammar: Grammar) -> Iterator[str]:
    """The stems of every known word that ``word`` is without its diacritics."""
    plain = flat(word)
    rows = {row[0]: row for row in grammar.table("lexicon").get("accents", ())}
    choices = [rows.get(char, char) for char in plain]
    if not rows or not word.isascii() or prod(map(len, choices)) > _SPELLINGS:
        return
    for letters in product(*choices):
        spelling = "".join(letters)
        if spelling != plain and _known(spelling, grammar.code):
            yield grammar.stem(spelling)


def _known(word: str, code: str) -> bool:
    from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

    return DEFAULT_DICTIONARY_FACTORY.get_dictionary(code).get(word) is not None


def _pairs(run: str, start: int, asked: bool) -> Iterator[Token]:
    """Pairs of characters, and the single ones of a text."""
    for i in range(max(1, len(run) - 1)):
        pair = run[i : i + 2]
        single = () if asked and len(run) > 1 else tuple(pair)
        yield Token(start + i, start + i + len(pair), tuple(dict.fromkeys((pair, *single))), False)
