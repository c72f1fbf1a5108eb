"""An event loop whose clock leaps: waiting costs no time, and every run is the same."""

import asyncio
import selectors


class Leap(selectors.SelectSelector):
    """Where others sleep until the next timer, this one moves the clock."""

    now = 0.0

    def select(self, timeout=None):
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing will ever happen"
            self.now += timeout
        return found


class LeapingLoop(asyncio.SelectorEventLoop):
    """Seconds since its own beginning."""

    def __init__(self):
        self.leap = Leap()
        super().__init__(self.leap)

    def time(self):
        return self.leap.now


def leaping(main):
    """The result of a coroutine function, run on a loop of its own."""
    loop = LeapingLoop()
    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()
