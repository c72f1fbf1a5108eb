"""The lines of log/memory-clean.log, the person's own record of what was removed (C5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum


class Verb(StrEnum):
    """The first word after the time stamp; part of the file's format, never translated."""

    DELETED = "DELETED"
    MERGED = "MERGED"
    SHORTENED = "SHORTENED"
    RESTORED = "RESTORED"


def log_line(
    verb: Verb, texts: Sequence[str], *, category: str = "", new: str = "", reason: str = ""
) -> str:
    """One item without its time stamp: ``DELETED [category] "text" — reason``.

    A merge has several ``texts``, joined by ``+``, and a ``new`` one after an arrow. Several
    lines of one text are separated by ``\\n``, which is written as a backslash and an n.
    """
    parts = [verb.value, f"[{category}]" if category else "", " + ".join(map(_quoted, texts))]
    line = " ".join(part for part in parts if part)
    line += f" → {_quoted(new)}" if new else ""
    return line + (f" — {_one_line(reason)}" if reason else "")


def restored(line: str) -> str:
    """The line that says an item was taken back: the same text under its own verb."""
    return f"{Verb.RESTORED.value} {line.partition(' ')[2]}"


def stamped(line: str, at: datetime) -> str:
    """The line as it stands in the log: minutes, in the zone that ``at`` carries."""
    return f"{at:%Y-%m-%d %H:%M} {line}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_one_line(escaped)}"'


def _one_line(text: str) -> str:
    return text.replace("\r", "\\r").replace("\n", "\\n")
