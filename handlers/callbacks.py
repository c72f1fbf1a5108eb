"""Button data and its values; pure (D1).

A button carries ``<id>:<verb>[:<number>]``. The id is that of a stored dialog or, for Undo,
Edit and Move, of an operation in the journal. Data can be forged or come from an old screen,
so what does not parse is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_DATA = re.compile(r"([A-Za-z0-9_-]{1,40}):([a-z]{1,8})(?::(\d{1,6}))?")
_OPTIONS = 100


class Verb(StrEnum):
    """What a button does."""

    UNDO = "undo"
    EDIT = "edit"
    MOVE = "move"
    ITEMS = "items"
    BACK = "back"
    REPLACE = "replace"
    BOTH = "both"
    SKIP = "skip"
    SAVE = "save"
    TYPED = "typed"
    PLAIN = "plain"
    CHANGE = "change"
    FILE = "file"
    TOGGLE = "toggle"
    PAGE = "page"
    APPLY = "apply"
    CANCEL = "cancel"
    CHOOSE = "choose"
    SHOW = "show"
    RESTORE = "restore"
    LEAVE = "leave"
    REMIND = "remind"
    WHEN = "when"
    STOP = "stop"
    REVIVE = "revive"
    FACT = "fact"
    UNFACT = "unfact"
    END = "end"
    ERASE = "erase"
    DRAW = "draw"
    OPEN = "open"
    UP = "up"
    REWORD = "reword"
    CARRY = "carry"
    DROP = "drop"
    ADD = "add"
    HEAD = "head"
    CLEAR = "clear"


JOURNAL = frozenset({Verb.UNDO, Verb.EDIT, Verb.MOVE, Verb.ITEMS, Verb.BACK, Verb.UNFACT})
"""Verbs whose id is an operation: they work for 30 days and need no dialog (D6)."""


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button: which question or operation, what to do, and to which part."""

    id: str
    verb: Verb
    number: int = 0


def encode(id: str, verb: Verb, number: int = 0) -> str:
    """The data of a button; at most 56 bytes for the ids this program makes."""
    return f"{id}:{verb}:{number}" if number else f"{id}:{verb}"


def decode(data: str) -> Press | None:
    """The press that button data stands for, None for foreign or broken data."""
    match = _DATA.fullmatch(data)
    if not match or match[2] not in Verb._value2member_map_:
        return None
    return Press(match[1], Verb(match[2]), int(match[3] or 0))


def at(part: int, option: int = 0) -> int:
    """One number for a part of a card and an option of that part."""
    return part * _OPTIONS + option


def place(number: int) -> tuple[int, int]:
    """The part and the option behind a number made by `at`."""
    return divmod(number, _OPTIONS)
