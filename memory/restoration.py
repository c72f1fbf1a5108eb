"""Bringing a backup back: everything is checked first, and nothing is lost that stood there."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memory import manifest as table
from memory.backup import digest_of, make_folder
from memory.disk import Contents, Disk
from memory.errors import Busy, StateFromTheFuture
from memory.layout import Layout, Place
from memory.manifest import Manifest, Saved
from memory.spaces import DocumentRef, ref_of
from memory.state import FILE, State
from memory.system import make_durable
from memory.tables import SCHEMA
from memory.upkeep import flaws

_BESIDE = ("-wal", "-shm", "-journal")


class Fault(StrEnum):
    """What can be wrong with a file of a backup."""

    MISSING = "missing"
    CHANGED = "changed"
    UNREADABLE = "unreadable"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Flaw:
    """A file of a backup, by its path there, and what is wrong with it."""

    path: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Target:
    """Where a backup is brought back: a layout, a disk for files of any size, a state's folder."""

    layout: Layout
    disk: Disk
    state: Path


@dataclass(frozen=True, slots=True)
class Restored:
    """How many documents were written, and how many stood there already byte for byte."""

    written: int
    same: int


def examine(backup: Path) -> Manifest | tuple[Flaw, ...]:
    """The manifest of a backup in which every file is what it should be, else all flaws."""
    try:
        manifest = table.decoded((backup / table.FILE).read_bytes())
        found = tuple(_flaws(backup.resolve(), manifest))
    except FileNotFoundError:
        return (Flaw(table.FILE, Fault.MISSING),)
    except (OSError, ValueError):
        return (Flaw(table.FILE, Fault.UNREADABLE),)
    return found or manifest


def _flaws(backup: Path, manifest: Manifest) -> Iterator[Flaw]:
    for saved in manifest.files:
        path = path_of(backup, saved)
        fault = _fault(path, saved)
        if fault:
            yield Flaw(str(path.relative_to(backup)), fault)


def _fault(path: Path, saved: Saved) -> Fault | None:
    try:
        found = digest_of(path)
    except FileNotFoundError:
        return Fault.MISSING
    except OSError:
        return Fault.UNREADABLE
    if found != (saved.sha256, saved.size):
        return Fault.CHANGED
    return Fault.DAMAGED if not saved.document and flaws(path) else None


def path_of(backup: Path, saved: Saved) -> Path:
    """Where the copy lies: made from the document's reference, never from a stored path.

    Raises:
        ValueError: the manifest names no document.
    """
    if not saved.document:
        return backup / table.STATE
    return Layout(backup / table.DOCUMENTS).path(ref_of(saved.document))


def check_schema(manifest: Manifest) -> None:
    """Refuse the state of a newer program (W8).

    Raises:
        StateFromTheFuture: it cannot be read here.
    """
    if manifest.schema > SCHEMA:
        raise StateFromTheFuture(manifest.schema, SCHEMA)


def documents(layout: Layout) -> Iterator[DocumentRef]:
    """Every document that exists in a layout, readable or not."""
    for space in layout.spaces():
        for ref in layout.documents(space):
            if os.path.lexists(layout.path(ref)):
                yield ref


def restore(backup: Path, manifest: Manifest, target: Target, token: str) -> Restored:
    """Put an examined backup in its place; documents it does not have are left as they are.

    The caller sees to it that no bot runs on the state, and has saved what stands there. An
    older schema is brought up to date.

    Args:
        token: makes the names of temporary files unique.

    Raises:
        OSError, DocumentError, StateError: it is half done; the next try goes on.
    """
    check_schema(manifest)
    written = sum(_put(backup, saved, target, token) for saved in manifest.documents)
    if manifest.state:
        _put_state(backup / table.STATE, manifest.state, target.state)
    return Restored(written, len(manifest.documents) - written)


def _put(backup: Path, saved: Saved, target: Target, token: str) -> bool:
    """Write one document unless it stands there already; whether it was written."""
    data = path_of(backup, saved).read_bytes()
    if hashlib.sha256(data).hexdigest() != saved.sha256:
        raise OSError(f"{path_of(backup, saved)}: changed after it was examined")
    place = target.layout.place(ref_of(saved.document))
    with target.disk.lock(place):
        old = target.disk.read(place)
        if old and old.digest == saved.sha256:
            return False
        _swap(target.disk, place, data, (old, token))
        _check(target.disk.read(place), saved, place)
    return True


def _check(now: Contents | None, saved: Saved, place: Place) -> None:
    if now is None or now.digest != saved.sha256:
        raise OSError(f"{place.path}: is not what was written")


def _swap(disk: Disk, place: Place, data: bytes, base: tuple[Contents | None, str]) -> None:
    """Replace what was read a moment ago; what somebody else wrote since is put back."""
    old, token = base
    out = disk.swap(place, data, old, token)
    if out and out.digest != (old and old.digest):
        disk.swap(place, out.data, out, f"{token}b")
        disk.discard(place, f"{token}b")
        disk.discard(place, token)
        raise Busy(place.ref)
    disk.discard(place, token)


def _put_state(copy: Path, saved: Saved, folder: Path) -> None:
    make_folder(folder)
    fresh, final = folder / f"{FILE}.restored", folder / FILE
    fresh.unlink(missing_ok=True)
    shutil.copyfile(copy, fresh)
    fresh.chmod(0o600)
    if digest_of(fresh) != (saved.sha256, saved.size):
        raise OSError(f"{fresh}: is not what was copied")
    make_durable(fresh)
    for suffix in _BESIDE:
        folder.joinpath(FILE + suffix).unlink(missing_ok=True)
    fresh.replace(final)
    make_durable(folder)
    State(final).close()


def set_aside(state: Path, folder: Path) -> None:
    """Move the files of a state that cannot be opened into a folder; raises `OSError`."""
    make_folder(folder)
    for suffix in ("", *_BESIDE):
        path = state / (FILE + suffix)
        if path.exists():
            shutil.move(path, folder / path.name)
