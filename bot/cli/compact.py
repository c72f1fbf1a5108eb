"""`pomnenka compact`: the numbered proposal at a terminal, or applied by number."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from bot.cli import settings as reading
from bot.cli.console import Console, json_option, owner, user_option
from bot.core import open_core
from handlers.compacting import compact
from handlers.compacting.compact import Pick
from handlers.context import Handler, Posts, Turn

DOCUMENTS: dict[str, Handler] = {"memory": compact.memory, "keep": compact.keep}

_NUMBERS = re.compile(r"\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*")


class Numbers(click.ParamType[frozenset[int] | None]):
    """``all``, or item numbers such as ``1,3-5``."""

    name = "all|1,3-5"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> frozenset[int] | None:
        """The numbers as a set; empty for all."""
        if value == "all":
            return frozenset()
        if not _NUMBERS.fullmatch(value):
            self.fail(f"{value!r} is neither 'all' nor numbers such as 1,3-5", param, ctx)
        spans = [part.split("-") for part in value.split(",")]
        return frozenset(n for s in spans for n in range(int(s[0]), int(s[-1]) + 1))


@click.command()
@click.argument("document", type=click.Choice(tuple(DOCUMENTS)), default="memory")
@click.option("--apply", "numbers", type=Numbers(), help="Apply all items, or exactly these.")
@user_option
@json_option
@reading.config_option
def command(
    document: str, numbers: frozenset[int] | None, user: int, as_json: bool, path: Path | None
) -> None:
    """Propose a compaction of MEMORY.md (memory) or keep.md (keep).

    Without --apply the question is asked on a terminal; elsewhere it is printed and the exit
    code is 3.
    """
    settings = reading.read(path)
    with closing(open_core(settings)) as core:
        Console(core, owner(settings, user), as_json).run("", applying(document, numbers))


def applying(document: str, numbers: frozenset[int] | None) -> Handler:
    """A handler that proposes, and applies at once what is named; None leaves it open."""

    def handler(turn: Turn) -> Posts:
        posts = DOCUMENTS[document](turn)
        dialog = turn.services.state.dialog(posts[0].dialog) if posts[0].dialog else None
        if numbers is None or dialog is None:
            return posts
        if numbers:
            return compact.select(turn, dialog, Pick(False, numbers))
        return compact.apply(turn, dialog, compact.sheet_of(dialog))

    return handler
