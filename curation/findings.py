"""What a rule of the audit found out about one line: a value, before it becomes an item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.changeset import Category


@dataclass(frozen=True, slots=True)
class Finding:
    """One line may go: why, with the message id below ``reason.`` and what fills it.

    ``certain`` is False for what a person should look at first (shown flagged).
    ``newer`` is the note index of the line that replaces it, -1 without one.
    """

    category: Category
    reason: str
    params: Mapping[str, str] = field(default_factory=dict)
    certain: bool = True
    newer: int = -1
