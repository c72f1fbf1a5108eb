"""What a key-value store may hold: every text of a JSON value is guarded (M7, W6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation import admission
from curation.admission import Admitted
from curation.engine import Refusal
from handlers.context import Turn
from handlers.keeping import cards

PIECE = 2_000
"""How many characters are looked at together; a longer text is looked at in pieces."""

OVERLAP = 200
"""How much of a long text two pieces share, so that nothing hides at their border."""

_EMPTY = "unclear."
_WORDS = re.compile(r"[_.\-]+")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def forbidden(turn: Turn, key: str, value: Json) -> str:
    """The id of the sentence that says why a value may not be stored, "" when it may.

    Every text and number is looked at with the name it stands under, alone and among its
    neighbours: a weight is a health value, what is called a password is one (T1, T2).
    """
    lines = tuple(dict.fromkeys(_said(key, value)))
    found = (_alone(turn, line) for line in lines)
    return next(filter(None, found), "") or _together(turn, "\n".join(lines))


def _alone(turn: Turn, line: str) -> str:
    admitted = admission.clean(line, turn.services.languages)
    if isinstance(admitted, Admitted) and admitted.secrets:
        return f"refused.{Refusal.SECRET}"
    health = isinstance(admitted, Admitted) and admitted.health
    return f"refused.{Refusal.HEALTH_VALUE}" if health else ""


def _together(turn: Turn, text: str) -> str:
    found = (cards.forbidden(turn, piece) for piece in _pieces(text))
    return next((why for why in found if why and not why.startswith(_EMPTY)), "")


def _said(name: str, value: Json) -> Iterator[str]:
    """Every text and number of a value, each in a line with the name it stands under."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _said(key, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _said(name, inner)
    else:
        shown = name if value is None or isinstance(value, bool) else f"{name}: {value}"
        yield from (shown, _WORDS.sub(" ", name) + shown.removeprefix(name))


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, max(1, len(text) - OVERLAP), PIECE - OVERLAP):
        yield text[start : start + PIECE]
