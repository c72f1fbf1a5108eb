"""Questions that wait: opening them, and finding the one an answer is meant for (D1-D6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from handlers.callbacks import Verb
from handlers.context import Turn
from memory import scope
from memory.dialogs import Dialog
from memory.spaces import Space, SpaceKind

Payload = dict[str, Any]

_PRIVATE = frozenset({Verb.EDIT, Verb.MOVE})


class Kind(StrEnum):
    """What a stored question is about."""

    CONTENT = "content"
    CARD = "card"
    EDIT = "edit"
    MOVE = "move"
    COMPACT = "compact"
    SETTINGS = "settings"
    OUTSIDE = "outside"
    TIDY = "tidy"
    SHARED = "shared"
    TIME = "time"
    REMINDERS = "reminders"
    FIND = "find"
    FACT = "fact"
    FACTS = "facts"
    TIMELINE = "timeline"
    OFFER = "offer"
    BROWSE = "browse"


_SHOWN = "shown_again"
_LASTING = frozenset({Kind.CARD, Kind.SETTINGS})
"""Questions whose buttons stay when their words are not waited for any more."""


class Gone(StrEnum):
    """Why a press cannot be answered any more (D3, D4)."""

    NOT_YOURS = "not_yours"
    ANSWERED = "answered"
    EXPIRED = "expired"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Question:
    """What a new dialog is made of; ``listens`` lets the person's next message answer it."""

    kind: Kind
    payload: Payload
    digest: str = ""
    listens: bool = False


def open_dialog(turn: Turn, question: Question, message: int = 0) -> Dialog:
    """Store a question to the person; it waits for ``Policy.dialog_days`` (D6).

    One that takes the next message is the only one that does.
    """
    if question.listens:
        hush(turn, waiting(turn))
    dialog = Dialog(
        id=turn.services.new_id(),
        kind=question.kind,
        chat=turn.place.chat if turn.at_desk else turn.home,
        topic=turn.place.topic if turn.at_desk else 0,
        message=message,
        asker=turn.person.id,
        payload={**question.payload, "listens": question.listens},
        digest=question.digest,
        created=turn.now,
        expires=turn.now + timedelta(days=turn.policy.dialog_days),
    )
    turn.services.state.open_dialog(dialog)
    return dialog


def thin(turn: Turn, kind: Kind, most: int) -> None:
    """End the oldest views of a kind, so that no more than so many of a person stay open."""
    found = [dialog for dialog in waiting(turn) if dialog.kind == kind]
    for dialog in found[most:]:
        close(turn, dialog, "superseded")


def reopen(turn: Turn, dialog: Dialog) -> Dialog:
    """The same question under a new id, on the same message; for an answer that failed."""
    again = replace(dialog, id=turn.services.new_id(), status="open")
    turn.services.state.open_dialog(again)
    return again


def close(turn: Turn, dialog: Dialog, end: str = "answered") -> bool:
    """End a question; False when somebody was faster or it ran out (D4)."""
    return turn.services.state.take(dialog.id, turn.now, end, turn.request) is not None


def waiting(turn: Turn) -> tuple[Dialog, ...]:
    """The person's open questions in private, newest first; of shared memory those of the chat."""
    state = turn.services.state
    if turn.at_desk:
        return tuple(d for d in state.dialogs_in(turn.place.chat) if d.expires > turn.now)
    found = [d for d in state.dialogs_of(turn.person.id, turn.request) if d.chat == turn.home]
    alive = [d for d in found if d.expires > turn.now]
    return tuple(sorted(alive, key=_last_shown, reverse=True))


def show_again(turn: Turn, dialog: Dialog) -> None:
    """Remember that a question was shown once more, so that words mean it before older ones."""
    turn.services.state.amend(dialog.id, {**dialog.payload, _SHOWN: turn.now.timestamp()})


def _last_shown(dialog: Dialog) -> float:
    return max(dialog.created.timestamp(), float(dialog.payload.get(_SHOWN, 0)))


def addressed(turn: Turn, found: tuple[Dialog, ...], kinds: frozenset[Kind]) -> Dialog | None:
    """The question that words answer: the one replied to, else the newest of that person (D2)."""
    fitting = [d for d in found if d.kind in kinds]
    answered = [d for d in fitting if turn.said.answers and d.message == turn.said.answers]
    return next(iter(answered or fitting), None)


def listening(turn: Turn, found: tuple[Dialog, ...]) -> Dialog | None:
    """The question whose answer is any next message of the person."""
    fitting = [d for d in found if d.payload.get("listens")]
    answered = [d for d in fitting if turn.said.answers and d.message == turn.said.answers]
    return next(iter(answered or fitting), None)


