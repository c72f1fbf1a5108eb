"""The conversations at a terminal: the same handlers, their posts as text, buttons by number.

The table of all conversations is imported by the first answer: most commands need none of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

import click

from bot.cli import environment
from bot.cli.settings import DONE, ERROR, QUESTION
from bot.config import Settings
from bot.core import Core
from bot.wiring import policy, services
from handlers import errors
from handlers.callbacks import decode
from handlers.context import Handler, Person, Place, Posts, Said, Turn
from handlers.messages.reply import Button, Post, as_text
from memory.errors import PomnenkaError

T = TypeVar("T")

_STATUS = {DONE: "done", ERROR: "refused", QUESTION: "question"}

user_option = click.option(
    "--user", type=int, default=0, help="Whose memory: a Telegram id; the first allowed one."
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON line.")


@dataclass(frozen=True, slots=True)
class Console:
    """One person at a terminal.

    Args:
        core: storage and judgement, closed by the caller.
        user: the person's Telegram id.
        as_json: print JSON and never ask.
    """

    core: Core
    user: int
    as_json: bool = False

    def run(self, text: str, handler: Handler) -> NoReturn:
        """Answer one input, ask what has to be asked, and end with the exit code."""
        posts = self._answered(self._turn(text), handler)
        while self._asks(posts):
            self._show(posts)
            posts = self._decided(_buttons(posts))
        self._show(posts)
        raise click.exceptions.Exit(exit_code(posts))

    def _asks(self, posts: Posts) -> bool:
        return exit_code(posts) == QUESTION and not self.as_json and sys.stdin.isatty()

    def _turn(self, text: str = "", data: str = "") -> Turn:
        settings = self.core.settings
        return Turn(
            services(self.core, at_once),
            policy(settings),
            Person(self.user, language=settings.languages.default),
            Place(self.user),
            "pomnenka",
            Said(text),
            decode(data) if data else None,
        )

    def _answered(self, turn: Turn, handler: Handler) -> Posts:
        try:
            return tuple(map(self._unless_over, handler(turn)))
        except PomnenkaError as error:
            self._show(errors.apology(turn, error, self.core.new_id()[:6]))
            raise click.exceptions.Exit(ERROR) from None

    def _unless_over(self, post: Post) -> Post:
        """The post without its question when that has been answered."""
        dialog = self.core.state.dialog(post.dialog) if post.dialog else None
        waits = dialog is not None and dialog.status == "open"
        return post if waits else replace(post, dialog="")

    def _decided(self, buttons: tuple[Button, ...]) -> Posts:
        """What follows the button chosen by its number, or a line typed instead."""
        said = click.prompt("", prompt_suffix="> ")
        chosen = int(said) - 1 if said.isdigit() else -1
        if not 0 <= chosen < len(buttons):
            from handlers.commands import converse

            return self._answered(self._turn(said), converse)
        return self._answered(self._turn(data=buttons[chosen].data), _press)

    def _show(self, posts: Posts) -> None:
        if self.as_json:
            click.echo(json.dumps(_values(posts), ensure_ascii=False))
            return
        for post in posts:
            click.echo(as_text(post.reply.html))
        for number, button in enumerate(_buttons(posts), 1):
            click.echo(f"  {number}. {button.text}")


def owner(settings: Settings, user: int) -> int:
    """The person whose own memory is meant; an environment that fixes somebody fixes this too.

    Raises:
        click.UsageError: nobody is meant, or not the one of the environment, or others read along.
    """
    try:
        fixed = environment.conversation()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if fixed and user not in (0, fixed.user):
        raise click.UsageError(environment.FIXED)
    if fixed and not fixed.is_private:
        raise click.UsageError("Personal memory is read in the private conversation only.")
    return person(settings, fixed.user if fixed else user)


def person(settings: Settings, user: int) -> int:
    """The person meant: the one named, else the first that is allowed.

    Raises:
        click.UsageError: nobody is named and nobody is allowed.
    """
    if user or settings.users.allow:
        return user or settings.users.allow[0]
    raise click.UsageError("Whose memory? Name a Telegram id with --user.")


def exit_code(posts: Posts) -> int:
    """3 when a question waits, 1 when the input was refused, else 0."""
    if any(post.dialog for post in posts):
        return QUESTION
    return ERROR if any(post.reply.refused for post in posts) else DONE


def _values(posts: Posts) -> dict[str, Any]:
    """The posts as JSON values: status, text, and the choices of an open question."""
    text = "\n\n".join(as_text(post.reply.html) for post in posts)
    choices = [button.text for button in _buttons(posts)]
    return {
        "status": _STATUS[exit_code(posts)],
        "text": text,
        **({"choices": choices} if choices else {}),
    }


def _buttons(posts: Posts) -> tuple[Button, ...]:
    """The buttons of the posts' open question."""
    return tuple(b for post in posts if post.dialog for row in post.reply.buttons for b in row)


def _press(turn: Turn) -> Posts:
    dialog = turn.services.state.dialog(turn.press.id) if turn.press else None
    assert dialog
    from handlers.commands import press

    return press(turn, dialog)


async def _done(result: T) -> T:
    return result


def at_once(function: Callable[..., T], /, *args: object) -> Awaitable[T]:
    """A terminal has one person: the core is called where we stand."""
    return _done(function(*args))
