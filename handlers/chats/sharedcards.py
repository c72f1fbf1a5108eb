"""Decisions on an entry for several people: rights are asked again, then it is written (D3, G3)."""

from __future__ import annotations

from dataclasses import replace

from handlers import dialogs, places
from handlers.answers import replaced
from handlers.callbacks import Verb
from handlers.chats import shared, sharing
from handlers.chats.shared import Written
from handlers.chats.sharing import Card
from handlers.context import Posts, Turn
from handlers.keeping import keep
from handlers.messages import render
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from memory.dialogs import Dialog
from memory.scope import Denied
from memory.spaces import DocumentName


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A pressed button: a place, a section, "only me", or Cancel."""
    assert turn.press
    card, voice = sharing.card_of(dialog), turn.voice(dialog.payload["language"])
    number = turn.press.number - 1
    match turn.press.verb:
        case Verb.FILE if 0 <= number < len(card.choices) and not card.code:
            return _placed(turn, dialog, replace(card, code=card.choices[number]))
        case Verb.REPLACE if card.rival:
            return _written(turn, dialog, card)
        case Verb.BOTH if card.rival:
            return _sectioned(turn, dialog, replace(card, rival=""))
        case Verb.CHOOSE if 0 <= number < len(card.headings) and not card.rival:
            return _written(turn, dialog, card, card.headings[number])
        case Verb.SAVE:
            return _mine(turn, dialog, card, voice)
        case Verb.CANCEL:
            return _ended(turn, dialog, render.say(voice, "keep.dropped", entry=card.entry), voice)
    return ()


def _placed(turn: Turn, dialog: Dialog, card: Card) -> Posts:
    """The place is chosen: an entry that says nearly the same there is shown first (S3)."""
    ref = shared.reference(turn, card.code)
    if isinstance(ref, Denied):
        return _barred(turn, dialog, card, ref)
    rival = shared.rival(turn, ref, card.entry)
    if rival is None:
        return _sectioned(turn, dialog, card)
    return _asked(turn, dialog, replace(card, rival=rival[0], relation=rival[1]))


def _sectioned(turn: Turn, dialog: Dialog, card: Card) -> Posts:
    """With several sections it is asked for the one, else the entry is written (G3)."""
    ref = shared.reference(turn, card.code)
    named = places.split(card.code).heading
    headings = () if named or isinstance(ref, Denied) else shared.headings(turn, ref)
    if len(headings) < 2:
        return _written(turn, dialog, card)
    return _asked(turn, dialog, replace(card, headings=headings))


def _asked(turn: Turn, dialog: Dialog, card: Card) -> Posts:
    """The card as it is now, stored and shown in its place."""
    voice = turn.voice(dialog.payload["language"])
    turn.services.state.amend(dialog.id, sharing.payload(turn, card, voice))
    return replaced(turn, sharing.shown(turn, card, voice, dialog.id), dialog.id)


def _written(turn: Turn, dialog: Dialog, card: Card, heading: str = "") -> Posts:
    voice = turn.voice(dialog.payload["language"])
    place = places.split(card.code)
    code = places.code(place.name, place.slug, heading or place.heading)
    found = shared.write(turn, code, card.entry, voice, card.rival)
    if found is None or isinstance(found, Denied):
        return _barred(turn, dialog, card, found)
    return _ended(turn, dialog, _said(found, card, voice), voice)


def _barred(turn: Turn, dialog: Dialog, card: Card, why: Denied | None) -> Posts:
    """The place was lost since: the text stays, with the places that are left (D3, W3)."""
    voice, place = turn.voice(dialog.payload["language"]), places.split(card.code)
    whole = places.code(place.name, place.slug)
    known = (whole if code == card.code else code for code in card.choices)
    left = [c for c in known if not isinstance(shared.reference(turn, c), Denied)]
    again = Card(card.entry, tuple(dict.fromkeys(left)))
    turn.services.state.amend(dialog.id, sharing.payload(turn, again, voice))
    said = voice(f"denied.{why}", group=place.slug) if why else voice("move.no_place")
    reply = sharing.shown(turn, again, voice, dialog.id)
    return replaced(turn, replace(reply, html=f"{said}\n\n{reply.html}"), dialog.id)


def _said(found: Written, card: Card, voice: Voice) -> Reply:
    """One line for everybody in the chat, with Undo for the one who asked."""
    place = places.split(card.code)
    kind = "group" if place.name is DocumentName.GROUP else "chat"
    known = "" if found.op else ".known"
    said = voice(f"shared.kept.{kind}{known}", entry=card.entry, group=place.slug)
    return Reply(said, render.undo_button(found.op, voice) if found.op else ())


def _ended(turn: Turn, dialog: Dialog, reply: Reply, voice: Voice) -> Posts:
    if not dialogs.close(turn, dialog):
        return replaced(turn, render.say(voice, "dialog.answered"))
    return replaced(turn, reply, dialog.id)


def _mine(turn: Turn, dialog: Dialog, card: Card, voice: Voice) -> Posts:
    """Into the person's own memory, and answered in private like anything personal (G2)."""
    closing = dialogs.close(turn, dialog)
    if not closing:
        return replaced(turn, render.say(voice, "dialog.answered"))
    own = replace(turn, shared=None)
    kept = keep.show(own, [keep.weigh(own, card.entry, "")], voice)
    if turn.place.private:
        return (*replaced(turn, render.say(voice, "shared.mine")), *kept)
    return (*replaced(turn, render.say(voice, "shared.mine_here")), *kept)
