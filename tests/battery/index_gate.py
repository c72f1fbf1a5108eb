"""BT12: the gate of the index is exact to the line, and a topic stands with its pointer or not at all.

The lines are counted before the write: up to 149 go, 150 to 179 go and warn, 180 and more refuse;
readers that cut later are configured. The twin's limits lie one line off.
"""

import asyncio
import itertools
from dataclasses import replace

from handlers import places
from handlers.context import Person, Place, Turn
from handlers.keeping import topics
from handlers.messages import outcome
from memory.pointers import Gate
from memory.spaces import DocumentName
from tests.battery.battery import Result, Test
from tests.battery.pins import languages
from tests.battery.twins import tell_apart
from tests.handlers.handlers_stage import EVERYBODY, Stage
from tests.handlers.scripted_engine import ScriptedEngine

EDGES = {
    (150, 180): (149, 150, 151, 179, 180, 181),
    (200, 250): (199, 200, 201, 249, 250, 251),
    (150, 200): (149, 150, 151, 199, 200, 201),
}
"""Where each pair of limits is looked at: around both."""


def index_gate(run):
    """Every edge, and ``n`` random lengths, with both files compared byte for byte."""
    if run.broken:
        twins = {"one line late": 1, "one line early": -1}
        return tell_apart(twins, lambda shift: asyncio.run(_look(run, shift)))
    return asyncio.run(_look(run, 0))


async def _look(run, shift):
    result = Result(counts={"edges": 0, "random lengths": 0, "halves left": 0})
    stage = await Stage(run.folder / f"shift{shift}", ScriptedEngine(), languages()).open()
    people = itertools.count(1)
    for limits, edges in EDGES.items():
        for count in edges:
            _tried(result, stage, next(people), (count, *limits, shift))
            result.counts["edges"] += 1
    for _ in range(run.n):
        _tried(result, stage, next(people), (run.chance.randrange(300), 150, 180, shift))
        result.counts["random lengths"] += 1
    await stage.close()
    result.expect_zero("halves left")
    return result


def _tried(result, stage, person, case):
    """File a new topic for a person whose index has so many lines, and look at both files."""
    count, warn, full, shift = case
    by = {"id": person}
    stage.put("- x → memory_x.md\n" * count, "index", by=by)
    policy = replace(EVERYBODY, index_warn=warn + shift, index_full=full + shift)
    turn = Turn(stage.services, policy, Person(person), Place(person), "pomnenka_bot")
    code = places.code(DocumentName.TOPIC, "course", "Course")
    said = _verdict(topics.file(turn, "lesson 3", places.split(code)))
    result.expect(said is _wanted(count, warn, full), f"{count} lines of {full}: {said}")
    topic = bool(stage.file("topic", "course", by=by))
    result.counts["halves left"] += topic != ("memory_course.md" in stage.file("index", by=by))


def _wanted(count, warn, full):
    if count < warn:
        return Gate.OPEN
    return Gate.WARN if count < full else Gate.SHUT


def _verdict(done):
    if isinstance(done, outcome.Full):
        return Gate.SHUT
    return Gate.WARN if done.lines else Gate.OPEN


TESTS = (Test(12, "index gate", "q", n=200, few=10, do=index_gate),)
