"""BT10, BT11: what goes past the program is seen, by content, and reported once."""

import os

from memory.edits import append_entry
from memory.files import PosixDisk
from memory.spaces import DocumentName, DocumentRef, channel, group, personal
from memory.store import Item
from tests.battery.battery import Result, Test
from tests.memory.store_workplace import ALICE, LOG, Workplace

USER = DocumentRef(personal(111), DocumentName.USER)
WATCHED = (
    USER,
    DocumentRef(channel(-1001, 7), DocumentName.CHANNEL),
    DocumentRef(group("family"), DocumentName.GROUP),
)


class ByTime(PosixDisk):
    """The broken twin: it looks at size and time of change only, which anybody can set."""

    def signature(self, place):
        return super().signature(place)[1:3]


def changed(path, chance, number):
    """Somebody edits the file by hand; in half of the cases neither size nor time tells."""
    before, text = path.stat(), path.read_bytes()
    if chance.random() < 0.5:
        path.write_bytes(text.replace(b"- by hand", b"- BY HAND", 1)[: len(text)].swapcase())
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    else:
        path.write_bytes(text + f"- by hand {number}\n".encode())


def bypass(run):
    """``n`` edits by hand among four times as many own writes; each is reported, nothing else.

    They are of a person's, a chat's and a group's document in turn.
    """
    work = Workplace(run.folder, ByTime if run.broken else PosixDisk)
    for ref in WATCHED:
        work.put(b"- by hand at first\n", ref)
        work.store.reconcile(ref)
    own = ["own"] * (4 * run.n)
    kinds = [*own, *["hand"] * run.n]
    run.chance.shuffle(kinds)
    result = Result({"own writes": len(own), "by hand": run.n, "reported": 0, "false": 0})
    for number, kind in enumerate(kinds):
        ref = run.chance.choice(WATCHED)
        if kind == "own":
            item = Item("1", append_entry(f"fact {number}"))
            work.store.apply(ref, [item], ALICE)
        else:
            work.store.tend(everything=True)
            changed(work.path(ref), run.chance, number)
        work.clock.advance(seconds=3)
        work.store.tend(everything=True)
        told = work.state.notices()
        work.state.told(*(notice.seq for notice in told))
        right = [notice for notice in told if kind == "hand" and notice.ref == ref]
        result.counts["reported"] += len(right)
        result.counts["false"] += len(told) - len(right)
    work.state.close()
    result.expect(result.counts["reported"] == run.n, "not every change was reported once")
    result.expect_zero("false")
    return result


class Trusting(Workplace):
    """The broken twin: whatever the log says is what was written."""

    def reopen(self):
        super().reopen()
        self.store._writer.check_log = lambda place: None


def log_alarm(run):
    """A log that is cut, rewritten or replaced ``n`` times is told each time, an append never."""
    work = (Trusting if run.broken else Workplace)(run.folder)
    result = Result({"tampered": 0, "told": 0, "false": 0})
    for number in range(run.n):
        text = f"fact {number}"
        work.store.apply(USER, [Item("1", append_entry(text), (f'DELETED "{text}"',))], ALICE)
        path, data = work.path(LOG), work.bytes(LOG)
        path.write_bytes(data + b"a line of somebody else\n")
        work.store.tend(everything=True)
        result.counts["false"] += len(work.state.notices())
        place = run.chance.randrange(len(data))
        tampered = run.chance.choice([data[:-1], data[:place], data.swapcase(), b""])
        path.write_bytes(tampered)
        result.counts["tampered"] += 1
        for _ in range(2):
            work.store.tend(everything=True)
            told = work.state.notices()
            work.state.told(*(notice.seq for notice in told))
            result.counts["told"] += len(told)
    work.state.close()
    result.expect(result.counts["told"] == run.n, "not every change was told once")
    result.expect_zero("false")
    return result


TESTS = (
    Test(10, "bypass", "q", n=50, few=12, do=bypass),
    Test(11, "log alarm", "q", n=100, few=10, do=log_alarm),
)
