"""What a test of the battery is: a number of the design's table, its tier, its work, its twin.

A module of this folder lists its tests in ``TESTS``. Each does its work on real parts with the
numbers it is given and says what it counted and what it missed. Run as ``broken`` it uses a twin
with one defence taken away, and must then miss something: a test that cannot fail shows nothing.
"""

import importlib
import random
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """One run: an empty folder, seeded chance, how much work to do, and whether on the twin."""

    folder: Path
    chance: random.Random
    n: int
    broken: bool = False


@dataclass
class Result:
    """What was counted, and a sentence for each promise that was not kept."""

    counts: dict[str, object] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)

    def expect(self, kept: bool, otherwise: str) -> None:
        """Note a promise that was not kept."""
        if not kept:
            self.missed.append(otherwise)

    def expect_zero(self, *names: str) -> None:
        """Promise that these counts are zero."""
        for name in names:
            self.expect(not self.counts[name], f"{name} is {self.counts[name]}, not 0")


@dataclass(frozen=True)
class Test:
    """One row of the battery.

    ``tier`` is q (every commit), f (full) or r (needs root and loop devices). ``n`` is the amount
    of work that the figures speak of, ``few`` the amount in the test suite (0: not there).
    ``lacks`` says what this machine has not got for it, "" when nothing is missing.
    """

    __test__ = False

    number: int
    name: str
    tier: str
    n: int
    few: int
    do: Callable[[Run], Result]
    lacks: Callable[[], str] = lambda: ""

    @property
    def title(self) -> str:
        """The row's number and name, such as ``BT2 kill``."""
        return f"BT{self.number} {self.name}"

    def run(self, seed: int, n: int | None = None, broken: bool = False) -> Result:
        """Do it in a folder of its own that is removed afterwards."""
        folder = Path(tempfile.mkdtemp(prefix="battery-"))
        try:
            return self.do(Run(folder, random.Random(seed), self.n if n is None else n, broken))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def all_tests() -> tuple[Test, ...]:
    """Every test of every module in this folder, in the order of the table."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    found = [importlib.import_module(f"tests.battery.{name}") for name in names]
    tests = [test for module in found for test in getattr(module, "TESTS", ())]
    return tuple(sorted(tests, key=lambda test: (test.number, test.name)))
