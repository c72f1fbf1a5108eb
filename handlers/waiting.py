"""/pending and /cancel: what waits for an answer, and how to end it (D6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from handlers import choices, dialogs, places
from handlers.answers import answer
from handlers.browsing import menuwrites
from handlers.callbacks import Verb, encode
from handlers.chats import notices, sharing
from handlers.compacting import compact, tidy, tidying
from handlers.context import Person, Posts, Turn
from handlers.dialogs import Kind
from handlers.graph import facts
from handlers.keeping import cards
from handlers.messages import listing, outcome, render
from handlers.messages.reply import Button, Reply, shortened
from handlers.messages.voice import Voice, quoted
from memory.dialogs import Dialog

REST = timedelta(days=1)
"""How long a question waits before the first reminder (D6)."""

_MOST, _DIGITS = 10, 5
_CARDS = frozenset(
    {Kind.SETTINGS, Kind.REMINDERS, Kind.FACTS, Kind.TIMELINE, Kind.OFFER, Kind.BROWSE, Kind.FIND}
)
MENUS = frozenset({Kind.REMINDERS, Kind.FACTS, Kind.BROWSE})
"""What is looked at and changed by its buttons: closed by "cancel" when it was shown last."""

_NUDGED = "nudged"


def pending(turn: Turn) -> Posts:
    """The person's open questions, newest first; each can be shown again. ``2``: page 2."""
    voice = turn.voice()
    if not _questions(turn):
        return answer(turn, render.say(voice, "pending.nothing"), voice)
    said = turn.said.argument
    return remind(turn, int(said) - 1 if said.isdecimal() and len(said) < _DIGITS else 0)


def remind(turn: Turn, page: int = 0) -> Posts:
    """A page of open questions, the last one there is at most; nothing when there are none."""
    voice = turn.voice()
    found = _questions(turn)
    if not found:
        return ()
    page = min(max(0, page), (len(found) - 1) // _MOST)
    shown = list(enumerate(found, 1))[page * _MOST : (page + 1) * _MOST]
    lines = [f"{n}. {quoted(about(dialog, voice))}" for n, dialog in shown]
    left = len(found) - (page + 1) * _MOST
    more = [voice("pending.more", left, next=page + 2)] if left > 0 else []
    rows = tuple(
        (Button(voice.plain("button.show", number=n), encode(dialog.id, Verb.SHOW)),)
        for n, dialog in shown
    )
    text = "\n".join([voice("pending.list", len(found)), *lines, *more])
    return answer(turn, Reply(text, rows), voice)


def nudge(turn: Turn) -> Posts:
    """Once a day, without a sound: the questions that have waited for longer than a day (D6)."""
    state, today = turn.services.state, turn.today.isoformat()
    old = [dialog for dialog in _questions(turn) if dialog.created < turn.now - REST]
    quiet = choices.quiet_of(state, turn.person.id)
    if not old or (quiet and quiet.holds(turn.now)):
        return ()
    if state.preference(turn.person.id, _NUDGED, "") == today:
        return ()
    state.prefer(turn.person.id, _NUDGED, today)
    language = old[0].payload.get("language", "") or turn.person.language
    speaking = Person(turn.person.id, language=language)
    return tuple(replace(post, quiet=True) for post in remind(replace(turn, person=speaking)))


def _questions(turn: Turn) -> list[Dialog]:
    return [d for d in dialogs.waiting(turn) if d.kind not in _CARDS]


def about(dialog: Dialog, voice: Voice) -> str:
    """One line on what a question is about, as plain text."""
    match dialog.kind:
        case Kind.COMPACT:
            name = places.shown(dialog.payload["document"], voice.names)
            count = len(dialog.payload["proposal"]["items"])
            return voice.plain("pending.compact", count, document=name)
        case Kind.TIDY:
            sheet = tidy.sheet_of(dialog)
            return voice.plain("pending.tidy", len(sheet.repairs), document=sheet.shown)
        case Kind.CONTENT:
            return voice.plain("pending.content")
        case Kind.OUTSIDE:
            return notices.about(dialog, voice)
        case Kind.SHARED:
            return voice.plain("pending.card", 1, entry=shortened(dialog.payload["entry"], 80))
        case Kind.TIME:
            return voice.plain("pending.time")
        case Kind.FACT:
            return voice.plain("pending.fact", fact=shortened(dialog.payload["about"], 80))
        case Kind.EDIT if dialog.payload.get("act") in (Verb.ADD, Verb.HEAD):
            return voice.plain("pending.add", where=dialog.payload["entry"])
        case Kind.EDIT:
            return voice.plain("pending.edit", entry=shortened(dialog.payload.get("entry", ""), 60))
    open_ = [one for one in cards.parts(dialog) if outcome.waits(one)]
    if open_ and isinstance(open_[0], outcome.Reminding) and not open_[0].text:
        return voice.plain("remind.what")
    text = cards.text_of(open_[0]) if open_ else ""
    return voice.plain("pending.card", len(open_), entry=shortened(text, 80))


def again(turn: Turn, dialog: Dialog) -> Posts:
    """An open question as a new message at the end of the private chat: now it is the newest."""
    voice = turn.voice(dialog.payload.get("language", ""))
    dialogs.show_again(turn, dialog)
    if dialog.kind == Kind.SHARED:
        asked = sharing.shown(turn, sharing.card_of(dialog), voice, dialog.id)
        return answer(turn, asked, voice, dialog.id)
    return answer(turn, _asked(dialog, voice), voice, dialog.id)


def _asked(dialog: Dialog, voice: Voice) -> Reply:
    match dialog.kind:
        case Kind.COMPACT:
            return listing.sheet(compact.sheet_of(dialog), voice, dialog.id)
        case Kind.TIDY:
            return tidying.sheet(tidy.sheet_of(dialog), voice, dialog.id)
        case Kind.CARD | Kind.MOVE:
            return render.card(cards.parts(dialog), voice, dialog.id)
        case Kind.OUTSIDE:
            return notices.again(dialog, voice)
        case Kind.TIME:
            return render.ask(voice, "remind.when")
        case Kind.FACT:
            return facts.asked(dialog, voice)
        case Kind.EDIT if "menu" in dialog.payload:
            return menuwrites.asked(dialog, voice)
        case Kind.EDIT:
            return render.ask(voice, "edit.ask", entry=dialog.payload.get("entry", ""))
    return render.ask(voice, "unclear.empty")


def cancel(turn: Turn) -> Posts:
    """/cancel: end what was asked or shown last, and say which one it was."""
    found = tuple(d for d in dialogs.waiting(turn) if d.kind in MENUS or d.kind not in _CARDS)
    target = dialogs.addressed(turn, found, frozenset(Kind))
    voice = turn.voice()
    if target is None:
        return answer(turn, render.say(voice, "cancel.nothing"), voice)
    return end(turn, target, voice)


def end(turn: Turn, dialog: Dialog, voice: Voice) -> Posts:
    """End one question as its Cancel button would; a menu is closed and nothing changes."""
    if dialog.kind in MENUS:
        dialogs.close(turn, dialog, "superseded")
        return answer(turn, render.say(voice, "cancel.menu"), voice)
    if dialog.kind == Kind.COMPACT:
        return compact.cancel(turn, dialog)
    if dialog.kind == Kind.TIDY:
        return tidy.cancel(turn, dialog)
    if dialog.kind == Kind.CARD:
        return cards.decline(turn, dialog)
    dialogs.close(turn, dialog)
    reply = render.say(voice, "cancel.done", about=about(dialog, voice))
    return answer(turn, reply, voice, dialog.id)
