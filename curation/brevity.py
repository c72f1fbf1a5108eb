"""The last steps to a short entry, where no pattern of a language fits (K5)."""

from __future__ import annotations

import re

from curation import guard
from curation.phrasing import DASH, LEAST_WORDS, Style, count, has_verb, tidy
from locales.grammar import flat

_EDGE = ".,;:!?()\"'"
_COMMA = re.compile(r", (?!\d)")
_FARTHEST = 6


def squeezed(entry: str, most: int, style: Style) -> str:
    """The entry with as many small words left out, from its end, as it takes to ``most``.

    Prepositions go last, and what the guard looks for never goes.
    """
    words, left = entry.split(), count(entry)
    joining = style.grammar.words("rewrite.prepositions")
    for ties in (False, True):
        for i in reversed(range(1, len(words))):
            if left <= most:
                break
            if words[i - 1] == DASH.strip() or _is_held(words[i - 1], words[i], style):
                continue
            if _is_spare(words[i], style) and (flat(words[i]) in joining) <= ties:
                left -= count(words[i])
                words[i - 1] += words.pop(i)[-1:].strip("abcdefghijklmnopqrstuvwxyz'")
    return tidy(" ".join(words))


def _is_spare(word: str, style: Style) -> bool:
    plain = flat(word.strip(_EDGE))
    known = plain in style.small or plain in style.grammar.words("rewrite.prepositions")
    return known and not guard.watches(plain, style.grammar)


def _is_held(before: str, word: str, style: Style) -> bool:
    """Whether a small word belongs to the one before it: "how to", "top up"."""
    return flat(f"{before} {word.strip(_EDGE)}") in style.grammar.words("rewrite.held")


def dashed(entry: str, style: Style) -> str:
    """The entry with a dash behind what it is about, unless it has one already or is a link.

    That is the first comma, or else the place before the first verb.
    """
    if DASH in entry or "://" in entry or count(entry) < LEAST_WORDS - 1:
        return entry
    comma = _COMMA.search(entry)
    if comma and _contrasts(entry[comma.end() :], style):
        return entry
    if comma:
        return entry[: comma.start()] + DASH + entry[comma.end() :]
    words = entry.split()
    at = _verb(words, style)
    closely = style.grammar.words("rewrite.denying")
    while at > 1 and flat(words[at - 1]) in closely:
        at -= 1
    if at and (flat(words[at - 1]) in closely or _is_object(words[at - 1], style)):
        return entry
    if at and flat(words[at - 1].strip(_EDGE)) not in style.small:
        return " ".join(words[:at]) + DASH + " ".join(words[at:])
    return _placed(words, style) or _firmer(entry, style)


def _is_object(word: str, style: Style) -> bool:
    """Whether a common word has an ending that no subject has ("mouku"): no dash behind it."""
    plain = word.strip(_EDGE)
    lemma = flat(style.grammar.lemma(plain))
    return any(
        flat(plain).endswith(ending) and lemma.endswith(base) and plain.islower()
        for ending, base in map(str.split, style.grammar.words("rewrite.object_endings"))
    )


def _contrasts(rest: str, style: Style) -> bool:
    """Whether what follows a comma is the other half of a denial: "not X, but Y"."""
    return flat(rest.split()[0]) in style.grammar.words("rewrite.contrast")


def _firmer(entry: str, style: Style) -> str:
    """The entry without its first soft word, where enough words are left."""
    match = style.soft.search(flat(entry)) if count(entry) > LEAST_WORDS else None
    return tidy(entry[: match.start()] + entry[match.end() :]) if match else entry


def _placed(words: list[str], style: Style) -> str:
    """The words with a dash between two places or times that come first; or ""."""
    joining = style.grammar.words("rewrite.prepositions")
    joining -= style.grammar.words("rewrite.leaning")
    if flat(words[0]) not in joining:
        return ""
    second = (i for i in range(2, min(len(words) - 1, LEAST_WORDS)) if flat(words[i]) in joining)
    at = next(second, 0)
    return " ".join(words[:at]) + DASH + " ".join(words[at:]) if at else ""


def _verb(words: list[str], style: Style) -> int:
    """The place of the first verb, or 0.

    A word that leans on the one before it is none, nor is what only gives a name.
    """
    leaning, naming = (style.grammar.words(f"rewrite.{n}") for n in ("leaning", "naming"))
    if any(flat(word) in naming for word in words[1:_FARTHEST]):
        return 0
    places = range(1, min(len(words) - 1, _FARTHEST))
    found = (i for i in places if flat(words[i]) not in leaning and has_verb(words[i], style))
    return next(found, 0)
