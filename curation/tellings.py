"""A fact as it is typed after a command: ``Alice works_at Acme since 2024``, or a sentence."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from curation.characters import composed
from curation.moments import Moments
from curation.triples import LONGEST, Triple, person, recognise
from locales import Languages, flat

_PREDICATE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")


def told(text: str, languages: Languages, today: str, vocabulary: Collection[str]) -> Triple | None:
    """The fact typed: by a predicate among its words, else by what the sentence says.

    A predicate may be any snake_case word with an underscore; whether it is known is for the
    caller to see.
    """
    words = composed(text).split()
    place = next((i for i, word in enumerate(words) if i and _is_predicate(word, vocabulary)), 0)
    if not place or place + 1 == len(words):
        return recognise(text, languages, "", today)
    subject = person(" ".join(words[:place]), languages)
    value, day = _dated(" ".join(words[place + 1 :]), languages, today)
    return Triple(subject, words[place].lower(), value, day)


def over(text: str, languages: Languages, today: str) -> Triple | None:
    """The fact that a sentence says is over: "Honza no longer works at Acme"; None for no such."""
    for grammar in languages.grammars:
        found = grammar.patterns("facts.over").search(flat(text)) if len(text) < LONGEST else None
        if found:
            said = f"{text[: found.start()]} {text[found.end() :]}"
            return recognise(said, languages, grammar.code, today)
    return None


def is_wrong_day(text: str, languages: Languages, today: str) -> bool:
    """Whether a text names a day, at its end or its beginning, that is not in the calendar."""
    return any(Moments(grammar).cut(text, today).wrong for grammar in languages.grammars)


def _is_predicate(word: str, vocabulary: Collection[str]) -> bool:
    plain = word.lower()
    return plain in vocabulary or bool(_PREDICATE.fullmatch(plain))


def _dated(value: str, languages: Languages, today: str) -> tuple[str, str]:
    """The value without the day at its end, in the words of any language."""
    for grammar in languages.grammars:
        moment = Moments(grammar).cut(value, today)
        day = moment.day or moment.wrong
        if day and value.startswith(moment.rest):
            return moment.rest, day
    return value, ""


def dated(triple: Triple, events: Collection[str], today: str) -> Triple:
    """The fact with the day it happened on: today, where an event names none."""
    if triple.predicate in events and not triple.since:
        return replace(triple, since=today)
    return triple
