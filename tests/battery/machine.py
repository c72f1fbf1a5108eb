"""BT8: random operations, foreign edits, repeated requests and crashes, against a simple model.

The machine of tests/memory/store_machine.py on the disk in memory, where a crash can be had at any
step; tests/memory/test_store_machine.py runs it on real files.
"""

from dataclasses import replace

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from memory.state import State
from memory.store import Author, Receipt, Store
from tests.battery.battery import Result, Test
from tests.battery.memory_disk import MemoryDisk
from tests.battery.twins import tell_apart
from tests.memory.store_machine import Machine
from tests.memory.store_workplace import KEEP, Workplace

STEPS = 50


class MemoryWorkplace(Workplace):
    """A workplace on the disk in memory; the state is a real file."""

    def __init__(self, folder, store=Store):
        self._kind = store
        super().__init__(folder, MemoryDisk)
        self.disk.now = lambda: self.clock.now.timestamp()

    def reopen(self):
        self.state = State(self.folder / "state.db", synchronous="OFF")
        new_id = lambda: f"op{next(self._ids)}"  # noqa: E731
        self.store = self._kind(self.layout, self.state, self.disk, self.clock, new_id)
        self.store.recover()

    def put(self, data, ref=KEEP):
        self.disk.put(self.layout.place(ref), data)

    def bytes(self, ref=KEEP):
        return self.disk.bytes(self.layout.place(ref))


class Repeating(Store):
    """A broken twin: it does not know that a request was answered."""

    def apply(self, ref, items, author, step=""):
        return super().apply(ref, items, replace(author, request=""), step)


class Mistaken(Store):
    """A broken twin: it takes back another operation than it was asked to."""

    def undo(self, op, author, keys=None):
        other = self.last(author.user)
        return super().undo(other.op if other else op, Author(author.user), keys)


class Silent(Store):
    """A broken twin: it forgets the log."""

    def apply(self, ref, items, author, step=""):
        return super().apply(ref, [replace(item, log=()) for item in items], author, step)


class Doubling(Store):
    """A broken twin: an item of one line is written twice."""

    def apply(self, ref, items, author, step=""):
        receipt = super().apply(ref, items, author, step)
        again = super().apply(ref, items, author, f"{step} again") if receipt.changed else receipt
        return again if isinstance(again, Receipt) else receipt


TWINS = {"repeating": Repeating, "mistaken": Mistaken, "silent": Silent, "doubling": Doubling}


def machine(run):
    """``n`` examples of fifty steps; the twins need no more than it takes to catch them."""
    if run.broken:
        return tell_apart(TWINS, lambda twin: _look(run, twin, quiet=True))
    return _look(run, Store, quiet=False)


def _look(run, store, quiet):
    result = Result({"examples": run.n, "steps": run.n * STEPS})
    phases = (Phase.generate,) if quiet else (Phase.generate, Phase.shrink)
    wanted = settings(
        max_examples=run.n,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=phases,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet if quiet else Verbosity.normal,
        suppress_health_check=list(HealthCheck),
    )
    make = seed(run.chance.randrange(1 << 30))(lambda: Machine(lambda f: MemoryWorkplace(f, store)))
    try:
        run_state_machine_as_test(make, settings=wanted)
    except Exception as error:
        steps = "\n".join(getattr(error, "__notes__", ()))
        result.expect(False, f"{type(error).__name__} {error}\n{steps}".strip())
    return result


TESTS = (Test(8, "machine", "q", n=300, few=12, do=machine),)
