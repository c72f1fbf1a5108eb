"""What a line says is over: the phrases that name what left, ended or was replaced (C3).

A phrase is a set of short stems. It is read off one clause, so that a name beside another verb
is not taken for what has ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from curation.cues import Token
from curation.notes import Note, short

_BREAK = re.compile(r"[,;:()\[\]→|]|(?<=\w{3})\.\s")
_REACH = 6

Phrase = frozenset[str]


class Parting(NamedTuple):
    """One phrase; ``whole`` when the thing itself is said to be over, not only left behind.

    ``denied`` when only what is said of a thing no longer holds: the phrase is that statement.
    """

    phrase: Phrase
    whole: bool
    denied: bool = False


def partings(note: Note) -> tuple[Parting, ...]:
    """All phrases of a line that name something over or replaced."""
    found = (*_left(note), *_over(note), *_replaced(note), *_denied(note))
    return tuple(dict.fromkeys(p for p in found if p.phrase))


def _left(note: Note) -> Iterator[Parting]:
    """ "Left the museum", "from Ducat to Volt": what stands after a word of source."""
    ends, moves = note.hits.get("left", ()), note.hits.get("moved", ())
    for at in note.hits.get("source", ()):
        aimed = any(at < goal <= at + _REACH for goal in note.hits.get("target", ()))
        if at in ends or at - 1 in moves or (aimed and moves):
            yield Parting(_after(note, at), False)


def _over(note: Note) -> Iterator[Parting]:
    """ "The cluster closed", "no longer by bus": what stands before the cue, else after it."""
    sources, steady = note.hits.get("source", ()), note.hits.get("steady", ())
    for at in note.hits.get("left", ()):
        away = any(_after(note, i) for i in sources if at <= i <= at + 2)
        if at - 1 in steady or at in steady or away:
            continue
        phrase = before_cue(note, at)
        yield Parting(phrase or _after(note, at, loose=True), bool(phrase))


def _replaced(note: Note) -> Iterator[Parting]:
    """ "In place of X", "Y took over from X": both sides of the word are asked."""
    for at in note.hits.get("instead", ()):
        yield Parting(_after(note, at, loose=True), False)
    for at in note.hits.get("succeeds", ()):
        yield Parting(before_cue(note, at), False)
        yield Parting(_after(note, at), False)


def _denied(note: Note) -> Iterator[Parting]:
    """ "No longer delivers on Sundays": the whole clause around the cue."""
    for at in note.hits.get("nolonger", ()):
        yield Parting(before_cue(note, at) | _after(note, at, loose=True), False, denied=True)


def before_cue(note: Note, at: int) -> Phrase:
    """The short content stems of the clause before the token at a position."""
    line = note.tokens
    start = at
    while start > 0 and at - start < _REACH and not _apart(note, line[start - 1], line[start]):
        start -= 1
    return _stems(note, line[start:at])


def _after(note: Note, at: int, loose: bool = False) -> Phrase:
    """The first run of content words after a position; ``loose`` skips prepositions too."""
    line, run = note.tokens, list[Token]()
    for index in range(at + 1, min(at + 1 + _REACH, len(line))):
        token = line[index]
        if _apart(note, line[index - 1], token):
            break
        if token.flat in note.voice.articles or (loose and not run and _plain(note, token)):
            continue
        if _plain(note, token):
            break
        run.append(token)
    return _stems(note, run)


def _plain(note: Note, token: Token) -> bool:
    """Whether a word only joins: an article, a preposition."""
    voice = note.voice
    if token.flat in voice.articles:
        return True
    return not token.number and voice.languages.grammar(note.language).is_stop(token.surface)


def _apart(note: Note, one: Token, other: Token) -> bool:
    return bool(_BREAK.search(note.prose, one.start + len(one.surface), other.start))


def _stems(note: Note, run: Sequence[Token]) -> Phrase:
    found = (_stem(note, token) for token in run if not _plain(note, token))
    return frozenset(stem for stem in found if stem)


def _stem(note: Note, token: Token) -> str:
    """The short stem of a word, a number as written, nothing for months and empty words."""
    voice = note.voice
    if any(char.isdigit() for char in token.flat):
        dated = any(m.start <= token.start < m.stop for m in note.moments)
        return "" if dated else token.flat
    if voice.calendar.month(token.surface, True):
        return ""
    stem = voice.stem(token.surface, note.language)
    return "" if stem in voice.empty or stem in voice.generic else short(stem)
