"""Child processes that say words over a pipe, and can be killed at any moment.

A word is a kind and a payload of bytes; what was said before a kill is there afterwards, and a
word that was cut off is not. Children are forked: what they are given needs no pickling.
"""

import os
import select
import signal
import struct
import traceback
from collections import defaultdict
from itertools import count

from tests.memory.store_workplace import Workplace

_HEAD = struct.Struct("<HI")


class Pipe:
    """The child's end; `say` writes one whole word."""

    def __init__(self, descriptor):
        self._descriptor = descriptor

    def say(self, kind, payload=b""):
        name = kind.encode()
        rest = memoryview(_HEAD.pack(len(name), len(payload)) + name + payload)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


class Child:
    """A process that runs ``work(pipe, *args)`` and ends; `words` reads what it said so far."""

    def __init__(self, work, *args):
        self._reader, writer = os.pipe()
        self._said = bytearray()
        self.pid = os.fork()
        if not self.pid:
            os.close(self._reader)
            _run(work, Pipe(writer), args)
        os.close(writer)

    def wait_for_a_word(self, seconds=10.0):
        """Whether the child says something in time."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        return bool(ready)

    def listen(self, seconds):
        """Read what there is within a time; False at the end of the child."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        piece = os.read(self._reader, 1 << 20) if ready else None
        self._said += piece or b""
        return piece != b""

    def kill(self, number=signal.SIGKILL):
        """End the child; its exit status."""
        os.kill(self.pid, number)
        return self.wait()

    def wait(self):
        """Read until the child ends; its exit status, negative for a signal."""
        while self.listen(1.0):
            pass
        os.close(self._reader)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def stream(self):
        """Every whole word in the order said, as (kind, payload)."""
        at, said = 0, bytes(self._said)
        while at + _HEAD.size <= len(said):
            name, size = _HEAD.unpack_from(said, at)
            start = at + _HEAD.size
            at = start + name + size
            if at <= len(said):
                yield said[start : start + name].decode(), said[start + name : at]

    def words(self):
        """The payloads of every kind."""
        found = defaultdict(list)
        for kind, payload in self.stream():
            found[kind].append(payload)
        return found


class Member(Workplace):
    """A workplace that is used by several processes at once: its ids begin with its own name."""

    def __init__(self, name, folder, *args, **limits):
        self.name = name
        super().__init__(folder, *args, **limits)

    def reopen(self):
        self._ids = (f"-{self.name}-{i}" for i in count())
        super().reopen()


def wait_all(children):
    """Wait for children that must end by themselves.

    Raises:
        RuntimeError: one of them failed.
    """
    codes = [child.wait() for child in children]
    if any(codes):
        raise RuntimeError(f"children ended with {codes}")


def _run(work, pipe, args):
    code = 1
    try:
        work(pipe, *args)
        code = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(code)
