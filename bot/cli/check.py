"""`pomnenka check`: the configuration and the workspace, without starting anything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from bot import config, filesystems
from bot.cli import settings as reading
from bot.cli import spacecheck
from bot.cli.console import json_option
from bot.cli.skills import WHY
from bot.core import Core, open_core
from bot.inspection import Code, Finding, Level
from bot.running import last_start
from memory import backup
from memory.errors import PomnenkaError, StateError
from memory.overlays import CAP, Reason

_SENTENCES = {
    Code.SETTINGS: "{text}",
    Code.UNREADABLE: "{error}",
    Code.STATE: "{text}",
    Code.BACKUP: "{text}",
    Code.ORPHAN: "no pointer leads to {file}; /tidy adds one",
    Code.DEAD: "a pointer leads to {file}, which is not there; /tidy removes it",
    Code.MISNAMED: "a pointer says {file}, the file is {new}; /tidy corrects it",
    Code.STALE: "{file} was left alone for {days} days; /tidy moves it to the archive",
    Code.MISPLACED: "nobody reads this file; it looks like {like}",
    Code.BYPASSED: "changed by another program, and nobody has been told yet",
    Code.FULL: "{lines} lines: the index takes no pointer more; /tidy makes room",
    Code.LINES: "{lines} lines, which is long",
    Code.BYTES: "{bytes} bytes, more than the {limit} that its readers like",
    Code.NOT_BOUND: "the overlay does not load: {reason}",
    Code.NEAR_CAP: f"{{bytes}} bytes; above {CAP} the overlay does not load",
    Code.HEADING: "a heading above ### leaves the overlay's block, in line {lines}",
}
"""What is said of each finding after the place it was found in."""


@click.command()
@json_option
@reading.config_option
def command(as_json: bool, path: Path | None) -> None:
    """Say what is wrong with the configuration or the workspace; exit 1 if anything is.

    A hint is for you to know and does not change the exit code.
    """
    settings = reading.read(path)
    found = list(findings(settings))
    wrong = any(one.level is Level.PROBLEM for one in found)
    if as_json:
        values = {"status": "error" if wrong else "ok", "findings": [one.values for one in found]}
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        for one in found:
            click.echo(sentence(one), err=one.level is Level.PROBLEM)
        if not wrong:
            click.echo("ok")
    raise click.exceptions.Exit(reading.ERROR if wrong else reading.DONE)


def sentence(one: Finding) -> str:
    """A finding for an operator: where it is, and what to do."""
    detail = dict(one.detail)
    if one.code is Code.NOT_BOUND:
        detail["reason"] = WHY[Reason(detail["reason"])]
    if one.code is Code.HEADING:
        detail["lines"] = ", ".join(map(str, detail["lines"]))
    said = _SENTENCES[one.code].format(**detail)
    hint = "hint: " if one.level is Level.HINT else ""
    return f"{hint}{one.where}: {said}" if one.where else f"{hint}{said}"


def _problem(code: Code, text: str, where: str = "") -> Finding:
    return Finding(Level.PROBLEM, code, where, {"text": text})


def findings(settings: config.Settings) -> Iterator[Finding]:
    """Everything that is wrong, and what a person should know."""
    for kept_apart in (config.token(settings), config.webhook_secret(settings)):
        if isinstance(kept_apart, tuple):
            yield from (_problem(Code.SETTINGS, str(text)) for text in kept_apart)
    if not settings.users.everyone and not settings.users.allow:
        yield _problem(Code.SETTINGS, "[users] allow: nobody may use the bot yet")
    yield from (_problem(Code.SETTINGS, text) for text in grounds(settings))
    workspace = settings.workspace_path
    if workspace.exists() and not os.access(workspace, os.W_OK):
        yield _problem(Code.SETTINGS, "the workspace is read-only", str(workspace))
        return
    yield from _spaces(settings)
    yield from (_problem(Code.BACKUP, t) for t in backups(settings, datetime.now(UTC)))


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


def _spaces(settings: config.Settings) -> Iterator[Finding]:
    try:
        core = open_core(settings)
    except (PomnenkaError, OSError) as error:
        yield _problem(Code.STATE, str(error), str(settings.state_path))
        return
    except ValueError as error:
        yield _problem(Code.SETTINGS, f"[workspace] names: {error}")
        return
    with closing(core):
        yield from _damage(core)
        yield from spacecheck.look(core)


def _damage(core: Core) -> Iterator[Finding]:
    where = str(core.state.path)
    try:
        yield from (_problem(Code.STATE, text, where) for text in core.state.damage())
    except StateError:
        yield _problem(Code.STATE, "damaged beyond reading", where)
