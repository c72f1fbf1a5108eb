"""Memory as menus in chat: /show, /list, /add and /remove, and every button of them (X1, M1).

Documents, sections and entries are looked at, changed, moved and removed. Everything goes
through `menu.Menu`, one stored row, and is checked against the disk at each press (D1, D5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.browsing import documents, menu, menufinds, menumoves, menuwrites
from handlers.browsing.menu import Menu, Note, Spot, View
from handlers.browsing.menusights import (
    Sight,
    can_change,
    entry_at,
    heading_at,
    heading_spot,
    is_anothers,
    sight,
    steps_to,
    where,
)
from handlers.browsing.menuviews import drawn
from handlers.browsing.sectionwords import sentence
from handlers.callbacks import Verb
from handlers.chats import sharing
from handlers.chats.shared import space
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.keeping import cards, keep
from handlers.keeping.keep import Content
from handlers.messages import render
from handlers.messages.reply import Post, Reply, shortened
from handlers.messages.voice import Voice, quoted
from memory.dialogs import Dialog
from memory.document import Heading
from memory.errors import Unreadable
from memory.sectionplaces import home
from memory.sectionrequest import SECTIONED
from memory.sections import Fault, Op, Request
from memory.spaces import DocumentName, DocumentRef, SpaceKind, personal
from memory.store import Operation

_TOP = Spot(View.DOCUMENTS)
_LAST, _LONGEST = 10**6, 700
_REMOVE = "remove"
_INTO = re.compile(r"\s*[›>»]\s*")


def show(turn: Turn) -> Posts:
    """/show: the documents, or the one that is named; what waits for nobody is asked nothing."""
    return shown(turn, turn.said.argument)


def shown(turn: Turn, said: str, voice: Voice | None = None) -> Posts:
    """The menu of the documents, or of the one a person named."""
    voice = voice or turn.voice()
    if not said:
        return opened(turn, Menu((_TOP,)), voice)
    name, *rest = _INTO.split(said, maxsplit=1)
    found = _meant(turn, name, voice)
    if isinstance(found, Note):
        return opened(turn, Menu((_TOP,), note=found), voice)
    return _opened_at(turn, found, rest[0] if rest else "", voice)


def list_(turn: Turn) -> Posts:
    """/list: what was kept, the newest last; the page with the newest is shown first."""
    ref = DocumentRef(personal(turn.person.id), DocumentName.KEEP)
    trail = (_TOP, Spot(View.DOCUMENT, ref.key, page=_LAST))
    return opened(documents.alone(turn), Menu(trail), turn.voice(), turn)


def add(turn: Turn) -> Posts:
    """/add DOCUMENT › SECTION: TEXT, guarded like every other way in (W6)."""
    voice = turn.voice()
    place, colon, text = turn.said.argument.partition(":")
    if not place.strip():
        return answer(turn, render.say(voice, "browse.add.usage"), voice)
    refusal = cards.forbidden(turn, text) if text.strip() else ""
    if refusal:
        return answer(turn, replace(render.say(voice, refusal), refused=True), voice)
    name, *rest = _INTO.split(place.strip(), maxsplit=1)
    found = _meant(turn, name, voice)
    if isinstance(found, Note):
        return opened(turn, Menu((_TOP,), note=found), voice)
    if found.name is DocumentName.KEEP and text.strip():
        return keep.remember(turn, Content(text.strip()))
    if not colon or not text.strip():
        return _opened_at(turn, found, rest[0] if rest else "", voice)
    return _added(_standing(turn, found), turn, (found, rest[0] if rest else "", text), voice)


def _added(inner: Turn, turn: Turn, what: tuple[DocumentRef, str, str], voice: Voice) -> Posts:
    """An entry written to a document; where it needs a section and none is said, a menu asks.

    Who will read it is said before anything is written to shared memory (G3).
    """
    ref, title, text = what
    seen = Sight(inner, voice, ref, inner.services.store.read(ref).document)
    heading = home(seen.document, _place(title)) if title else None
    if isinstance(heading, Fault):
        return _unplaced(seen, turn, text, heading)
    if documents.is_shared(ref):
        steps = steps_to(seen.document, heading)
        return sharing.offer_at(turn, ref, steps, menuwrites.worded(inner, text), voice)
    if not title and ref.name in SECTIONED and len(seen.sections) > 1:
        target = Spot(View.TARGET, ref.key, text=menuwrites.worded(inner, text))
        return opened(inner, Menu((target,)), voice, turn)
    if not title and ref.name in SECTIONED:
        heading = next(iter(seen.sections), None)
    spot = heading_spot(ref, heading) if heading else Spot(View.DOCUMENT, ref.key)
    note = menuwrites.add(seen, spot, text) or Note(voice("browse.gone"))
    return answer(_desk(inner, turn), _added_where(seen, spot, text, note), voice)


def _unplaced(seen: Sight, turn: Turn, text: str, fault: Fault) -> Posts:
    """The section that was named is not there, or several are: those there are, as buttons."""
    said, inner = sentence(seen.voice, fault), seen.turn
    if documents.is_shared(seen.ref) or not seen.sections:
        text = quoted(menuwrites.worded(inner, text))
        return answer(_desk(inner, turn), Reply(f"{said}\n\n{text}"), seen.voice)
    target = Spot(View.TARGET, seen.ref.key, text=menuwrites.worded(inner, text))
    note = Note(said.partition("\n")[0])
    return opened(inner, Menu((target,), note=note), seen.voice, turn)


def _added_where(seen: Sight, spot: Spot, text: str, note: Note) -> Reply:
    """What came of it; an entry of a document that stood there is said with its whole place."""
    if not note.op:
        return Reply(note.html)
    heading, undo = heading_at(seen.document, spot), render.undo_button(note.op, seen.voice)
    if heading is None and seen.ref.name in SECTIONED:
        return Reply(note.html, undo)
    entry = shortened(menuwrites.worded(seen.turn, text), _LONGEST)
    return Reply(seen.voice("keep.filed", where=where(seen, heading), entry=entry), undo)


def _place(title: str) -> Request:
    """A section, or a subsection below it, as it was named."""
    heading, *rest = _INTO.split(title, maxsplit=1)
    return Request(Op.SHOW, heading, rest[0] if rest else None)


def remove(turn: Turn) -> Posts:
    """/remove WORDS: the one entry that holds them goes at once; of several one is picked."""
    voice, words = turn.voice(), turn.said.argument
    if not words:
        return answer(turn, render.say(voice, "browse.remove.usage"), voice)
    inner = _standing(turn, None)
    done = _removed_already(inner)
    found = () if done else menufinds.matches(inner, words, voice)
    if done:
        return _removed(inner, turn, (done.ref, done.op), voice)
    if not found:
        return answer(_desk(inner, turn), render.say(voice, "browse.found.none", text=words), voice)
    if len(found) > 1:
        return opened(inner, Menu((Spot(View.FOUND, text=words),)), voice, turn)
    seen = sight(inner, found[0].spot, voice)
    if seen and _asks(seen, found[0].spot):
        return opened(inner, _question(found[0].spot), voice, turn)
    note = menumoves.delete(seen, found[0].spot, _REMOVE) if seen else Note()
    if seen is None or not note.op:
        return answer(_desk(inner, turn), render.say(voice, "browse.gone"), voice)
    return _removed(inner, turn, (seen.ref, note.op), voice)


def _asks(seen: Sight, spot: Spot) -> bool:
    """Whether it is asked before an entry goes: somebody else wrote it for everyone (G3)."""
    entry = entry_at(seen.document, spot)
    return entry is not None and can_change(seen, entry) and is_anothers(seen, entry)


def _question(spot: Spot) -> Menu:
    """The menu that asks before an entry goes."""
    above = (_TOP, Spot(View.DOCUMENT, spot.ref), replace(spot, view=View.ENTRY))
    return Menu((*above, replace(spot, view=View.DROP)))


def _removed_already(turn: Turn) -> Operation | None:
    """What this very message removed before a crash, so that it removes nothing more (W4)."""
    refs = (ref for ref in documents.existing(turn) if documents.allowed(ref, Op.REMOVE))
    store, author = turn.services.store, turn.author()
    return next(filter(None, (store.answered(ref, author, _REMOVE) for ref in refs)), None)


def _removed(inner: Turn, turn: Turn, done: tuple[DocumentRef, str], voice: Voice) -> Posts:
    ref, op = done
    document, entry = documents.title(inner, ref, voice), menumoves.text_of(inner, op)
    said = voice("browse.removed", document=document, entry=entry)
    return answer(_desk(inner, turn), Reply(said, render.undo_button(op, voice)), voice)


def _meant(turn: Turn, name: str, voice: Voice) -> DocumentRef | Note:
    """The one document of a name: here, else among the person's own, which open in private."""
    here = documents.named(turn, name, voice)
    found = here or documents.own(turn, name, voice)
    if len(found) > 1:
        return Note(voice("browse.several", name=name))
    if found and found[0].name is DocumentName.ROOM and not turn.place.private:
        return Note(voice("browse.private_only"))
    if found:
        return found[0]
    unwritten = documents.missing(turn, name)
    return unwritten or Note(voice("browse.unknown", name=name))


