"""Backups: the state of one moment and a copy of every document, under their locks (W8).

A backup is a folder of its own, made under another name and renamed when it is whole. The state
is copied first: whatever it knows of stands in the documents, which are copied afterwards.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory import manifest as table
from memory.disk import Contents, Disk
from memory.errors import Busy, StateError, Unreadable
from memory.layout import Layout
from memory.manifest import LeftOut, Manifest, Saved
from memory.spaces import DocumentRef
from memory.state import State
from memory.system import make_durable
from memory.tables import SCHEMA
from memory.upkeep import flaws

NEWEST, DAYS = 24, 7
"""How many backups are kept whatever their age, and of how many days one each besides."""

_STAMP = "%Y%m%d-%H%M%S"
_NAME = re.compile(r"backup-([0-9]{8}-[0-9]{6})")
_DRAFT = re.compile(r"\.backup-([0-9]{8}-[0-9]{6})-[a-z0-9]+\.tmp")
_ABANDONED = timedelta(days=1)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True)
class Source:
    """What is saved: the documents of a layout, read by ``disk``, and the state beside them.

    ``disk`` must read files of any size, logs too. ``state`` is None where it cannot be opened.
    """

    layout: Layout
    disk: Disk
    state: State | None


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup: its folder, and what is in it."""

    path: Path
    manifest: Manifest


def save(source: Source, folder: Path, at: datetime, token: str) -> Backup:
    """Make a backup in a folder, for the eyes of its owner only.

    What cannot be read is named in the manifest and does not hinder the rest.

    Args:
        source: what is saved; a bot may go on writing meanwhile.
        folder: where the backup's own folder is made.
        at: the time it is named after, in UTC.
        token: letters and digits that make the temporary name unique.

    Raises:
        OSError, StateError: the backup cannot be written; nothing is left of it.
    """
    make_folder(folder)
    draft = folder / f".backup-{_stamp(at)}-{token}.tmp"
    draft.mkdir(mode=0o700)
    try:
        files, left_out = _copied(source, draft)
        manifest = Manifest(at, SCHEMA, files, left_out)
        _write(draft / table.FILE, table.encoded(manifest))
        _sync_folders(draft)
        target = _renamed(draft, folder, at)
        return Backup(target, manifest)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copied(source: Source, draft: Path) -> tuple[tuple[Saved, ...], tuple[LeftOut, ...]]:
    found = [_saved_state(source.state, draft / table.STATE)]
    target = Layout(draft / table.DOCUMENTS)
    for space in source.layout.spaces():
        for ref in source.layout.documents(space):
            found += _saved_document(source, ref, target.path(ref))
    saved = tuple(one for one in found if isinstance(one, Saved))
    return saved, tuple(one for one in found if isinstance(one, LeftOut))


def _saved_state(state: State | None, target: Path) -> Saved | LeftOut:
    if state is None or not _copied_whole(state, target):
        target.unlink(missing_ok=True)
        return LeftOut("", "damaged")
    digest, size = digest_of(target)
    return Saved("", digest, size)


def _copied_whole(state: State, target: Path) -> bool:
    try:
        state.copy_to(target)
    except StateError as error:
        code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
        if code not in _DAMAGED:
            raise
        return False
    return not flaws(target)


def _saved_document(source: Source, ref: DocumentRef, target: Path) -> list[Saved | LeftOut]:
    """The copy of a document; nothing where there is none."""
    try:
        contents = _read(source, ref)
    except (Unreadable, Busy) as error:
        return [LeftOut(ref.key, error.cause if isinstance(error, Unreadable) else "busy")]
    if contents is None:
        return []
    make_folder(target.parent)
    _write(target, contents.data)
    return [Saved(ref.key, contents.digest, len(contents.data))]


def _read(source: Source, ref: DocumentRef) -> Contents | None:
    place = source.layout.place(ref)
    if not os.path.lexists(place.path):
        return None
    with source.disk.lock(place):
        return source.disk.read(place)


def digest_of(path: Path) -> tuple[str, int]:
    """The sha256 of a file of any size, and how many bytes it has; raises `OSError`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return digest, file.tell()


def names(folder: Path) -> tuple[str, ...]:
    """The names of the backups in a folder, the oldest first."""
    try:
        found = [path.name for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(sorted(name for name in found if _NAME.fullmatch(name)))


def made_at(name: str) -> datetime:
    """When a backup was made, by its name.

    Raises:
        ValueError: it is no name of a backup.
    """
    match = _NAME.fullmatch(name)
    return _moment(match[1] if match else "")


def is_due(existing: Iterable[str], now: datetime, hours: int) -> bool:
    """Whether the newest of the backups is so many hours old, or there is none; 0 is never."""
    newest = max(map(made_at, existing), default=None)
    return hours > 0 and (newest is None or now - newest >= timedelta(hours=hours))


def expired(existing: Iterable[str]) -> tuple[str, ...]:
    """The backups that may go: all but the newest 24 and the last one of each of 7 days.

    Names that are no backup's are never among them; days without a backup do not count.
    """
    ordered = sorted((name for name in existing if _NAME.fullmatch(name)), reverse=True)
    last_of_day = {name[:15]: name for name in reversed(ordered)}
    daily = sorted(last_of_day.values(), reverse=True)[:DAYS]
    return tuple(sorted(set(ordered) - set(ordered[:NEWEST]) - set(daily)))


def abandoned(existing: Iterable[str], now: datetime) -> tuple[str, ...]:
    """The temporary folders of backups that were broken off more than a day ago."""
    drafts = ((name, _DRAFT.fullmatch(name)) for name in existing)
    old = now - _ABANDONED
    return tuple(sorted(name for name, match in drafts if match and _moment(match[1]) < old))


def tidy(folder: Path, now: datetime) -> None:
    """Remove expired and abandoned backups from a folder, and nothing else; raises `OSError`."""
    inside = [path.name for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    for name in (*expired(names(folder)), *abandoned(inside, now)):
        shutil.rmtree(folder / name)


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime(_STAMP)


def _moment(stamp: str) -> datetime:
    return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, for their owner only; raises `OSError`."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folders(top: Path) -> None:
    for path in (top, *_folders(top)):
        make_durable(path)


def _folders(top: Path) -> Iterator[Path]:
    return (path for path in top.rglob("*") if path.is_dir())


def _renamed(draft: Path, folder: Path, at: datetime) -> Path:
    """Give a whole backup its name; a taken one is followed by the next second's."""
    target = folder / f"backup-{_stamp(at)}"
    while target.exists():
        at += timedelta(seconds=1)
        target = folder / f"backup-{_stamp(at)}"
    draft.rename(target)
    make_durable(folder)
    return target
