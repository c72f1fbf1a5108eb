"""What may enter at all: size, characters, secrets, health values, injected instructions (W6).

One code guards every way in: chat, edit, command line, facts, room notes, agents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

from curation.characters import (
    LONGEST,
    Why,
    bare,
    composed,
    composed_with_positions,
    rejection,
    seen,
    tightened,
    too_long,
    veiled,
)
from curation.orders import ordered
from curation.sensitive import health_spans, secret_spans
from curation.wordclasses import classes
from locales import Languages, flat

__all__ = [
    "HEALTH_MARK",
    "SECRET_MARK",
    "Admitted",
    "Rejected",
    "Why",
    "blank",
    "clean",
    "composed",
    "injected",
]

Spans = tuple[tuple[int, int], ...]
Found = TypeVar("Found")

SECRET_MARK = "█"
HEALTH_MARK = "▓"
MOST_SENTENCES = 60
"""A text with more of them is looked at, and refused, as a whole."""

_BLANKED = SECRET_MARK + HEALTH_MARK + " \n"
_MOST_REMEMBERED = 64
_BORDER = re.compile(r"(?<=[.!?;:…])\s+|(?<=[。！？；])\s*|\n\s*")
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_*]){3,}\w(?!\w)")
_PHRASES = re.compile("[\ufdfa\ufdfb]")
_DISGUISED = re.compile(r"[a-z][0134578@$а-я]|[0134578@$а-я][a-z]")
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһ0134578@$", "aeopcyxisjdhoieastbas")


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text that is not looked at any further."""

    why: Why


@dataclass(frozen=True, slots=True)
class Admitted:
    """A text in NFC, with what was found in it: spans of ``text`` as (start, end).

    ``injected``: it reads like an instruction. ``veiled``: it has hidden or turning characters.
    """

    text: str
    secrets: Spans = ()
    health: Spans = ()
    injected: bool = False
    veiled: bool = False


def clean(text: str, languages: Languages) -> Admitted | Rejected:
    """Admit a text or say why not, in the order that keeps hostile input cheap (W6, B20).

    Length, characters and runs of combining marks are looked at before anything is normalised.
    Secrets, health values, injections and hidden characters do not reject: they are marked,
    and triage refuses.
    """
    why = rejection(text)
    if why:
        return Rejected(why)
    text = tightened(composed(text))
    seen_before = languages.judged.get(_digest(text))
    if seen_before is not None or not text.strip(_BLANKED):
        return Admitted(text, *(seen_before or ()))
    secrets, health = _dangers(text, languages)
    told = injected(text, languages), veiled(text)
    _note(languages.judged, text, (secrets, health, *told))
    return Admitted(text, secrets, health, *told)


def injected(text: str, languages: Languages) -> bool:
    """Whether the text reads like instructions slipped in, disguised or not (T5).

    Looked for in matching copies: NFKC, invisible characters dropped, spaced letters joined,
    look-alike letters and digits replaced.
    """
    return any(
        any(grammar.patterns("safety.injection").search(copy) for grammar in languages.guards)
        or ordered(copy, classes(copy, languages.guards))
        for copy in _matching_copies(text)
    )


def blank(text: str, languages: Languages) -> str:
    """``text`` with secrets as ``█`` and health values as ``▓``: what the inbox may hold (W6).

    Every blanked character gives as many marks as it has UTF-16 units, so Telegram's entity
    offsets stay right. A text that :func:`clean` rejects is blanked all the same; of one that
    is too long, all that nobody will look at.
    """
    if too_long(text):
        return blank(text[: LONGEST // 2], languages) + SECRET_MARK * (len(text) - LONGEST // 2)
    shape, positions = composed_with_positions(text)
    out = list(text)
    for offset, piece in _pieces(shape):
        found = _dangers(piece, languages)
        for mark, spans in zip((SECRET_MARK, HEALTH_MARK), found, strict=True):
            for start, end in spans:
                for i in range(positions[offset + start], positions[offset + end]):
                    out[i] = mark * (1 + (ord(text[i]) > 0xFFFF))
    return "".join(out)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text, then each of its sentences alone: a rule may look at how a sentence begins."""
    yield 0, text
    borders = [0, *(match.end() for match in _BORDER.finditer(text)), len(text)]
    if 3 <= len(borders) <= MOST_SENTENCES + 1:
        yield from ((a, text[a:b].rstrip()) for a, b in zip(borders, borders[1:], strict=False))


def _dangers(text: str, languages: Languages) -> tuple[Spans, Spans]:
    """Secrets and health values of a text in NFC; each text is looked through once."""
    known: tuple[Spans, Spans] | None = languages.scanned.get(_digest(text))
    if known is not None:
        return known
    plain = flat(text)
    secrets = _once(secret_spans(text, plain, languages.guards))
    found = (
        secrets or (() if SECRET_MARK in text else _once(_disguised(text, languages))),
        _once(health_spans(text, plain, languages.guards)),
    )
    _note(languages.scanned, text, found)
    return found


def _disguised(text: str, languages: Languages) -> Iterator[tuple[int, int]]:
    """The whole text, when a name of a secret shows only once its disguise is taken off."""
    plain = flat(text)
    copies = (copy for copy in _matching_copies(text) if copy != plain)
    if any(next(secret_spans(copy, copy, languages.guards), None) for copy in copies):
        yield 0, len(text)


def _note(known: dict[bytes, Found], text: str, found: Found) -> None:
    """Remember what a text was found to hold: it is asked about several times on its way."""
    if len(known) >= _MOST_REMEMBERED:
        known.clear()
    known[_digest(text)] = found


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _once(spans: Iterable[tuple[int, int]]) -> Spans:
    return tuple(sorted(set(spans)))


@lru_cache(maxsize=2)
def _matching_copies(text: str) -> tuple[str, ...]:
    """The flat text, and what it is without its disguises; looked at twice for each message."""
    plain = flat(text) if text.isascii() else _undisguised(text)
    joined = _SPACED.sub(lambda match: re.sub(r"[\W_]", "", match.group()), plain)
    replaced = joined.translate(_LOOKALIKES) if _DISGUISED.search(joined) else joined
    return tuple(dict.fromkeys((plain, joined, replaced)))


def _undisguised(text: str) -> str:
    """Flat text without invisible characters and without variants of letters.

    Two Arabic signs that stand for whole phrases are left out: they grow eighteenfold.
    """
    wide = unicodedata.normalize("NFKC", seen(_PHRASES.sub(" ", text)))
    return flat(unicodedata.normalize("NFC", bare(seen(wide))))
