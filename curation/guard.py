"""What must survive a rewrite, by rules or by a model, as one table of checks (K6)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from curation.filler import essence
from curation.phrasing import LEAST_WORDS, MOST_WORDS, Style, bare, count, one_line, pictures, style
from locales.grammar import NEVER, Grammar, flat
from locales.keys import polarity

_NUMBER = re.compile(r"\d+(?:[.,:/×x-]\d+)*")
_UNIT = re.compile(r"(\d)\s?([%‰°€$£]\w?|[^\W\d_]{1,5})(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:['.@_-]?[^\W_]+)*")
_QUOTED = re.compile('"([^"]+)"|„([^“”"]+)[“”"]|“([^”]+)”|«([^»]+)»|(?<!\\w)\'([^\']{2,})\'(?!\\w)')
_ADDRESS = re.compile(r"\w[@.]\w{2,}")
_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*|[-*•]\s+)[\"'„“(]*$")
LENGTH = "length"
_STEM = 4
_SLACK = 12


@dataclass(frozen=True)
class _Words:
    """The compiled table ``guard`` of a language."""

    negation: re.Pattern[str]
    limiter: re.Pattern[str]
    direction: re.Pattern[str]
    dates: re.Pattern[str]
    numerals: re.Pattern[str]
    added: frozenset[str]
    units: frozenset[str]
    swap: dict[str, str]


@lru_cache(maxsize=32)
def _words(grammar: Grammar) -> _Words:
    table = grammar.table("guard")

    def some(name: str, frame: str = r"(?<![\w'-])(?:{})(?![\w'-])") -> re.Pattern[str]:
        joined = "|".join(map(bare, table.get(name, ())))
        return re.compile(frame.replace("{}", joined)) if joined else NEVER

    prefix = table.get("negated_prefix", "")
    not_negation = "|".join(map(bare, table.get("not_negation", ()))) or "(?!)"
    free = "|".join(map(bare, table.get("negation", ())))
    prefixed = rf"|{prefix}\w{{3,}}" if prefix else ""
    negation = rf"(?<![\w-])(?!(?:{not_negation})(?![\w-]))(?:{free}{prefixed})(?![\w-])"
    return _Words(
        re.compile(negation) if free else NEVER,
        some("limiter"),
        some("direction"),
        some("dates", r"(?<!\w)(?:{})"),
        some("numerals"),
        frozenset(flat(word) for word in table.get("added", ())),
        frozenset(flat(unit) for unit in table.get("units", ())),
        dict(table.get("swap", {})),
    )


@dataclass(frozen=True)
class _Text:
    """One side of the comparison, with what the checks look at."""

    text: str
    manner: Style

    @cached_property
    def plain(self) -> str:
        return flat(self.text)

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(self.plain)

    @cached_property
    def essence(self) -> str:
        """The text without what says nothing."""
        return essence(self.text, self.manner)

    @cached_property
    def core(self) -> str:
        return flat(self.essence)

    @cached_property
    def denied(self) -> frozenset[str]:
        return polarity(self.text, self.manner.grammar)

    @cached_property
    def meant(self) -> frozenset[str]:
        """What is denied in the essence."""
        return polarity(self.essence, self.manner.grammar)


def losses(text: str, entry: str, grammar: Grammar) -> tuple[str, ...]:
    """What an entry lost, changed or invented of an input; ``()`` when it may be saved.

    Names of the table below: "number", "numeral", "date", "unit", "name", "quote", "picture",
    "negation", "limiter", "direction", "invented", "language", "length", "longer", "lines",
    "empty".
    """
    old, new = _original(text, grammar), _Text(_nfc(entry), style(grammar))
    return tuple(name for name, lost in _CHECKS.items() if lost(old, new))


def watches(word: str, grammar: Grammar) -> bool:
    """Whether a flat word is one whose loss the guard reports: a limit, a negation, a date …"""
    words = _words(grammar)
    patterns = (words.negation, words.limiter, words.direction, words.dates, words.numerals)
    return any(pattern.match(word) for pattern in patterns)


@lru_cache(maxsize=64)
def _original(text: str, grammar: Grammar) -> _Text:
    """The input, whose looks are shared by the rewrites that are tried one after another."""
    return _Text(one_line(text, grammar), style(grammar))


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _number(old: _Text, new: _Text) -> bool:
    return _figures(old.text) != _figures(new.text)


def _figures(text: str) -> set[str]:
    return {figure.replace(",", ".") for figure in _NUMBER.findall(text)}


def _numeral(old: _Text, new: _Text) -> bool:
    return _missing(_words(old.manner.grammar).numerals, old, new)


def _date(old: _Text, new: _Text) -> bool:
    return _missing(_words(old.manner.grammar).dates, old, new)


def _missing(pattern: re.Pattern[str], old: _Text, new: _Text) -> bool:
    return bool(set(pattern.findall(old.core)) - set(pattern.findall(new.plain)))


def _unit(old: _Text, new: _Text) -> bool:
    listed = _words(old.manner.grammar).units
    units = {pair for pair in _UNIT.findall(old.plain) if pair[1] in listed or _is_sign(pair[1])}
    return bool(units - set(_UNIT.findall(new.plain)))


def _is_sign(unit: str) -> bool:
    return not unit[0].isalpha()


def _name(old: _Text, new: _Text) -> bool:
    return any(not _stands(flat(name), new.words) for name in _names(old.essence))


def _names(text: str) -> list[str]:
    """Words that are written as names: capitals inside a sentence, codes, addresses."""
    found = []
    for match in _WORD.finditer(text):
        word = match.group()
        capital = word[0].isupper() and len(word) > 1 and "'" not in word[:2]
        if (capital and not _starts(text, match.start())) or _is_code(word):
            found.append(word)
    return found


def _starts(text: str, at: int) -> bool:
    """Whether a sentence begins there."""
    return bool(_START.search(text[max(0, at - _SLACK) : at]))


def _is_code(word: str) -> bool:
    if word.isalpha():
        return any(map(str.isupper, word[1:]))
    mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    return mixed or bool(_ADDRESS.search(word)) or any(c.isupper() for c in word[1:])


def _stands(name: str, words: list[str]) -> bool:
    if not name.isalpha():
        return any(name == word or name in word for word in words)
    stem = name[: max(3, len(name) - 2)]
    return any(word.startswith(stem) for word in words)


def _picture(old: _Text, new: _Text) -> bool:
    """A picture that stands for a word; the others are gone from the input."""
    return any(picture not in new.text for picture in pictures(old.text))


def _quote(old: _Text, new: _Text) -> bool:
    quotes = ("".join(groups) for groups in _QUOTED.findall(old.text))
    return any(flat(quote) not in new.plain for quote in quotes)


def _negation(old: _Text, new: _Text) -> bool:
    """A word that is denied on one side only, or another number of negations."""
    one = {s for s in old.meant if _stands(s, new.words)} - {""}
    other = {s for s in new.denied if _stands(s, old.words)} - {""}
    said_so = _swapped(old, new, _words(old.manner.grammar)) != old.core
    return bool(one - other or (other - one and not said_so)) or _negations(old, new) != _negations(
        new, new
    )


def _negations(side: _Text, entry: _Text) -> int:
    words = _words(side.manner.grammar)
    text = side.plain if side is entry else _swapped(side, entry, words)
    return len(words.negation.findall(text))


def _swapped(side: _Text, entry: _Text, words: _Words) -> str:
    """The core of the input with "than" read as "not" where the entry says it so."""
    text = side.core
    for old, new in words.swap.items():
        if old in text and old not in entry.words:
            text = re.sub(rf"\b{old}\b", new, text)
    return text


def _limiter(old: _Text, new: _Text) -> bool:
    return _missing(_words(old.manner.grammar).limiter, old, new)


def _direction(old: _Text, new: _Text) -> bool:
    words = _words(old.manner.grammar)
    before = set(words.direction.findall(_swapped(old, new, words)))
    return bool(before - set(words.direction.findall(new.plain)))


def _invented(old: _Text, new: _Text) -> bool:
    return bool(_strange(old, new)) and not _language(old, new)


def _language(old: _Text, new: _Text) -> bool:
    """Most words are new: that is another language, not a shorter line."""
    strange = _strange(old, new)
    return len(strange) > 1 and 2 * len(strange) > len(_content(new))


def _content(side: _Text) -> list[str]:
    return [word for word in side.words if word.isalpha() and len(word) >= _STEM]


def _strange(old: _Text, new: _Text) -> list[str]:
    fresh = [word for word in _content(new) if word not in old.words]
    if not fresh:
        return []
    known = {word[:_STEM] for word in old.words} | _words(old.manner.grammar).added
    split = {piece[:_STEM] for word in old.words for piece in re.split(r"[-._@']", word)}
    return [w for w in fresh if w[:_STEM] not in known | split and w not in known]


def _length(old: _Text, new: _Text) -> bool:
    return count(new.text) > MOST_WORDS


def _longer(old: _Text, new: _Text) -> bool:
    return len(new.text) > max(len(old.text) + _SLACK, LEAST_WORDS)


def _lines(old: _Text, new: _Text) -> bool:
    return "\n" in new.text


def _empty(old: _Text, new: _Text) -> bool:
    return not new.words


_CHECKS: dict[str, Callable[[_Text, _Text], bool]] = {
    "empty": _empty,
    "lines": _lines,
    "number": _number,
    "numeral": _numeral,
    "date": _date,
    "unit": _unit,
    "name": _name,
    "quote": _quote,
    "picture": _picture,
    "negation": _negation,
    "limiter": _limiter,
    "direction": _direction,
    "language": _language,
    "invented": _invented,
    LENGTH: _length,
    "longer": _longer,
}
