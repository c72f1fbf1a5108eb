"""What reading a line of memory needs from the languages: cues, months, stems, synonyms.

Everything is a function of text, and kept: the same line is often read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache

from curation.ages import Calendar
from curation.cues import Hits, Lexicon, tokens, ungrouped
from locales import Grammar, Key, Kind, Languages, flat, polarity

_CLEAR = 3
_ALONE = 2
_CONTENT = frozenset({Kind.WORD, Kind.NAME, Kind.NUMBER})


class Voice:
    """The audit tables of all configured languages, and the day memory is judged on."""

    def __init__(self, languages: Languages, today: date) -> None:
        """Read ``[audit]`` of every configured language."""
        grammars = languages.grammars
        self.languages = languages
        self.today = today
        self.lexicon = Lexicon(languages)
        self.calendar = Calendar(languages)
        self.same = _same(grammars)
        self.joint = _joint(grammars, self.same)
        self.empty = _with_synonyms(_stems(grammars, "empty"), self.same)
        self.generic = _stems(grammars, "generic")
        self.name_labels = _flat_words(grammars, "name_labels")
        self.articles = _flat_words(grammars, "articles")
        self.past_endings = tuple(_flat_words(grammars, "past_endings"))
        self.auxiliaries = _flat_words(grammars, "auxiliaries")
        self.habitual = _flat_words(grammars, "habitual")
        self.clitics = _flat_words(grammars, "clitics")
        self.units = _flat_words(grammars, "units")
        self.rates = _flat_words(grammars, "rates")
        self._function_words = _function_words(grammars)
        self.language = cache(self._language)
        self.content = cache(self._content)
        self.denied = cache(self._denied)
        self.title = cache(self._title)

    def stems(self, text: str) -> tuple[str, ...]:
        """The content stems of a heading or a companion's entry."""
        return tuple(self.content(ungrouped(text), self.language(text)))

    def stem(self, word: str, code: str) -> str:
        """The stem of a word, or of its synonyms' first."""
        stem = self.languages.grammar(code).stem(word)
        return self.same.get(stem, stem)

    def _language(self, text: str) -> str:
        """The language of a text, or the first configured one.

        Three function words more than any other language has, or two against none, spare the
        slower look at letters.
        """
        codes = self.languages.codes
        if len(codes) == 1:
            return codes[0]
        words = {token.flat for token in tokens(text) if not token.number}
        ranked = sorted((-len(words & own), code) for code, own in self._function_words.items())
        most, others = -ranked[0][0], -ranked[1][0]
        if most - others >= (_CLEAR if others else _ALONE):
            return ranked[0][1]
        return self.languages.detect(text) or codes[0]

    def _title(self, title: str) -> Hits:
        """The cues of a heading."""
        return self.lexicon.read(tokens(title))

    def _content(self, text: str, code: str) -> Mapping[str, Kind]:
        """The content stems with what they are; synonyms and full hours made one."""
        found = {self._plain(k): k.kind for k in self._keys(text, code)}
        for parts, whole in self.joint:
            if parts <= found.keys():
                found = {s: kind for s, kind in found.items() if s not in parts}
                found[whole] = Kind.WORD
        return found

    def _keys(self, text: str, code: str) -> Iterable[Key]:
        found = self.languages.key(text, code)
        return (k for k in found if k.kind in _CONTENT and (len(k.stem) > 2 or k.stem.isdigit()))

    def _plain(self, key: Key) -> str:
        bare = key.stem.removesuffix(":00")
        return self.same.get(bare, bare)

    def _denied(self, text: str, code: str) -> frozenset[str]:
        """The stems that a text denies; "at most" denies nothing."""
        limits = {k.stem for k in self.languages.key(text, code) if k.kind is Kind.LIMITER}
        return polarity(text, self.languages.grammar(code)) - limits


def _function_words(grammars: Sequence[Grammar]) -> dict[str, frozenset[str]]:
    """The stop words of each language that no other configured language has."""
    return {
        g.code: g.stop_words.difference(*(o.stop_words for o in grammars if o is not g))
        for g in grammars
    }


def _flat_words(grammars: Sequence[Grammar], name: str) -> frozenset[str]:
    return frozenset(flat(word) for g in grammars for word in g.table("audit").get(name, ()))


def _stems(grammars: Sequence[Grammar], name: str) -> frozenset[str]:
    return frozenset(g.stem(word) for g in grammars for word in g.table("audit").get(name, ()))


def _with_synonyms(stems: frozenset[str], same: Mapping[str, str]) -> frozenset[str]:
    return stems | {same[stem] for stem in stems if stem in same}


def _same(grammars: Sequence[Grammar]) -> dict[str, str]:
    """The stem of each single word of a synonym row, mapped to the row's first stem."""
    return {
        g.stem(word): "=" + g.stem(row[0])
        for g in grammars
        for row in g.table("audit").get("same", ())
        for word in row
        if " " not in word
    }


def _joint(
    grammars: Sequence[Grammar], same: Mapping[str, str]
) -> tuple[tuple[frozenset[str], str], ...]:
    """Words that together say what one word says ("Saturday", "Sunday": the weekend)."""
    return tuple(
        (frozenset(g.stem(w) for w in words[1:]), same.get(g.stem(words[0]), g.stem(words[0])))
        for g in grammars
        for words in g.table("audit").get("joint", ())
    )
