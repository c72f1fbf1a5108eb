"""Kill a writer again and again, and look for what it lost.

usage: python -m tests.memory.crash [--n 200] [--seed 1] [--broken]

A child process keeps lines (document, log and journal) and acknowledges each over a pipe; it is
killed by SIGKILL at a random moment and started again on the same files. ``--broken`` writes in
place instead, without the guarded replacement: that twin must be caught.
"""

import argparse
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from memory.edits import append_entry
from memory.errors import Busy, Unreadable
from memory.files import PosixDisk
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, LOG, Workplace

FILLER = "x" * 400
START = "".join(f"- start {i} {FILLER}\n" for i in range(100))


class InPlaceDisk(PosixDisk):
    """The broken twin: it opens the document itself and writes it piece by piece."""

    def replace(self, place, data, old, token):
        with place.path.open("wb", buffering=0) as file:
            for start in range(0, len(data), 4096):
                file.write(data[start : start + 4096])


@dataclass
class Losses:
    """What was found after the kills."""

    kills: int = 0
    acked: int = 0
    lost: int = 0
    unlogged: int = 0
    torn: int = 0
    stuck: int = 0
    stray: int = 0

    @property
    def clean(self):
        return not (self.lost or self.torn or self.stuck or self.unlogged)

    def __str__(self):
        return " ".join(f"{name} {value}" for name, value in vars(self).items())


def crash(folder, kills, seed, disk=PosixDisk):
    """Kill a writer ``kills`` times; the losses over all of them."""
    chance, losses, acked = random.Random(seed), Losses(), []
    work = Workplace(folder, disk)
    work.put(START.encode())
    work.state.close()
    for number in range(kills):
        new = run_and_kill(folder, disk, number, chance.uniform(0.0, 0.02))
        losses.kills += 1
        losses.stuck += not new
        acked += new
        inspect(work, acked, losses)
        if losses.torn:
            work.put((START + "".join(f"- {text}\n" for text in acked)).encode())
    losses.acked = len(acked)
    losses.stray = len(list(work.path().parent.glob(".*.tmp")))
    return losses


def run_and_kill(folder, disk, number, delay):
    """What a writer acknowledged before it was killed, ``delay`` seconds after its first."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        write_for_ever(Workplace(folder, disk, fsync=disk is PosixDisk), number, writer)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 10)
    time.sleep(delay if ready else 0)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        return [line.rstrip("\n") for line in pipe if line.endswith("\n")]


def write_for_ever(work, number, pipe):
    """The child: keep a line, log it, acknowledge it; it never returns."""
    names = (f"run{number}op{i}" for i in range(1 << 30))
    work.store._new_id = lambda: next(names)
    try:
        for i in range(100_000):
            text = f"{number}-{i} {FILLER}"
            item = Item("1", append_entry(text), (f'DELETED "{text}"',))
            work.store.apply(KEEP, [item], ALICE)
            os.write(pipe, f"{text}\n".encode())
    except (Busy, Unreadable):
        pass
    finally:
        os._exit(1)


def inspect(work, acked, losses):
    """Count what is missing or broken on disk; a torn document counts as torn only."""
    text = work.bytes().decode()
    lines = text.splitlines()
    whole = all(line.endswith(FILLER) for line in lines) and text.startswith(START)
    if not (whole and text.endswith("\n")):
        losses.torn += 1
        return
    losses.lost = max(losses.lost, len({f"- {t}" for t in acked} - set(lines)))
    logged = [
        line.rpartition("DELETED ")[2].strip('"') for line in work.bytes(LOG).decode().split("\n")
    ]
    losses.unlogged = max(losses.unlogged, len(set(acked) - set(logged)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    disk = InPlaceDisk if options.broken else PosixDisk
    losses = crash(folder, options.n, options.seed, disk)
    shutil.rmtree(folder)
    print(f"seed {options.seed}: {losses}")
    return 0 if losses.clean else 1


if __name__ == "__main__":
    sys.exit(main())
