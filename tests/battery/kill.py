"""BT2: a writer is killed again and again, and nothing it acknowledged is lost."""

from memory.files import PosixDisk
from tests.battery.battery import Result, Test
from tests.memory.crash import InPlaceDisk, crash


def kill(run):
    """Kill the writer ``n`` times at random moments."""
    disk = InPlaceDisk if run.broken else PosixDisk
    losses = crash(run.folder, run.n, run.chance.randrange(1 << 30), disk)
    result = Result(dict(vars(losses)))
    result.expect_zero("lost", "torn", "stuck", "unlogged")
    return result


TESTS = (Test(2, "kill", "f", n=200, few=25, do=kill),)
