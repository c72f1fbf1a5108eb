"""`pomnenka backup`: the state of one moment and every document, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from bot import config, saving
from bot.cli import settings as reading
from bot.cli.console import json_option
from bot.core import layout_of, local_clock, new_id
from memory import backup
from memory.backup import Backup
from memory.errors import StateError, StateFromTheFuture
from memory.layout import Layout
from memory.manifest import LeftOut
from memory.restoration import documents
from memory.spaces import ref_of
from memory.state import FILE, State

CAUSES = {
    "not_utf8": "is not UTF-8",
    "symlink": "is a link",
    "not_a_file": "is not a file",
    "too_large": "is too large",
    "denied": "may not be read",
    "busy": "is being changed by somebody else",
    "damaged": "is damaged",
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@json_option
@reading.config_option
def command(folder: Path | None, as_json: bool, path: Path | None) -> None:
    """Save the state and every document, also while the bot runs.

    FOLDER is where the backup's own folder is made; without it the configured one, from which
    expired backups are removed. Exit 1 if anything could not be saved.
    """
    settings = reading.read(path)
    layout = layout_of(settings)
    if not exists(settings, layout):
        reading.fail([f"There is nothing to save in {settings.workspace_path}."])
    try:
        made = _save(settings, layout, folder)
    except (OSError, StateError) as error:
        reading.fail([f"The backup cannot be written: {type(error).__name__} {error}"])
    click.echo(json.dumps(values(made)) if as_json else told(made))
    if made.manifest.left_out:
        reading.fail(left_out(layout, made.manifest.left_out))


def exists(settings: config.Settings, layout: Layout) -> bool:
    """Whether there is a state or a document."""
    return (settings.state_path / FILE).exists() or any(documents(layout))


def _save(settings: config.Settings, layout: Layout, folder: Path | None) -> Backup:
    now, token = local_clock("")(), new_id()
    with opened(settings.state_path / FILE) as state:
        source = saving.source_of(settings, state, layout)
        if folder:
            return backup.save(source, folder.absolute(), now, token)
        return saving.save(source, settings, now, token)


@contextmanager
def opened(path: Path) -> Iterator[State | None]:
    """A state, None when it is damaged.

    Raises:
        StateFromTheFuture: a newer program wrote it.
    """
    try:
        state = State(path)
    except StateFromTheFuture:
        raise
    except StateError:
        yield None
    else:
        with closing(state):
            yield state


def values(made: Backup) -> dict[str, object]:
    """A backup as the JSON line tells it; sizes in bytes."""
    manifest = made.manifest
    return {
        "status": "incomplete" if manifest.left_out else "done",
        "backup": str(made.path),
        "documents": len(manifest.documents),
        "bytes": sum(saved.size for saved in manifest.files),
        "left_out": [[left.document or "state", left.cause] for left in manifest.left_out],
    }


def told(made: Backup) -> str:
    """A backup in one sentence."""
    manifest = made.manifest
    count = len(manifest.documents)
    state = "the state and " if manifest.state else ""
    return f"Saved {state}{count} document{'s' if count != 1 else ''} in {made.path}."


def left_out(layout: Layout, left: Iterable[LeftOut]) -> list[str]:
    """One sentence for each thing that could not be saved."""
    return [
        f"Not saved: {layout.path(ref_of(one.document)) if one.document else 'the state'}"
        f" {CAUSES.get(one.cause, one.cause)}"
        for one in left
    ]
