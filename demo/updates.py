"""The queue of updates with the lifetimes and the polling rules of the real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from demo.clock import Clock
from demo.errors import ApiError, conflict

MESSAGE_LIFETIME = 24 * 3600.0
QUERY_LIFETIME = 150.0
SHORT_LIVED = frozenset({"callback_query", "inline_query", "shipping_query", "pre_checkout_query"})

LIMIT = 100
TIMEOUT_LIMIT = 50
OFFSET_SLACK = 10
WAKE_DELAY = 0.0015
REPEAT_WINDOW = 3.0
REPEAT_TIMEOUT = 3
HOT_WINDOW = 0.5
CONFLICT_WINDOW = 3.0
WAITING_LIMIT = 100_000

OTHER_POLL = (
    "terminated by other getUpdates request; make sure that only one bot instance is running"
)
WEBHOOK_ACTIVE = (
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the"
    " webhook first"
)
WEBHOOK_SET = "terminated by setWebhook request"
SERVER_STOPS = "terminated by the end of the server"

KINDS = frozenset(
    {
        "message",
        "edited_message",
        "channel_post",
        "edited_channel_post",
        "business_connection",
        "business_message",
        "edited_business_message",
        "deleted_business_messages",
        "message_reaction",
        "message_reaction_count",
        "inline_query",
        "chosen_inline_result",
        "callback_query",
        "shipping_query",
        "pre_checkout_query",
        "purchased_paid_media",
        "poll",
        "poll_answer",
        "my_chat_member",
        "chat_member",
        "chat_join_request",
        "chat_boost",
        "removed_chat_boost",
        "managed_bot",
        "guest_message",
    }
)
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
DEFAULT_KINDS = KINDS - NOT_BY_DEFAULT


@dataclass(slots=True)
class Update:
    """An update that waits: its JSON, the queue it belongs to, the hour at which it is dropped."""

    id: int
    kind: str
    body: str
    queue: tuple[str, int]
    expires: float
    copies: int = 1


class Updates:
    """Updates of one bot in order; created filtered, confirmed by an offset, dropped when old."""

    def __init__(self, clock: Clock, first_id: int) -> None:
        self._clock = clock
        self._waiting: dict[int, Update] = {}
        self.next_id = first_id
        self.allowed: frozenset[str] = DEFAULT_KINDS
        self.double = 0
        self.deliver: Callable[[Update], None] | None = None
        self.arrived: Callable[[], None] = lambda: None

    def allow(self, kinds: object) -> None:
        """Remember the kinds to create from now on; an empty list means the default ones."""
        if isinstance(kinds, list):
            chosen = KINDS.intersection(k for k in kinds if isinstance(k, str))
            self.allowed = chosen or DEFAULT_KINDS

    def add(self, kind: str, value: dict[str, Any], queue: tuple[str, int]) -> Update | None:
        """Queue an update; None when the bot does not want its kind."""
        if kind not in self.allowed:
            return None
        body = json.dumps({"update_id": self.next_id, kind: value})
        life = QUERY_LIFETIME if kind in SHORT_LIVED else MESSAGE_LIFETIME
        update = Update(self.next_id, kind, body, queue, self._clock.now() + life)
        self.next_id += 1
        if self.double:
            self.double, update.copies = self.double - 1, 2
        self._store(update)
        return update

    def _store(self, update: Update) -> None:
        self._waiting[update.id] = update
        if len(self._waiting) > WAITING_LIMIT:
            self.drop(next(iter(self._waiting)))
        if self.deliver:
            self.deliver(update)
        else:
            self.arrived()

    def drop(self, update_id: int) -> None:
        """Forget one update for good."""
        self._waiting.pop(update_id, None)

    def clear(self) -> None:
        """Forget all that waits."""
        self._waiting.clear()

    def live(self) -> Iterator[Update]:
        """Waiting updates, oldest first; those past their hour are dropped on the way."""
        now = self._clock.now()
        old = []
        try:
            for update in self._waiting.values():
                if update.expires > now:
                    yield update
                else:
                    old.append(update.id)
        finally:
            for update_id in old:
                self.drop(update_id)

    def alive(self, update: Update) -> bool:
        """True while it waits and is not too old."""
        return update.id in self._waiting and update.expires > self._clock.now()

    def __len__(self) -> int:
        return sum(1 for _ in self.live())

    def confirm(self, offset: int) -> None:
        """Forget by offset: below a positive one, all but the last n of a negative one."""
        if offset < 0:
            self._forget(list(self._waiting)[:offset])
        elif 0 < offset <= self.next_id + OFFSET_SLACK:
            self._forget(list(self._below(offset)))

    def _below(self, offset: int) -> Iterator[int]:
        for update_id in self._waiting:
            if update_id >= offset:
                return
            yield update_id

    def _forget(self, ids: Collection[int]) -> None:
        for update_id in ids:
            update = self._waiting[update_id]
            update.copies -= 1
            if not update.copies:
                del self._waiting[update_id]

    def batch(self, limit: int) -> list[str]:
        """The JSON of up to ``limit`` waiting updates."""
        found: list[str] = []
        for update in self.live():
            found.append(update.body)
            if len(found) == limit:
                break
        return found


class Poller:
    """getUpdates: one held poll at a time, hot loops slowed down, conflicts refused."""

    def __init__(self, updates: Updates, clock: Clock) -> None:
        self._updates = updates
        self._clock = clock
        self._held: asyncio.Future[str] | None = None
        self._offset: int | None = None
        self._begun = float("-inf")
        self._conflict = float("-inf")
        updates.arrived = self._wake

    async def poll(self, offset: int, limit: int, timeout: int) -> list[str]:
        """JSON texts of updates, waiting up to ``timeout`` seconds for the first one."""
        self.interrupt(OTHER_POLL)
        limit = max(1, min(limit, LIMIT))
        limit, timeout = self._slowed(offset, limit, max(0, min(timeout, TIMEOUT_LIMIT)))
        self._updates.confirm(offset)
        batch = self._updates.batch(limit)
        if batch or not timeout:
            return batch
        await self._hold(timeout)
        return self._updates.batch(limit)

    def _slowed(self, offset: int, limit: int, timeout: int) -> tuple[int, int]:
        now = asyncio.get_running_loop().time()
        since = now - self._begun if offset == self._offset else float("inf")
        self._offset, self._begun = offset, now
        if since < REPEAT_WINDOW:
            timeout = max(timeout, REPEAT_TIMEOUT)
        return (1 if since < HOT_WINDOW else limit), timeout

    async def _hold(self, timeout: int) -> None:
        held: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._held = held
        try:
            reason = await asyncio.wait_for(held, timeout)
        except TimeoutError:
            return
        finally:
            if self._held is held:
                self._held = None
        if reason:
            raise await self.refused(reason)
        await asyncio.sleep(WAKE_DELAY)

    async def refused(self, reason: str) -> ApiError:
        """The 409 to raise; the second one within three seconds comes three seconds late."""
        now = asyncio.get_running_loop().time()
        late = now - self._conflict < CONFLICT_WINDOW
        self._conflict = now
        if late:
            await asyncio.sleep(CONFLICT_WINDOW)
        return conflict(reason)

    def interrupt(self, reason: str) -> None:
        """End a held poll with a 409 for ``reason``."""
        if self._held and not self._held.done():
            self._held.set_result(reason)
        self._held = None

    def _wake(self) -> None:
        if self._held and not self._held.done():
            self._held.set_result("")
