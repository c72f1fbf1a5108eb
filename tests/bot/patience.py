"""Waiting for what another process does."""

import time

DEADLINE = 15


def eventually(found):
    """The first true answer of ``found`` before the deadline."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("nothing happened in time")
