"""Moving an entry from a menu: to another section, or to another document of the person (K9)."""

from __future__ import annotations

from collections.abc import Sequence

from handlers import places
from handlers.browsing.menu import Note, Spot, mark_of
from handlers.browsing.menusights import Sight, can_change, can_move, entry_at, home_of, parent
from handlers.context import Turn
from handlers.keeping import filing, filingwords
from handlers.messages import outcome
from memory.document import Document, Entry, Heading
from memory.edits import Edit, Hunk, insert, splice
from memory.sectionplaces import bare, region
from memory.sectionrequest import undated
from memory.sections import Op
from memory.spaces import DocumentName, DocumentRef, SpaceKind
from memory.store import Item, Receipt

ENTRY = "entry"
_KEEP = str(DocumentName.KEEP)


def choices(seen: Sight, entry: Entry) -> tuple[str, ...]:
    """Codes of the places an entry can go to: other sections of its document, then other documents.

    What is shared stays where it is shared, and nothing personal goes there (G3).
    """
    near = _sections(seen, entry) if seen.may(Op.APPEND) else ()
    if seen.ref.space.kind is not SpaceKind.PERSONAL:
        return near
    own = places.code(seen.ref.name, seen.ref.slug)
    far = [_KEEP, *filing.everywhere(seen.turn, entry.text)]
    other = [code for code in far if not _is_of(code, own)]
    return tuple(dict.fromkeys([*near, *other]))


def _is_of(code: str, document: str) -> bool:
    return code == document or code.startswith(f"{document}/")


def _sections(seen: Sight, entry: Entry) -> tuple[str, ...]:
    home = home_of(seen.document, entry)
    above = parent(seen.document, home) if home else None
    stands = [h.line for h in (home,) if h and above is None]
    titles = [h.title for h in seen.sections if h.line not in stands]
    return tuple(dict.fromkeys(places.code(seen.ref.name, _slug(seen), t) for t in titles))


def _slug(seen: Sight) -> str:
    """What a code names the document by, where there are several (`places`)."""
    return seen.ref.space.owner if seen.ref.name is DocumentName.GROUP else seen.ref.slug


def label(seen: Sight, code: str) -> str:
    """A place on a button, as plain text."""
    place = places.split(code)
    if place.heading and (place.name, place.slug) == (seen.ref.name, _slug(seen)):
        return f"› {bare(place.heading)}"
    if code == _KEEP:
        return seen.turn.services.layout.name(DocumentRef(seen.ref.space, DocumentName.KEEP))
    return filingwords.choice(code, seen.voice)


def carry(seen: Sight, spot: Spot) -> Note:
    """Move the entry of a spot to the place it names; Undo takes back all of it."""
    entry, place = entry_at(seen.document, spot), places.split(spot.text)
    if entry is not None and not can_move(seen, entry):
        return Note(seen.voice("browse.read_only"))
    if (place.name, place.slug) == (seen.ref.name, _slug(seen)):
        return _within(seen, spot, place.heading)
    return _beyond(seen, spot)


def _within(seen: Sight, spot: Spot, title: str) -> Note:
    """One change of one document: the entry goes from one section to the other."""
    entry, voice = entry_at(seen.document, spot), seen.voice
    item = Item(ENTRY, _relocating(spot, title))
    receipt = _written(seen, item, spot, "chat")
    if receipt.skipped or not receipt.op:
        return Note(voice("move.no_place"))
    text = entry.text if entry else text_of(seen.turn, receipt.op)
    where = f"{seen.title} › {bare(title)}"
    return Note(voice("move.done", where=where, entry=text), receipt.op)


def _relocating(spot: Spot, title: str) -> Edit:
    def plan(document: Document) -> tuple[Hunk, ...] | None:
        entry = entry_at(document, spot)
        target = next((h for h in document.headings if h.level == 2 and h.title == title), None)
        if entry is None or target is None:
            return None
        return _both(document, entry, target)

    return plan


