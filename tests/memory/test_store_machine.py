"""A state machine: operations, undos, restarts and edits from outside, against a simple model."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from memory.edits import append_entry, remove_entry, replace_entry
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, Workplace

WORDS = st.sampled_from(["tea", "milk", "bread", "káva", "Tee 5 kg"])


class Machine(RuleBasedStateMachine):
    """The model is a list of lines; `theirs` are unique lines that only the agent writes."""

    operations = Bundle("operations")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.work = Workplace(Path(self.folder.name))
        self.lines, self.theirs, self.history = [], [], []

    def teardown(self):
        self.work.state.close()
        self.folder.cleanup()

    def apply(self, edit, lines):
        receipt = self.work.store.apply(KEEP, [Item("1", edit)], ALICE)
        before, self.lines = self.lines, lines
        assert receipt.changed == (lines != before)
        if receipt.changed:
            self.history.append((receipt.op, before))
        return receipt

    @rule(word=WORDS)
    def append(self, word):
        self.apply(append_entry(word), [*self.lines, word])

    @rule(word=WORDS)
    def remove(self, word):
        lines = list(self.lines)
        if word in lines:
            lines.remove(word)
        self.apply(remove_entry(word), lines)

    @rule(old=WORDS, new=WORDS)
    def replace(self, old, new):
        lines = list(self.lines)
        if old in lines:
            lines[lines.index(old)] = new
        self.apply(replace_entry(old, new), lines)

    @precondition(lambda self: self.history)
    @rule()
    def undo_newest(self):
        op, before = self.history.pop()
        assert self.work.store.last(ALICE.user, KEEP).op == op
        assert self.work.store.undo(op, ALICE).skipped == ()
        self.lines = before

    @rule(place=st.integers(0, 10))
    def agent(self, place):
        """The agent inserts a line of its own; the past can then no longer be undone exactly."""
        line = f"agent {len(self.theirs)}"
        self.theirs.append(line)
        place = min(place, len(self.lines))
        self.lines = [*self.lines[:place], line, *self.lines[place:]]
        self.work.put("".join(f"- {x}\n" for x in self.lines).encode())
        self.history = []

    @precondition(lambda self: self.work.store.last(ALICE.user))
    @rule()
    def undo_over_foreign_lines(self):
        """An undo never takes a line of the agent away."""
        self.work.store.undo(self.work.store.last(ALICE.user).op, ALICE)
        self.lines = [x.removeprefix("- ") for x in self.work.bytes().decode().split("\n")[:-1]]
        self.history = []

    @rule()
    def restart(self):
        self.work.state.close()
        self.work.reopen()

    @invariant()
    def disk_equals_model(self):
        path = self.work.path()
        found = path.read_bytes().decode() if path.exists() else ""
        assert found == "".join(f"- {x}\n" for x in self.lines)
        assert sorted(x for x in self.lines if x in self.theirs) == sorted(self.theirs)


Machine.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestMachine = Machine.TestCase
