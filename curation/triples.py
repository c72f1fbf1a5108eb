"""Facts in sentences: who, what kind, which value; by the patterns of each language (F4, T14).

A sentence must match from end to end; a denial, a doubt or a question never becomes a fact.
When in doubt there is none: what is recognised is offered to a person, and what is not is kept
as it always was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from curation.characters import composed
from curation.moments import Moments
from locales import Grammar, Languages, flat
from locales.grammar import alternation
from locales.tongues import language_names

ME = "me"
"""The subject that stands for whoever speaks."""

LONGEST = 200
"""Longer texts are no single sentence about one fact."""

_NAMED = frozenset({"works_at", "lives_in", "born_in", "grew_up_in", "has_family_member"})
_DENIABLE = frozenset({"decided"})
_OBJECT, _MOST_WORDS, _MOST_NAME = 100, 12, 4
_ENDS = " \t.,;:!…。，！"
_BREAK = re.compile(r"(?<!\d)[.!?;。！？]\s+\S|\n|[?？]\s*$")
_BRACKETED = re.compile(r"\s*\([^()]*\)")
_LISTED = 2
_NAME = re.compile(r"[^\W\d_][\w'’.-]*")
_WORD = re.compile(r"\w+")
_JOINTS = re.compile(r"\s*[,、和]\s*|\s+(?:and|a|i|y|und|та)\s+")
_GROUPS = {
    "(?p<o>": "(?P<value>",
    "<s>": "(?P<s>.{1,60}?)",
    "<o>": "(?P<o>.+)",
    "(?P<value>": "(?P<o>",
}
_ACRONYM = re.compile(r"([^\W\d_]{2,})([^\W\d_]{1,2})")
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Triple:
    """A recognised fact; days are ISO text of a year, a month or a day, or ""."""

    subject: str
    predicate: str
    object: str
    since: str = ""


def recognise(
    text: str, languages: Languages, language: str = "", today: str = ""
) -> Triple | None:
    """The fact that a sentence says, in the language it was said in or any configured one.

    ``today`` is ISO text; without it, days that lack their year are not understood.
    """
    said = composed(" ".join(text.split())).strip() if len(text) <= LONGEST else ""
    if not said or _BREAK.search(text.strip()):
        return None
    grammars = sorted(languages.grammars, key=lambda grammar: grammar.code != language)
    found = (reader(grammar).read(said.rstrip(_ENDS), today) for grammar in grammars)
    return next(filter(None, found), None)


def person(name: str, languages: Languages) -> str:
    """A name as a subject: `ME` for the words by which speakers name themselves."""
    plain = flat(composed(name))
    return ME if any(plain in g.words("facts.me") for g in languages.grammars) else name


@lru_cache(maxsize=32)
def reader(grammar: Grammar) -> Reader:
    """The reader of a language, made once."""
    return Reader(grammar)


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern of a predicate; ``changes``: it tells of a change, which has a day."""

    predicate: str
    pattern: re.Pattern[str]
    changes: bool


