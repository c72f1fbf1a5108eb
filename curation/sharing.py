"""Words at the beginning that say for whom something is kept: "for the group: …" (T10)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from locales import Languages, flat

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Announced:
    """What is to be kept for several people; ``group`` is the one that was named, "" for none."""

    text: str
    group: str = ""


def announced(text: str, languages: Languages, groups: Collection[str] = ()) -> Announced | None:
    """What follows such words in any configured language, None when a text begins otherwise.

    ``groups`` are the ids that may be named by them: "for the family group: …". The text comes
    back as typed, from the first letter of what is to be kept.
    """
    plain = flat(text[:_LONGEST])
    named = _named(plain, languages, groups)
    if named:
        end, group = named
        return Announced(text[end:].strip(), group)
    ends = [
        found.end()
        for grammar in languages.grammars
        if grammar.table("triage") and (found := grammar.patterns("triage.for_group").match(plain))
    ]
    return Announced(text[max(ends) :].strip()) if ends else None


def _named(plain: str, languages: Languages, groups: Collection[str]) -> tuple[int, str] | None:
    """Where words that name one of the groups end, and which it is, read as far as can be."""
    found = [
        (match.end(), group)
        for grammar in languages.grammars
        if groups and grammar.table("triage")
        for match in [grammar.patterns("triage.for_named_group").match(plain)]
        if match
        for group in match.groups()
        if group in groups
    ]
    return max(found, default=None)
