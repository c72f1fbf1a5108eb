"""`pomnenka tidy`: the index and its topics put right, at a terminal or by number (S5)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from bot.cli import settings as reading
from bot.cli.compact import Numbers
from bot.cli.console import Console, json_option, owner, user_option
from bot.core import open_core
from handlers.compacting import tidy
from handlers.compacting.compact import Pick
from handlers.context import Handler, Posts, Turn


@click.command()
@click.option("--apply", "numbers", type=Numbers(), help="Apply all repairs, or exactly these.")
@user_option
@json_option
@reading.config_option
def command(numbers: frozenset[int] | None, user: int, as_json: bool, path: Path | None) -> None:
    """Propose repairs of the index: old topics, dead pointers, topics without one.

    Without --apply the question is asked on a terminal; elsewhere it is printed and the exit
    code is 3.
    """
    settings = reading.read(path)
    with closing(open_core(settings)) as core:
        Console(core, owner(settings, user), as_json).run("", applying(numbers))


def applying(numbers: frozenset[int] | None) -> Handler:
    """A handler that proposes, and applies at once what is named; None leaves it open."""

    def handler(turn: Turn) -> Posts:
        posts = tidy.tidy(turn)
        dialog = turn.services.state.dialog(posts[0].dialog) if posts[0].dialog else None
        if numbers is None or dialog is None:
            return posts
        if numbers:
            return tidy.select(turn, dialog, Pick(False, numbers))
        return tidy.apply(turn, dialog, tidy.sheet_of(dialog))

    return handler
