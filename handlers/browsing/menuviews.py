"""The pages of a menu, drawn from what stands on disk now (X1, D5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from curation.characters import visible
from handlers.browsing import documents, menufinds, menumoves
from handlers.browsing.menu import Action, Menu, Note, Page, Row, Spot, View, short
from handlers.browsing.menusights import (
    SECTION,
    Sight,
    can_change,
    can_move,
    children,
    deeper_than,
    entry_at,
    entry_spot,
    heading_at,
    heading_spot,
    home_of,
    inside,
    is_field,
    named,
    sight,
    where,
)
from handlers.callbacks import Verb
from handlers.context import Turn
from handlers.messages.listing import window
from handlers.messages.reply import shortened
from handlers.messages.voice import Voice, quoted
from memory.document import Entry, Heading
from memory.errors import Unreadable
from memory.sections import Op
from memory.spaces import DocumentRef
from memory.store import UNDO_DAYS

_LONGEST = 3000
_SOME = 700
_VALUE = 200
_NESTED = "↳ "


def drawn(turn: Turn, menu: Menu, voice: Voice) -> tuple[Page, Menu]:
    """The page of a menu and the menu as it is stored then; where its spot is gone, one back.

    Raises:
        Unreadable: the document cannot be read as text.
    """
    found = page(turn, menu.spot, voice)
    while found is None:
        lost = Note(menu.note.html or voice("browse.gone"), menu.note.op)
        menu = menu.up(note=lost) if len(menu.trail) > 1 else Menu((Spot(View.DOCUMENTS),))
        found = page(turn, menu.spot, voice)
    rows = tuple(row.spot for row in found.rows)
    shown = menu.on(found.page).trail
    return found, replace(menu, trail=shown, rows=rows, turned=menu.turned + 1)


def page(turn: Turn, spot: Spot, voice: Voice) -> Page | None:
    """What a spot shows; None when what it stood for is gone (D5).

    Raises:
        Unreadable: the document cannot be read as text.
    """
    if spot.view is View.DOCUMENTS:
        return _documents(turn, spot, voice)
    if spot.view is View.FOUND:
        return _found(turn, spot, voice)
    seen = sight(turn, spot, voice)
    return _PAGES[spot.view](seen, spot) if seen else None


def _documents(turn: Turn, spot: Spot, voice: Voice) -> Page:
    found = documents.existing(turn)
    shown, pages, part = window(len(found), spot.page)
    head = "browse.documents" if found else "browse.nothing"
    if not turn.place.private:
        head = "browse.documents.chat" if found else "browse.nothing.chat"
    rows = tuple(_document_row(turn, ref, voice) for ref in found[part])
    return Page(voice(head), rows, shown, pages)


def _document_row(turn: Turn, ref: DocumentRef, voice: Voice) -> Row:
    title = documents.title(turn, ref, voice)
    return Row(Spot(View.DOCUMENT, ref.key), f"{title} · {_count(turn, ref)}")


def _count(turn: Turn, ref: DocumentRef) -> str:
    """How many entries a document has, "?" where it cannot be read."""
    try:
        return str(len(turn.services.known.texts(turn.services.store.read(ref))))
    except Unreadable:
        return "?"


def _document(seen: Sight, spot: Spot) -> Page:
    """Entries above the first section and the sections, in file order."""
    levels = {h.line for h in seen.sections}
    loose = [e for e in seen.document.entries if e.section not in levels]
    listed = _listed(seen, spot, [*loose, *seen.sections])
    size = seen.voice("browse.lines", seen.document.count)
    if not listed.rows:
        size = seen.voice("browse.empty")
    head = f"<b>{quoted(seen.title)}</b>\n{size}{_shared(seen)}"
    return replace(listed, head=head, actions=_document_actions(seen))


def _document_actions(seen: Sight) -> tuple[Action, ...]:
    loose = seen.may(Op.APPEND) and not seen.sections
    add = (Action(Verb.ADD, "button.add_entry"),) if loose else ()
    head = (Action(Verb.HEAD, "button.add_section"),) if seen.may(Op.ADD_HEADING) else ()
    return (*add, *head)


def _shared(seen: Sight) -> str:
    return f"\n{seen.voice('browse.shared')}" if documents.is_shared(seen.ref) else ""


def _listed(seen: Sight, spot: Spot, pieces: Sequence[Entry | Heading]) -> Page:
    """One page of entries and headings as numbered rows, in file order."""
    ordered = sorted(pieces, key=lambda p: p.line if isinstance(p, Heading) else p.span.start)
    shown, pages, part = window(len(ordered), spot.page)
    rows = tuple(_row(seen, piece) for piece in ordered[part])
    return Page("", rows, shown, pages, part.start + 1)


def _row(seen: Sight, piece: Entry | Heading) -> Row:
    if isinstance(piece, Entry):
        nested = _NESTED if piece.indent else ""
        label, text = f"{nested}{visible(piece.text)}", f"{nested}{short(piece.text)}"
        return Row(entry_spot(seen.ref, piece), label, text)
    if is_field(seen):
        return _field_row(seen, piece)
    count = len(inside(seen.document, piece))
    text = seen.voice("browse.row.section", count, heading=named(piece))
    return Row(heading_spot(seen.ref, piece), f"{named(piece)} · {count}", text)


def _field_row(seen: Sight, field: Heading) -> Row:
    value = " ".join(e.text for e in inside(seen.document, field))
    said = shortened(value, _VALUE)
    text = seen.voice("browse.row.field", heading=named(field), value=said)
    return Row(heading_spot(seen.ref, field), f"{named(field)}: {visible(value)}", text)


def _section(seen: Sight, spot: Spot) -> Page | None:
    """The entries right below a heading, and its subsections."""
    heading = heading_at(seen.document, spot)
    if heading is None:
        return None
    if is_field(seen):
        return _field(seen, heading)
    deeper = [h for h in deeper_than(seen.document, heading) if h.level == SECTION + 1]
    below = [e for e in inside(seen.document, heading) if not _is_in(e, deeper)]
    listed = _listed(seen, spot, [*below, *deeper])
    empty = "" if listed.rows else f"\n{seen.voice('browse.empty.section')}"
    head = f"<b>{quoted(where(seen, heading))}</b>{_shared(seen)}{empty}"
    return replace(listed, head=head, actions=_section_actions(seen, heading))


def _field(seen: Sight, heading: Heading) -> Page:
    """A field and its value."""
    value = " ".join(e.text for e in inside(seen.document, heading))
    head = f"<b>{quoted(where(seen, heading))}</b>\n{quoted(shortened(value, _LONGEST))}"
    return Page(head, actions=(Action(Verb.REWORD, "button.change"),))


def _is_in(entry: Entry, headings: Sequence[Heading]) -> bool:
    return any(entry.span.start in h.body for h in headings)


def _section_actions(seen: Sight, heading: Heading) -> tuple[Action, ...]:
    removing = Op.REMOVE_HEADING if heading.level == SECTION else Op.REMOVE_SUBHEADING
    add = (Action(Verb.ADD, "button.add_entry"),) if seen.may(Op.APPEND) else ()
    clear = (Action(Verb.CLEAR, "button.clear"),) if seen.may(removing) else ()
    return (*add, *clear)


def _entry(seen: Sight, spot: Spot) -> Page | None:
    """One entry in full, where it stands, and what can be done with it."""
    entry = entry_at(seen.document, spot)
    if entry is None:
        return None
    place = quoted(where(seen, home_of(seen.document, entry)))
    text = quoted(shortened(entry.text, _LONGEST))
    below = children(seen.document, entry)
    lines = [
        f"<i>{place}</i>{_since(seen, entry)}",
        seen.voice("browse.children", below) if below else "",
        seen.voice("browse.shared") if documents.is_shared(seen.ref) else "",
        "" if can_change(seen, entry) else seen.voice(_why_not(seen)),
    ]
    foot = "\n".join(filter(None, lines))
    return Page(text, actions=_entry_actions(seen, entry), foot=foot)


def _why_not(seen: Sight) -> str:
    if is_field(seen):
        return "browse.field"
    return "browse.not_a_bullet" if seen.may(Op.REMOVE) else "browse.read_only"


def _entry_actions(seen: Sight, entry: Entry) -> tuple[Action, ...]:
    if not can_change(seen, entry):
        return ()
    move = (Action(Verb.CARRY, "button.move"),) if can_move(seen, entry) else ()
    delete = Action(Verb.DROP, "button.delete")
    return (Action(Verb.REWORD, "button.edit"), *move, delete)


def _since(seen: Sight, entry: Entry) -> str:
    """Since when it reads so, as far as the journal reaches back (K11)."""
    line = seen.document.lines[entry.span.start].strip()
    state, since = seen.turn.services.state, seen.turn.now - timedelta(days=UNDO_DAYS)
    for step in state.steps(seen.ref, since):
        if any(line == new.strip() for patch in step.patches for new in patch.hunk.new):
            day = step.at.astimezone(seen.turn.now.tzinfo).date().isoformat()
            return f"\n{seen.voice('browse.since', date=day)}"
    return ""


def _clear(seen: Sight, spot: Spot) -> Page | None:
    """The question before a whole section goes."""
    heading = heading_at(seen.document, spot)
    if heading is None:
        return None
    count = len(inside(seen.document, heading))
    head = seen.voice("browse.clear", count, heading=where(seen, heading))
    return Page(head, actions=(Action(Verb.APPLY, "button.clear"),))


def _drop(seen: Sight, spot: Spot) -> Page | None:
    """The question before an entry that somebody else wrote goes for everyone (G3)."""
    entry = entry_at(seen.document, spot)
    if entry is None:
        return None
    head = seen.voice("browse.drop", entry=shortened(entry.text, _SOME))
    actions = Action(Verb.APPLY, "button.delete"), Action(Verb.UP, "button.cancel")
    return Page(head, actions=actions, back=False)


def _carry(seen: Sight, spot: Spot) -> Page | None:
    """Where an entry can be moved to."""
    entry = entry_at(seen.document, spot)
    if entry is None:
        return None
    codes = menumoves.choices(seen, entry)
    shown, pages, part = window(len(codes), spot.page)
    rows = tuple(
        Row(replace(spot, view=View.PLACE, text=code, page=0), menumoves.label(seen, code))
        for code in codes[part]
    )
    said = "move.ask" if codes else "browse.no_place"
    return Page(seen.voice(said, entry=shortened(entry.text, _SOME)), rows, shown, pages)


def _target(seen: Sight, spot: Spot) -> Page:
    """The sections that a text can be added to."""
    shown, pages, part = window(len(seen.sections), spot.page)
    rows = tuple(
        Row(replace(heading_spot(seen.ref, h, View.PLACE), text=spot.text), named(h))
        for h in seen.sections[part]
    )
    said = shortened(spot.text, _SOME)
    return Page(seen.voice("browse.target", document=seen.title, entry=said), rows, shown, pages)


def _found(turn: Turn, spot: Spot, voice: Voice) -> Page:
    """The entries that hold some words, each with its document."""
    found = menufinds.matches(turn, spot.text, voice)
    shown, pages, part = window(len(found), spot.page)
    rows = tuple(
        Row(hit.spot, visible(hit.text), f"{short(hit.text)} <i>({quoted(hit.where)})</i>")
        for hit in found[part]
    )
    head = voice("browse.found", len(found), text=shortened(spot.text, _VALUE))
    return Page(head, rows, shown, pages, part.start + 1)


_PAGES: Mapping[View, Callable[[Sight, Spot], Page | None]] = {
    View.DOCUMENT: _document,
    View.SECTION: _section,
    View.ENTRY: _entry,
    View.CLEAR: _clear,
    View.DROP: _drop,
    View.CARRY: _carry,
    View.TARGET: _target,
}