def _both(document: Document, entry: Entry, target: Heading) -> tuple[Hunk, ...] | None:
    """The hunks that take an entry out and put it into a section, None when they would touch."""
    out = splice(document, {document.block(entry): ()})
    into = insert(document, region(document, target), f"- {entry.text}")
    ordered = sorted([*out, *into], key=lambda hunk: (hunk.start, hunk.stop))
    clash = any(one.stop > other.start for one, other in zip(ordered, ordered[1:], strict=False))
    return None if clash else tuple(ordered)


def _beyond(seen: Sight, spot: Spot) -> Note:
    """First written there, then taken out here, so that nothing is lost."""
    turn, voice, entry = seen.turn, seen.voice, entry_at(seen.document, spot)
    done = turn.services.store.answered(seen.ref, turn.author(), _step(spot))
    text = entry.text if entry else text_of(turn, done.op) if done else ""
    if not text:
        return Note(voice("browse.gone"))
    bare_text = undated(text) if seen.ref.name is DocumentName.AGENTS else text
    filed = filing.file(turn, bare_text, spot.text)
    if not isinstance(filed, outcome.Filed):
        return Note(voice("move.no_place"))
    receipt = _written(seen, Item(ENTRY, removing(spot)), spot, f"move:{filed.op}")
    said = voice("move.done", where=filed.where, entry=bare_text)
    return Note(said, receipt.op or filed.op)


def removing(spot: Spot) -> Edit:
    """The edit that takes the entry of a spot out, with what stands below it."""

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        entry = entry_at(document, spot)
        return None if entry is None else splice(document, {document.block(entry): ()})

    return plan


def _written(seen: Sight, item: Item, spot: Spot, source: str) -> Receipt:
    store, turn = seen.turn.services.store, seen.turn
    return store.apply(seen.ref, [item], turn.author(source), _step(spot))


def _step(spot: Spot) -> str:
    """The name of one change in a request (W4)."""
    return f"{spot.view} {spot.line} {spot.mark} {mark_of(spot.text)}"


def text_of(turn: Turn, op: str) -> str:
    """The entry that a done operation took out."""
    done = turn.services.store.operation(op, whole=True)
    gone = Document.of("\n".join(done.removed)).entries if done else ()
    return gone[0].text if gone else ""


def delete_all(seen: Sight, spots: Sequence[Spot]) -> Note:
    """Take several entries of one document out as one change; what is gone is left alone (D5)."""
    if len(spots) == 1 or not seen.may(Op.REMOVE):
        return delete(seen, spots[0])
    entries = (entry_at(seen.document, spot) for spot in spots)
    if not all(can_change(seen, entry) for entry in entries if entry is not None):
        return Note(seen.voice("browse.read_only"))
    items = [Item(str(n), removing(spot)) for n, spot in enumerate(spots, 1)]
    step = " ".join(map(_step, spots))
    receipt = seen.turn.services.store.apply(seen.ref, items, seen.turn.author(), step)
    if not receipt.op:
        return Note(seen.voice("browse.gone"))
    return Note(seen.voice("browse.deleted.some", len(receipt.applied)), receipt.op)


def delete(seen: Sight, spot: Spot, step: str = "") -> Note:
    """Take the entry of a spot out at once; Undo brings it back.

    ``step`` names the change in its request, where the spot does not (W4).
    """
    voice, entry = seen.voice, entry_at(seen.document, spot)
    if entry is not None and not can_change(seen, entry):
        return Note(voice("browse.read_only"))
    items = [Item(ENTRY, removing(spot))]
    author = seen.turn.author()
    receipt = seen.turn.services.store.apply(seen.ref, items, author, step or _step(spot))
    if receipt.skipped or not receipt.op:
        return Note(voice("browse.gone"))
    return Note(voice("browse.deleted", entry=text_of(seen.turn, receipt.op)), receipt.op)
