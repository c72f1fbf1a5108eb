"""Homes other than keep.md: the card that names the place, and the button that files (T6-T12)."""

from __future__ import annotations

from curation.engine import Home, Route
from handlers import outcome, places
from handlers.context import Turn
from handlers.outcome import Outcome
from memory.edits import append_entry
from memory.spaces import DocumentName, slug_of
from memory.store import Item


def offer(turn: Turn, route: Route, text: str) -> Outcome:
    """The card for a part that belongs elsewhere; as typed when the rewrite lost something."""
    entry = " ".join(text.split()) if route.losses else route.entry
    exists = slug_of(route.target) in turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    return outcome.BelongsIn(route.home, entry, route.target, choices(turn, route), exists)


def choices(turn: Turn, route: Route) -> tuple[str, ...]:
    """Places a button can file to; keep.md is the way out of a wrong guess.

    Reminders, group facts, procedures and the bot's persona have no button yet.
    """
    keep = str(DocumentName.KEEP)
    if route.home is Home.NOTE:
        return (str(DocumentName.NOTES), keep)
    if route.home is Home.PROJECT:
        known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
        return (*places.projects(route.target, known), keep)
    if route.home is Home.AGENT_RULE:
        return rules(turn)
    return ()


def rules(turn: Turn) -> tuple[str, ...]:
    """Places for a rule about the agent: sections of USER.md, then AGENTS.md (T6)."""
    user = turn.services.store.read(turn.document(DocumentName.USER))
    return places.rules(user.document)


def everywhere(turn: Turn) -> tuple[str, ...]:
    """Places an entry of keep.md can be moved to."""
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    return (str(DocumentName.NOTES), *places.projects("", known), *rules(turn))


def file(turn: Turn, entry: str, code: str, source: str = "chat") -> Outcome | None:
    """Append an entry to the place that a code names.

    None when its heading is gone meanwhile. Rules in AGENTS.md are dated (product.md 2).
    """
    place = places.split(code)
    dated = f"[{turn.today:%Y-%m-%d}] {entry}" if place.name is DocumentName.AGENTS else entry
    edit = append_entry(dated, place.heading)
    ref = turn.document(place.name, place.slug)
    receipt = turn.services.store.apply(ref, [Item("entry", edit)], turn.author(source), entry)
    if receipt.skipped:
        return None
    return outcome.Filed(entry, places.shown(code), receipt.op)
