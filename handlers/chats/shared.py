"""Shared memory in a conversation: which of it is reached, who reads it, one entry written (G3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from curation.engine import Match, Relation
from handlers import places
from handlers.context import Turn
from handlers.messages.voice import Voice
from memory import scope, sections
from memory.document import Document
from memory.edits import Edit, Hunk, replace_entry
from memory.scope import Audience, Denied, Wish
from memory.sectionplaces import bare
from memory.sections import Code, Fault, Op, Planned, Request
from memory.spaces import DocumentName, DocumentRef, Space, SpaceKind
from memory.store import Item, Receipt

MOST_SECTIONS = 6
_ENTRY = "entry"
INTO = " › "
"""Stands between a section and its subsection in the code of a shared place."""


def choices(turn: Turn) -> tuple[str, ...]:
    """Codes of the shared documents that this turn may write: the chat's own first (G3)."""
    own = (str(DocumentName.CHANNEL),) if turn.conversation.channels else ()
    reached = scope.groups(turn.conversation, turn.roster)
    return (*own, *(places.code(DocumentName.GROUP, id) for id in reached))


def reference(turn: Turn, code: str) -> DocumentRef | Denied:
    """The document behind a code, with the rights asked again (D3).

    A topic that has a memory of its own is meant where somebody speaks in it (G4).
    """
    place = places.split(code)
    if place.name is DocumentName.GROUP:
        found = scope.target(turn.conversation, Wish(group=place.slug or "-"), turn.roster)
        return found if isinstance(found, Denied) else DocumentRef(found.space, DocumentName.GROUP)
    channels = turn.conversation.channels
    if place.name is not DocumentName.CHANNEL or not channels:
        return Denied.NO_CONVERSATION
    return DocumentRef(channels[0], DocumentName.CHANNEL)


def audience(turn: Turn, code: str) -> Audience | None:
    """Who reads what is written there; None when that is not known."""
    place = places.split(code)
    if place.name is DocumentName.GROUP:
        return of_group(turn, place.slug)
    return turn.roster.audience(turn.place.chat)


def of_group(turn: Turn, id: str) -> Audience:
    """The members of a group, as an audience."""
    members = turn.roster.members_of(id)
    return Audience(len(members) + 1, members)


def headings(turn: Turn, ref: DocumentRef) -> tuple[str, ...]:
    """The sections of a shared document that an entry can go to, at most `MOST_SECTIONS`."""
    found = sections.headings(turn.services.store.read(ref).document)
    return tuple(dict.fromkeys(s.title for s in found if s.title))[:MOST_SECTIONS]


@dataclass(frozen=True, slots=True)
class Written:
    """An entry that stands in a shared document now; ``op`` is "" when it stood there before."""

    ref: DocumentRef
    heading: str
    op: str


def rival(turn: Turn, ref: DocumentRef, entry: str) -> tuple[str, Relation] | None:
    """The entry of a shared document that says nearly the same, adds to it or contradicts (S3).

    None when there is none, when the very line stands there, or when this request wrote it.
    """
    if turn.services.store.answered(ref, turn.author(), entry):
        return None
    texts = turn.services.known.texts(turn.services.store.read(ref))
    match: Match = turn.services.engine.compare(entry, texts)
    if match.index is None or match.relation in (Relation.DIFFERENT, Relation.EXACT):
        return None
    return texts[match.index], match.relation


def write(
    turn: Turn, code: str, entry: str, voice: Voice, replaces: str = ""
) -> Written | Denied | None:
    """Write an entry below the heading of a code; without one below the first heading there is.

    A document without headings gets one in the language of the chat. None when the heading is
    gone meanwhile. The entry ``replaces`` gives way if it still stands there (S3, D5). How many
    people can read it now is remembered, so that growth is told (G3).

    Raises:
        DocumentError, StateError: as `Store.apply`.
    """
    ref = reference(turn, code)
    if isinstance(ref, Denied):
        return ref
    named = places.split(code).heading
    default = voice.plain("shared.heading")
    edit = entering(entry, named, default, replaces)
    receipt = turn.services.store.apply(ref, [Item(_ENTRY, edit)], turn.author(), entry)
    if receipt.skipped:
        return None
    _remember_readers(turn, ref)
    return Written(ref, named or _home(receipt, default), receipt.op)


def entering(entry: str, heading: str, default: str, replaces: str = "") -> Edit:
    """The edit: in the place of ``replaces``, else below ``heading`` or the first one there is.

    A document without headings gets the ``default`` one.
    """

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        instead = replace_entry(replaces, entry)(document) if replaces else None
        if instead is not None:
            return instead
        known = [section.title for section in sections.headings(document) if section.title]
        title = heading or next(iter(known), default)
        request = _request(title, known, entry)
        result = sections.plan(document, request)
        if isinstance(result, Fault) and result.code is Code.HEADING_MISSING and not heading:
            request = Request(Op.ADD_HEADING, title, line=entry, name=DocumentName.CHANNEL)
            result = sections.plan(document, request)
        if isinstance(result, Planned):
            return result.hunks
        return None if isinstance(result, Fault) else ()

    return plan


def _request(heading: str, known: Collection[str], entry: str) -> Request:
    """An entry below a section, or below a subsection that is named together with it."""
    above, between, below = heading.partition(INTO)
    if between and heading not in known:
        return Request(Op.APPEND, above, below, line=entry, name=DocumentName.CHANNEL)
    return Request(Op.APPEND, heading, line=entry, name=DocumentName.CHANNEL)


def _home(receipt: Receipt, default: str) -> str:
    known = sections.headings(receipt.document)
    return next((section.title for section in known if section.title), default)


def _remember_readers(turn: Turn, ref: DocumentRef) -> None:
    found = turn.roster.audience(ref.space.number)
    if ref.space.kind is SpaceKind.CHANNEL and found:
        turn.services.state.members.grow(ref.space.number, found.readers, "")


def space(turn: Turn) -> Space | None:
    """The chat's own memory where somebody speaks in a chat; a topic's, where it has one."""
    return next(iter(turn.conversation.channels), None)


def readers(turn: Turn, code: str, voice: Voice) -> str:
    """One or two sentences on who will read what is written there, before it is written (G3)."""
    place, found = places.split(code), audience(turn, code)
    kind = "group" if place.name is DocumentName.GROUP else "chat"
    if found is None:
        return voice(f"shared.readers.{kind}_unknown", group=place.slug)
    said = voice(f"shared.readers.{kind}", found.readers, group=place.slug)
    return f"{said} {voice('shared.readers.bots', found.bots)}" if found.bots else said


def name(code: str, voice: Voice) -> str:
    """What a shared place is called on a button."""
    place = places.split(code)
    group = place.name is DocumentName.GROUP
    said = voice.plain("button.to_group" if group else "button.to_chat", group=place.slug)
    return f"{said}{INTO}{bare(place.heading)}" if place.heading else said
