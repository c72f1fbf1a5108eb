"""What became of an input, as a message; pure (K9, T1-T14)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import singledispatch
from typing import Any, cast

from curation.characters import visible
from curation.engine import Relation
from handlers import places
from handlers.callbacks import Verb, at, encode
from handlers.messages import outcome as o
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice
from memory.spaces import DocumentName

_LONGEST = 700
_ROOM = 3000
_TEXTS = ("entry", "existing", "text", "replaced", "old", "marked")


def say(voice: Voice, id: str, n: int | None = None, /, **params: object) -> Reply:
    """One sentence without buttons."""
    return Reply(voice(id, n, **params))


def ask(voice: Voice, id: str, /, **params: object) -> Reply:
    """A question whose answer is the next message (force reply)."""
    return Reply(voice(id, **params), placeholder=voice.plain("placeholder.answer"))


def card(outcomes: Sequence[o.Outcome], voice: Voice, dialog: str = "") -> Reply:
    """All parts of an input on one message, with the buttons of those that have some.

    Several parts are numbered; the numbers stand on their buttons too.
    """
    several = len(outcomes) > 1
    room = min(_LONGEST, max(30, _ROOM // (2 * len(outcomes))))
    lines = [sentence(trimmed(outcome, room), voice) for outcome in outcomes]
    rows: list[tuple[Button, ...]] = []
    for part, outcome in enumerate(outcomes):
        mark = f"{part + 1} · " if several else ""
        found = buttons(outcome, voice, Target(dialog, part, several))
        rows.extend(tuple(_marked(b, mark) for b in row) for row in found)
    text = "\n\n".join(f"{i}. {s}" for i, s in enumerate(lines, 1)) if several else lines[0]
    refused = all(isinstance(one, o.Refused) for one in outcomes)
    return Reply(text, tuple(rows), refused=refused)


def trimmed(outcome: o.Outcome, room: int) -> o.Outcome:
    """The outcome with texts of at most ``room`` units, for showing only."""
    long = {
        f.name: shortened(visible(getattr(outcome, f.name)), room)
        for f in dataclasses.fields(outcome)
        if f.name in _TEXTS
    }
    shown: o.Outcome = dataclasses.replace(cast(Any, outcome), **long)
    return shown


def _marked(button: Button, mark: str) -> Button:
    return Button(mark + button.text, button.data, button.url)


class Target:
    """What the buttons of one part point at."""

    def __init__(self, dialog: str, part: int = 0, several: bool = False) -> None:
        self._dialog, self._part, self._several = dialog, part, several

    def data(self, verb: Verb, option: int = 0) -> str:
        """Button data for a decision on this part of the stored card."""
        return encode(self._dialog, verb, at(self._part, option))

    def journal(self, op: str, verb: Verb) -> str:
        """Button data for a done operation; 1 tells that the card has other parts too."""
        return encode(op, verb, int(self._several))


@singledispatch
def sentence(outcome: o.Outcome, voice: Voice) -> str:
    """What is said about one part, as HTML."""
    raise TypeError(type(outcome))


@sentence.register
def _(outcome: o.Kept, voice: Voice) -> str:
    if outcome.replaced:
        said = voice("keep.replaced", entry=outcome.entry, old=outcome.replaced)
    else:
        said = voice("keep.kept", entry=outcome.entry)
    return f"{said}\n{outcome.noted}" if outcome.noted else said


@sentence.register
def _(outcome: o.Known, voice: Voice) -> str:
    return voice("keep.known", entry=outcome.entry)


@sentence.register
def _(outcome: o.Duplicate, voice: Voice) -> str:
    texts = {"entry": outcome.entry, "existing": outcome.existing}
    if outcome.code:
        place, said = places.split(outcome.code), _relation(outcome.relation)
        where = places.shown(places.code(place.name, place.slug), voice.names)
        return voice(f"file.duplicate.{said}", where=where, **texts)
    if outcome.document is not DocumentName.KEEP:
        id = f"keep.elsewhere.{_relation(outcome.relation)}"
        return voice(id, document=places.shown(outcome.document, voice.names), **texts)
    return voice(f"keep.duplicate.{_relation(outcome.relation)}", **texts)


def _relation(relation: Relation) -> str:
    return relation if relation in (Relation.EXTENDS, Relation.CONTRADICTS) else "same"


@sentence.register
def _(outcome: o.NeedsReason, voice: Voice) -> str:
    return voice("keep.reason", entry=outcome.entry)


@sentence.register
def _(outcome: o.Refused, voice: Voice) -> str:
    return voice(f"refused.{outcome.why}")


@sentence.register
def _(outcome: o.Vague, voice: Voice) -> str:
    return voice(f"unclear.{outcome.why}")


@sentence.register
def _(outcome: o.Unfaithful, voice: Voice) -> str:
    return voice("keep.unfaithful", text=outcome.text, entry=outcome.entry)


@sentence.register
def _(outcome: o.Foreign, voice: Voice) -> str:
    return voice("keep.foreign", entry=outcome.entry)


@sentence.register
def _(outcome: o.Suspicious, voice: Voice) -> str:
    return voice("keep.veiled" if outcome.veiled else "keep.suspicious", text=outcome.text)


@sentence.register
def _(outcome: o.Dropped, voice: Voice) -> str:
    return voice("keep.dropped", entry=outcome.entry)


@singledispatch
def buttons(outcome: o.Outcome, voice: Voice, target: Target) -> Rows:
    """The buttons of one part; most have none."""
    return ()


@buttons.register
def _(outcome: o.Kept, voice: Voice, target: Target) -> Rows:
    rows = done_buttons(outcome.op, voice, target)
    if outcome.offered:
        return (*rows, (button(Verb.FACT, voice, target, "button.add_fact"),))
    if not outcome.noted_op:
        return rows
    undo = encode(outcome.noted_op, Verb.UNFACT, 1)
    return (*rows, (Button(voice.plain("button.undo_fact"), undo),))


def done_buttons(op: str, voice: Voice, target: Target) -> Rows:
    """Undo, Edit, Move: they work from the journal, for 30 days (K9)."""
    verbs = (Verb.UNDO, Verb.EDIT, Verb.MOVE)
    return (tuple(Button(voice.plain(f"button.{v}"), target.journal(op, v)) for v in verbs),)


def undo_button(op: str, voice: Voice) -> Rows:
    """Undo alone, for what has no wording of its own."""
    return ((Button(voice.plain("button.undo"), encode(op, Verb.UNDO)),),)


@buttons.register
def _(outcome: o.Filed, voice: Voice, target: Target) -> Rows:
    return ((Button(voice.plain("button.undo"), target.journal(outcome.op, Verb.UNDO)),),)


@buttons.register
def _(outcome: o.Duplicate, voice: Voice, target: Target) -> Rows:
    if outcome.document is not DocumentName.KEEP and not outcome.code:
        verbs: tuple[Verb, ...] = (Verb.SKIP, Verb.SAVE)
    elif outcome.relation is Relation.SAME:
        verbs = (Verb.SKIP, Verb.REPLACE, Verb.BOTH)
    else:
        verbs = (Verb.REPLACE, Verb.BOTH, Verb.SKIP)
    names = {Verb.SAVE: "button.keep_anyway"}
    return (tuple(button(v, voice, target, names.get(v, f"button.{v}")) for v in verbs),)


@buttons.register
def _(outcome: o.NeedsReason, voice: Voice, target: Target) -> Rows:
    return (
        (
            button(Verb.PLAIN, voice, target, "button.plain"),
            button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


@buttons.register
def _(outcome: o.Unfaithful, voice: Voice, target: Target) -> Rows:
    return (
        (button(Verb.TYPED, voice, target, "button.typed"),),
        (
            button(Verb.CHANGE, voice, target, "button.edit"),
            button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


@buttons.register
def _(outcome: o.Foreign, voice: Voice, target: Target) -> Rows:
    return _save_or_cancel(voice, target, "button.save")


@buttons.register
def _(outcome: o.Suspicious, voice: Voice, target: Target) -> Rows:
    return _save_or_cancel(voice, target, "button.save_anyway")


def _save_or_cancel(voice: Voice, target: Target, label: str) -> Rows:
    return (
        (
            button(Verb.SAVE, voice, target, label),
            button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


def button(verb: Verb, voice: Voice, target: Target, label: str) -> Button:
    """A button that decides about one part of a card."""
    return Button(voice.plain(label), target.data(verb))
