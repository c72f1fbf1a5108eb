"""`pomnenka search`: find entries and facts by any form of their words (X3)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from bot.cli import scope
from bot.cli.scope import Session
from curation.characters import visible
from memory.context import said
from memory.scope import readable
from memory.search import MOST, Findings, Hit, Question
from memory.spaces import DocumentRef, SpaceKind
from memory.untrusted import enclosed


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Only what was written, or is dated, on this day or later.",
)
@click.option("--limit", default=8, type=click.IntRange(1, MOST), help="How many hits at most.")
@scope.options
def command(words: tuple[str, ...], since: datetime | None, limit: int, **options: Any) -> None:
    """Search every document and fact that may be read in the conversation, the best first.

    Case, accents and inflection do not matter; an entry that has more of the words comes first.
    """

    def work(session: Session) -> None:
        core = session.core
        spaces = readable(session.conversation, core.state.members.at(core.clock()))
        today, first = core.clock().date(), since.date() if since else None
        found = core.index.search(spaces, Question(" ".join(words), today, first, limit))
        session.say(values(session, found), "\n".join(lines(session, found)))

    scope.answering(options, work)


def lines(session: Session, found: Findings) -> list[str]:
    """The hits for a terminal, each with its source, then what could not be looked at."""
    shown = [f"{source(session, hit)}\n{_text(session, hit)}" for hit in found.hits]
    more = found.total - len(found.hits)
    unread = [f"Could not be read: {place(session, ref)}" for ref in found.unread]
    nothing = [] if shown else ["Nothing found."]
    return [*shown, *nothing, *([f"… and {more} more"] if more > 0 else []), *unread]


def values(session: Session, found: Findings) -> dict[str, Any]:
    """The hits for programs."""
    unread = [place(session, ref) for ref in found.unread]
    hits = [value(session, hit) for hit in found.hits]
    return {"hits": hits, "total": found.total, **({"unread": unread} if unread else {})}


def value(session: Session, hit: Hit) -> dict[str, Any]:
    """One hit; a line is counted from 1, and ``current`` is false for what was true once."""
    at = {"fact": hit.fact.id} if hit.fact else {"line": hit.line, "headings": [*hit.headings]}
    more: dict[str, Any] = {"day": hit.day} if hit.day else {}
    if _is_shared(hit):
        more["untrusted"] = True
    name = session.core.layout.name(hit.ref) if hit.ref else "facts"
    where = {"source": name, "space": hit.space.code, **at}
    return {"text": _words(hit), **where, "current": not hit.over, **more}


def source(session: Session, hit: Hit) -> str:
    """Where a hit stands, as ``keep.md:3`` or ``memory/MEMORY.md › Pets:12``."""
    past = " (past)" if hit.over else ""
    if hit.ref is None:
        return f"facts{past}"
    path = " › ".join((place(session, hit.ref), *map(visible, hit.headings)))
    return f"{path}:{hit.line}{past}"


def place(session: Session, ref: DocumentRef) -> str:
    """The name of a document; of a shared one with its owner."""
    owner = "" if ref.space.kind is SpaceKind.PERSONAL else f"{ref.space.code} "
    return f"{owner}{session.core.layout.name(ref)}"


def _text(session: Session, hit: Hit) -> str:
    if _is_shared(hit):
        return enclosed(_words(hit), hit.space.code, session.core.new_id()).removesuffix("\n")
    return f"  {visible(_words(hit))}"


def _words(hit: Hit) -> str:
    return said(hit.fact) if hit.fact else hit.text


def _is_shared(hit: Hit) -> bool:
    return hit.space.kind is not SpaceKind.PERSONAL
