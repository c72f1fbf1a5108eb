"""Words at the beginning that say for whom something is kept: "for the group: …" (T10)."""

from __future__ import annotations

from locales import Languages, flat

_LONGEST = 200


def announced(text: str, languages: Languages) -> str | None:
    """What follows such words in any configured language, None when a text begins otherwise.

    The text comes back as typed, from the first letter of what is to be kept.
    """
    plain = flat(text[:_LONGEST])
    ends = [
        found.end()
        for grammar in languages.grammars
        if grammar.table("triage") and (found := grammar.patterns("triage.for_group").match(plain))
    ]
    return text[max(ends) :].strip() if ends else None
