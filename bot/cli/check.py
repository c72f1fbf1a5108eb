"""`pomnenka check`: the configuration and the workspace, without starting anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from bot import config, filesystems
from bot.cli import settings as reading
from bot.core import Core, open_core
from bot.running import last_start
from memory import backup
from memory.errors import DocumentError, PomnenkaError, StateError
from memory.spaces import DocumentName, DocumentRef


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
    yield from grounds(settings)
    workspace = settings.workspace_path
    if workspace.exists() and not os.access(workspace, os.W_OK):
        yield f"{workspace}: the workspace is read-only"
        return
    yield from _documents(settings)
    yield from backups(settings, datetime.now(UTC))


def grounds(settings: config.Settings) -> Iterator[str]:
    """Why the bot refuses to start on these folders, unless it is told to.

    Where the whole machine lies on such a file system there is nothing to choose, and no refusal.
    """
    if settings.workspace.network:
        return
    for objection in filesystems.objections(reading.folders(settings)):
        if not objection.mount.is_root:
            yield f"{objection}; [workspace] network = true overrules this"


def backups(settings: config.Settings, now: datetime) -> Iterator[str]:
    """A sentence when there should be a backup younger than a day and is not."""
    began = last_start(settings.state_path)
    if not settings.backup.hours or began is None:
        return
    names = backup.names(settings.backup_path)
    newest = backup.made_at(names[-1]) if names else datetime.fromtimestamp(began, UTC)
    told = f"the newest backup is from {newest:%Y-%m-%d %H:%M} UTC"
    if now - newest > timedelta(hours=max(24, 2 * settings.backup.hours)):
        yield f"{settings.backup_path}: {told if names else 'there is no backup'}"


def _documents(settings: config.Settings) -> Iterator[str]:
    try:
        core = open_core(settings)
    except (PomnenkaError, OSError) as error:
        yield f"{settings.state_path}: {error}"
        return
    yield from _damage(core)
    for space in core.layout.spaces():
        for ref in core.layout.documents(space):
            if ref.name is not DocumentName.LOG:
                yield from _unreadable(core, ref)
    core.close()


def _unreadable(core: Core, ref: DocumentRef) -> Iterator[str]:
    try:
        core.store.read(ref)
    except DocumentError as error:
        yield f"{core.layout.path(ref)}: {error}"


def _damage(core: Core) -> Iterator[str]:
    try:
        yield from (f"{core.state.path}: {text}" for text in core.state.damage())
    except StateError:
        yield f"{core.state.path}: damaged beyond reading"
