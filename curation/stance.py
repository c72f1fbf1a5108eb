"""Whose doing a sentence tells, for a kind that no wording gives away (K7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from curation.phrasing import Style, bare, is_unlisted, style
from locales.grammar import NEVER, Grammar, flat

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3


class Stance(Enum):
    """What a sentence is about."""

    OTHERS = "others"
    MINE = "mine"
    OURS = "ours"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class _Words:
    """The compiled table ``stance`` of a language."""

    mine: re.Pattern[str]
    ours: re.Pattern[str]
    done: re.Pattern[str]
    my_ending: re.Pattern[str]
    our_ending: re.Pattern[str]
    third: re.Pattern[str]
    stative: frozenset[str]
    steady: frozenset[str]


@lru_cache(maxsize=32)
def _words(grammar: Grammar) -> _Words:
    table = grammar.table("stance")

    def some(name: str) -> re.Pattern[str]:
        joined = "|".join(map(bare, table.get(name, ())))
        return re.compile(joined) if joined else NEVER

    return _Words(
        some("mine"),
        some("ours"),
        some("done"),
        some("my_ending"),
        some("our_ending"),
        some("third"),
        grammar.words("stance.stative"),
        grammar.words("stance.steady"),
    )


def stance(text: str, grammar: Grammar) -> Stance:
    """Whether somebody tells what "I" do, what "we" do, what either has done, or none of it.

    What somebody has, is, knows or needs is no doing.
    """
    words, plain = _words(grammar), flat(text)
    if words.done.search(plain):
        return Stance.DONE
    if words.ours.search(plain):
        return Stance.OURS
    if words.mine.search(plain):
        return Stance.MINE
    found = (_of_verb(word, words, style(grammar)) for word in _WORD.findall(text))
    return next((one for one in found if one is not Stance.OTHERS), Stance.OTHERS)


def is_of_others(text: str, grammar: Grammar) -> bool:
    """Whether it is said what somebody else likes, eats or is used to."""
    return bool(_words(grammar).third.search(flat(text)))


def _of_verb(word: str, words: _Words, manner: Style) -> Stance:
    """What the ending of a verb says, in a language where it says who does it."""
    plain = flat(word)
    ours = bool(words.our_ending.search(plain))
    if len(plain) < _SHORTEST or not (ours or words.my_ending.search(plain)):
        return Stance.OTHERS
    if plain in manner.small or not _does(word, words, manner):
        return Stance.OTHERS
    return Stance.OURS if ours else Stance.MINE


def _does(word: str, words: _Words, manner: Style) -> bool:
    """Whether a word is a form of a verb of doing; what is not done is a choice oftener."""
    lemma = _infinitive(word.lower(), manner)
    if lemma:
        return lemma not in words.stative | words.steady
    for prefix in manner.grammar.words("lexicon.negation_prefixes"):
        if flat(word).startswith(prefix):
            rest = word.lower()[len(prefix) :]
            lemma = _infinitive(rest, manner)
            return is_unlisted(rest, manner) if not lemma else lemma not in words.stative
    return is_unlisted(word, manner)


def _infinitive(form: str, manner: Style) -> str:
    lemma = flat(manner.grammar.lemma(form))
    return lemma if lemma != flat(form) and manner.infinitive.search(lemma) else ""
