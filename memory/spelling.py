"""Words that are spelled nearly like those of a question, from the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from memory.folding import fold
from memory.indexing import Tokens

MOST = 3
"""How many spellings are offered."""

_SHORTEST = 4
_LIKE = 0.7


def respelled(words: str, texts: Iterable[str], tokens: Tokens) -> tuple[str, ...]:
    """The question with near words in place of those that nothing has, best first.

    Words that some text has, and words shorter than four letters, stay as they are; nothing is
    given when no word has a near one.
    """
    known, terms = _vocabulary(texts, tokens)
    spellings = [words]
    for start, stop, own, _ in reversed(tokens.asked(words)):
        word = words[start:stop]
        near = _near(word, known) if terms.isdisjoint(own) else ()
        if near:
            rest = [text[:start] + near[0] + text[stop:] for text in spellings]
            others = [spellings[0][:start] + one + spellings[0][stop:] for one in near[1:]]
            spellings = [*rest, *others][:MOST]
    return tuple(spellings) if spellings[0] != words else ()


def _vocabulary(texts: Iterable[str], tokens: Tokens) -> tuple[dict[str, str], set[str]]:
    """The words of texts as they stand there, by their folded forms, and all their terms."""
    known: dict[str, str] = {}
    terms: set[str] = set()
    for text in texts:
        for start, stop, own, _ in tokens.tokens(text):
            known.setdefault(fold(text[start:stop]), text[start:stop])
            terms.update(own)
    return known, terms


def _near(word: str, known: dict[str, str]) -> Sequence[str]:
    folded = fold(word)
    if len(folded) < _SHORTEST:
        return ()
    found = process.extract(
        folded, list(known), scorer=OSA.normalized_similarity, score_cutoff=_LIKE, limit=MOST
    )
    return [known[name] for name, _, _ in found]
