"""Facts on their way into the state: guarded, stored, and said in a message (F1-F3, W6)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import singledispatch

from curation.triples import Triple
from handlers.callbacks import Verb, encode
from handlers.context import Turn
from handlers.graph import factlines
from handlers.keeping import cards
from handlers.messages.reply import Button, Reply, Rows
from handlers.messages.voice import Voice, quoted
from memory.factrules import ASK, SINGLE, Alike, Choice, Draft, Fact, Fault, Near, Same
from memory.facts import Added, Changed, Deed, Undone


@dataclass(frozen=True, slots=True)
class Over:
    """A fact that was to be ended has ended already."""

    fact: Fact


Noted = Added | Same | Near | Fault


def deed(turn: Turn, source: str = "chat") -> Deed:
    """Who changes facts in this turn, under a new name."""
    return Deed(turn.author(source), turn.now, turn.services.new_id())


def draft_of(triple: Triple) -> Draft:
    """A recognised fact as it is stored."""
    return Draft(triple.subject, triple.predicate, triple.object, triple.since)


def forbidden(turn: Turn, draft: Draft) -> str:
    """The id of the sentence that says why a fact may not be stored, "" when it may (W6).

    Secrets, health values, appointments and instructions are looked for in the value and in
    what it says together with its predicate.
    """
    words = draft.predicate.replace("_", " ")
    bare = words.removeprefix("has ")
    texts = (draft.object, f"{bare} {draft.object}", f"{draft.subject} {words} {draft.object}")
    blank = any(not any(char.isalnum() for char in text) for text in texts[:1])
    if blank:
        return ""
    return next((why for text in texts if (why := cards.forbidden(turn, text))), "")


def note(turn: Turn, draft: Draft, choice: Choice = ASK, source: str = "chat") -> Noted | str:
    """Store a fact, or say why not: a fault, or the id of a refusal's sentence."""
    why = forbidden(turn, draft)
    return why or turn.services.state.facts.add(deed(turn, source), draft, choice)


@singledispatch
def reply(outcome: object, voice: Voice) -> Reply:
    """What came of a change of facts, with Undo where something changed."""
    raise TypeError(type(outcome))


@reply.register
def _(outcome: str, voice: Voice) -> Reply:
    return Reply(voice(outcome), refused=True)


@reply.register
def _(outcome: Added, voice: Voice) -> Reply:
    fact = factlines.line(outcome.fact, voice)
    if outcome.corrected:
        old = factlines.line(outcome.corrected, voice)
        lines = [voice("fact.corrected", fact=fact, old=old)]
    else:
        lines = [voice("fact.stored", fact=fact)]
    closed = (factlines.line(one, voice) for one in outcome.closed if not one.empty)
    lines += [voice("fact.closed", fact=one) for one in closed]
    return Reply("\n".join(lines), undo_button(outcome.op, voice))


@reply.register
def _(outcome: Same, voice: Voice) -> Reply:
    return Reply(voice("fact.same", fact=factlines.line(outcome.fact, voice)))


@reply.register
def _(outcome: Over, voice: Voice) -> Reply:
    return Reply(voice("fact.ended_before", fact=factlines.line(outcome.fact, voice)))


@reply.register
def _(outcome: Near, voice: Voice) -> Reply:
    existing = "\n".join(factlines.line(one, voice) for one in outcome.facts)
    new = factlines.line(outcome.draft, voice)
    return Reply(voice(f"fact.near.{_nearness(outcome)}", existing=existing, fact=new))


def _nearness(near: Near) -> str:
    single = near.draft.predicate in SINGLE and near.alike is Alike.PART
    return "single" if single else str(near.alike)


@reply.register
def _(outcome: Fault, voice: Voice) -> Reply:
    lines = [voice(f"fact.fault.{outcome.code}")]
    lines += [voice("fact.in_the_way", fact=factlines.line(one, voice)) for one in outcome.facts]
    return Reply("\n".join(lines), refused=True)


@reply.register
def _(outcome: Changed, voice: Voice) -> Reply:
    if outcome.after:
        said = voice("fact.ended", fact=factlines.line(outcome.after, voice))
    else:
        said = voice("fact.deleted", fact=factlines.line(outcome.before, voice))
    return Reply(said, undo_button(outcome.op, voice))


@reply.register
def _(outcome: Undone, voice: Voice) -> Reply:
    gone = [voice("fact.undone", fact=factlines.line(one, voice)) for one in outcome.removed]
    back = [voice("fact.again", fact=factlines.line(one, voice)) for one in outcome.restored]
    return Reply("\n".join([*gone, *back]))


def undo_button(op: str, voice: Voice) -> Rows:
    """Undo of a change of facts; it works for 30 days and after any restart."""
    return ((Button(voice.plain("button.undo"), encode(op, Verb.UNFACT)),),)


def near_buttons(near: Near, voice: Voice, dialog: str) -> Rows:
    """What a person can answer to a near fact; two single values at a time cannot be."""
    single = near.draft.predicate in SINGLE
    labels = {Verb.REPLACE: "button.fact_same" if single else "button.replace"}
    if not (near.alike is Alike.DATES or (single and near.alike is Alike.SPELLING)):
        labels[Verb.BOTH] = "button.fact_changed" if single else "button.both"
    labels[Verb.SKIP] = "button.skip"
    row = tuple(Button(voice.plain(text), encode(dialog, verb)) for verb, text in labels.items())
    return (row,)


def payload(near: Near, voice: Voice) -> dict[str, object]:
    """What a stored question about a near fact carries."""
    known = [fact.id for fact in near.facts]
    return {
        "draft": asdict(near.draft),
        "known": known,
        "text": reply(near, voice).html,
        "alike": str(near.alike),
        "about": factlines.line(near.draft, voice),
        "language": voice.language,
    }


def title(name: str, voice: Voice) -> str:
    """Whom something is about, as HTML."""
    return quoted(factlines.subject(name, voice))
