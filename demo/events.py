"""What the open pages are told, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from typing import Any

QUEUE_LIMIT = 10_000
END = b""


class Events:
    """A stream with numbered events; costs nothing while nobody listens."""

    def __init__(self) -> None:
        self.last = 0
        self._listeners: set[asyncio.Queue[bytes]] = set()

    @property
    def watched(self) -> bool:
        """True while at least one page is open."""
        return bool(self._listeners)

    def send(self, name: str, data: dict[str, Any]) -> None:
        """Tell all open pages; a page that has stopped reading is left behind."""
        self.last += 1
        if not self._listeners:
            return
        chunk = f"id: {self.last}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()
        for queue in tuple(self._listeners):
            if queue.full():
                self._listeners.discard(queue)
            else:
                queue.put_nowait(chunk)

    def join(self) -> asyncio.Queue[bytes]:
        """A queue that receives every event from now on."""
        queue: asyncio.Queue[bytes] = asyncio.Queue(QUEUE_LIMIT)
        self._listeners.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[bytes]) -> None:
        """Stop filling ``queue``."""
        self._listeners.discard(queue)

    def close(self) -> None:
        """End all streams."""
        for queue in self._listeners:
            if not queue.full():
                queue.put_nowait(END)
