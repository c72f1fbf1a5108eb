"""How two texts compare when no language is known.

Normalising hostile text is slow (combining marks): callers cap the length first.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 2_000
"""How many characters of a text are compared otherwise than as they stand."""

# Breve and diaeresis make other letters in Cyrillic, so there they stay.
_MARK = re.compile("(?<![\u0400-\u04ff])[\u0306\u0308]|[\u0300-\u0305\u0307\u0309-\u036f]")
_STROKED = str.maketrans("łđøħŧı", "ldohti")


def fold(text: str) -> str:
    """A text reduced to what people type when they are in a hurry.

    NFC, case folded, diacritics off (Cyrillic letters that only look accented stay letters),
    runs of blanks made one and outer blanks removed. ``fold(fold(x)) == fold(x)``.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    bare = _MARK.sub("", unicodedata.normalize("NFD", _cased(text)))
    return unicodedata.normalize("NFC", " ".join(bare.split())).translate(_STROKED)


def strict(text: str) -> str:
    """A text as it is compared for an exact repetition (K8).

    NFC, case folded, runs of blanks made one, outer blanks and one final full stop removed.
    """
    plain = " ".join(_cased(text).split())
    return plain.removesuffix(".").rstrip()


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same characters, however they are composed (NFC or NFD).

    Those of more than `LONGEST` characters must be composed alike.
    """
    if one == other or max(len(one), len(other)) > LONGEST:
        return one == other
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def _cased(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
