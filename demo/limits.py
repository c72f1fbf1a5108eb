"""Telegram's flood limits, off until a test asks for them.

The true limits are not published; these are the advice of Telegram's documentation, with the
short bursts in one chat that it lets pass.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from demo.errors import ApiError, too_many_requests

LIMITED = ("send", "edit", "copy", "forward")
UNLIMITED = frozenset({"sendchataction", "sendmessagedraft"})


@dataclass(slots=True)
class Window:
    """At most ``count`` calls in any ``seconds``."""

    count: int
    seconds: float
    times: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Seconds until the next call is allowed; 0 when it is now."""
        while self.times and self.times[0] <= now - self.seconds:
            self.times.popleft()
        return self.times[0] + self.seconds - now if len(self.times) >= self.count else 0.0


class Limits:
    """30 messages a second in all, 20 a minute in a group, 5 in 5 seconds in any chat."""

    def __init__(self) -> None:
        self.on = False
        self._whole = Window(30, 1.0)
        self._chats: dict[int, tuple[Window, ...]] = {}

    def check(self, method: str, chat_id: int, now: float) -> ApiError | None:
        """The 429 for a call of ``method`` (lower case) now, or None, and then it is counted."""
        if not self.on or method in UNLIMITED or not method.startswith(LIMITED):
            return None
        windows = (self._whole, *self._windows(chat_id))
        wait = max(window.wait(now) for window in windows)
        if wait:
            return too_many_requests(int(wait) + 1)
        for window in windows:
            window.times.append(now)
        return None

    def _windows(self, chat_id: int) -> tuple[Window, ...]:
        if chat_id not in self._chats:
            group = (Window(20, 60.0),) if chat_id < 0 else ()
            self._chats[chat_id] = (Window(5, 5.0), *group)
        return self._chats[chat_id]
