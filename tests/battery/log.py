"""BT11: the log is only ever appended to: no line is lost or torn, and no old byte changes."""

import hashlib
import os
import signal
import time
from itertools import count

from memory.files import PosixDisk
from memory.layout import Place
from tests.battery.battery import Result, Test
from tests.battery.children import Child, wait_all
from tests.battery.twins import tell_apart
from tests.memory.store_workplace import LOG

WRITERS = 3
LONG = 20_000
ODD = (
    b"torn \xff\xfe\r\n\0\0 no stamp\n\n" + b"y" * 70_000 + b"\n\xe2\x80\xa8 old \x0c line, no end"
)


class Rewriting(PosixDisk):
    """A broken twin: it reads the log and writes it back with the new lines."""

    def append(self, place, lines):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        old = place.path.read_bytes() if place.path.exists() else b""
        place.path.write_bytes(_joined(old, lines))


class Seeking(PosixDisk):
    """A broken twin: it looks where the end is and writes there, without O_APPEND."""

    def append(self, place, lines):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(place.path, os.O_RDWR | os.O_CREAT, 0o600)
        end = os.lseek(descriptor, 0, os.SEEK_END)
        last = os.pread(descriptor, 1, max(end - 1, 0))
        os.pwrite(descriptor, _joined(last, lines).removeprefix(last), end)
        os.close(descriptor)


class Gluing(PosixDisk):
    """A broken twin: it appends without a look at how the last line ends."""

    def append(self, place, lines):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        with place.path.open("ab", buffering=0) as file:
            file.write(b"".join(line + b"\n" for line in lines))


TWINS = {"rewriting": Rewriting, "seeking": Seeking, "gluing": Gluing}


def _joined(old, lines):
    gap = b"" if old.endswith(b"\n") or not old else b"\n"
    return old + gap + b"".join(line + b"\n" for line in lines)


class Record:
    """A log on disk, and the bytes and lines that must stand in it."""

    def __init__(self, folder, disk, odd=ODD):
        self.place = Place(folder, ("log", "memory-clean.log"), LOG)
        self.disk = disk(folder / "locks", fsync=False)
        self.place.path.parent.mkdir(parents=True)
        self.place.path.write_bytes(odd)
        self.wanted, self.planted = {}, set(odd.split(b"\n"))
        self.kept = [_fingerprint(odd)]

    def plant_torn(self, text):
        """Somebody's line without its end."""
        with self.place.path.open("ab") as file:
            file.write(text)
        self.planted.add(text)
        self.kept.append(_fingerprint(self.place.path.read_bytes()))

    def judge(self):
        """What is missing, torn, doubled or changed."""
        data = self.place.path.read_bytes()
        lines = data.split(b"\n")
        found = {}
        for line in lines:
            found[line] = found.get(line, 0) + 1
        ours = self.wanted.keys() | self.planted | {b""}
        changed = sum(_fingerprint(data[:size]) != (size, digest) for size, digest in self.kept)
        return {
            "lines": len(lines),
            "lost": sum(1 for line, sure in self.wanted.items() if sure and line not in found),
            "doubled": sum(1 for line in self.wanted if found.get(line, 0) > 1),
            "torn": sum(1 for line in found if line not in ours and not self.begun(line)),
            "blank": found.get(b"", 0) - data.endswith(b"\n") - ODD.split(b"\n").count(b""),
            "prefix changed": changed,
        }

    def begun(self, line):
        """Whether a line is the beginning of one that nobody acknowledged: its writer died."""
        return any(not sure and whole.startswith(line) for whole, sure in self.wanted.items())


def _fingerprint(data):
    return len(data), hashlib.sha256(data).hexdigest()


def crowd(folder, n, disk):
    """Three writers at once: ``n`` lines each, every twentieth time one of 20 KB more."""
    record = Record(folder, disk)
    plans = [_plan(name, n) for name in range(WRITERS)]
    gate = os.pipe()
    children = [Child(_write_all, record, plan, gate) for plan in plans]
    for end in gate:
        os.close(end)
    wait_all(children)
    record.wanted = {line: True for plan in plans for line in plan}
    return record.judge()


def _plan(name, n):
    plain = [b"%d-%d kept" % (name, i) for i in range(n)]
    long = [b"%d-long-%d " % (name, i) + b"z" * LONG for i in range(max(1, n // 20))]
    return [line for i, line in enumerate(plain) for line in (*long[i : i + 1], line)]


def _write_all(pipe, record, plan, gate):
    """The child: it begins when nobody holds the gate any more, so that all begin together."""
    os.close(gate[1])
    os.read(gate[0], 1)
    for line in plan:
        record.disk.append(record.place, [line])


def killed(folder, kills, run, disk):
    """A writer killed again and again, a torn line of somebody else planted now and then."""
    record = Record(folder, disk)
    for number in range(kills):
        child = Child(_write_on, record, number)
        child.wait_for_a_word()
        time.sleep(run.chance.uniform(0, 0.01))
        child.kill(signal.SIGKILL)
        said = child.words()
        issued = dict.fromkeys(said["try"], False) | dict.fromkeys(said["ok"], True)
        record.wanted |= issued
        record.kept.append(_fingerprint(record.place.path.read_bytes()))
        if number % 2:
            record.plant_torn(b"planted %d, torn" % number)
    return record.judge()


def _write_on(pipe, record, run):
    for i in count():
        line = b"run %d-%d " % (run, i) + b"k" * (LONG if i % 5 == 4 else 30)
        pipe.say("try", line)
        record.disk.append(record.place, [line])
        pipe.say("ok", line)


def log(run):
    """Run the crowd with ``n`` lines each and a kill for every thousand of them."""
    if run.broken:
        return tell_apart(TWINS, lambda twin: _look(run, twin))
    return _look(run, PosixDisk)


def _look(run, disk):
    folder = run.folder / disk.__name__
    parts = {
        "crowd": crowd(folder / "crowd", run.n, disk),
        "kills": killed(folder / "kills", max(4, run.n // 1000), run, disk),
    }
    counts = {
        f"{part} {name}": value for part, found in parts.items() for name, value in found.items()
    }
    result = Result(counts)
    result.expect_zero(*(name for name in counts if not name.endswith("lines")))
    return result


TESTS = (Test(11, "log", "q", n=20_000, few=1_000, do=log),)
