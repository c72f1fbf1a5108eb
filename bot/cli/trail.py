"""The audit of a document or a value at a terminal: who changed it, when, and how (M6)."""

from __future__ import annotations

from typing import Any

import click

from bot.cli import scope
from bot.cli.scope import Session
from memory.scope import Target
from memory.trail import Audited
from memory.untrusted import enclosed

LIMIT = click.option(
    "--limit", type=click.IntRange(1, 1000), default=20, help="How many, the newest first; 20."
)

Values = dict[str, Any]


def tell(session: Session, target: Target, subject: str, most: int) -> None:
    """Print the last writes of a subject; their lines as long as the journal has them."""
    writes = [_write(session, one) for one in session.core.state.trail.of(subject, most)]
    text = "\n".join(line for write in writes for line in _lines(write))
    shared: Values = {"untrusted": True} if scope.is_shared(target) else {}
    if shared:
        text = enclosed(text, target.space.code, session.core.new_id()).removesuffix("\n")
    session.say({"writes": writes, **shared}, text)


def _write(session: Session, one: Audited) -> Values:
    entry = session.core.state.entry(one.op) if one.op else None
    hunks = [patch.hunk for patch in entry.patches] if entry else []
    lines = {
        "removed": [line.rstrip("\r\n") for hunk in hunks for line in hunk.old],
        "added": [line.rstrip("\r\n") for hunk in hunks for line in hunk.new],
    }
    return {
        "at": one.at.isoformat(timespec="seconds"),
        "user": one.user,
        "chat": one.chat,
        "message": one.message,
        "source": one.source,
        "result": one.result,
        "operation": one.op,
        "before": one.before,
        "after": one.after,
        **(lines if entry else {}),
    }


def _lines(write: Values) -> list[str]:
    head = " ".join(str(write[name]) for name in ("at", "user", "source", "result"))
    removed = [f"  - {line}" for line in write.get("removed", ())]
    return [head, *removed, *(f"  + {line}" for line in write.get("added", ()))]
