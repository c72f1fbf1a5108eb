"""`pomnenka restore`: a backup comes back, after what stands there has been saved."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot import config
from bot.cli import backup as saving
from bot.cli import settings as reading
from bot.core import layout_of, local_clock, new_id
from bot.running import AlreadyRunningError, alone
from bot.saving import disk_of
from memory import backup, restoration
from memory.backup import Source
from memory.errors import Busy, PomnenkaError, StateFromTheFuture
from memory.manifest import LeftOut, Manifest
from memory.restoration import Fault, Flaw, Target
from memory.state import FILE

_FAULTS = {
    Fault.MISSING: "is missing",
    Fault.CHANGED: "is not what was saved",
    Fault.UNREADABLE: "cannot be read",
    Fault.DAMAGED: "is damaged",
}


@click.command()
@click.argument("folder", metavar="BACKUP", type=click.Path(path_type=Path))
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="Into this folder, as a bot without configuration would use it.",
)
@click.option("--yes", is_flag=True, help="Over what stands there, without asking.")
@reading.config_option
def command(folder: Path, to: Path | None, yes: bool, path: Path | None) -> None:
    """Bring BACKUP back: a backup's folder, or its name in the configured one.

    Every file of it is checked first. What stands there is saved as another backup; documents
    that BACKUP does not have stay. The bot must be stopped.
    """
    chosen = folder if folder.exists() else _named(folder, path)
    settings = config.Settings(folder=to.absolute()) if to else reading.read(path)
    manifest = restoration.examine(chosen)
    if isinstance(manifest, tuple):
        reading.fail(flawed(chosen, manifest))
    try:
        restoration.check_schema(manifest)
        with alone(settings.state_path):
            _restore(chosen, manifest, settings, yes)
    except AlreadyRunningError as error:
        reading.fail([f"{error} Stop it first."])
    except (OSError, PomnenkaError) as error:
        reading.fail([f"Not restored: {sentence(error)}"])


def _named(folder: Path, path: Path | None) -> Path:
    """The backup of that name in the configured folder; ends the command where there is none."""
    place = reading.read(path).backup_path
    if not (place / folder).exists():
        reading.fail(unknown(folder, place))
    return place / folder


def unknown(folder: Path, place: Path) -> list[str]:
    """That there is no such backup, and which ones there are."""
    names = backup.names(place)
    there = [f"There are: {', '.join(names)}."] if names else [f"There are none in {place}."]
    return [f"There is no backup {folder}.", *there]


def flawed(folder: Path, flaws: tuple[Flaw, ...]) -> list[str]:
    """Why a backup is refused."""
    return [
        f"{folder} is no whole backup; nothing was changed.",
        *(f"{flaw.path} {_FAULTS[flaw.fault]}" for flaw in flaws),
    ]


def sentence(error: Exception) -> str:
    """What went wrong, for an operator."""
    match error:
        case StateFromTheFuture():
            return f"schema {error.found} is of a newer program; this one knows {error.known}"
        case Busy():
            return "somebody is changing a document; stop your agent and try again"
    return f"{type(error).__name__}: {error}"


def _restore(folder: Path, manifest: Manifest, settings: config.Settings, yes: bool) -> None:
    target = Target(layout_of(settings), disk_of(settings.state_path), settings.state_path)
    if saving.exists(settings, target.layout):
        _ask(settings, yes)
        _save(target, settings, manifest)
    done = restoration.restore(folder, manifest, target, new_id())
    state = "the state and " if manifest.state else ""
    count = done.written + done.same
    click.echo(f"Restored {state}{count} document{'s' if count != 1 else ''} from {folder}.")
    others = len(list(restoration.documents(target.layout))) - count
    if others:
        click.echo(f"Left as they are, because the backup does not have them: {others}.")


def _ask(settings: config.Settings, yes: bool) -> None:
    if yes:
        return
    question = f"There is a memory in {settings.workspace_path}. Save it and restore over it?"
    if not sys.stdin.isatty():
        click.echo(f"{question} Say so with --yes.", err=True)
        raise click.exceptions.Exit(reading.QUESTION)
    if not click.confirm(question):
        raise click.exceptions.Exit(reading.ERROR)


def _save(target: Target, settings: config.Settings, coming: Manifest) -> None:
    """Save what stands there; what cannot be saved is not written over.

    A damaged state is moved into the backup as it is.
    """
    with saving.opened(target.state / FILE) as state:
        source = Source(target.layout, target.disk, state)
        made = backup.save(source, settings.backup_path, local_clock("")(), new_id())
    click.echo(f"What stood there is saved in {made.path}.")
    left = made.manifest.left_out
    lost = [one for one in left if one.document]
    if lost:
        reading.fail(["Not restored.", *saving.left_out(target.layout, lost)])
    if LeftOut("", "damaged") in left and coming.state:
        restoration.set_aside(target.state, made.path / "damaged")
