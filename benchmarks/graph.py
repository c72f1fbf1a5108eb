"""How fast facts are found among very many, and added (F2)."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from benchmarks.facts import _NAMES, _PLACES, _THINGS
from memory.database import Database
from memory.factrules import Draft, key
from memory.facts import Deed, Facts, Query
from memory.operations import Author
from memory.tables import FACTS

_USER, _OTHERS = 1, 90
_PREDICATES = ("owns", "knows", "works_at", "lives_in", "acquired", "visiting", "prefers")
_TODAY = date(2026, 5, 4)
_BATCH = 20_000


def main(mine: int, all_: int, rounds: int) -> Iterator[str]:
    """Rows of a table: median and 99th percentile in milliseconds of each question.

    The CPU's time beside them is what other programs on the machine do not change.
    """
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "state.db", "FULL")
        started = time.perf_counter()
        _fill(database, mine, all_, chance)
        yield f"{mine} facts of one person, {all_} of all, stored in {_since(started):.0f} s"
        yield f"{'question':34} {'p50 ms':>8} {'p99 ms':>8} {'p99 CPU':>8}"
        for name, ask in _questions(Facts(database), chance).items():
            yield _measured(name, ask, rounds)
        database.close()


def _since(started: float) -> float:
    return time.perf_counter() - started


def _measured(name: str, ask: Callable[[], object], rounds: int) -> str:
    walls, cpus = [], []
    for _ in range(rounds):
        started, spent = time.perf_counter(), time.thread_time()
        ask()
        walls.append(1000 * _since(started))
        cpus.append(1000 * (time.thread_time() - spent))
    last = int(rounds * 0.99)
    middle, slow, busy = sorted(walls)[rounds // 2], sorted(walls)[last], sorted(cpus)[last]
    return f"{name:34} {middle:8.2f} {slow:8.2f} {busy:8.2f}"


def _fill(database: Database, mine: int, all_: int, chance: random.Random) -> None:
    each = (all_ - mine) // _OTHERS
    owners = [(_USER, mine), *((2 + n, each) for n in range(_OTHERS))]
    for user, count in owners:
        for first in range(0, count, _BATCH):
            last = min(count, first + _BATCH)
            rows = [_row(user, number, chance) for number in range(first + 1, last + 1)]
            with database.writing() as connection:
                connection.execute(insert(FACTS), rows)


def _row(user: int, number: int, chance: random.Random) -> dict[str, object]:
    subject, thing = _subject(chance), f"{chance.choice(_THINGS)} {chance.randrange(40_000)}"
    since = _TODAY - timedelta(days=chance.randrange(9000))
    until = since + timedelta(days=chance.randrange(1, 4000))
    over, predicate = chance.random() < 0.5, chance.choice(_PREDICATES)
    return {
        "user": user,
        "id": number,
        "subject": subject,
        "predicate": predicate,
        "object": thing,
        "since": since.isoformat() if predicate != "prefers" else "",
        "until": until.isoformat() if over else "",
        "learned": _TODAY.isoformat(),
        "begins": since.isoformat(),
        "subject_key": key(subject),
        "object_key": key(thing),
    }


def _subject(chance: random.Random) -> str:
    if chance.random() < 0.3:
        return "me"
    return f"{chance.choice(_NAMES)} {chance.choice(_PLACES)}"


def _questions(facts: Facts, chance: random.Random) -> dict[str, Callable[[], object]]:
    today = _TODAY.isoformat()
    deeds = _deeds()

    def subject() -> str:
        return _subject(chance)

    def predicate() -> str:
        return chance.choice(_PREDICATES)

    def past() -> str:
        return (_TODAY - timedelta(days=chance.randrange(9000))).isoformat()

    def add() -> object:
        return facts.add(next(deeds), Draft(subject(), "knows", f"thing {chance.random()}"))

    return {
        "current, a page": lambda: facts.facts(_USER, Query(on=today)),
        "current of a subject": lambda: facts.facts(_USER, Query(subject(), on=today)),
        "current with a predicate": lambda: facts.facts(_USER, Query("", predicate(), on=today)),
        "subject and predicate": lambda: facts.facts(_USER, Query(subject(), predicate())),
        "as of a day, a page": lambda: facts.facts(_USER, Query(on=past())),
        "as of a day before all": lambda: facts.facts(_USER, Query("", "owns", on="1900-01-01")),
        "a subject nobody has": lambda: facts.facts(_USER, Query("Nobody")),
        "by a word": lambda: facts.facts(_USER, Query(word=chance.choice(_THINGS))),
        "by a word that is nowhere": lambda: facts.facts(_USER, Query(word="quagga")),
        "timeline of a subject": lambda: facts.timeline(_USER, subject()),
        "neighbourhood": lambda: facts.neighbourhood(_USER, subject(), Query(on=today, limit=13)),
        "count of what is current": lambda: facts.count(_USER, Query(on=today)),
        "add, durable": add,
    }


def _deeds() -> Iterator[Deed]:
    number = 0
    while True:
        number += 1
        yield Deed(Author(_USER), datetime(2026, 5, 4, tzinfo=UTC), f"op{number}")
