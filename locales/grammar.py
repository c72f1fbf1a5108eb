"""The grammar of one language: word lists, phrase patterns, lemmas and stems from its folder."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, product
from math import prod
from pathlib import Path
from typing import Any

BEFORE = r"(?<![^\W\u2e80-\u9fff])"
"""Where a word may begin: behind no letter and no digit, or behind a Chinese sign."""

_AFTER = r"(?![^\W\u2e80-\u9fff])"
NEVER = re.compile(r"(?!)")
_LETTERS = {"ł": "l", "đ": "d", "ø": "o", "ı": "i", "’": "'", "ʼ": "'", "`": "'", "´": "'"}
_STEMMERS = {
    "cs": "czech",
    "sk": "czech",
    "en": "english",
    "de": "german",
    "pl": "polish",
    "es": "spanish",
}
_ACCENT_TRIES = 3000
_SIGNS = {"*": r"\w{0,40}", " ": r"\s+"}
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)


class _Flat(dict[int, str]):
    """Translation table filled while it is used: a character's base letter in lower case."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        lower = char.lower()
        base = unicodedata.normalize("NFD", lower)[0] if len(lower) == 1 else char
        self[code] = _LETTERS.get(base, base)
        return self[code]


_FLAT = _Flat()


def flat(text: str) -> str:
    """``text`` in lower case without diacritics, **character for character** as long as it.

    A position in the result is the same position in ``text``; so matches found here can be cut
    out there. Give NFC text: a combining mark that stands alone stays a character.
    """
    return text.lower().replace("`", "'") if text.isascii() else text.translate(_FLAT)


def alternation(phrases: Iterable[str]) -> str:
    """A regular expression for flat text that matches any of the phrases as whole words.

    ``*`` at the end of a word stands for any ending, a blank for any blanks; longest first.
    Phrases share their borders and their common beginnings, so that few are tried at a position.
    """
    groups: dict[tuple[str, str], list[Sequence[str]]] = {}
    for phrase in sorted({flat(phrase) for phrase in phrases}, key=lambda p: (-len(p), p)):
        body = [_SIGNS.get(char) or re.escape(char) for char in phrase]
        before = BEFORE if _bounded(phrase[0]) else ""
        after = _AFTER if _bounded(phrase[-1]) or phrase[-1] == "*" else ""
        groups.setdefault((before, after), []).append(body)
    joined = (f"{a}{_shared(bodies)}{b}" for (a, b), bodies in groups.items())
    return f"(?:{'|'.join(joined)})" if groups else "(?!)"


def _shared(bodies: Sequence[Sequence[str]]) -> str:
    """Sequences of expressions as one in which common beginnings stand once."""
    tails: dict[str, list[Sequence[str]]] = {}
    for body in filter(None, bodies):
        tails.setdefault(body[0], []).append(body[1:])
    if not tails:
        return ""
    branches = [head + _shared(rest) for head, rest in tails.items()]
    joined = branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
    return joined if all(bodies) else f"(?:{joined})?"


def _bounded(char: str) -> bool:
    return char.isalnum() and not "\u2e80" <= char <= "\u9fff"