def _standing(turn: Turn, ref: DocumentRef | None) -> Turn:
    """The turn where a document is read: in the chat for what is shared there, else in private."""
    if turn.place.private:
        return turn
    if ref is not None and ref.space.kind is SpaceKind.PERSONAL:
        return documents.alone(turn)
    return replace(turn, shared=space(turn))


def _desk(inner: Turn, turn: Turn) -> Turn:
    """The turn to answer with: what is personal goes to the private chat, with a neutral line."""
    return inner if inner.at_desk else turn


def _opened_at(turn: Turn, ref: DocumentRef, title: str, voice: Voice) -> Posts:
    """The menu at a document, or at one of its sections."""
    inner, trail = _standing(turn, ref), (_TOP, Spot(View.DOCUMENT, ref.key))
    if not title:
        return opened(inner, Menu(trail), voice, turn)
    document = inner.services.store.read(ref).document
    found = home(document, _place(title))
    if isinstance(found, Heading):
        return opened(inner, Menu((*trail, heading_spot(ref, found))), voice, turn)
    note = Note(sentence(voice, found)) if isinstance(found, Fault) else Note()
    return opened(inner, Menu(trail, note=note), voice, turn)


def opened(turn: Turn, start: Menu, voice: Voice, asked: Turn | None = None) -> Posts:
    """A new menu; an older one of the same person there is superseded (D4)."""
    inner = turn if turn.place.private else replace(turn, shared=space(turn))
    page, shown = drawn(inner, start, voice)
    ended = _superseded(inner)
    payload = menu.to_json(shown) | {"language": voice.language, "by": turn.request}
    payload["space"] = inner.shared.code if inner.shared else ""
    dialog = dialogs.open_dialog(inner, Question(Kind.BROWSE, payload))
    reply = menu.reply(page, shown, voice, dialog.id)
    return (*ended, *answer(_desk(inner, asked or inner), reply, voice, dialog.id))


