"""Questions that wait for an answer, stored so that a restart changes nothing (D1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Dialog:
    """A waiting question.

    ``message`` is 0 until the card was sent. ``digest`` is that of the document it was made
    from. ``payload`` is JSON. Times carry a zone. ``status`` is open, answered, expired or
    superseded.
    """

    id: str
    kind: str
    chat: int
    topic: int
    message: int
    asker: int
    payload: dict[str, Any]
    digest: str
    created: datetime
    expires: datetime
    status: str = "open"
