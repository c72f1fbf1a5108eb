"""What a person writes from a menu: a wording, an entry, a section, a value (M1, W6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from curation import admission
from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.browsing import menu, sectioning, sectionwords
from handlers.browsing.menu import Menu, Note, Spot, View
from handlers.browsing.menumoves import ENTRY
from handlers.browsing.menusights import (
    Sight,
    entry_at,
    heading_at,
    inside,
    is_field,
    named,
    parent,
    sight,
)
from handlers.browsing.menuviews import drawn
from handlers.browsing.sectioning import Done
from handlers.callbacks import Verb
from handlers.chats import shared
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.keeping import keep
from handlers.messages import render
from handlers.messages.reply import Post, Reply, shortened
from handlers.messages.voice import Voice
from memory.dialogs import Dialog
from memory.document import Document, Heading
from memory.edits import Edit, Hunk, prefix, splice
from memory.sectionplaces import occurrences, sections, subsections
from memory.sectionrequest import SECTIONED, flaw, stamped
from memory.sections import Op, Request
from memory.spaces import SpaceKind
from memory.store import Item

_LONGEST = 700


def ask(turn: Turn, dialog: Dialog, spot: Spot, act: Verb) -> Posts:
    """Ask for what is to be written; the person's next message is taken for it."""
    voice = turn.voice(dialog.payload["language"])
    seen = sight(turn, spot, voice)
    question = _asked(seen, spot, act) if seen else None
    if seen is None or question is None:
        return answer(turn, render.say(voice, "browse.gone"), voice)
    for old in dialogs.waiting(turn):
        if old.kind == Kind.EDIT and old.asker == turn.person.id:
            dialogs.close(turn, old, "superseded")
    text, entry = question
    said = "\n\n".join(filter(None, [text, _readers(seen)]))
    payload = {"menu": dialog.id, "spot": menu.spot_to_json(spot), "act": str(act), "entry": entry}
    payload |= {"asked": said, "language": voice.language}
    payload["space"] = dialog.payload.get("space", "")
    opened = dialogs.open_dialog(turn, Question(Kind.EDIT, payload, listens=True))
    return answer(turn, asked(opened, voice), voice, opened.id)


def asked(dialog: Dialog, voice: Voice) -> Reply:
    """The question of a menu as it was asked."""
    return Reply(dialog.payload["asked"], placeholder=voice.plain("placeholder.answer"))


def _asked(seen: Sight, spot: Spot, act: Verb) -> tuple[str, str] | None:
    """The question, and what it is about in a few words; None when its place is gone."""
    voice, heading = seen.voice, heading_at(seen.document, spot)
    if act is Verb.HEAD or spot.view is View.DOCUMENT:
        id = "browse.ask.section" if act is Verb.HEAD else "browse.ask.entry"
        return voice(id, where=seen.title), seen.title
    if spot.view is View.SECTION and heading:
        value = " ".join(e.text for e in inside(seen.document, heading))
        id = "browse.ask.value" if is_field(seen) else "browse.ask.entry"
        where = named(heading)
        return voice(id, **_params(where, value) if is_field(seen) else {"where": where}), where
    entry = entry_at(seen.document, spot)
    said = shortened(entry.text, _LONGEST * 4) if entry else ""
    return (voice("edit.ask", entry=said), said) if entry else None


def _params(heading: str, value: str) -> dict[str, str]:
    return {"heading": heading, "value": shortened(value, _LONGEST)}


def _readers(seen: Sight) -> str:
    """Who will read it, before something is written to shared memory (G3)."""
    space = seen.ref.space
    if space.kind is SpaceKind.PERSONAL:
        return ""
    code = str(seen.ref.name) if space.kind is SpaceKind.CHANNEL else f"group/{space.owner}"
    return shared.readers(seen.turn, code, seen.voice)


