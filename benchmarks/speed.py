"""The figures of speed, each beside its floor from the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import TypeVar

import click

from benchmarks import contest
from benchmarks.facts import flat, keep_messages, memory, new_messages
from benchmarks.processes import call, emulator, resident_mib, running
from benchmarks.processes import load as load_messages
from bot.config import Settings
from bot.core import Core, open_core
from bot.tables import Users, Workspace
from bot.wiring import policy, services
from handlers.commands import converse
from handlers.context import Person, Place, Posts, Said, Turn
from memory.document import Document

_READY_SECONDS = 10.0
_PERSON = 1
_WARM = 5

T = TypeVar("T")


def main(updates: int, rounds: int) -> None:
    """Print every table."""
    for table in (starting, lambda: contest.run(updates, rounds), keeping, auditing):
        for row in table():
            click.echo(row)
        click.echo()


def starting() -> Iterator[str]:
    """How long a command and the bot take to be there, and what the idle bot holds."""
    version = [sys.executable, "-m", "bot", "--version"]
    seconds = _best(lambda: subprocess.run(version, check=True, capture_output=True))
    yield f"pomnenka --version: {seconds:.3f} s (at most 0.15)"
    with emulator() as url, tempfile.TemporaryDirectory() as folder:
        command = contest.ours(url, Path(folder))
        call(f"{url}people/say", {"person": 111, "chat": 111, "text": "/help"})
        start = time.monotonic()
        with running(command, {"POMNENKA_TOKEN": contest.TOKEN}) as pid:
            _until_answered(url)
            yield f"bot ready: {time.monotonic() - start:.2f} s (at most 1.5)"
            load_messages(url, {"chats": 2, "total": 20, "warm": 0, "texts": keep_messages(20)})
            yield f"idle memory, en + cs loaded: {resident_mib(pid):.0f} MiB (at most 250)"


def keeping() -> Iterator[str]:
    """One keep as a handler makes it, with fsync and without, in spaces of several sizes."""
    yield f"{'one keep':44} {'p50 ms':>8} {'p99 ms':>8}"
    for fsync in (True, False):
        for kept, others in ((10, 0), (140, 0), (10, 1000), (10, 10_000)):
            times = sorted(_keeps(fsync, kept, others))
            name = f"keep.md {kept}, MEMORY.md {others}, fsync {'on' if fsync else 'off'}"
            yield f"{name:44} {_at(times, 0.5):8.2f} {_at(times, 0.99):8.2f}"


def auditing() -> Iterator[str]:
    """An audit of MEMORY.md at three sizes; the last column is time by linear growth."""
    with tempfile.TemporaryDirectory() as folder:
        core = open_core(Settings(workspace=Workspace(path=str(Path(folder) / "memory"))))
        last = 0.0
        core.engine.audit(Document.of(memory(250)), (), date(2026, 11, 30))
        for lines in (250, 2_500, 25_000):
            document = Document.of(memory(lines))
            seconds = _timed(lambda: core.engine.audit(document, (), date(2026, 11, 30)))  # noqa: B023
            growth = f" ({seconds / (10 * last):.2f} × linear, at most 1.30)" if last else ""
            yield f"audit of {lines:6} lines: {seconds:.2f} s{growth}"
            last = seconds
        core.close()


def _keeps(fsync: bool, kept: int, others: int) -> Iterator[float]:
    """Milliseconds of single keeps in a space that is not empty; the first ones warm up."""
    with tempfile.TemporaryDirectory() as folder:
        space = Path(folder) / "memory" / "users" / str(_PERSON)
        (space / "memory").mkdir(parents=True)
        (space / "keep.md").write_text(flat(kept))
        (space / "memory" / "MEMORY.md").write_text(memory(others))
        place = Workspace(path=str(Path(folder) / "memory"), fsync=fsync)
        core = open_core(Settings(workspace=place, users=Users(everyone=True)))
        keep, texts = keeper(core), new_messages()
        for text in texts[:_WARM]:
            keep(text)
        for text in texts[_WARM:]:
            yield 1000 * _timed(lambda: keep(text))  # noqa: B023
        lines = (space / "keep.md").read_bytes().count(b"\n")
        assert lines == kept + len(texts), f"{lines - kept} of {len(texts)} kept"
        core.close()


def keeper(core: Core) -> Callable[[str], Posts]:
    """Answers one message of one person as the bot's worker thread does."""
    known = services(core, _here)
    unlimited = replace(policy(core.settings), keep_limit=1_000_000)
    numbers = count(1)

    def keep(text: str) -> Posts:
        place = Place(_PERSON, message=next(numbers))
        person = Person(_PERSON, "Ada", "en")
        return converse(Turn(known, unlimited, person, place, "pomnenka_bot", Said(text)))

    return keep


async def _here(function: Callable[..., T], *args: object) -> T:
    return function(*args)


def _until_answered(url: str) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        entries = call(f"{url}journal")["entries"]
        if any(entry["name"] == "sendmessage" for entry in entries):
            return
        time.sleep(0.01)
    raise TimeoutError("the bot did not answer")


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _best(work: Callable[[], object], tries: int = 5) -> float:
    return min(_timed(work) for _ in range(tries))


def _at(times: list[float], share: float) -> float:
    if share == 0.5:
        return statistics.median(times)
    return times[min(len(times) - 1, int(share * len(times)))]
