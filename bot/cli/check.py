"""`pomnenka check`: the configuration and the workspace, without starting anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from bot import config
from bot.cli import settings as reading
from bot.core import open_core
from memory.errors import DocumentError, PomnenkaError
from memory.spaces import DocumentName, DocumentRef, personal

_PLAIN = tuple(n for n in DocumentName if n not in (DocumentName.PROJECT, DocumentName.LOG))


@click.command()
@reading.config_option
def command(path: Path | None) -> None:
    """Say what is wrong with the configuration or the workspace; exit 1 if anything is."""
    settings = reading.read(path)
    problems = list(findings(settings))
    if problems:
        reading.fail(problems)
    click.echo("ok")


def findings(settings: config.Settings) -> Iterator[str]:
    """One sentence for each thing that is wrong."""
    for kept_apart in (config.token(settings), config.webhook_secret(settings)):
        if isinstance(kept_apart, tuple):
            yield from map(str, kept_apart)
    if not settings.users.everyone and not settings.users.allow:
        yield "[users] allow: nobody may use the bot yet"
    workspace = settings.workspace_path
    if workspace.exists() and not os.access(workspace, os.W_OK):
        yield f"{workspace}: the workspace is read-only"
        return
    yield from _documents(settings)


def _documents(settings: config.Settings) -> Iterator[str]:
    try:
        core = open_core(settings)
    except (PomnenkaError, OSError) as error:
        yield f"{settings.state_path}: {error}"
        return
    for user in settings.users.allow:
        for name in _PLAIN:
            try:
                core.store.read(DocumentRef(personal(user), name))
            except DocumentError as error:
                yield f"{core.layout.path(DocumentRef(personal(user), name))}: {error}"
    core.close()
