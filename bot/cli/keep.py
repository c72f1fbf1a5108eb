"""`pomnenka keep`: keep a fact from the command line, by the same judgement as in the chat."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from bot.cli import settings as reading
from bot.cli.console import Console, json_option, owner, user_option
from bot.core import open_core
from handlers.keeping import keep
from handlers.keeping.keep import Content


@click.command()
@click.argument("text")
@user_option
@json_option
@reading.config_option
def command(text: str, user: int, as_json: bool, path: Path | None) -> None:
    """Keep TEXT: rewritten, compared with what is known, and appended to keep.md.

    A question that only a person can answer is asked on a terminal; elsewhere it is printed
    and the exit code is 3.
    """
    settings = reading.read(path)
    with closing(open_core(settings)) as core:
        console = Console(core, owner(settings, user), as_json)
        console.run(text, lambda turn: keep.remember(turn, Content(text)))
