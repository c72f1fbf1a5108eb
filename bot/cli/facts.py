"""`pomnenka facts`: triples with time of one person, for people and for agents (F1-F3, R5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from bot.cli import scope
from bot.cli.memory import SOURCE
from bot.cli.scope import Refused, Session
from bot.cli.settings import QUESTION
from curation.triples import person
from handlers.graph import factlines, noting
from handlers.messages.reply import as_text
from memory.factrules import Choice, Draft, Fact, Fault, FaultCode, Near, Same, day, known
from memory.facts import Added, Changed, Query, Undone
from memory.operations import Refusal
from memory.scope import Wish

Work = Callable[[Session, Mapping[str, Any]], None]

_SUBJECT = click.option("--subject", default="", help="Only facts about this one.")
_PREDICATE = click.option("--predicate", default="", help="Only facts of this kind.")
_WHOLE = click.option("--all", "whole", is_flag=True, help="Also facts that are over.")
_AS_OF = click.option("--as-of", default="", help="The day they must hold on; today.")
_PAGE = (
    click.option("--limit", type=click.IntRange(1, 500), default=50, help="At most so many."),
    click.option("--skip", type=click.IntRange(min=0), default=0, help="Without the first ones."),
)
_ENTITY = click.argument("entity")
_OP = click.argument("op", default="")
_ENDED = click.option("--ended", default="", help="The first day on which it holds no more.")
_ID = click.argument("fact_id", type=click.IntRange(min=1))
_TRIPLE = tuple(click.argument(name) for name in ("subject", "predicate", "object"))
_SPAN = (
    click.option("--from", "since", default="", help="2024, 2024-05 or 2024-05-03."),
    click.option("--until", default="", help="The first day on which it holds no more."),
)
_CHOICE = (
    click.option("--same", type=int, default=0, help="It is this known fact, better told."),
    click.option("--apart", is_flag=True, help="It is another fact than the near ones."),
)


@click.group()
def command() -> None:
    """Add, list, end, delete and undo facts: SUBJECT PREDICATE OBJECT with days.

    One JSON line with --json: {"status": "ok", "outcome": ...} and exit code 0,
    {"status": "question", "question": "near", ...} and exit code 3 where a person must say
    whether two facts are one, or {"status": "error", "error": CODE} and exit code 1.
    docs/format.md lists predicates and codes.
    """


def _add(session: Session, options: Mapping[str, Any]) -> None:
    said = (options[name] for name in ("predicate", "object", "since", "until"))
    draft = Draft(_named(session, options["subject"]), *said)
    choice = Choice(options["same"], options["apart"])
    outcome = noting.note(session.turn, draft, choice, SOURCE)
    if isinstance(outcome, str):
        raise Refused(outcome.partition(".")[2], as_text(session.turn.voice()(outcome)))
    if isinstance(outcome, Fault):
        raise refusal(session, outcome)
    if isinstance(outcome, Near):
        _ask(session, outcome)
    _say(session, outcome, [] if known(draft.predicate.strip().lower()) else ["unknown_predicate"])


def _ask(session: Session, near: Near) -> None:
    """A person must decide: exit code 3, and how to say it."""
    values = [_values(session, fact) for fact in near.facts]
    said = as_text(noting.reply(near, session.turn.voice()).html)
    if session.as_json:
        choices = ["--same", "--apart"]
        asked = {"question": "near", "alike": near.alike, "facts": values, "choices": choices}
        scope.say({"status": "question", **asked})
    else:
        scope.say(f"{said}\n\n--same {near.facts[0].id} | --apart")
    raise click.exceptions.Exit(QUESTION)


def _list(session: Session, options: Mapping[str, Any]) -> None:
    query = Query(
        _named(session, options["subject"]),
        options["predicate"].strip().lower(),
        _day(session, options),
        limit=options["limit"],
        skip=options["skip"],
    )
    _show(session, session.core.state.facts.facts(session.conversation.user, query))


def _timeline(session: Session, options: Mapping[str, Any]) -> None:
    page = Query(limit=options["limit"], skip=options["skip"])
    user = session.conversation.user
    _show(
        session, session.core.state.facts.timeline(user, _named(session, options["entity"]), page)
    )


def _owned(session: Session, options: Mapping[str, Any]) -> None:
    user, on = session.conversation.user, _day(session, options)
    things = session.core.state.facts.owned(user, _named(session, options["entity"]), on)
    session.say({"owned": list(things)}, "\n".join(things))


def _invalidate(session: Session, options: Mapping[str, Any]) -> None:
    deed = noting.deed(session.turn, SOURCE)
    outcome = session.core.state.facts.invalidate(deed, options["fact_id"], options["ended"])
    _say(session, _unless_fault(session, outcome))


def _delete(session: Session, options: Mapping[str, Any]) -> None:
    deed = noting.deed(session.turn, SOURCE)
    outcome = session.core.state.facts.delete(deed, options["fact_id"])
    _say(session, _unless_fault(session, outcome))


def _undo(session: Session, options: Mapping[str, Any]) -> None:
    facts, user = session.core.state.facts, session.conversation.user
    newest = facts.last(user)
    op = options["op"] or (newest.op if newest else "")
    outcome = facts.undo(noting.deed(session.turn, SOURCE), op)
    if isinstance(outcome, Refusal):
        raise Refused(f"undo_{outcome}", as_text(session.turn.voice()(f"undo.{outcome}")))
    _say(session, outcome)


def _unless_fault(session: Session, outcome: Any) -> Any:
    if isinstance(outcome, Fault):
        raise refusal(session, outcome)
    return outcome


def refusal(session: Session, fault: Fault) -> Refused:
    """A fault as the end of the command."""
    said = as_text(noting.reply(fault, session.turn.voice()).html)
    facts = [_values(session, fact) for fact in fault.facts]
    return Refused(fault.code, said, **({"facts": facts} if facts else {}))


def _named(session: Session, name: str) -> str:
    """A name; the words by which speakers name themselves are one subject."""
    return person(name, session.core.languages)


def _day(session: Session, options: Mapping[str, Any]) -> str:
    """The day asked about; "" asks about all days."""
    if options.get("whole"):
        return ""
    on = day(options["as_of"])
    if on is None:
        raise refusal(session, Fault(FaultCode.INVALID_DATE))
    return on or session.turn.today.isoformat()


def _show(session: Session, facts: tuple[Fact, ...]) -> None:
    voice = session.turn.voice()
    lines = "\n".join(f"{fact.id}. {factlines.line(fact, voice)}" for fact in facts)
    session.say({"facts": [_values(session, fact) for fact in facts]}, lines)


def _say(session: Session, outcome: Any, warnings: list[str] | None = None) -> None:
    values = _outcome(session, outcome)
    said = as_text(noting.reply(outcome, session.turn.voice()).html)
    session.say({**values, **({"warnings": warnings} if warnings else {})}, said)


def _outcome(session: Session, outcome: Any) -> dict[str, Any]:
    """What was done, as values of the JSON line."""

    def some(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
        return [_values(session, fact) for fact in facts]

    match outcome:
        case Added():
            was = {"corrected": _values(session, outcome.corrected)} if outcome.corrected else {}
            fact = {"fact": _values(session, outcome.fact), "closed": some(outcome.closed)}
            return {"outcome": "applied", "op": outcome.op, **fact, **was}
        case Same():
            return {"outcome": "noop_dup", "fact": _values(session, outcome.fact)}
        case Changed():
            after = {"fact": _values(session, outcome.after)} if outcome.after else {}
            before = {"before": _values(session, outcome.before)}
            return {"outcome": "applied", "op": outcome.op, **before, **after}
        case Undone():
            changed = {"restored": some(outcome.restored), "removed": some(outcome.removed)}
            return {"outcome": "applied", "undone": outcome.op, **changed}
    raise TypeError(type(outcome))


def _values(session: Session, fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "from": fact.since or None,
        "until": fact.until or None,
        "learned": fact.learned,
        "current": fact.holds(session.turn.today.isoformat()),
    }


COMMANDS: Mapping[str, tuple[Work, str, tuple[Any, ...]]] = {
    "add": (
        _add,
        "Store a fact; a single value ends the one before it.",
        (*_TRIPLE, *_SPAN, *_CHOICE),
    ),
    "list": (
        _list,
        "Facts that hold, newest first.",
        (_SUBJECT, _PREDICATE, _AS_OF, _WHOLE, *_PAGE),
    ),
    "timeline": (_timeline, "All facts of an entity in the order of time.", (_ENTITY, *_PAGE)),
    "owned": (_owned, "What an entity owns: acquired and not disposed of.", (_ENTITY, _AS_OF)),
    "invalidate": (_invalidate, "End a fact, today or on a day.", (_ID, _ENDED)),
    "delete": (_delete, "Delete a fact.", (_ID,)),
    "undo": (_undo, "Take a change back, the last one unless OP is given.", (_OP,)),
}


def _register(name: str) -> None:
    """Put one command into the group."""
    work, help, own = COMMANDS[name]

    def run(**options: Any) -> None:
        def within(session: Session) -> None:
            session.readable(session.target(Wish()))
            work(session, options)

        scope.answering(options, within)

    for option in reversed((*own, *scope.OPTIONS)):
        run = option(run)
    command.command(name, help=help)(run)


for _name in COMMANDS:
    _register(_name)