def reword(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """What a person sent for a question of a menu; the rights are asked again (D3).

    A text that cannot be stored is answered and the question stays open.
    """
    voice = turn.voice(dialog.payload["language"])
    spot, act = menu.spot_from_json(dialog.payload["spot"]), Verb(dialog.payload["act"])
    seen = sight(turn, spot, voice)
    if seen is None:
        dialogs.close(turn, dialog)
        return answer(turn, render.say(voice, "browse.gone"), voice)
    note = _changed(seen, spot, text) if spot.view is View.ENTRY else _added(seen, spot, act, text)
    if note is None:
        dialogs.close(turn, dialog)
        return answer(turn, render.say(voice, "browse.gone.text", text=text), voice)
    if note.op:
        dialogs.close(turn, dialog)
    undo = render.undo_button(note.op, voice) if note.op else ()
    said = answer(turn, Reply(note.html, undo), voice)
    return (*said, *_refreshed(turn, dialog.payload["menu"])) if note.op else said


def worded(turn: Turn, text: str) -> str:
    """A wording as it is stored: as typed, on one line; the person has the last word (K9)."""
    admitted = admission.clean(text, turn.services.languages)
    assert isinstance(admitted, admission.Admitted)
    return keep.one_line(admitted.text)


def _changed(seen: Sight, spot: Spot, text: str) -> Note | None:
    """Another wording of one entry; None when the entry is gone."""
    turn, voice = seen.turn, seen.voice
    request = Request(Op.REPLACE, "-", match="-", line=worded(turn, text), name=seen.ref.name)
    fault = flaw(request)
    if fault:
        return Note(sectionwords.sentence(voice, fault))
    new = stamped(replace(request, day=f"{turn.today:%Y-%m-%d}"))
    items = [Item(ENTRY, _rewording(spot, new))]
    receipt = turn.services.store.apply(seen.ref, items, turn.author("edit"), f"reword {new}")
    if receipt.skipped:
        return None
    if not receipt.op:
        return Note(voice("edit.same", entry=new))
    _remember_readers(seen)
    return Note(voice("edit.done", entry=new), receipt.op)


def _rewording(spot: Spot, text: str) -> Edit:
    def plan(document: Document) -> tuple[Hunk, ...] | None:
        entry = entry_at(document, spot)
        if entry is None or entry.text == text:
            return None if entry is None else ()
        return splice(document, {entry.span: (prefix(document, entry) + text,)})

    return plan


def _added(seen: Sight, spot: Spot, act: Verb, text: str) -> Note | None:
    """A new entry, section or value; None when its section is gone."""
    if act is Verb.HEAD:
        return _performed(seen, Request(Op.ADD_HEADING, worded(seen.turn, text)))
    return add(seen, spot, text)


def add(seen: Sight, spot: Spot, text: str) -> Note | None:
    """A new entry at a spot, or the value of a field; None when its place is gone."""
    line = worded(seen.turn, text)
    if spot.view is View.DOCUMENT:
        return _performed(seen, _first(seen, line))
    heading = heading_at(seen.document, spot)
    if heading is None:
        return None
    op = Op.REPLACE if is_field(seen) else Op.APPEND
    return _performed(seen, replace(request_for(seen.document, heading, op), line=line))


def _first(seen: Sight, line: str) -> Request:
    """An entry of a document without sections; where it needs one, a first section is made."""
    if seen.ref.name not in SECTIONED:
        return Request(Op.APPEND, line=line)
    default = seen.voice.plain("shared.heading")
    return Request(Op.ADD_HEADING, default, line=line)


def request_for(document: Document, heading: Heading, op: Op) -> Request:
    """An operation on a section or subsection, told apart from equal ones."""
    above = parent(document, heading)
    if above is None:
        which = _which(sections(document), heading)
        return Request(op, heading.title, occurrence=which)
    inner = _which(subsections(document, above), heading)
    outer = _which(sections(document), above)
    return Request(op, above.title, heading.title, occurrence=outer, suboccurrence=inner)


def _which(known: Sequence[Heading], heading: Heading) -> int:
    return occurrences(known)[known.index(heading)]


def _performed(seen: Sight, request: Request) -> Note:
    done: Done = sectioning.perform(seen.turn, seen.ref, request)
    if done.op:
        _remember_readers(seen)
    return Note(sectioning.sentence(seen.voice, done), done.op)


def clear(seen: Sight, spot: Spot) -> Note:
    """Take a whole section out, with everything below it; Undo brings it back."""
    heading = heading_at(seen.document, spot)
    if heading is None:
        return Note(seen.voice("browse.gone"))
    op = Op.REMOVE_SUBHEADING if parent(seen.document, heading) else Op.REMOVE_HEADING
    return _performed(seen, request_for(seen.document, heading, op))


def _remember_readers(seen: Sight) -> None:
    """How many can read a chat's memory when it is written, so that growth is told (G3)."""
    space, members = seen.ref.space, seen.turn.services.state.members
    found = seen.turn.roster.audience(space.number)
    if space.kind is SpaceKind.CHANNEL and found:
        members.grow(space.number, found.readers, "")


def _refreshed(turn: Turn, id: str) -> Posts:
    """The message of an open menu drawn again, as it stands now."""
    dialog = turn.services.state.dialog(id)
    if dialog is None or dialog.status != "open" or not dialog.message:
        return ()
    stood = menu.from_json(dialog.payload)
    left = stood.up() if stood.spot.view is View.ENTRY else replace(stood, note=Note())
    reply = stored(turn, dialog, left)
    return (Post(reply, dialog.chat, dialog.topic, edit=dialog.message, dialog=dialog.id),)


def stored(turn: Turn, dialog: Dialog, left: Menu) -> Reply:
    """A menu drawn and stored as it is shown now."""
    voice = turn.voice(dialog.payload["language"])
    page, shown = drawn(turn, left, voice)
    payload: dict[str, Any] = {**dialog.payload, **menu.to_json(shown), "by": turn.request}
    turn.services.state.amend(dialog.id, payload)
    return menu.reply(page, shown, voice, dialog.id)


def taken_back(turn: Turn, said: str) -> Posts | None:
    """The menu of the pressed message with what Undo did above it; None when there is no menu."""
    dialog = turn.services.state.dialog_at(turn.place.chat, turn.place.message)
    if dialog is None or dialog.kind != Kind.BROWSE or dialog.status != "open":
        return None
    left = replace(menu.from_json(dialog.payload), note=Note(said))
    return replaced(turn, stored(turn, dialog, left), dialog.id)
