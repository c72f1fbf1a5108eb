"""How fast a section operation is on a long file: planned alone, and durably through the store."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.facts import memory
from memory import sections
from memory.document import Document
from memory.files import PosixDisk
from memory.layout import Layout
from memory.sections import Op, Outcome, Request, Result
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State
from memory.store import Author, Item, Store

_USER = DocumentRef(personal(111), DocumentName.USER)
_AUTHOR = Author(111, source="cli")
_HEADING = "Area 3"


def main(lines: int, rounds: int) -> Iterator[str]:
    """Rows of a table: median and 99th percentile in milliseconds of each operation."""
    with tempfile.TemporaryDirectory() as folder:
        store = _store(Path(folder))
        path = Path(folder) / "workspace" / "users" / "111" / "USER.md"
        path.parent.mkdir(parents=True)
        path.write_text(memory(lines), encoding="utf-8")
        yield f"{lines} lines, {path.stat().st_size} bytes, {rounds} rounds"
        yield f"{'operation':34} {'p50 ms':>8} {'p99 ms':>8}"
        yield _row("planned only", [_planned(path, n) for n in range(rounds)])
        times = [_round(store, n) for n in range(rounds)]
        for number, name in enumerate(("append", "replace", "remove")):
            yield _row(f"{name}, durable", [row[number] for row in times])


def _store(folder: Path) -> Store:
    ids = itertools.count()
    disk = PosixDisk(folder / "state" / "locks")
    state = State(folder / "state" / "state.db")
    layout = Layout(folder / "workspace")
    return Store(layout, state, disk, lambda: datetime.now(UTC), lambda: f"op{next(ids)}")


def _round(store: Store, number: int) -> tuple[float, ...]:
    """One entry is added, changed and removed again."""
    entry, other = f"a new entry {number}", f"another entry {number}"
    return (
        _applied(store, Request(Op.APPEND, _HEADING, line=entry)),
        _applied(store, Request(Op.REPLACE, _HEADING, match=entry, line=other)),
        _applied(store, Request(Op.REMOVE, _HEADING, match=other)),
    )


def _applied(store: Store, request: Request) -> float:
    results: list[Result] = []
    item = Item("section", sections.edit(request, results.append))
    time_ = _timed(lambda: store.apply(_USER, [item], _AUTHOR))
    if getattr(results[-1], "outcome", None) is not Outcome.APPLIED:
        raise RuntimeError(results[-1])
    return time_


def _planned(path: Path, number: int) -> float:
    document = Document.parse(path.read_bytes())
    request = Request(Op.REPLACE, _HEADING, match="spare key hangs on hook 2", line=f"x {number}")
    return _timed(lambda: sections.plan(document, request))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def _row(name: str, times: list[float]) -> str:
    times = sorted(times)
    return f"{name:34} {times[len(times) // 2]:8.2f} {times[int(len(times) * 0.99)]:8.2f}"
