"""What may enter at all: size, characters, secrets, health values, injected instructions (W6).

One code guards every way in: chat, edit, command line, facts, room notes, agents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from curation.orders import ordered
from curation.sensitive import health_spans, secret_spans
from curation.wordclasses import classes
from locales import Languages, flat

LONGEST = 4096
SECRET_MARK = "█"
HEALTH_MARK = "▓"
_MARKS_IN_A_ROW = 8
_MOST_REMEMBERED = 64
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SEPARATOR = re.compile("[\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]|[\U000e0000-\U000e007f]")
_HIDDEN = re.compile("[\u200b\u2060\ufeff]")
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_*]){3,}\w(?!\w)")
_INVISIBLE = re.compile("[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\ufe00-\ufe0f]")
_DISGUISED = re.compile(r"[a-z][0134578@$а-я]|[0134578@$а-я][a-z]")
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһ0134578@$", "aeopcyxisjdhoieastbas")


class Why(StrEnum):
    """Why a text is not admitted."""

    TOO_LONG = "too_long"
    SURROGATE = "surrogate"
    CONTROL = "control"
    SEPARATOR = "separator"
    BIDI = "bidi"
    MARKS = "marks"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text that is not looked at any further."""

    why: Why


@dataclass(frozen=True, slots=True)
class Admitted:
    """A text in NFC, with what was found in it: spans of ``text`` as (start, end)."""

    text: str
    secrets: tuple[tuple[int, int], ...] = ()
    health: tuple[tuple[int, int], ...] = ()
    injected: bool = False


def clean(text: str, languages: Languages) -> Admitted | Rejected:
    """Admit a text or say why not, in the order that keeps hostile input cheap (W6, B20).

    Length, characters and runs of combining marks are looked at before anything is normalised.
    Secrets, health values and injections do not reject: they are marked, and triage refuses.
    """
    why = _rejection(text)
    if why:
        return Rejected(why)
    text = composed(text)
    if text in languages.harmless:
        return Admitted(text)
    secrets, health = (_once(spans) for spans in _spans(text, languages))
    found = Admitted(text, secrets, health, injected(text, languages))
    if found == Admitted(text):
        _remember(text, languages)
    return found


def composed(text: str) -> str:
    """``text`` in NFC, without spaces of no width inside words; joiners of letters stay.

    Unchanged when a long run of combining marks makes that costly.
    """
    return text if _marks_run(text) else unicodedata.normalize("NFC", _HIDDEN.sub("", text))


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
    offsets stay right. A text that :func:`clean` rejects is blanked all the same.
    """
    if text in languages.harmless:
        return text
    shape, positions = _composed_with_positions(text)
    out = list(text)
    for mark, spans in zip((SECRET_MARK, HEALTH_MARK), _spans(shape, languages), strict=True):
        for start, end in spans:
            for i in range(positions[start], positions[end]):
                out[i] = mark * (1 + (ord(text[i]) > 0xFFFF))
    return "".join(out)


def _spans(text: str, languages: Languages) -> tuple[Iterator[tuple[int, int]], ...]:
    plain = flat(text)
    return (
        iter([*secret_spans(text, plain, languages.guards)] or [*_disguised(text, languages)]),
        health_spans(text, plain, languages.guards),
    )


def _disguised(text: str, languages: Languages) -> Iterator[tuple[int, int]]:
    """The whole text, when a name of a secret shows only once its disguise is taken off."""
    copies = [*_matching_copies(text)][1:]
    if any(next(secret_spans(copy, copy, languages.guards), None) for copy in copies):
        yield 0, len(text)


def _remember(text: str, languages: Languages) -> None:
    """Note that a text holds nothing dangerous: it is asked about several times on its way."""
    if len(languages.harmless) >= _MOST_REMEMBERED:
        languages.harmless.clear()
    languages.harmless.add(text)


def _once(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(set(spans)))


def _rejection(text: str) -> Why | None:
    if len(text.encode("utf-16-le", "surrogatepass")) > 2 * LONGEST:
        return Why.TOO_LONG
    for pattern, why in (
        (_SURROGATE, Why.SURROGATE),
        (_FORBIDDEN, Why.CONTROL),
        (_SEPARATOR, Why.SEPARATOR),
        (_BIDI, Why.BIDI),
    ):
        if pattern.search(text.replace("\r\n", "\n")):
            return why
    return Why.MARKS if _marks_run(text) else None


def _marks_run(text: str) -> bool:
    """Whether more than eight combining marks follow each other; linear."""
    if text.isascii():
        return False
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > _MARKS_IN_A_ROW:
            return True
    return False


def _composed_with_positions(text: str) -> tuple[str, list[int]]:
    """The NFC text, and for each of its positions the position in ``text`` it came from."""
    plain = unicodedata.is_normalized("NFC", text) and not _HIDDEN.search(text)
    if plain or _marks_run(text):
        return text, [*range(len(text) + 1)]
    pieces: list[str] = []
    positions: list[int] = []
    for match in re.finditer(r"(?s).[\u0300-\u036f]*", text):
        piece = unicodedata.normalize("NFC", _HIDDEN.sub("", match.group()))
        pieces.append(piece)
        positions += [match.start()] * len(piece)
    return "".join(pieces), [*positions, len(text)]


def _matching_copies(text: str) -> Iterator[str]:
    plain = flat(text) if text.isascii() else _undisguised(text)
    yield plain
    joined = _SPACED.sub(lambda match: re.sub(r"[\W_]", "", match.group()), plain)
    if joined != plain:
        yield joined
    if _DISGUISED.search(joined):
        yield joined.translate(_LOOKALIKES)


def _undisguised(text: str) -> str:
    """Flat text without invisible characters and without variants of letters."""
    visible = "".join(
        char
        for char in unicodedata.normalize("NFKC", text)
        if unicodedata.category(char) != "Cf" and not _INVISIBLE.match(char)
    )
    decomposed = unicodedata.normalize("NFD", visible)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return flat(unicodedata.normalize("NFC", bare))
