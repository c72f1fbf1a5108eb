"""Our bot keeping facts beside bare echoes, interleaved in one run, emulator in its own process.

The spaces lie in memory (`/dev/shm`) where there is such a place: echoes write nothing, and what
the disk and its fsync cost is told by the table of single keeps.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.facts import keep_messages
from benchmarks.processes import Values, emulator, load, running

TOKEN = "123456:TEST"
PARALLEL = 64
SPACES = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
OURS = "pomnenka keep"
ECHOES = {"PTB echo": "ptb", "PTB echo, aiohttp": "ptb-aiohttp", "aiogram echo": "aiogram"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One column of the table: how many chats, how many updates, seconds of API delay."""

    chats: int
    updates: int
    delay: float = 0.0

    def __str__(self) -> str:
        delayed = f", {self.delay * 1000:.0f} ms API" if self.delay else ""
        return f"{self.chats} chats{delayed}" if self.chats > 1 else f"1 chat{delayed}"


def settings(updates: int) -> tuple[Setting, ...]:
    """One chat, a hundred, and a hundred behind a slow API.

    One chat gets few updates, so that its keep.md stays below the length that is compacted.
    """
    return Setting(1, min(updates, 120)), Setting(100, updates), Setting(100, updates, 0.05)


def run(updates: int, rounds: int) -> Iterator[str]:
    """The table, row by row; every figure is the median of the rounds."""
    results: dict[tuple[Setting, str], list[Values]] = defaultdict(list)
    for _ in range(rounds):
        for setting in settings(updates):
            for bot in (OURS, *ECHOES):
                results[setting, bot].append(measure(bot, setting))
    yield f"{'':20} {'':22} {'CPU ms':>7} {'p50 ms':>7} {'p99 ms':>8} {'upd/s':>6} {'kept':>5}"
    for (setting, bot), runs in results.items():
        middle = {key: _median(runs, key) for key in ("bot_cpu_ms", "p50_ms", "p99_ms")}
        rate, kept = _median(runs, "updates_per_s"), _median(runs, "kept")
        yield (
            f"{setting!s:20} {bot:22} {middle['bot_cpu_ms']:7.2f} {middle['p50_ms']:7.2f} "
            f"{middle['p99_ms']:8.1f} {rate:6.0f} {kept:5.0%}"
        )


def measure(bot: str, setting: Setting) -> Values:
    """One bot on a fresh emulator and a fresh space; ``kept`` is the share of lines written."""
    warm = 10 if setting.chats == 1 else setting.chats
    texts = keep_messages(setting.updates + warm)
    order = {
        "chats": setting.chats,
        "total": setting.updates,
        "warm": warm,
        "texts": texts,
        "delay": setting.delay,
    }
    fresh = tempfile.TemporaryDirectory(dir=SPACES)
    with emulator() as url, fresh as folder, serving(bot, url, folder) as p:
        figures = load(url, {**order, "pid": p})
        lines = sum(_lines(path) for path in Path(folder).rglob("keep.md"))
    kept = lines / len(texts) if bot == OURS else 1.0
    return {**figures, "kept": kept}


@contextmanager
def serving(bot: str, url: str, folder: str) -> Iterator[int]:
    """A bot as a process of its own."""
    if bot != OURS:
        command = [sys.executable, "-m", "benchmarks.echoes", ECHOES[bot]]
        with running([*command, f"{url}bot", TOKEN, str(PARALLEL)]) as pid:
            yield pid
        return
    with running(ours(url, Path(folder)), {"POMNENKA_TOKEN": TOKEN}) as pid:
        yield pid


def ours(url: str, folder: Path) -> list[str]:
    """The command that serves a fresh space; fsync off, its price is told apart."""
    config = folder / "pomnenka.toml"
    config.write_text(
        f'[telegram]\nbase_url = "{url}bot"\nparallel = {PARALLEL}\nlimits = false\n'
        "[users]\neveryone = true\n"
        '[workspace]\npath = "memory"\nfsync = false\n[log]\nlevel = "WARNING"\n'
    )
    return [sys.executable, "-m", "bot", "run", "--config", str(config)]


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _median(runs: list[Values], key: str) -> float:
    return statistics.median(run[key] for run in runs)
