"""What is said about places an entry goes to, and the buttons of such cards; pure (T6-T15)."""

from __future__ import annotations

from curation.engine import Home
from handlers import places
from handlers.callbacks import Verb
from handlers.chats import shared
from handlers.messages import outcome as o
from handlers.messages import render
from handlers.messages.render import Target
from handlers.messages.reply import Button, Rows, shortened
from handlers.messages.voice import Voice
from memory.document import PIN
from memory.spaces import DocumentName, slug_of


@render.sentence.register
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


@render.sentence.register
def _(outcome: o.Persona, voice: Voice) -> str:
    heading = outcome.heading.removesuffix(PIN).strip()
    texts = {"heading": heading, "entry": outcome.entry, "document": _soul(voice)}
    if not outcome.old:
        return voice("file.persona.empty", **texts)
    return voice("file.persona", old=outcome.old, **texts)


@render.sentence.register
def _(outcome: o.Fieldless, voice: Voice) -> str:
    id = "file.no_field" if outcome.exists else "file.no_soul"
    return voice(id, entry=outcome.entry, document=_soul(voice))


def _soul(voice: Voice) -> str:
    return places.shown(DocumentName.SOUL, voice.names)


@render.sentence.register
def _(outcome: o.Uncertain, voice: Voice) -> str:
    return voice("file.uncertain", entry=outcome.entry, mark=_mark(outcome))


def _mark(outcome: o.Uncertain) -> str:
    return outcome.marked.removeprefix(outcome.entry).strip()


@render.sentence.register
def _(outcome: o.Full, voice: Voice) -> str:
    full = voice("file.full", outcome.lines, document=_index(voice))
    return f"{full}\n{voice('keep.dropped', entry=outcome.entry)}"


@render.sentence.register
def _(outcome: o.Filed, voice: Voice) -> str:
    lines = [voice("keep.filed", entry=outcome.entry, where=outcome.where)]
    if outcome.replaced:
        lines.append(voice("file.instead", old=outcome.replaced))
    if outcome.pointer:
        lines.append(voice("file.pointer", where=outcome.pointer))
    if outcome.lines:
        lines.append(voice("file.nearly_full", outcome.lines, document=_index(voice)))
    return "\n".join(lines)


def _index(voice: Voice) -> str:
    return places.shown(DocumentName.INDEX, voice.names)


@render.buttons.register
def _(outcome: o.Persona, voice: Voice, target: Target) -> Rows:
    return (
        (
            render.button(Verb.FILE, voice, target, "button.set"),
            render.button(Verb.CANCEL, voice, target, "button.cancel"),
        ),
    )


@render.buttons.register
def _(outcome: o.Uncertain, voice: Voice, target: Target) -> Rows:
    marked = Button(voice.plain("button.marked", mark=_mark(outcome)), target.data(Verb.SAVE))
    certain = render.button(Verb.PLAIN, voice, target, "button.certain")
    return ((marked, certain), (render.button(Verb.SKIP, voice, target, "button.skip"),))


@render.sentence.register
def _(outcome: o.Moving, voice: Voice) -> str:
    return voice("move.ask", entry=outcome.entry)


@render.buttons.register(o.BelongsIn)
@render.buttons.register(o.Moving)
def _(outcome: o.BelongsIn | o.Moving, voice: Voice, target: Target) -> Rows:
    if not outcome.choices:
        return ()
    filing = tuple(
        (Button(shortened(choice(code, voice), 40), target.data(Verb.FILE, i)),)
        for i, code in enumerate(outcome.choices)
    )
    return (*filing, (render.button(Verb.CANCEL, voice, target, "button.cancel"),))


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
