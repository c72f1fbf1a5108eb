"""What a line of memory is about: its words, codes, values, and who or what it says has left."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from curation.cues import Token
from curation.notes import Note, short
from curation.partings import Parting, partings
from locales import flat

_TYPED = re.compile(
    r"(?P<ip>\d{1,3}(?:\.\d{1,3}){3})|(?P<time>\d{1,2}:\d\d)|(?P<version>v?\d+(?:\.\d+)+)"
    r"|(?P<number>\d+(?:[.,]\d+)?)(?:\s?[-–/×]\s?\d+(?:[.,]\d+)?)*\.?"
    r"(?:\s?(?P<unit>[%€$£°]\s?[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?))?"
)
DAYS = "weekday"
HOURS = "time"
NAMED = "~"
_BEFORE = re.compile(r"([^\W\d_]{3,})[\s-]+$")


@dataclass(frozen=True)
class Topic:
    """A note's subject matter in short stems.

    ``capital`` are the stems that the document writes with a capital inside a clause.
    """

    note: Note
    context: frozenset[str]
    capital: frozenset[str] = frozenset()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The content stems in order, without numbers, units and empty words.

        A line that only says "version 1.2" is about its heading.
        """
        return self.note.subject or tuple(sorted(self.context))

    @cached_property
    def known(self) -> frozenset[str]:
        """The same as a set."""
        return self.note.subjects or self.context

    @property
    def marks(self) -> frozenset[str]:
        """Codes, versions and addresses in the line."""
        return self.note.marks

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """Typed values outside dates: addresses, times, versions, days, amounts by their noun."""
        found: dict[str, set[str]] = defaultdict(set)
        text = _without_dates(self.note)
        for match in _TYPED.finditer(text):
            for kind in self._value_kinds(match, text):
                found[kind].add(match["number"] or match.group())
        for noun, name in pairwise(self.note.tokens):
            if noun.surface.islower() and name.surface[0].isupper() and len(noun.surface) > 3:
                found[NAMED + noun.flat[:5]].add(name.flat[:5])
        days = (self.note.voice.calendar.weekday(token.surface) for token in self.note.tokens)
        found |= {DAYS: {str(day) for day in days if day is not None}}
        return {kind: frozenset(values) for kind, values in found.items() if values}

    @cached_property
    def _targets(self) -> tuple[Token, ...]:
        return tuple(self.note.tokens[at] for at in self.note.hits.get("target", ()))

    def _value_kinds(self, match: re.Match[str], text: str) -> Iterator[str]:
        """What a value is a value of: its form, the noun after it, the noun before it."""
        if match["number"] is None:
            yield match.lastgroup or ""
            return
        beside = [match["unit"] or ""]
        if any(text[: match.start()].endswith(f" {t.surface} ") for t in self._targets):
            yield "to"
        ahead = _BEFORE.search(text, max(0, match.start() - 30), match.start())
        grammar = self.note.voice.languages.grammar(self.note.language)
        if ahead:
            beside.append(ahead[1])
        for word in beside:
            if word and not grammar.is_stop(word):
                yield ("=" if word is beside[0] else "") + flat(word)[:4]

    @cached_property
    def things(self) -> frozenset[str]:
        """Words, codes and numbers: all that may be named again."""
        return self.known | self.note.marks | self.note.numbers.keys()

    @cached_property
    def partings(self) -> tuple[Parting, ...]:
        """What the line says is over or replaced."""
        return partings(self.note)

    @cached_property
    def names(self) -> frozenset[str]:
        """Short stems that look like names."""
        return frozenset(short(name) for name in self.note.names)

    def stem(self, token: Token) -> str:
        """The short stem of a token, as it stands among the known words."""
        return short(self.note.voice.stem(token.surface, self.note.language))

    @property
    def proper(self) -> frozenset[str]:
        """Names for certain: not only words that happen to open a line."""
        return self.names & self.capital

    @cached_property
    def days(self) -> frozenset[str]:
        """The stems of the weekdays in the line."""
        note = self.note
        named = (t for t in note.tokens if note.voice.calendar.weekday(t.surface) is not None)
        return frozenset(short(note.voice.stem(t.surface, note.language)) for t in named)

    @cached_property
    def place(self) -> tuple[int, int]:
        """The section and subsection of the line."""
        return self.note.entry.section, self.note.entry.subsection


def _without_dates(note: Note) -> str:
    text = note.text
    for moment in note.voice.calendar.moments(text, note.voice.today):
        text = text[: moment.start] + " " * (moment.stop - moment.start) + text[moment.stop :]
    return text