def amend(turn: Turn, dialog: Dialog, payload: Payload) -> None:
    """Store what a question carries now; one that begins to listen is the only one that does."""
    if payload.get("listens"):
        hush(turn, tuple(other for other in waiting(turn) if other.id != dialog.id))
    turn.services.state.amend(dialog.id, payload)


def hush(turn: Turn, found: tuple[Dialog, ...]) -> None:
    """Let no question take the next message any more: a command came in between (K3).

    Questions without another way to answer end; cards keep their buttons.
    """
    for dialog in found:
        if not dialog.payload.get("listens"):
            continue
        if dialog.kind in _LASTING:
            turn.services.state.amend(dialog.id, {**dialog.payload, "listens": False})
        else:
            close(turn, dialog, "superseded")


def _reopened(turn: Turn, dialog: Dialog) -> Dialog:
    """The question that took the place of an ended one on the same message, else that one."""
    newest = turn.services.state.dialog_at(dialog.chat, dialog.message) if dialog.message else None
    same = newest and newest.status == "open" and newest.kind == dialog.kind
    return newest if newest and same else dialog


def left_behind(turn: Turn) -> bool:
    """Whether another message shows how the pressed question ended, so its buttons must go (D4).

    A question answered in words leaves its card behind; one answered by a button became the
    outcome, whose own buttons stay, however often and however early it was pressed.
    """
    dialog = turn.services.state.dialog(turn.press.id) if turn.press else None
    return bool(dialog and dialog.status == "answered" and dialog.message != turn.place.message)


def office(turn: Turn) -> Payload:
    """What a question about a chat's memory carries: the space, and that its admins decide."""
    return {"space": turn.shared.code, "admins": True} if turn.shared else {}


def may_decide(turn: Turn, dialog: Dialog) -> bool:
    """Whether a question is the person's to answer: the asker's, or any admin's of the chat (D3).

    An admin's rights are those that Telegram told a moment ago (G6); who left the chat decides
    nothing there any more (G3).
    """
    members, place, person = turn.services.state.members, turn.place, turn.person.id
    if dialog.payload.get("admins"):
        return members.is_admin(place.chat, person, turn.now)
    inside = place.private or person in members.people(place.chat)
    return dialog.asker == person and inside


def here(turn: Turn) -> tuple[Dialog, ...]:
    """The questions that words may answer: in a group the one replied to (D2)."""
    if turn.place.private:
        return waiting(turn)
    found = turn.said.answers and turn.services.state.dialog_at(turn.place.chat, turn.said.answers)
    if not found or found.status != "open" or found.expires <= turn.now:
        return ()
    return (found,) if may_decide(turn, found) else ()


def in_journal(turn: Turn) -> Gone | None:
    """Why a button that names an operation cannot be pressed where it stands, None when it can.

    In a group only what was written to shared memory there has such buttons, and they are for
    the one who wrote it and still reaches that memory (D3, G3).
    """
    assert turn.press
    done, at_home = turn.services.store.operation(turn.press.id), turn.place.chat == turn.home
    if done is None or done.ref.space.kind is SpaceKind.PERSONAL:
        return None if at_home else Gone.UNKNOWN
    if done.author.user != turn.person.id:
        return Gone.NOT_YOURS
    forged = done.author.chat != turn.place.chat or turn.press.verb in _PRIVATE
    return Gone.UNKNOWN if forged or not _reaches(turn, done.ref.space) else None


def _reaches(turn: Turn, space: Space) -> bool:
    if space.kind is SpaceKind.GROUP:
        return scope.reaches(turn.conversation, space.owner, turn.roster)
    return belongs(turn, space) and space in turn.conversation.channels


def belongs(turn: Turn, space: Space) -> bool:
    """Whether the person is among those whose memory a space is, wherever they speak (G3)."""
    members, person = turn.services.state.members, turn.person.id
    match space.kind:
        case SpaceKind.PERSONAL:
            return space.number == person
        case SpaceKind.CHANNEL:
            return person in members.people(space.number)
    return person in members.members_of(space.owner)


def pressed(turn: Turn) -> Dialog | Gone:
    """The open question behind a pressed button, with the rights checked again (D3)."""
    assert turn.press
    dialog = turn.services.state.dialog(turn.press.id)
    if dialog is None:
        return Gone.UNKNOWN
    if turn.request and dialog.ended_by == turn.request:
        return dialog
    if dialog.status != "open":
        dialog = _reopened(turn, dialog)
    if not may_decide(turn, dialog):
        return Gone.NOT_YOURS
    if dialog.chat != turn.place.chat:
        return Gone.UNKNOWN
    if dialog.status == "open":
        return Gone.EXPIRED if dialog.expires <= turn.now else dialog
    return Gone.ANSWERED if dialog.status == "answered" else Gone.EXPIRED
