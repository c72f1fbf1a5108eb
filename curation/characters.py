"""Which characters a text may hold, and how those are shown that nobody sees (W6, B16)."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

LONGEST = 4096
"""How long a text may be, in UTF-16 units: Telegram's own limit."""

_MARKS = "m" * 9
_BLANKS = re.compile(r"\s{20,}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SEPARATOR = re.compile("[\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTHLESS = re.compile("[\u200b\u2060\ufeff]")
_FLAG = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067"
    "|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_VEILED = re.compile(
    "[\u202a-\u202e\u2066-\u2069\u2061-\u2064\u206a-\u206f\ufff9-\ufffb]"
    "|[\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|[\u200c-\u200f]{3,}"
)
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)
_BASE_WITH_MARKS = re.compile(r"(?s).[\u0300-\u036f]*")


class Why(StrEnum):
    """Why a text is not admitted; BIDI only where nobody can be asked to agree to it."""

    TOO_LONG = "too_long"
    SURROGATE = "surrogate"
    CONTROL = "control"
    SEPARATOR = "separator"
    BIDI = "bidi"
    MARKS = "marks"


def rejection(text: str) -> Why | None:
    """What forbids a text, None when it may be looked at further; linear, cheapest first.

    Surrogates cannot be written as UTF-8, controls and separators forge lines (W7), and long
    runs of combining marks are slow to normalise.
    """
    if too_long(text):
        return Why.TOO_LONG
    lines = text.replace("\r\n", "\n")
    forbidden = (
        (_SURROGATE, Why.SURROGATE),
        (_CONTROL, Why.CONTROL),
        (_SEPARATOR, Why.SEPARATOR),
    )
    why = next((why for pattern, why in forbidden if pattern.search(lines)), None)
    return why or (Why.MARKS if _stacked(text) else None)


def too_long(text: str) -> bool:
    """Whether a text has more than `LONGEST` UTF-16 units."""
    if len(text) <= LONGEST // 2 or len(text) > LONGEST:
        return len(text) > LONGEST
    return len(text.encode("utf-16-le", "surrogatepass")) > 2 * LONGEST


@lru_cache(maxsize=4)
def composed(text: str) -> str:
    """``text`` in NFC, without spaces of no width inside words; joiners of letters stay.

    Unchanged when its length or a long run of combining marks makes that costly. It is asked
    for several times while one message is looked at.
    """
    if text.isascii() or too_long(text) or _stacked(text):
        return text
    return unicodedata.normalize("NFC", _WIDTHLESS.sub("", text))


def composed_with_positions(text: str) -> tuple[str, list[int]]:
    """The NFC text, and for each of its positions the position in ``text`` it came from."""
    if composed(text) == text:
        return text, [*range(len(text) + 1)]
    pieces: list[str] = []
    positions: list[int] = []
    for match in _BASE_WITH_MARKS.finditer(text):
        piece = composed(match.group())
        pieces.append(piece)
        positions += [match.start()] * len(piece)
    return "".join(pieces), [*positions, len(text)]


def tightened(text: str) -> str:
    """The text with endless runs of blanks as one blank, or one line end: they say nothing."""
    return _BLANKS.sub(lambda run: "\n" if "\n" in run.group() else " ", text)


def seen(text: str) -> str:
    """The text without format characters, selectors and fillers: for matching only."""
    return text if text.isascii() else text.translate(_SEEN)


def bare(text: str) -> str:
    """The letters of a text without their combining marks, in NFD: for matching only."""
    return unicodedata.normalize("NFD", text).translate(_UNMARKED)


def _stacked(text: str) -> bool:
    """Whether more than eight marks follow each other, whatever invisible stands between."""
    return not text.isascii() and _MARKS in text.translate(_CLASSES)


class _Seen(dict[int, int | None]):
    """Translation table filled while it is used: what nobody sees becomes nothing."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        hidden = char in _FILLERS or unicodedata.category(char) == "Cf"
        self[code] = None if hidden else code
        return self[code]


class _Classes(dict[int, str | None]):
    """Like `_Seen`, with ``m`` for a combining mark and a blank for anything else."""

    def __missing__(self, code: int) -> str | None:
        mark = "m" if unicodedata.combining(chr(code)) else " "
        self[code] = None if _SEEN[code] is None else mark
        return self[code]


class _Unmarked(dict[int, int | None]):
    """Like `_Seen`: a combining mark becomes nothing."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_SEEN, _CLASSES, _UNMARKED = _Seen(), _Classes(), _Unmarked()


def veiled(text: str) -> bool:
    """Whether it has characters that hide or turn text: bidi controls, tags, runs of selectors.

    Joiners, direction marks and emoji selectors in their place, and the flags that are written
    with tags, are ordinary.
    """
    return not text.isascii() and bool(_VEILED.search(_FLAG.sub("", text)))


def visible(text: str) -> str:
    """The text as it is shown to people: veiled characters by their numbers, ``[U+202E]``."""
    if not veiled(text):
        return text
    return _VEILED.sub(lambda found: "".join(map(_numbered, found.group())), text)


def _numbered(char: str) -> str:
    return f"[U+{ord(char):04X}]"