class Grammar:
    """What a language's ``*.toml`` files say, with lookups that ignore case and diacritics.

    Names are dotted paths into the merged tables: ``words("lexicon.limiters")``.
    """

    def __init__(self, code: str, folder: Path) -> None:
        """Merge every ``*.toml`` of ``folder``; raises ValueError when two define one table."""
        self.code = code
        self._tables = _merged(folder)
        self._words: dict[str, frozenset[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        self.lemma = lru_cache(maxsize=20_000)(self._lemma)
        self.stem = lru_cache(maxsize=20_000)(self._stem)

    def table(self, name: str) -> Mapping[str, Any]:
        """The raw table at a dotted path; empty when the language has none."""
        found = self._find(name)
        return found if isinstance(found, dict) else {}

    def words(self, name: str) -> frozenset[str]:
        """The flat words of the list at a dotted path; empty when there is none."""
        if name not in self._words:
            self._words[name] = frozenset(flat(word) for word in self._list(name))
        return self._words[name]

    def phrases(self, name: str) -> re.Pattern[str]:
        """A pattern for flat text that finds any phrase of the list; one that never matches."""
        key = "phrases:" + name
        if key not in self._patterns:
            self._patterns[key] = re.compile(alternation(self._list(name)))
        return self._patterns[key]

    def patterns(self, name: str) -> re.Pattern[str]:
        """The regular expressions of the list as one alternation for flat text.

        ``<name>`` in an expression stands for the expression ``name`` in the table
        ``expressions`` of the same top-level table, or the phrases of the list ``name`` in its
        ``lists`` or in ``lexicon``; accents in expressions are taken off.
        """
        if name not in self._patterns:
            top = name.split(".")[0]
            sources = [self._expand(_bare(source), top) for source in self._list(name)]
            self._patterns[name] = re.compile(together(sources)) if sources else NEVER
        return self._patterns[name]

    def is_stop(self, word: str) -> bool:
        """Whether ``word`` carries no content; numerals, negations and limiters always do."""
        return flat(word) in self.stop_words and (
            flat(self.lemma(word)) not in self.words("lexicon.content")
        )

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The flat stop words of the language."""
        import stopwordsiso

        listed = stopwordsiso.stopwords(self.code) if stopwordsiso.has_lang(self.code) else set()
        kept = ("numerals", "negations", "limiters", "content")
        return frozenset(flat(word) for word in listed).union(
            self.words("lexicon.function")
        ) - frozenset().union(*(self.words(f"lexicon.{name}") for name in kept))

    def _find(self, name: str) -> Any:
        found: Any = self._tables
        for step in name.split("."):
            found = found.get(step) if isinstance(found, dict) else None
        return found

    def _list(self, name: str) -> list[str]:
        found = self._find(name)
        return found if isinstance(found, list) else []

    def _expand(self, source: str, top: str) -> str:
        def fill(match: re.Match[str]) -> str:
            name = match.group(1)
            expression = self._find(f"{top}.expressions.{name}")
            if isinstance(expression, str):
                return "(?:" + self._expand(_bare(expression), top) + ")"
            phrases = self._list(f"{top}.lists.{name}") or self._list(f"lexicon.{name}")
            if not phrases:
                raise ValueError(f"{self.code}: no list <{name}> for {source!r}")
            return alternation(phrases)

        return re.sub(r"(?<!\?)<(\w+)>", fill, source)

    def _lemma(self, word: str) -> str:
        """The dictionary form of a word in lower case; the word itself when it is unknown."""
        if self.code == "zh":
            return word.lower()
        import simplemma

        lower = word.lower()
        found = simplemma.lemmatize(lower, lang=self.code)
        if found == lower and word != lower:
            found = simplemma.lemmatize(word, lang=self.code)
        if found.lower() == lower and lower.isascii():
            found = self._accented(lower) or found
        return found.lower()

    def _accented(self, word: str) -> str:
        """The lemma of the first known word that ``word`` is without its diacritics, or ""."""
        from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

        accents = self._list("lexicon.accents")
        choices = [next((row for row in accents if row[0] == char), char) for char in word]
        if not accents or prod(map(len, choices)) > _ACCENT_TRIES:
            return ""
        known = DEFAULT_DICTIONARY_FACTORY.get_dictionary(self.code)
        spellings = ("".join(letters) for letters in product(*choices))
        return next((found for spelling in spellings if (found := known.get(spelling))), "")

    def _stem(self, word: str) -> str:
        """Lemma, then Snowball stem where the language has one, then flat."""
        lemma = self.lemma(word)
        return flat(self._snowball.stemWord(lemma) if self._snowball else lemma)

    @cached_property
    def _snowball(self) -> Any:
        import snowballstemmer

        name = _STEMMERS.get(self.code)
        return snowballstemmer.stemmer(name) if name else None


def _merged(folder: Path) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for path in sorted(folder.glob("*.toml")):
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        twice = tables.keys() & read.keys()
        if twice:
            raise ValueError(f"{path}: table {sorted(twice)} stands in another file too")
        tables |= read
    return tables


def together(sources: Iterable[str]) -> str:
    """Expressions as one alternation, in order; neighbours share the border they begin at."""
    branches = (branch for source in sources for branch in _branches(source))
    runs = ((edge, list(run)) for edge, run in groupby(branches, _edge))
    return "|".join(
        f"{edge}(?:{'|'.join(branch.removeprefix(edge) for branch in run)})" for edge, run in runs
    )


def _branches(source: str) -> Iterator[str]:
    """The alternatives of an expression that stand in no bracket."""
    depth = start = 0
    for piece in _PIECE.finditer(source):
        depth += {"(": 1, ")": -1}.get(piece.group(), 0)
        if piece.group() == "|" and not depth:
            yield source[start : piece.start()]
            start = piece.end()
    yield source[start:]


def _edge(branch: str) -> str:
    return next((edge for edge in (r"\b", "^") if branch.startswith(edge)), "")


def _bare(source: str) -> str:
    decomposed = unicodedata.normalize("NFD", source)
    return unicodedata.normalize(
        "NFC", "".join(_LETTERS.get(c, c) for c in decomposed if not unicodedata.combining(c))
    )