def _superseded(turn: Turn) -> Posts:
    """End the older menus of the person there; each is left as text, without its buttons (D4)."""
    found = [d for d in dialogs.waiting(turn) if d.kind == Kind.BROWSE]
    old = [d for d in found if d.asker == turn.person.id]
    return tuple(post for dialog in old for post in _ended(turn, dialog))


def _ended(turn: Turn, dialog: Dialog) -> Posts:
    dialogs.close(turn, dialog, "superseded")
    if not dialog.message:
        return ()
    with suppress(Unreadable):
        voice = turn.voice(dialog.payload["language"])
        stood = replace(menu.from_json(dialog.payload), note=Note())
        page, stood = drawn(turn, stood, voice)
        left = Reply(menu.reply(page, stood, voice, "").html)
        return (Post(left, dialog.chat, dialog.topic, edit=dialog.message),)
    return ()


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A pressed button of a menu: a row, a page, a step back, or something to do.

    What comes again after a crash, or from an older screen, only draws the page again (D1, W4).
    """
    assert turn.press
    stood = menu.from_json(dialog.payload)
    again = bool(turn.request) and dialog.payload.get("by") == turn.request
    if again:
        return replaced(turn, menuwrites.stored(turn, dialog, stood), dialog.id)
    if turn.press.verb in _ASKING and stood.is_present(turn.press.number):
        return menuwrites.ask(turn, dialog, stood.spot, turn.press.verb)
    left = _stepped(turn, stood, turn.voice(dialog.payload["language"]))
    return replaced(turn, menuwrites.stored(turn, dialog, left), dialog.id)


def delete(turn: Turn, dialog: Dialog, numbers: Sequence[int]) -> Posts:
    """``delete 3``: the entries of these numbers on the page that is shown (D2).

    The list is shown anew below; the same message, delivered again, deletes nothing more (W4).
    """
    voice, stood = turn.voice(dialog.payload["language"]), menu.from_json(dialog.payload)
    if not (turn.request and dialog.payload.get("by") == turn.request):
        known = stood.numbered
        if not set(numbers) <= known.keys():
            said = "browse.numbers" if known else "dialog.no_numbers"
            return answer(turn, render.say(voice, said, numbers=_listed(known)), voice)
        picked = [known[n] for n in numbers]
        stood = _deleted(turn, stood, picked, voice)
    return answer(turn, menuwrites.stored(turn, dialog, stood), voice, dialog.id)


def _deleted(turn: Turn, stood: Menu, picked: Sequence[Spot], voice: Voice) -> Menu:
    """What is left; of what others wrote for everyone one entry is asked about at a time (G3)."""
    seen = sight(turn, picked[0], voice)
    if seen is None:
        return replace(stood, note=Note(voice("browse.gone")))
    if not any(_asks(seen, spot) for spot in picked):
        return replace(stood, note=menumoves.delete_all(seen, picked))
    if len(picked) > 1:
        return replace(stood, note=Note(voice("browse.one_by_one")))
    return stood.at(picked[0]).at(replace(picked[0], view=View.DROP))


def _listed(known: Mapping[int, Spot]) -> str:
    return ", ".join(map(str, known))


_ASKING = frozenset({Verb.REWORD, Verb.ADD, Verb.HEAD})


def _stepped(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    """Where a press leads; to where it stands when the button is of another page."""
    assert turn.press
    number = turn.press.number
    if turn.press.verb is Verb.PAGE:
        return stood.on(number - 1)
    if turn.press.verb is Verb.UP:
        return stood.up()
    step = _STEPS.get(turn.press.verb)
    fits = step and stood.is_present(number)
    return step(turn, stood, voice) if step and fits else replace(stood, note=Note())


def _open(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    assert turn.press
    picked = stood.picked(turn.press.number)
    if picked is None:
        return replace(stood, note=Note())
    if picked.view is View.PLACE:
        return _placed(turn, stood, picked, voice)
    return stood.at(picked)


def _placed(turn: Turn, stood: Menu, picked: Spot, voice: Voice) -> Menu:
    """A place was picked: for an entry that is moved, or for a text that is added."""
    seen, gone = sight(turn, picked, voice), Note(voice("browse.gone"))
    if stood.spot.view is View.CARRY:
        return stood.up(2, menumoves.carry(seen, picked) if seen else gone)
    section = replace(picked, view=View.SECTION, text="")
    note = menuwrites.add(seen, section, picked.text) if seen else None
    trail = (_TOP, Spot(View.DOCUMENT, picked.ref), section)
    return Menu(trail, turned=stood.turned, note=note or gone)


def _drop(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    seen = sight(turn, stood.spot, voice) if stood.spot.view is View.ENTRY else None
    gone = Note(voice("browse.gone"))
    if seen and _asks(seen, stood.spot):
        return stood.at(replace(stood.spot, view=View.DROP, page=0))
    return stood.up(1, menumoves.delete(seen, stood.spot) if seen else gone)


def _apply(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    """The question before something goes was answered: an entry, or a whole section."""
    if stood.spot.view is not View.DROP:
        return _clear(turn, stood, voice)
    seen, gone = sight(turn, stood.spot, voice), Note(voice("browse.gone"))
    return stood.up(2, menumoves.delete(seen, stood.spot) if seen else gone)


def _ask_clear(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    if stood.spot.view is not View.SECTION:
        return stood
    return stood.at(replace(stood.spot, view=View.CLEAR, page=0))


def _clear(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    seen = sight(turn, stood.spot, voice) if stood.spot.view is View.CLEAR else None
    if seen is None or not seen.may(Op.REMOVE_HEADING):
        return stood
    return stood.up(2, menuwrites.clear(seen, stood.spot))


def _ask_carry(turn: Turn, stood: Menu, voice: Voice) -> Menu:
    if stood.spot.view is not View.ENTRY:
        return stood
    return stood.at(replace(stood.spot, view=View.CARRY, page=0))


_STEPS: Mapping[Verb, Callable[[Turn, Menu, Voice], Menu]] = {
    Verb.OPEN: _open,
    Verb.DROP: _drop,
    Verb.CLEAR: _ask_clear,
    Verb.APPLY: _apply,
    Verb.CARRY: _ask_carry,
}
