"""BT15: a button does its work once, for the person it was made for, where it was shown."""

import asyncio
import base64
import os
import time

from curation.engine import Keep, Kind
from handlers.callbacks import Verb, encode
from memory.dialogs import Dialog
from memory.state import State
from tests.battery.battery import Result, Test
from tests.battery.children import Child, wait_all
from tests.handlers.handlers_stage import ALICE, GROUP, NOON, PETR, Stage, speech
from tests.handlers.scripted_engine import ScriptedEngine

ROUNDS_PER, SLOWLY = 100, 0.002
TEXT = "we use Tern"


class CheckedFirst(State):
    """A twin that looks whether a question is open, and closes it afterwards; whoever asks."""

    def take(self, id, now, end="answered", request=""):
        found = self.dialog(id)
        if found is None or found.status != "open":
            return None
        time.sleep(SLOWLY)
        super().take(id, now, end, request)
        return found

    def dialog(self, id):
        """The question as if everybody had been asked it."""
        found = super().dialog(id)
        pressing = self.pressing if found else 0
        return Dialog(**{**_fields(found), "asker": pressing}) if pressing else found

    pressing = 0


def _fields(dialog):
    return {name: getattr(dialog, name) for name in Dialog.__slots__}


def engine():
    """An engine that asks for a reason."""
    found = ScriptedEngine()
    found.verdicts[TEXT] = Keep(TEXT, Kind.DECISION, ask_reason=True)
    return found


def buttons(run):
    """Every way to press what one may not, ``n`` forged ids, and two processes at once."""
    state = CheckedFirst if run.broken else State
    languages = speech()
    counts = asyncio.run(_pressed(run, state, languages))
    rounds = max(3, run.n // ROUNDS_PER)
    counts |= _raced(run.folder / "race", state, rounds)
    counts |= _at_once(run.folder / "twice", state, languages)
    result = Result(counts)
    result.expect_zero(
        "effects", "unanswered", "both won", "nobody won", "done twice", "not answered by a process"
    )
    result.expect(counts["right presses"] == 2, "the right press does nothing")
    return result


async def _pressed(run, state, languages):
    run.folder.joinpath("stage").mkdir()
    stage = await Stage(run.folder / "stage", engine(), languages, state=state).open()
    presses = Presses(stage)
    try:
        for play in (_foreign, _elsewhere, _twice, _base_changed, _expired, _forged):
            await play(presses, run)
    finally:
        await stage.close()
    return presses.counts


class Presses:
    """Presses, what they did to the files, and how many were answered."""

    def __init__(self, stage):
        self.stage = stage
        self.counts = {"presses": 0, "effects": 0, "unanswered": 0, "right presses": 0}

    async def ask(self):
        """A new card that waits for a reason: the message and data of its first button."""
        await self.stage.say(f"keep {TEXT}")
        return self.stage.data("No reason")

    async def wrong(self, data, **fields):
        """A press that must do nothing."""
        before = self._files()
        await self._press(data, **fields)
        self.counts["effects"] += before != self._files()

    async def right(self, data, **fields):
        """A press that must do something."""
        before = self._files()
        await self._press(data, **fields)
        self.counts["right presses"] += before != self._files()

    async def _press(self, data, **fields):
        by = fields.get("by", ALICE)
        if isinstance(self.stage.state, CheckedFirst):
            self.stage.state.pressing = by["id"]
        answers = self.stage.telegram.sent("answerCallbackQuery")
        await self.stage.press_data(data, **fields)
        answered = len(self.stage.telegram.sent("answerCallbackQuery")) - len(answers)
        self.counts["presses"] += 1
        self.counts["unanswered"] += answered != 1

    def _files(self):
        paths = sorted((self.stage.folder / "workspace").rglob("[!.]*.md"))
        return [(path, path.read_bytes()) for path in paths]


async def _foreign(presses, run):
    message, data = await presses.ask()
    await presses.wrong(data, by=PETR, message=message)


async def _elsewhere(presses, run):
    message, data = presses.stage.data("No reason")
    await presses.wrong(data, message=message, chat=GROUP)


async def _forged(presses, run):
    ids = (base64.b32encode(run.chance.randbytes(16)).decode().lower()[:26] for _ in range(run.n))
    verbs = [verb for verb in Verb if verb is not Verb.SHOW]
    for id in ids:
        await presses.wrong(encode(id, run.chance.choice(verbs), run.chance.randrange(3)))


async def _twice(presses, run):
    message, data = presses.stage.data("No reason")
    await presses.right(data, message=message)
    for _ in range(3):
        await presses.wrong(data, message=message)
    undo_message, undo = presses.stage.data("Undo")
    await presses.right(undo, message=undo_message)
    for _ in range(3):
        await presses.wrong(undo, message=undo_message)
    await presses.wrong(data, message=message)


async def _base_changed(presses, run):
    await presses.stage.say("keep ring size 54")
    message, undo = presses.stage.data("Undo")
    presses.stage.later(minutes=30)
    presses.stage.put("- ring size 55\n")
    await presses.wrong(undo, message=message)


async def _expired(presses, run):
    message, data = await presses.ask()
    presses.stage.later(days=8)
    await presses.wrong(data, message=message)


def _raced(folder, kind, rounds):
    """Two processes take the same questions at the same moments."""
    state = kind(folder / "state.db", synchronous="OFF")
    ids = [f"{number:026d}" for number in range(rounds)]
    for id in ids:
        state.open_dialog(Dialog(id, "card", 1, 0, 0, 1, {}, "", NOON, NOON.replace(year=2027)))
    state.close()
    start = time.monotonic() + 0.3
    children = [Child(_takes, folder, kind, ids, start) for _ in range(2)]
    wait_all(children)
    won = [set(child.words()["won"]) for child in children]
    neither = set(map(str.encode, ids)) - won[0] - won[1]
    return {"races": rounds, "both won": len(won[0] & won[1]), "nobody won": len(neither)}


def _takes(pipe, folder, kind, ids, start):
    state = kind(folder / "state.db", synchronous="OFF")
    for number, id in enumerate(ids):
        while time.monotonic() < start + number * SLOWLY * 2:
            os.sched_yield()
        if state.take(id, NOON):
            pipe.say("won", id.encode())


def _at_once(folder, kind, languages):
    """Two whole bots over one state are told of the same press at the same moment."""
    folder.mkdir()

    async def asked():
        stage = await Stage(folder, engine(), languages, state=kind).open()
        await stage.say(f"keep {TEXT}")
        found = stage.data("No reason")
        await stage.close()
        return found

    message, data = asyncio.run(asked())
    start = time.monotonic() + 0.5
    place = folder, kind, languages, (message, data), start
    children = [Child(_presses, *place) for _ in range(2)]
    wait_all(children)
    answered = [child.words()["answered"] for child in children]
    kept = next((folder / "workspace").rglob("keep.md")).read_text()
    return {
        "done twice": kept.count(TEXT) - 1,
        "not answered by a process": 2 - sum(map(len, answered)),
    }


def _presses(pipe, folder, kind, languages, button, start):
    async def press():
        stage = await Stage(
            folder, engine(), languages, state=kind, first=os.getpid() * 1000
        ).open()
        await asyncio.sleep(max(0.0, start - time.monotonic()))
        await stage.press_data(button[1], message=button[0])
        for _ in stage.telegram.sent("answerCallbackQuery"):
            pipe.say("answered")
        await stage.close()

    asyncio.run(press())


TESTS = (Test(15, "buttons", "q", n=10_000, few=100, do=buttons),)
