"""A closed loop of synthetic people for benchmarks: the next message follows the last answer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo.errors import PeopleError

FIRST_CHAT = 500_000
CHATS_LIMIT = 10_000
HISTORY = 50
ANSWERING = frozenset({"sendmessage", "editmessagetext"})

Say = Callable[[int, str], None]


def is_synthetic(chat_id: int) -> bool:
    """True for the private chats that a load makes."""
    return FIRST_CHAT <= chat_id < FIRST_CHAT + CHATS_LIMIT


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: after ``warm`` answers, ``total`` are measured; ``delay`` in seconds."""

    chats: int
    total: int
    warm: int = 0
    texts: Sequence[str] = ("hello world",)
    delay: float = 0.0
    answers: int = 1
    pid: int = 0


def read(body: Mapping[str, Any]) -> Plan:
    """A plan from the JSON of POST /people/load; raises PeopleError."""
    plan = Plan(
        int(body.get("chats", 1)),
        int(body.get("total", 1)),
        int(body.get("warm", 0)),
        tuple(body.get("texts") or (body.get("text") or "hello world",)),
        float(body.get("delay", 0)),
        int(body.get("answers", 1)),
        int(body.get("pid", 0)),
    )
    if not (0 < plan.chats <= CHATS_LIMIT and plan.total > 0 and plan.answers > 0):
        raise PeopleError(f"chats must be 1 to {CHATS_LIMIT}, total and answers at least 1")
    return plan


def _bot_cpu(pid: int) -> float:
    if not pid:
        return 0.0
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Mark:
    """Seconds of the wall clock, of this process and of the bot at one moment."""

    wall: float
    own: float
    bot: float


class Load:
    """One run of a plan."""

    def __init__(self, plan: Plan, say: Say) -> None:
        self.plan = plan
        self._say = say
        self._open: dict[int, list[float]] = {}
        self._latencies: list[float] = []
        self._said = 0
        self._answered = 0
        self._begun: Mark | None = None
        self._ended: Mark | None = None

    def start(self) -> None:
        """Send the first message of every chat."""
        if not self.plan.warm:
            self._begun = self._mark()
        for number in range(self.plan.chats):
            self._next(FIRST_CHAT + number)

    def _mark(self) -> Mark:
        return Mark(time.perf_counter(), time.process_time(), _bot_cpu(self.plan.pid))

    def _next(self, chat_id: int) -> None:
        if self._said >= self.plan.total + self.plan.warm:
            return
        texts = self.plan.texts
        text = texts[self._said % len(texts)].replace("{n}", str(self._said))
        self._said += 1
        self._open[chat_id] = [time.perf_counter(), self.plan.answers]
        self._say(chat_id, text)

    def answered(self, chat_id: int) -> None:
        """The bot wrote into a chat: note the time and go on there."""
        waiting = self._open.get(chat_id)
        if waiting is None:
            return
        waiting[1] -= 1
        if waiting[1] > 0:
            return
        del self._open[chat_id]
        self._count(waiting[0])
        self._next(chat_id)

    def _count(self, since: float) -> None:
        self._answered += 1
        if self._begun is not None and self._ended is None:
            self._latencies.append(time.perf_counter() - since)
        if self._answered == self.plan.warm:
            self._begun = self._mark()
        if self._answered == self.plan.warm + self.plan.total:
            self._ended = self._mark()

    @property
    def done(self) -> bool:
        """True when everything was answered."""
        return self._ended is not None

    def report(self) -> dict[str, Any]:
        """Figures of the measured part; CPU is in milliseconds an update."""
        figures = {"done": self.done, "answered": self._answered, "said": self._said}
        figures |= {"total": self.plan.total, "warm": self.plan.warm}
        count = len(self._latencies)
        if self._begun is None or not count:
            return figures
        return figures | self._rates(self._begun, self._ended or self._mark(), count)

    def _rates(self, begun: Mark, ended: Mark, count: int) -> dict[str, Any]:
        seconds = ended.wall - begun.wall
        ordered = sorted(self._latencies)
        quantiles = {"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99, "max_ms": 1.0}
        places = {name: min(int(count * part), count - 1) for name, part in quantiles.items()}
        return {
            "measured": count,
            "seconds": round(seconds, 4),
            "updates_per_s": round(count / seconds, 1),
            **{name: round(ordered[place] * 1e3, 3) for name, place in places.items()},
            "server_cpu_ms": round((ended.own - begun.own) / count * 1e3, 4),
            "bot_cpu_ms": round((ended.bot - begun.bot) / count * 1e3, 4),
        }
