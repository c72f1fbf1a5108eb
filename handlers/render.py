"""What became of an input, as a message; pure (K9, T1-T14)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import singledispatch
from typing import Any, cast

from curation.characters import visible
from curation.engine import Home, Relation
from handlers import outcome as o
from handlers import places, shared
from handlers.callbacks import Verb, at, encode
from handlers.reply import Button, Reply, Rows, shortened
from handlers.voice import Voice
from memory.document import PIN
from memory.spaces import DocumentName, slug_of

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
def _(outcome: o.BelongsIn, voice: Voice) -> str:
    if outcome.lines and outcome.target:
        texts = {"target": outcome.target, "entry": outcome.entry, "document": _index(voice)}
        return voice("file.full.topic", outcome.lines, **texts)
    said = voice(_belonging(outcome), **_named(outcome, voice))
    if outcome.lines:
        return f"{said}\n\n{voice('file.full', outcome.lines, document=_index(voice))}"
    return said


def _belonging(outcome: o.BelongsIn) -> str:
    """The sentence for a home, by what is known of the place."""
    id = f"route.{outcome.home}"
    if outcome.near:
        return f"{id}.near"
    if outcome.home is Home.SKILL_RULE:
        count = len(outcome.target.split())
        return f"{id}.both" if count > 1 else f"{id}.named" if count else id
    named = outcome.home is Home.TOPIC and outcome.target
    named = named or (outcome.home is Home.PROJECT and slug_of(outcome.target))
    return (f"{id}.exists" if outcome.exists else f"{id}.named") if named else id


def _named(outcome: o.BelongsIn, voice: Voice) -> dict[str, str]:
    """The parameters of that sentence."""
    if outcome.home is Home.TOPIC:
        texts = {"target": outcome.target, "near": outcome.near, "document": _index(voice)}
        return {"entry": outcome.entry, **texts}
    skills = [slug_of(name) for name in outcome.target.split()]
    if outcome.home is Home.SKILL_RULE and len(skills) > 1:
        return {"entry": outcome.entry, "target": skills[0], "other": skills[1]}
    near = {"near": outcome.near} if outcome.near else {}
    return {"entry": outcome.entry, "target": slug_of(outcome.target), **near}


@sentence.register
def _(outcome: o.Persona, voice: Voice) -> str:
    heading = outcome.heading.removesuffix(PIN).strip()
    texts = {"heading": heading, "entry": outcome.entry, "document": _soul(voice)}
    if not outcome.old:
        return voice("file.persona.empty", **texts)
    return voice("file.persona", old=outcome.old, **texts)


@sentence.register
def _(outcome: o.Fieldless, voice: Voice) -> str:
    id = "file.no_field" if outcome.exists else "file.no_soul"
    return voice(id, entry=outcome.entry, document=_soul(voice))


def _soul(voice: Voice) -> str:
    return places.shown(DocumentName.SOUL, voice.names)


@sentence.register
def _(outcome: o.Uncertain, voice: Voice) -> str:
    return voice("file.uncertain", entry=outcome.entry, mark=_mark(outcome))


def _mark(outcome: o.Uncertain) -> str:
    return outcome.marked.removeprefix(outcome.entry).strip()


@sentence.register
def _(outcome: o.Full, voice: Voice) -> str:
    full = voice("file.full", outcome.lines, document=_index(voice))
    return f"{full}\n{voice('keep.dropped', entry=outcome.entry)}"


@sentence.register
def _(outcome: o.Moving, voice: Voice) -> str:
    return voice("move.ask", entry=outcome.entry)


@sentence.register
def _(outcome: o.Filed, voice: Voice) -> str:
    lines = [voice("keep.filed", entry=outcome.entry, where=outcome.where)]
    if outcome.replaced:
        lines.append(voice("file.instead", old=outcome.replaced))
    if outcome.pointer:
        lines.append(voice("file.pointer", where=outcome.pointer))
    if outcome.lines:
        lines.append(voice("file.nearly_full", outcome.lines, document=_index(voice)))
    return "\n".join(lines)


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
        return (*rows, (_button(Verb.FACT, voice, target, "button.add_fact"),))
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
    return (tuple(_button(v, voice, target, names.get(v, f"button.{v}")) for v in verbs),)


@buttons.register
def _(outcome: o.NeedsReason, voice: Voice, target: Target) -> Rows:
    return (
        (
            _button(Verb.PLAIN, voice, target, "button.plain"),
            _button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


@buttons.register(o.BelongsIn)
@buttons.register(o.Moving)
def _(outcome: o.BelongsIn | o.Moving, voice: Voice, target: Target) -> Rows:
    if not outcome.choices:
        return ()
    filing = tuple(
        (Button(shortened(choice(code, voice), 40), target.data(Verb.FILE, i)),)
        for i, code in enumerate(outcome.choices)
    )
    return (*filing, (_button(Verb.CANCEL, voice, target, "button.cancel"),))


def _index(voice: Voice) -> str:
    return places.shown(DocumentName.INDEX, voice.names)


def choice(code: str, voice: Voice) -> str:
    """A place on a button; a topic that is not there yet says so."""
    place = places.split(code)
    if place.name is DocumentName.KEEP:
        return voice.plain("button.in_keep")
    if place.name in (DocumentName.CHANNEL, DocumentName.GROUP):
        return shared.name(code, voice)
    if place.name is DocumentName.TOPIC and place.heading:
        topic = places.shown(places.code(place.name, place.slug), voice.names)
        return voice.plain("button.new_file", document=topic)
    return places.shown(code, voice.names)


@buttons.register
def _(outcome: o.Persona, voice: Voice, target: Target) -> Rows:
    return (
        (
            _button(Verb.FILE, voice, target, "button.set"),
            _button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


@buttons.register
def _(outcome: o.Uncertain, voice: Voice, target: Target) -> Rows:
    marked = Button(voice.plain("button.marked", mark=_mark(outcome)), target.data(Verb.SAVE))
    certain = _button(Verb.PLAIN, voice, target, "button.certain")
    return ((marked, certain), (_button(Verb.SKIP, voice, target, "button.skip"),))


@buttons.register
def _(outcome: o.Unfaithful, voice: Voice, target: Target) -> Rows:
    return (
        (_button(Verb.TYPED, voice, target, "button.typed"),),
        (
            _button(Verb.CHANGE, voice, target, "button.edit"),
            _button(Verb.CANCEL, voice, target, "button.cancel"),
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
            _button(Verb.SAVE, voice, target, label),
            _button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


def _button(verb: Verb, voice: Voice, target: Target, label: str) -> Button:
    return Button(voice.plain(label), target.data(verb))
