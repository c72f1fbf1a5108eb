"""Orders slipped in for the assistant, by the classes of words that meet in a sentence (T5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from curation.wordclasses import Found, Span, meet, near

_AWAY = re.compile(r"[\w.+-]{1,64}@[\w-]+\.\w|https?://|\+\d{3}|pastebin|webhook|\bftp\b")
_ALONE = ("breakout", "authority", "hush")
_ORDERED = (
    ("override", "rules", 45),
    ("you", "free", 45),
    ("spill", "inner", 40),
    ("spill", "others", 40),
    ("ship", "others", 40),
    ("approve", "everything", 30),
    ("secretly", "ship", 30),
    ("ship", "secretly", 60),
    ("enter", "mode", 20),
)
_EITHER = (("secretly", "destroy", 40), ("rules", "overridden", 40), ("above", "void", 45))
_REACH = 60


def ordered(plain: str, found: Found) -> bool:
    """Whether somebody wants the assistant to drop its rules, spill, ship away or keep silent."""
    away = [match.span() for match in _AWAY.finditer(plain)]
    return any(_ordered(plain, tags, away) for tags in found.values())


def _ordered(plain: str, tags: Mapping[str, Sequence[Span]], away: Sequence[Span]) -> bool:
    if any(name in tags for name in _ALONE):
        return True

    def spans(name: str) -> Sequence[Span]:
        return tags.get(name, ())

    if any(meet(plain, spans(a), spans(b), gap) for a, b, gap in _ORDERED):
        return True
    if any(near(plain, spans(a), spans(b), gap) for a, b, gap in _EITHER):
        return True
    whole = near(plain, spans("whole"), spans("rules"), 25)
    if whole and near(plain, [whole], spans("void"), 45):
        return True
    shipped = near(plain, spans("ship"), spans("data"), 40)
    return bool(shipped and near(plain, [shipped], away, _REACH))