class Reader:
    """The sentences of one language."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar, self._moments = grammar, Moments(grammar)

    def read(self, said: str, today: str) -> Triple | None:
        """The fact of a sentence, None when it says none."""
        plain = flat(said)
        if self._doubt.search(plain):
            return None
        said = said[: len(self._because.sub("", plain))]
        moment = self._moments.cut(said, today)
        if moment.wrong:
            return None
        for rule in self._rules:
            if moment.is_point and not rule.changes:
                continue
            match = rule.pattern.fullmatch(flat(moment.rest))
            found = self._triple(rule, match, moment.rest) if match else None
            if found and match:
                return replace(found, since=moment.day or self._inner(match, today))
        return None

    def _inner(self, match: re.Match[str], today: str) -> str:
        """The day that stands inside a sentence, as in German."""
        inside = match.groupdict().get("d") or ""
        return self._moments.cut("x " + inside.strip(), today).day if inside else ""

    def _triple(self, rule: Rule, match: re.Match[str], said: str) -> Triple | None:
        groups = match.groupdict()
        subject = self._subject(said[slice(*match.span("s"))]) if groups.get("s") else ME
        value = self._value(rule.predicate, said[slice(*match.span("o"))])
        outside = said[: match.start("o")] + " " + said[match.end("o") :]
        if not subject or not value or self._denial.search(flat(outside)):
            return None
        if groups.get("k"):
            value = f"{said[slice(*match.span('k'))].lower()}: {value}"
        return Triple(subject, rule.predicate, value)

    def _subject(self, said: str) -> str:
        """The name in what stands before the verb, "" when it is none."""
        bare = _BRACKETED.sub("", said).strip()
        bare = bare[self._prefix(bare) :]
        origin = self._from.search(flat(bare))
        name = (bare[: origin.start()] if origin else bare).strip()
        if flat(name) in self._words("me"):
            return ME
        return name if self._names(name.split()) else ""

    def _prefix(self, said: str) -> int:
        """How long "my sister" before a name is."""
        match = self._relative.match(flat(said))
        return match.end() if match else 0

    def _names(self, words: list[str]) -> bool:
        """Whether words can be somebody's name."""
        return 0 < len(words) < _MOST_NAME and all(map(self._is_name, words))

    def _is_name(self, word: str) -> bool:
        if flat(word) in self._words("nobody") or not _NAME.fullmatch(word):
            return False
        if _HAN.match(word):
            return 1 < len(word) < 5 and not any(w in word for w in self._words("nobody"))
        return word[0].isupper() and not self._grammar.is_stop(word)

    def _value(self, predicate: str, said: str) -> str:
        """The value as it is stored, "" when it cannot be one."""
        value = self._bare(said.strip(_ENDS + '"“”„'))
        words = value.split()
        if not words or len(value) > _OBJECT or len(words) > _MOST_WORDS:
            return ""
        if flat(value) in self._words("nothing"):
            return ""
        if predicate not in _DENIABLE and (self._denial.search(flat(value)) or _goes_on(value)):
            return ""
        if predicate == "speaks" and not all(map(self._is_language, _JOINTS.split(value))):
            return ""
        if predicate in _NAMED and not self._is_place(words):
            return ""
        return self._nominative(value, predicate)

    def _bare(self, value: str) -> str:
        match = self._article.match(flat(value))
        return value[match.end() :] if match else value

    def _is_language(self, name: str) -> bool:
        plain = flat(name)
        tongue = self._grammar.table("facts").get("tongue")
        if isinstance(tongue, str):
            return bool(re.fullmatch(tongue, plain))
        return plain in language_names(self._grammar.code)

    def _is_place(self, words: list[str]) -> bool:
        """Whether words name a place, an employer or a person: capitals, as in a name."""
        if len(words) > _MOST_NAME + 2 or self._words("nouns") & {flat(w) for w in words}:
            return False
        small = self._words("small")
        return _is_capital(words[0]) and all(_is_capital(w) or flat(w) in small for w in words[1:])

    def _nominative(self, value: str, predicate: str) -> str:
        """A single inflected word as it stands in a dictionary, where that is sure."""
        table = self._grammar.table("facts.nominative")
        if predicate == "speaks":
            return _WORD.sub(lambda word: str(table.get(flat(word[0]), word[0])), value)
        if not self._grammar.table("facts").get("case") or " " in value:
            return value
        if flat(value) in table:
            return str(table[flat(value)])
        acronym = _ACRONYM.fullmatch(value)
        if acronym and acronym[1].isupper() and acronym[2].islower():
            return acronym[1]
        lemma = self._grammar.lemma(value)
        sure = self._is_noun(flat(value), flat(lemma))
        sure = sure if predicate in _NAMED else _is_feminine(value, lemma)
        if not sure:
            return value
        return lemma[0].upper() + lemma[1:] if value[0].isupper() else lemma

    def _is_noun(self, word: str, lemma: str) -> bool:
        """Whether a lemma is the nominative of a name: no verb, and it begins as the word does."""
        shared = 3 if len(word) > 3 else 2
        verb = lemma.endswith(tuple(self._words("verbs")) or "\0")
        return lemma != word and lemma[:shared] == word[:shared] and not verb

    def _words(self, name: str) -> frozenset[str]:
        return self._grammar.words(f"facts.{name}")

    def _phrases(self, name: str) -> str:
        return alternation(self._words(name)) if self._words(name) else "(?!)"

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(self._compiled("patterns", False)) + tuple(self._compiled("changes", True))

    def _compiled(self, name: str, changes: bool) -> Iterator[Rule]:
        dated = f"(?P<d>(?:{self._phrases('since')}) {self._moments.when} )?"
        groups = {**_GROUPS, "<k>": f"(?P<k>{self._phrases('kin')})", "<d>": dated}
        for predicate, sources in self._grammar.table(f"facts.{name}").items():
            for source in sources:
                yield Rule(predicate, re.compile(_filled(flat(source), groups)), changes)

    @cached_property
    def _doubt(self) -> re.Pattern[str]:
        return re.compile(self._phrases("doubt"))

    @cached_property
    def _denial(self) -> re.Pattern[str]:
        words = self._words("denial") | self._grammar.words("lexicon.negations")
        return re.compile(alternation(words) + r"|n't\b")

    @cached_property
    def _because(self) -> re.Pattern[str]:
        return re.compile(rf"[\s,;—–-]*{self._phrases('because')}.*$")

    @cached_property
    def _from(self) -> re.Pattern[str]:
        return re.compile(rf"\s+{self._phrases('from')}\s")

    @cached_property
    def _relative(self) -> re.Pattern[str]:
        return re.compile(rf"{self._phrases('possessive')}\s+{self._phrases('kin')}\s+")

    @cached_property
    def _article(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._phrases('articles')}\s*)+")


def _filled(source: str, groups: dict[str, str]) -> str:
    for sign, group in groups.items():
        source = source.replace(sign, group)
    return source


def _goes_on(value: str) -> bool:
    """Whether another sentence may follow in a value, behind a comma or an "and"."""
    later = [piece.split() for piece in _JOINTS.split(value)[1:]]
    return any(
        len(words) > _LISTED or (len(words) > 1 and words[0][0].isupper() and words[1].islower())
        for words in later
    )


def _is_capital(word: str) -> bool:
    return word[0].isupper() or bool(_HAN.match(word))


def _is_feminine(word: str, lemma: str) -> bool:
    """Whether a word is the accusative of a feminine noun."""
    return (word[-1], lemma[-1]) in (("u", "a"), ("i", "e"), ("у", "а"), ("ę", "a"))
