"""A state machine of the store: operations, foreign edits, repeated requests and crashes.

Its model are the texts of the lines of two documents, the lines of the log, and which items of
which operation stand. It runs on any workplace; crashes and full disks are had in memory only.
"""

import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
)

from memory.changeset import Category, Change, Op, edit_of
from memory.document import Span
from memory.edits import append_entry, remove_entry, replace_entry
from memory.errors import WriteFailed
from memory.logbook import restored, stamped
from memory.store import Item, UndoRefused
from tests.battery.memory_disk import Crash, MemoryDisk
from tests.memory.store_workplace import ALICE, KEEP, LOG, MEMORY

STEPS = 50
REFS = st.sampled_from((KEEP, MEMORY))
WORDS = st.sampled_from(["tea", "milk", "bread", "káva", "Tee 5 kg"])
NUMBERS = st.integers(0, 11)
FUSES = st.integers(0, 9)


@dataclass(frozen=True)
class Wish:
    """What is asked for: items, what the lines are afterwards, and each item's share of it."""

    items: tuple
    after: list
    parts: dict


@dataclass
class Done:
    """An operation with the items that stand, each as (lines out, lines in, log lines)."""

    op: str
    ref: object
    parts: dict
    standing: set = field(default_factory=set)


class Machine(RuleBasedStateMachine):
    """``theirs`` are unique lines that only the agent writes; ``exact`` are undos known to a byte."""

    def __init__(self, place):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.work = place(Path(self.folder.name))
        self.lines = {KEEP: [], MEMORY: []}
        self.exact = {KEEP: [], MEMORY: []}
        self.theirs, self.log, self.done, self.requests = [], [], [], {}
        self.number = 0

    def teardown(self):
        self.work.state.close()
        self.folder.cleanup()

    # What is asked for

    def unique(self, kind):
        self.number += 1
        return f"{kind} {self.number}"

    def append_of(self, ref, text):
        parts = {"1": ((), (text,), ())}
        return Wish((Item("1", append_entry(text)),), [*self.lines[ref], text], parts)

    def remove_of(self, ref, text):
        log = f'DELETED "{text}" — {self.unique("step")}'
        lines = list(self.lines[ref])
        if text in lines:
            lines.remove(text)
        return Wish((Item("1", remove_entry(text), (log,)),), lines, {"1": ((text,), (), (log,))})

    def replace_of(self, ref, old, new):
        lines = list(self.lines[ref])
        if old in lines:
            lines[lines.index(old)] = new
        return Wish((Item("1", replace_entry(old, new)),), lines, {"1": ((old,), (new,), ())})

    def compact_of(self, ref, at, gone):
        """Two neighbours become one line, and another line goes."""
        lines, new = self.lines[ref], self.unique("merged")
        raw = [f"- {x}" for x in lines]
        merge = Change(Op.MERGE, (Span(at, at + 2),), tuple(raw[at : at + 2]), (f"- {new}",))
        drop = Change(Op.DELETE, (Span(gone, gone + 1),), (raw[gone],), (), Category.DETAIL)
        logs = (f'MERGED "{new}"',), (f'DELETED "{new}"',)
        parts = {
            "1": (tuple(lines[at : at + 2]), (new,), logs[0]),
            "2": ((lines[gone],), (), logs[1]),
        }
        items = Item("1", edit_of(merge), logs[0]), Item("2", edit_of(drop), logs[1])
        kept = enumerate([*lines[:at], new, None, *lines[at + 2 :]])
        return Wish(items, [x for i, x in kept if i not in (at + 1, gone)], parts)

    # Operations

    def apply(self, ref, wish, author=ALICE):
        receipt = self.work.store.apply(ref, wish.items, author)
        assert receipt.changed == (wish.after != self.lines[ref])
        if receipt.changed:
            self.note(ref, wish, receipt.op)
            assert list(receipt.applied) == list(wish.parts)
        return receipt

    def note(self, ref, wish, op):
        """The operation was done: it can be undone, and its log lines stand."""
        self.exact[ref].append((op, self.lines[ref]))
        self.done.append(Done(op, ref, wish.parts, set(wish.parts)))
        self.lines[ref] = wish.after
        self.write_log(line for part in wish.parts.values() for line in part[2])

    def write_log(self, lines):
        self.log += [stamped(line, self.work.clock.now) for line in lines]

    @rule(ref=REFS, word=WORDS)
    def append(self, ref, word):
        self.apply(ref, self.append_of(ref, word))

    @rule(ref=REFS)
    def append_new(self, ref):
        self.apply(ref, self.append_of(ref, self.unique("new")))

    @rule(ref=REFS, word=WORDS)
    def remove(self, ref, word):
        self.apply(ref, self.remove_of(ref, word))

    @rule(ref=REFS, old=WORDS, new=WORDS)
    def replace(self, ref, old, new):
        self.apply(ref, self.replace_of(ref, old, new))

    @rule(ref=REFS, at=NUMBERS, gone=NUMBERS)
    def compact(self, ref, at, gone):
        wish = self.some_compaction(ref, at, gone)
        if wish:
            self.apply(ref, wish)

    def some_compaction(self, ref, at, gone):
        count = len(self.lines[ref])
        if count < 4:
            return None
        at, gone = at % (count - 1), gone % count
        return None if gone in (at, at + 1) else self.compact_of(ref, at, gone)

    # A request that comes again

    @rule(ref=REFS, word=WORDS, times=st.integers(1, 3))
    def ask(self, ref, word, times):
        """The same update, delivered once or more often, keeps a line once (W4)."""
        author = replace(ALICE, request=self.unique("update"))
        wish = self.append_of(ref, word)
        receipt = self.apply(ref, wish, author)
        self.requests[author] = (ref, wish, receipt.op)
        for _ in range(times - 1):
            assert self.work.store.apply(ref, wish.items, author).op == receipt.op

    @precondition(lambda self: self.requests)
    @rule(number=NUMBERS)
    def ask_again(self, number):
        """Also much later, when the line may be gone again."""
        author = list(self.requests)[number % len(self.requests)]
        ref, wish, op = self.requests[author]
        assert self.work.store.apply(ref, wish.items, author).op == op

    # Undo

    def standing(self, ref=None):
        return [d for d in self.done if d.standing and (ref is None or d.ref == ref)]

    def undone(self, done, keys):
        """The log lines of items that were taken back."""
        done.standing -= set(keys)
        self.write_log(restored(line) for key in keys for line in done.parts[key][2])

    @precondition(lambda self: any(self.exact.values()))
    @rule(ref=REFS, times=st.integers(1, 2))
    def undo_newest(self, ref, times):
        """The newest operation that stands comes back to the byte, however often it is pressed."""
        if not self.exact[ref]:
            return
        op, before = self.exact[ref].pop()
        assert self.work.store.last(ALICE.user, ref).op == op
        author = replace(ALICE, request=self.unique("press"))
        answers = [self.work.store.undo(op, author) for _ in range(times)]
        assert [a.op for a in answers] == [answers[0].op] * times
        assert answers[0].skipped == ()
        self.lines[ref] = before
        self.undone(self.standing(ref)[-1], answers[0].applied)

    @precondition(lambda self: self.standing())
    @rule(number=NUMBERS, one=st.booleans())
    def undo_some(self, number, one):
        """An older one takes back its own lines and no others, or says that they moved on."""
        done = self.standing()[number % len(self.standing())]
        keys = {min(done.standing)} if one else None
        answer = self.work.store.undo(done.op, ALICE, keys)
        if isinstance(answer, UndoRefused):
            return
        self.undone(done, answer.applied)
        self.settle(done.ref, [done.parts[key] for key in answer.applied], back=True)

    def settle(self, ref, parts, back=False, more=()):
        """Take the order of the lines from the disk; their number follows from the parts."""
        wanted = Counter(self.lines[ref]) + Counter(more)
        for out, new, _ in parts:
            out, new = (new, out) if back else (out, new)
            wanted = wanted - Counter(out) + Counter(new)
        found = self.found(ref)
        assert Counter(found) == wanted
        known = [x for x in self.lines[ref] if x in self.theirs]
        assert [x for x in found if x in known] == known
        self.lines[ref] = found
        self.exact[ref] = []

    def found(self, ref):
        return [x.removeprefix("- ") for x in self.work.bytes(ref).decode().split("\n")[:-1]]

    # The agent, which knows no lock

    def agent_writes(self, ref, lines):
        self.work.put("".join(f"- {x}\n" for x in lines).encode(), ref)

    def agent_line(self, lines, at):
        line = self.unique("agent")
        self.theirs.append(line)
        at = min(at, len(lines))
        return [*lines[:at], line, *lines[at:]]

    @rule(ref=REFS, at=NUMBERS)
    def agent_inserts(self, ref, at):
        self.lines[ref] = self.agent_line(self.lines[ref], at)
        self.agent_writes(ref, self.lines[ref])
        self.exact[ref] = []

    @rule(ref=REFS, at=NUMBERS)
    def agent_deletes(self, ref, at):
        """What it removes after the ten minutes in which it may not have seen it stays removed."""
        self.work.clock.advance(minutes=11)
        if len(self.lines[ref]) < 2:
            return
        lines = list(self.lines[ref])
        gone = lines.pop(at % len(lines))
        self.theirs = [x for x in self.theirs if x != gone]
        self.lines[ref] = lines
        self.agent_writes(ref, lines)
        self.exact[ref] = []

    @rule(ref=REFS, count=st.integers(1, 3))
    def agent_is_slow(self, ref, count):
        """It writes what it read before our last keeps; they are put back (d.4)."""
        self.work.clock.advance(minutes=11)
        read = self.agent_line(self.lines[ref], len(self.lines[ref]))
        news = [self.append_of(ref, self.unique("new")) for _ in range(count)]
        if len(read) < 4 * count:
            self.theirs.pop()
            return
        for wish in news:
            self.apply(ref, replace(wish, after=[*self.lines[ref], *wish.parts["1"][1]]))
        self.agent_writes(ref, read)
        self.work.store.reconcile(ref)
        self.settle(ref, (), more=(self.theirs[-1],))

    # Faults, on the disk in memory only

    def on_memory(self):
        return isinstance(self.work.disk, MemoryDisk)

    @precondition(on_memory)
    @rule(ref=REFS, at=NUMBERS)
    def agent_slips_in(self, ref, at):
        """At the very moment of our write it writes too: both are there (d.3, 7)."""
        text = "".join(f"- {x}\n" for x in self.agent_line(self.lines[ref], at)).encode()
        self.work.disk.slip = lambda: self.work.put(text, ref)
        wish = self.append_of(ref, self.unique("new"))
        receipt = self.work.store.apply(ref, wish.items, ALICE)
        self.done.append(Done(receipt.op, ref, wish.parts, set(wish.parts)))
        self.settle(ref, wish.parts.values(), more=(self.theirs[-1],))

    @precondition(on_memory)
    @rule(ref=REFS, word=WORDS, call=st.sampled_from(("swap", "append")))
    def no_room(self, ref, word, call):
        """A full disk: nothing is changed, and it is said."""
        wish = self.remove_of(ref, word)
        if wish.after == self.lines[ref]:
            return
        self.work.disk.full = frozenset({call})
        try:
            self.work.store.apply(ref, wish.items, ALICE)
            raise AssertionError("a full disk took a write")
        except WriteFailed as error:
            assert error.cause == "no_space"
        self.work.disk.full = frozenset()

    @precondition(on_memory)
    @rule(ref=REFS, word=WORDS, at=NUMBERS, kind=st.integers(0, 2), fuse=FUSES)
    def crash(self, ref, word, at, kind, fuse):
        """The process dies at any step of an operation: after the start all of it is there, or none."""
        makers = (
            lambda: self.append_of(ref, word),
            lambda: self.remove_of(ref, self.lines[ref][at % len(self.lines[ref])]),
            lambda: self.some_compaction(ref, at, at + 3),
        )
        wish = makers[kind]() if self.lines[ref] else makers[0]()
        if wish is None:
            return
        author = replace(ALICE, request=self.unique("update"))
        if not self.dies(fuse, lambda: self.work.store.apply(ref, wish.items, author)):
            self.note(ref, wish, self.work.store.last(ALICE.user, ref).op)
            return
        self.once(ref, wish, author)

    def dies(self, fuse, act):
        """Whether the act was cut short; then the program starts again."""
        self.work.disk.fuse = fuse
        try:
            act()
            return False
        except Crash:
            self.restart()
            return True
        finally:
            self.work.disk.fuse = None

    def once(self, ref, wish, author):
        """The interrupted operation is done or not, its request says which, and it is done once."""
        answered = self.work.store.answered(ref, author)
        assert self.found(ref) == (wish.after if answered else self.lines[ref])
        if answered:
            self.note(ref, wish, answered.op)
            assert self.work.store.apply(ref, wish.items, author).op == answered.op
        else:
            self.apply(ref, wish, author)

    @precondition(on_memory)
    @rule(ref=REFS, fuse=FUSES)
    def crash_in_undo(self, ref, fuse):
        """The process dies in an undo: it is taken back or stands, and never twice."""
        if not self.exact[ref]:
            return
        op, before = self.exact[ref].pop()
        done = self.standing(ref)[-1]
        self.dies(fuse, lambda: self.work.store.undo(op, ALICE))
        if self.found(ref) == self.lines[ref] != before:
            self.exact[ref].append((op, before))
            return
        self.lines[ref] = before
        self.undone(done, sorted(done.standing))
        assert isinstance(self.work.store.undo(op, ALICE), UndoRefused)

    # Time

    @rule()
    def restart(self):
        self.work.state.close()
        self.work.reopen()

    @rule(minutes=st.integers(0, 12))
    def later(self, minutes):
        self.work.clock.advance(minutes=minutes)
        self.work.store.tend()

    @invariant()
    def the_disk_equals_the_model(self):
        for ref, lines in self.lines.items():
            assert self.found(ref) == lines
        assert self.logged() == self.log

    @invariant()
    def the_newest_operation_is_offered(self):
        for ref in self.lines:
            newest, standing = self.work.store.last(ALICE.user, ref), self.standing(ref)
            assert (newest.op if newest else None) == (standing[-1].op if standing else None)

    def logged(self):
        """The lines of the log; what a crash left of a line that was written again is left out."""
        lines = [x for x in self.work.bytes(LOG).decode().split("\n") if x]
        return [x for x in lines if x in self.log or not any(y.startswith(x) for y in self.log)]
