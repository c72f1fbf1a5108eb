"""`pomnenka kv`: JSON values that an agent keeps for a person or a group (M7)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from bot.cli import scope, trail
from bot.cli.memory import SOURCE
from bot.cli.scope import Refused, Session
from handlers import values
from handlers.messages.reply import as_text
from memory.keyvalues import LARGEST, Listed, Slot, Value, encode, is_key, is_namespace
from memory.scope import Target, Wish
from memory.sections import Outcome
from memory.untrusted import enclosed

SENTENCES = {
    "invalid_namespace": "A namespace is 1 to 64 of a-z 0-9 . _ -, and begins with none of . _ -.",
    "invalid_key": "A key is one line of at most 200 characters.",
    "invalid_json": "That is no JSON value.",
    "value_too_large": "A value has at most 1 MiB.",
    "missing_field": "Give the value by --value or by --value-file, and not by both.",
    "key_missing": "There is no such key.",
}
"""What a refusal says at a terminal, by its code."""

Work = Callable[[Session, Target, Mapping[str, Any]], None]

_NAMESPACE = click.option("--namespace", default="default", help="A part of the store.")
_KEY = click.argument("key")
_VALUE = (
    click.option("--value", help="The value as JSON."),
    click.option(
        "--value-file",
        type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
        help="A file with the value as JSON, at most 1 MiB; - for standard input.",
    ),
)


@click.group()
def command() -> None:
    """Get, set, delete and list JSON values of a person, or of a group with --group."""


def _get(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    found = session.core.state.keyvalues.get(_slot(target, options))
    if found is None:
        _refuse("key_missing")
    text = found.text
    shared = {"untrusted": True} if scope.is_shared(target) else {}
    said = enclosed(text, target.space.code, session.core.new_id()) if shared else text
    session.say({"value": json.loads(text), **shared, **_written(found)}, said.removesuffix("\n"))


def _set(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    slot, value = _slot(target, options), _value(options)
    why = values.forbidden(session.turn, slot.key, value)
    if why:
        raise Refused(why, as_text(session.turn.voice()(why)))
    text = _text(value)
    if len(text.encode()) > LARGEST:
        _refuse("value_too_large")
    core = session.core
    new = core.state.keyvalues.set(slot, text, session.turn.author(SOURCE), core.clock())
    _say(session, Outcome.APPLIED if new else Outcome.NOOP_DUP)


def _delete(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    core = session.core
    slot = _slot(target, options)
    gone = core.state.keyvalues.delete(slot, session.turn.author(SOURCE), core.clock())
    _say(session, Outcome.APPLIED if gone else Outcome.NOOP_NO_MATCH)


def _list(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    space, namespace = target.space, _namespace(options)
    found = session.core.state.keyvalues.list(space, namespace)
    lines = "\n".join(f"{one.key}: {_preview(one)}" for one in found)
    if scope.is_shared(target):
        lines = enclosed(lines, space.code, session.core.new_id()).removesuffix("\n")
    session.say({"entries": [_entry(one) for one in found]}, lines)


def _namespaces(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    found = session.core.state.keyvalues.namespaces(target.space)
    said = [{"namespace": name, "keys": count} for name, count in found]
    session.say({"namespaces": said}, "\n".join(f"{name} ({count})" for name, count in found))


def _log(session: Session, target: Target, options: Mapping[str, Any]) -> None:
    trail.tell(session, target, _slot(target, options).audited, options["limit"])


COMMANDS: Mapping[str, tuple[Work, str, tuple[Any, ...]]] = {
    "get": (_get, "Print a value.", (_KEY, _NAMESPACE)),
    "set": (_set, "Store a value.", (_KEY, _NAMESPACE, *_VALUE)),
    "delete": (_delete, "Delete a value.", (_KEY, _NAMESPACE)),
    "list": (_list, "List the keys of a namespace with the beginnings of values.", (_NAMESPACE,)),
    "log": (_log, "Tell the last writes of a value.", (_KEY, _NAMESPACE, trail.LIMIT)),
    "namespaces": (_namespaces, "List the namespaces.", ()),
}


def _add(name: str) -> None:
    """Add one command to the group."""
    work, help, own = COMMANDS[name]

    def run(**options: Any) -> None:
        def within(session: Session) -> None:
            target = session.target(Wish(group=options["group"]))
            work(session, session.readable(target), options)

        scope.answering(options, within)

    for option in reversed((*own, scope.GROUP, *scope.OPTIONS)):
        run = option(run)
    command.command(name, help=help)(run)


for _name in COMMANDS:
    _add(_name)


def _slot(target: Target, options: Mapping[str, Any]) -> Slot:
    if not is_key(options["key"]):
        _refuse("invalid_key")
    return Slot(target.space, _namespace(options), options["key"])


def _namespace(options: Mapping[str, Any]) -> str:
    name = str(options["namespace"])
    if not is_namespace(name):
        _refuse("invalid_namespace")
    return name


def _value(options: Mapping[str, Any]) -> Any:
    """The value that the options give, as JSON."""
    said, file = options["value"], options["value_file"]
    if (said is None) == (file is None):
        _refuse("missing_field")
    data = _read(str(file)) if file else said.encode("utf-8", "surrogateescape")
    if len(data) > LARGEST:
        _refuse("value_too_large")
    try:
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse("invalid_json")


def _text(value: Any) -> str:
    """The JSON that is stored; a string with half of a surrogate pair is no text."""
    try:
        text = encode(value)
        text.encode()
    except ValueError:
        _refuse("invalid_json")
    return text


def _read(file: str) -> bytes:
    """At most one byte more than a value may have."""
    with click.open_file(file, "rb") as source:
        data: bytes = source.read(LARGEST + 1)
        return data


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _refuse(code: str) -> NoReturn:
    raise Refused(code, SENTENCES[code])


def _say(session: Session, outcome: Outcome) -> None:
    session.say({"outcome": str(outcome)}, str(outcome))


def _written(found: Value | Listed) -> dict[str, Any]:
    return {"writer": found.writer, "at": found.at.isoformat(timespec="seconds")}


def _entry(one: Listed) -> dict[str, Any]:
    cut = one.length > len(one.preview)
    return {"key": one.key, "preview": one.preview, "cut": cut, **_written(one)}


def _preview(one: Listed) -> str:
    return one.preview if one.length == len(one.preview) else f"{one.preview}…"
