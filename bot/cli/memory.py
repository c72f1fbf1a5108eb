"""`pomnenka memory`: section operations on structured documents (M1-M4; seed 002)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click

from bot.cli import scope, sectionvalues, trail
from bot.cli.scope import Refused, Session
from handlers.browsing import sectioning
from handlers.browsing.sectioning import Barred, Done
from handlers.messages.reply import as_text
from memory import sections
from memory.scope import Target, Wish
from memory.sectionrequest import flaw
from memory.sections import Code, Fault, Op, Request, Section
from memory.spaces import DocumentName, DocumentRef, SpaceKind
from memory.untrusted import enclosed

SOURCE = "cli"
"""What the audit names as the way by which a write came."""

_FIELDS = ("heading", "subheading", "match", "line", "occurrence", "suboccurrence", "at")
_OWN = {SpaceKind.CHANNEL: DocumentName.CHANNEL, SpaceKind.GROUP: DocumentName.GROUP}

_which = click.IntRange(min=1)
_HEADING = (
    click.option("--heading", help="The ## section, as `headings` prints it."),
    click.option("--occurrence", type=_which, help="Which of several equal sections."),
)
_PLACE = (
    *_HEADING,
    click.option("--subheading", help="The ### subsection."),
    click.option("--suboccurrence", type=_which, help="Which of several equal subsections."),
)
_LINE = (click.option("--line", help="The text of the entry, one line."),)
_MATCH = (
    click.option("--match", help="A part of the entry's text that only it has."),
    click.option("--at", type=_which, help="The line in which the entry begins."),
)
_DOCUMENT = (
    click.option(
        "--document",
        default="",
        help="user (default), agents, soul, notes, project:SLUG, topic:NAME, keep, memory; "
        "read only: index, archive:NAME.",
    ),
    scope.CHANNEL,
    scope.GROUP,
    scope.ROOM,
)
_COMMANDS: Mapping[Op, tuple[str, tuple[Any, ...]]] = {
    Op.HEADINGS: ("List the sections with their subsections.", ()),
    Op.SHOW: ("Print a section, or the whole document.", _PLACE),
    Op.APPEND: ("Add an entry to a section or subsection that exists.", (*_PLACE, *_LINE)),
    Op.ADD_HEADING: ("Add a section, with a first entry by --line.", (_HEADING[0], *_LINE)),
    Op.REMOVE: ("Remove the one entry that matches.", (*_PLACE, *_MATCH)),
    Op.REPLACE: ("Give the one entry that matches another text.", (*_PLACE, *_MATCH, *_LINE)),
    Op.REMOVE_HEADING: ("Remove a section with everything below it.", _HEADING),
    Op.REMOVE_SUBHEADING: ("Remove a subsection with everything below it.", _PLACE),
}


@click.group()
def command() -> None:
    """Read and change the sections of USER.md and the other structured documents.

    One JSON line with --json: {"status": "ok", "outcome": "applied"} (or "noop_dup",
    "noop_no_match") and exit code 0, or {"status": "error", "error": CODE} and exit code 1.
    docs/format.md lists the codes.
    """


Work = Callable[[Session, Mapping[str, Any]], None]


def _add(name: str, help: str, own: Sequence[Any], work: Work) -> None:
    """Add a command to the group."""

    def run(**options: Any) -> None:
        scope.answering(options, lambda session: work(session, options))

    for option in reversed((*own, *_DOCUMENT, *scope.OPTIONS)):
        run = option(run)
    command.command(name, help=help)(run)


def log(session: Session, options: Mapping[str, Any]) -> None:
    """Tell the last writes of a document (M6).

    Raises:
        Refused: the conversation may not read it.
    """
    target = session.readable(session.target(_wish(options)))
    ref = reference(session, target, options["document"])
    trail.tell(session, target, ref.key, options["limit"])


def _wish(options: Mapping[str, Any]) -> Wish:
    return Wish(options["channel"], options["group"], options["room"])


def answer(session: Session, options: Mapping[str, Any], op: Op) -> None:
    """Do one operation and print what came of it.

    Raises:
        Refused: it may not, or cannot, be done.
    """
    target = session.target(_wish(options))
    ref = reference(session, target, options["document"])
    given = {name: options.get(name) for name in _FIELDS}
    request = sections.decode({"op": str(op), **given})
    if isinstance(request, Fault):
        raise refusal(session, request)
    request = replace(request, name=ref.name)
    if op in (Op.HEADINGS, Op.SHOW):
        _read(session, session.readable(target), ref, request)
    else:
        done = sectioning.perform(session.turn, ref, request, SOURCE)
        _report(session, done if session.is_readable(target) else sectionvalues.hushed(done))


def reference(session: Session, target: Target, said: str) -> DocumentRef:
    """The document that the options name.

    Raises:
        Refused: there is no such document, or a shared space has only the one.
    """
    own = DocumentName.ROOM if target.room else _OWN.get(target.space.kind)
    if own:
        if said:
            raise refusal(session, Fault(Code.UNEXPECTED_FIELD, "document"))
        return DocumentRef(target.space, own, target.room)
    name, _, slug = (said or str(DocumentName.USER)).partition(":")
    if name not in set(DocumentName) or name == DocumentName.ROOM:
        raise Refused("unknown_document")
    ref = DocumentRef(target.space, DocumentName(name), slug)
    if not ref.is_proper:
        raise Refused("unknown_document")
    if ref.name is DocumentName.TOPIC:
        _known(session, ref)
    return ref


def _known(session: Session, ref: DocumentRef) -> None:
    """A topic is made together with its pointer, and not by a section operation (S2)."""
    known = session.core.layout.slugs(ref.space, ref.name)
    if ref.slug not in known:
        raise Refused("unknown_topic", available_topics=list(known))


def refusal(session: Session, fault: Fault | Barred) -> Refused:
    """A fault as the end of the command."""
    said = as_text(sectioning.sentence(session.turn.voice(), Done(fault)))
    if isinstance(fault, Barred):
        return Refused(fault.why, said)
    return Refused(fault.code, said, **sectionvalues.details(fault))


def _report(session: Session, done: Done) -> None:
    if isinstance(done.result, Fault | Barred):
        raise refusal(session, done.result)
    said = as_text(sectioning.sentence(session.turn.voice(), done))
    session.say(sectionvalues.outcome(done.result, done.op), said)


def _read(session: Session, target: Target, ref: DocumentRef, request: Request) -> None:
    """Print headings bare, and what stands below them between markers where others write it."""
    fault = flaw(request)
    if fault:
        raise refusal(session, fault)
    document = session.core.store.read(ref).document
    if request.op == Op.HEADINGS:
        found = sections.headings(document)
        session.say({"headings": list(map(sectionvalues.section, found))}, listed(found))
        return
    text = sections.show(document, request)
    if isinstance(text, Fault):
        raise refusal(session, text)
    if scope.is_shared(target):
        text = enclosed(text, ref.space.code, session.core.new_id())
    session.say({"text": text}, text.removesuffix("\n"))


def listed(found: Sequence[Section]) -> str:
    """Headings one a line, subsections indented; of equal ones with the number to name."""
    lines = []
    for one in found:
        lines.append(_numbered(one.title, one.occurrence))
        lines += [f"  {_numbered(sub.title, sub.occurrence)}" for sub in one.subheadings]
    return "\n".join(lines)


def _numbered(title: str, occurrence: int) -> str:
    return f"{title}  ({occurrence})" if occurrence else title


for _op, (_help, _own) in _COMMANDS.items():
    _add(str(_op), _help, _own, partial(answer, op=_op))
_add("log", "Tell the last writes: who, when, by which way, which lines.", (trail.LIMIT,), log)
