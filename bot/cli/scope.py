"""Whose memory a command is about: the options, the environment, and how it answers (M2, R5).

What an agent's runner sets in the environment cannot be changed by an option: the scope is
fixed where the agent was started.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click

from bot.cli import environment
from bot.cli import settings as reading
from bot.cli.console import at_once, person
from bot.cli.settings import ERROR
from bot.config import Settings
from bot.core import Core, open_core
from bot.wiring import policy, services
from handlers import errors
from handlers.context import Person, Place, Turn
from handlers.messages.reply import as_text
from memory.errors import (
    Busy,
    PomnenkaError,
    StateError,
    StorageReadOnly,
    Unfinished,
    Unreadable,
    WriteFailed,
)
from memory.scope import Conversation, Denied, Roster, Target, Wish, readable, target
from memory.spaces import SpaceKind

SENTENCES = {
    Denied.TWO_TARGETS: "--channel, --group and --room exclude each other.",
    Denied.CHANNEL_MISMATCH: "--channel must be the conversation's own chat.",
    Denied.NO_CONVERSATION: "--channel needs the conversation of a chat: --chat.",
    Denied.ROOM_NOTES_FROM_SHARED_ROOM: "Private notes about a chat are reached from the private "
    "conversation only.",
    Denied.ROOM_UNAVAILABLE: "There is no such chat of yours, or more than one.",
    "personal_from_shared_room": "Personal memory is read in the private conversation only.",
    "scope_fixed": environment.FIXED,
    "not_text": "What was given is no UTF-8 text.",
    "unknown_document": "There is no such document.",
    "state_error": "The state cannot be opened; `pomnenka check` says why.",
    "unknown_topic": "There is no such topic; the conversation makes topics with their pointers.",
}
"""What a refusal says at a terminal, by its code."""

Answer = dict[str, Any]

_NOT_TEXT = re.compile("[\ud800-\udfff]")


class Refused(Exception):  # noqa: N818  (a name says what happened)
    """A command ends here: its code, its sentence, and more fields for --json."""

    def __init__(self, code: str, said: str = "", **details: object) -> None:
        """``said`` is what a terminal shows; without it the sentence of the code."""
        super().__init__(code)
        self.code, self.details = code, details
        self.said = said or SENTENCES.get(code, code)


def options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that say whose memory is meant, where somebody speaks, and how to answer."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


OPTIONS = (
    click.option("--user", type=int, default=0, help="A Telegram id; the first allowed one."),
    click.option("--chat", type=int, default=0, help="The chat of the conversation."),
    click.option("--topic", type=int, default=0, help="The topic of a forum."),
    click.option("--json", "as_json", is_flag=True, help="One JSON line."),
    reading.config_option,
)
GROUP = click.option("--group", default="", help="The memory of a group.")
CHANNEL = click.option("--channel", default="", help="The memory of the conversation's chat.")
ROOM = click.option("--room", default="", help="Your private notes about a chat.")


@dataclass(frozen=True, slots=True)
class Session:
    """One command with its core and its conversation."""

    core: Core
    conversation: Conversation
    as_json: bool

    @property
    def turn(self) -> Turn:
        """The conversation as handlers see it."""
        settings, at = self.core.settings, self.conversation
        return Turn(
            services(self.core, at_once),
            policy(settings),
            Person(at.user, language=settings.languages.default),
            Place(at.chat or at.user, topic=at.topic, private=at.is_private),
            "pomnenka",
        )

    def target(self, wish: Wish) -> Target:
        """The space that is meant.

        Raises:
            Refused: the conversation may not reach it; for a group by one text for every cause.
        """
        found = target(self.conversation, wish, self._roster)
        if found is Denied.NOT_A_MEMBER:
            raise Refused(f"not a member of group '{wish.group}'")
        if isinstance(found, Denied):
            raise Refused(found)
        return found

    def is_readable(self, found: Target) -> bool:
        """Whether what stands there may be said in this conversation (G2, M8)."""
        return found.space in readable(self.conversation, self._roster)

    def readable(self, found: Target) -> Target:
        """The target, when what stands there may be said in this conversation.

        Raises:
            Refused: it is personal, and others read along.
        """
        if not self.is_readable(found):
            raise Refused("personal_from_shared_room")
        return found

    @property
    def _roster(self) -> Roster:
        return self.core.state.members.at(self.core.clock())

    def say(self, values: Answer, text: str) -> None:
        """Print what came of it: one JSON line, or the text."""
        say({"status": "ok", **values} if self.as_json else text)


def is_shared(found: Target) -> bool:
    """Whether several people write and read what stands there."""
    return found.space.kind is not SpaceKind.PERSONAL


def answering(options: Mapping[str, Any], work: Callable[[Session], None]) -> None:
    """Open the core for the options of a command, do the work, and print why it failed.

    Ends with exit code 1 on a refusal or an error.
    """
    try:
        _check(options)
        with _session(options) as session:
            _work(session, work)
    except Refused as refused:
        values = {"status": "error", "error": refused.code, **refused.details}
        say(values if options["as_json"] else refused.said)
        raise click.exceptions.Exit(ERROR) from None


def _check(options: Mapping[str, Any]) -> None:
    """Refuse what the terminal handed over though it is no text: nothing could store it."""
    for name, value in options.items():
        if isinstance(value, str) and _NOT_TEXT.search(value):
            raise Refused("not_text", field=name)


def say(answer: Answer | str) -> None:
    """Print values as one JSON line, or a text."""
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    click.echo(text.encode("utf-8", "backslashreplace").decode())


def _work(session: Session, work: Callable[[Session], None]) -> None:
    try:
        work(session)
    except PomnenkaError as error:
        posts = errors.apology(session.turn, error, session.core.new_id()[:6])
        said = "\n".join(as_text(post.reply.html) for post in posts)
        raise Refused(code_of(error), said, **_cause(error)) from error


@contextmanager
def _session(options: Mapping[str, Any]) -> Iterator[Session]:
    settings = reading.read(options["path"])
    conversation = _conversation(options)
    user = person(settings, conversation.user)
    with closing(_opened(settings)) as core:
        yield Session(core, replace(conversation, user=user), bool(options["as_json"]))


def _opened(settings: Settings) -> Core:
    try:
        return open_core(settings)
    except StateError as error:
        raise Refused("state_error") from error


def _conversation(options: Mapping[str, Any]) -> Conversation:
    """Who speaks where: by the options, or as the environment fixes all of it."""
    said = Conversation(options["user"], options["chat"], options["topic"])
    try:
        fixed = environment.conversation()
    except ValueError:
        raise Refused("scope_fixed") from None
    if fixed is None:
        return said
    if any(getattr(said, name) not in (0, getattr(fixed, name)) for name in environment.VARIABLES):
        raise Refused("scope_fixed")
    return fixed


def code_of(error: PomnenkaError) -> str:
    """The code of an error for programs."""
    match error:
        case Busy():
            return "locked"
        case StorageReadOnly():
            return "storage_read_only"
        case Unreadable():
            return "unreadable"
        case Unfinished():
            return "unfinished"
        case WriteFailed():
            return "write_failed"
    return "state_error"


def _cause(error: PomnenkaError) -> dict[str, str]:
    return {"cause": error.cause} if isinstance(error, Unreadable | WriteFailed) else {}
