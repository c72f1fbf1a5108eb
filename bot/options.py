"""Options as dataclass fields: default, check and documentation in one place.

A table of the configuration file is a frozen dataclass whose fields are made by `option`;
`read_table` turns raw TOML into it and collects every problem instead of stopping at the first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory.spaces import group

Check = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a configuration file: where, what was expected, what stood there."""

    table: str
    key: str
    expected: str
    found: str

    def __str__(self) -> str:
        where = f"[{self.table}] {self.key}" if self.key else f"[{self.table}]"
        return f"{where}: expected {self.expected}, found {self.found}"


def option(default: Any, doc: str, expected: str, check: Check) -> Any:
    """A field with its default, its sentence for people, and what values it takes.

    Args:
        default: the value when the file does not name the key.
        doc: one sentence for config.example.toml.
        expected: words for the value wanted, used in a `Problem`.
        check: whether a raw TOML value is one.
    """
    meta = {"doc": doc, "expected": expected, "check": check}
    if isinstance(default, dict | list):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata=meta)
    return dataclasses.field(default=default, metadata=meta)


def read_table(name: str, kind: type[Any], raw: object, problems: list[Problem]) -> Any:
    """The table as its dataclass; what is wrong is added to ``problems`` and left at default."""
    if not isinstance(raw, Mapping):
        problems.append(Problem(name, "", "a table", shown(raw)))
        return kind()
    fields = {f.name: f for f in dataclasses.fields(kind)}
    good = {}
    for key, value in raw.items():
        if key not in fields:
            known = "one of " + ", ".join(fields)
            problems.append(Problem(name, key, known, "an unknown key"))
        elif not fields[key].metadata["check"](value):
            problems.append(Problem(name, key, fields[key].metadata["expected"], shown(value)))
        else:
            good[key] = value
    return kind(**good)


def shown(value: object) -> str:
    """A value as a person would recognise it in the file, shortened to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def is_text(value: object) -> bool:
    """Whether a value is a string."""
    return isinstance(value, str)


def is_flag(value: object) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool)


def is_number(low: int, high: int) -> Check:
    """A check for whole numbers between two limits, both allowed."""
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def is_one_of(*words: str) -> Check:
    """A check for one of a few words."""
    return lambda v: v in words


def is_ids(value: object) -> bool:
    """Whether a value is a list of Telegram ids."""
    return isinstance(value, list) and all(isinstance(v, int) and v > 0 for v in value)


def is_words(value: object) -> bool:
    """Whether a value is a list of at least one string."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def is_list(value: object) -> bool:
    """Whether a value is a list of strings, perhaps an empty one."""
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def is_url(value: object) -> bool:
    """Whether a value is an http or https address."""
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def is_url_or_empty(value: object) -> bool:
    """Whether a value is an http or https address, or nothing."""
    return value == "" or is_url(value)


def is_place(value: object) -> bool:
    """Whether a value is ``host:port``."""
    host, _, port = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    return bool(host) and port.isdecimal() and int(port) < 65536


def is_homes(value: object) -> bool:
    """Whether a value maps Telegram ids (as TOML keys) to folders."""
    return isinstance(value, Mapping) and all(
        k.isdigit() and isinstance(v, str) for k, v in value.items()
    )


def is_names(value: object) -> bool:
    """Whether a value maps document names to relative paths inside a space."""
    return isinstance(value, Mapping) and all(
        isinstance(v, str) and v and not v.startswith("/") and ".." not in v.split("/")
        for v in value.values()
    )


def is_groups(value: object) -> bool:
    """Whether a value maps ids of groups to lists of Telegram ids."""
    return isinstance(value, Mapping) and all(
        group(str(id)).is_proper and is_ids(members) for id, members in value.items()
    )
