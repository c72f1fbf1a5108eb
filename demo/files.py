"""The live view of Markdown and log files below one folder.

Symbolic links are neither followed nor read; files are read as UTF-8, wrong bytes shown as U+FFFD.
"""

from __future__ import annotations

import asyncio
import difflib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo.events import Events

INTERVAL = 0.2
SHOWN_SUFFIXES = (".md", ".log")
TEXT_BYTES = 1024 * 1024
COMPARED_LINES = 2_000
DEPTH_LIMIT = 12

Stamp = tuple[int, int, int]


@dataclass(slots=True)
class Seen:
    """A file as it was when last looked at."""

    stamp: Stamp
    text: str


def scan(folder: Path, depth: int = DEPTH_LIMIT) -> Iterator[tuple[Path, Stamp]]:
    """Every shown file below ``folder`` with its inode, size and time of change (ns)."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and depth:
            yield from scan(Path(entry.path), depth - 1)
        elif entry.name.endswith(SHOWN_SUFFIXES) and entry.is_file(follow_symlinks=False):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                yield Path(entry.path), (status.st_ino, status.st_size, status.st_mtime_ns)


def read(path: Path) -> str:
    """The first megabyte of a file that is no link; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(TEXT_BYTES).decode(errors="replace")


def added(old: str, new: str) -> list[int]:
    """0-based numbers of the lines of ``new`` that were not in ``old`` at their place."""
    before, after = _lines(old), _lines(new)
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    middle = after[head : len(after) - tail]
    return [head + n for n in _added(before[head : len(before) - tail], middle)]


def _added(before: list[str], after: list[str]) -> Iterator[int]:
    if not before or max(len(before), len(after)) > COMPARED_LINES:
        yield from range(len(after))
        return
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, _, _, begin, end in matcher.get_opcodes():
        if kind in {"replace", "insert"}:
            yield from range(begin, end)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


class Files:
    """Tells the pages what changed below ``folder``; looks only while a page is open."""

    def __init__(self, folder: Path, events: Events) -> None:
        self._folder = folder
        self._events = events
        self._seen: dict[Path, Seen] = {}

    def listed(self) -> list[dict[str, str]]:
        """Path (relative, with slashes) and text of every file, newest first."""
        self._look()
        newest = sorted(self._seen.items(), key=lambda item: -item[1].stamp[2])
        return [{"path": self._name(path), "text": seen.text} for path, seen in newest]

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _look(self) -> list[dict[str, Any]]:
        found = dict(scan(self._folder))
        gone = [path for path in self._seen if path not in found]
        changes = [self._change(path, stamp) for path, stamp in found.items()]
        for path in gone:
            del self._seen[path]
        lost: list[dict[str, Any]] = [
            {"path": self._name(path), "text": None, "added": []} for path in gone
        ]
        return [change for change in changes if change] + lost

    def _change(self, path: Path, stamp: Stamp) -> dict[str, Any] | None:
        seen = self._seen.get(path)
        if seen and seen.stamp == stamp:
            return None
        try:
            text = read(path)
        except OSError:
            return None
        self._seen[path] = Seen(stamp, text)
        old = seen.text if seen else ""
        if seen and old == text:
            return None
        return {"path": self._name(path), "text": text, "added": added(old, text)}

    async def watch(self) -> None:
        """Look every 200 ms for ever; changes made while nobody looked are not told."""
        watched = False
        while True:
            await asyncio.sleep(INTERVAL)
            if self._events.watched:
                changes = self._look()
                for change in changes if watched else ():
                    self._events.send("files", change)
            watched = self._events.watched
