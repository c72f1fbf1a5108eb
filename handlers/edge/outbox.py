"""Posts on their way: stored with the end of their update, then sent chat by chat (B1, B23).

A post is sent at least once: one that was not forgotten before the program ended is sent by the
next start. In a chat the order is that in which posts were made; a chat that has to wait keeps
no other one back.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace

from handlers import letters
from handlers.context import Posts, Services
from handlers.edge.pieces import parted
from handlers.edge.recording import Parcel, Recorder
from handlers.edge.sending import (
    Barred,
    Fate,
    Homeless,
    Later,
    Moved,
    Sent,
    Unfit,
    Wire,
    attempt,
    strip_buttons,
)
from handlers.messages.envelope import opened, sealed
from handlers.messages.reply import Post, Reply
from memory.errors import PomnenkaError
from memory.outbox import Outgoing, Progress

log = logging.getLogger("pomnenka.handlers")

GIVE_UP_SECONDS = 6 * 3600.0
"""How old a post gets that Telegram neither takes nor refuses."""

MOST_WAITING = 50
"""With so many answers on their way, wherever they go, the next update of a chat waits."""

GRACE_SECONDS = 5.0
"""How long the end of the program waits for posts on their way."""

_REMEMBERED = 1000
_BAD_SHAPE = (ValueError, KeyError, TypeError, AttributeError)
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0


class Outbox:
    """Takes posts in and sends them; everything runs in the event loop's thread.

    Args:
        wire: the way to Telegram, at its pace.
        services: the state, the clock, and the way into a thread.
    """

    def __init__(self, wire: Wire, services: Services) -> None:
        self._wire, self._services = wire, services
        self._recorder = Recorder(self._store, self._queue)
        self._made: dict[int, list[Parcel]] = {}
        self._lanes: dict[int, deque[Parcel]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._due: Counter[int] = Counter()
        self._moved: dict[int, int] = {}
        self._stood_in: deque[str] = deque(maxlen=_REMEMBERED)
        self._stripping: set[tuple[int, int]] = set()
        self._stirred = asyncio.Event()
        self._ending = False

    def put(
        self, posts: Posts, update_id: int = 0, person: int = 0, *, urgent: bool = False
    ) -> None:
        """Send posts when their update is `done`, those of no update (0) by themselves.

        Args:
            person: whose they are; what must not be said elsewhere goes to the private chat.
            urgent: they go before the others of their chat that wait.
        """
        parcels = self._made.setdefault(update_id, [])
        for post in (piece for whole in posts for piece in parted(whole)):
            id = f"{update_id}.{len(parcels)}" if update_id else self._services.new_id()
            parcels.append(replace(self._parcel(id, post, person), urgent=urgent))
        if not update_id:
            self._recorder.handled((), self._made.pop(0))

    async def commit(
        self, posts: Posts, person: int, store: Callable[[Sequence[Outgoing]], bool]
    ) -> None:
        """Send posts that ``store`` has put into the outbox together with what they tell of.

        Args:
            store: one transaction; False when there is nothing to be told any more.
        """
        pieces = [piece for whole in posts for piece in parted(whole)]
        parcels = [self._parcel(self._services.new_id(), piece, person) for piece in pieces]
        if await self._services.run(store, [parcel.row for parcel in parcels]):
            self._queue(parcels)

    def done(self, update_id: int, chat: int = 0) -> None:
        """An update of a chat is handled: it ends together with the storing of its posts."""
        made = self._made.pop(update_id, ())
        self._recorder.handled((update_id,), [replace(each, cause=chat) for each in made])

    def strip(self, chat: int, message: int) -> None:
        """Take the buttons off a message when the chat's turn comes."""
        if (chat, message) not in self._stripping:
            self._stripping.add((chat, message))
            self._begin(self._strip(chat, message))

    async def _strip(self, chat: int, message: int) -> None:
        await strip_buttons(self._wire, chat, message)
        self._stripping.discard((chat, message))

    async def open(self) -> None:
        """Send what the last run left over."""
        rows = await self._services.run(self._services.state.unsent)
        self._queue([found for row in rows if (found := self._reopened(row))])

    def _reopened(self, row: Outgoing) -> Parcel | None:
        try:
            return Parcel(row, opened(row.body, row.chat))
        except _BAD_SHAPE as error:
            self._dropped(Parcel(row, Post(Reply(""), row.chat)), type(error).__name__)
            return None

    async def ready(self, chat: int) -> None:
        """Wait until the next update of a chat may be handled.

        The person may answer a question only when it is known which message shows it; and who
        asks faster than answers can be sent has to wait.
        """
        while self._recorder.tying(chat) or self._crowded(chat):
            self._stirred.clear()
            await self._stirred.wait()

    def _crowded(self, chat: int) -> bool:
        return not self._ending and self._due[chat] >= MOST_WAITING

    def hurry(self) -> None:
        """The end is near: no update waits for posts any more."""
        self._ending = True
        self._stirred.set()

    async def stored(self) -> None:
        """Wait until every post taken in so far would survive a crash."""
        await self._recorder.settle()

    async def settle(self) -> None:
        """Wait until everything is sent and recorded."""
        await self._recorder.settle()
        while self._tasks:
            await asyncio.gather(*self._tasks)
            await self._recorder.settle()

    async def close(self, grace: float = GRACE_SECONDS) -> None:
        """Send what can be sent in so many seconds; the next start sends the rest."""
        await self._recorder.settle()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._recorder.settle()

    async def migrate(self, old: int, new: int) -> None:
        """A group has become a supergroup: whatever is stored under its old id moves along."""
        self._moved[old] = new
        left = await self._services.run(self._services.store.migrate, old, new)
        log.info("chat moved", extra={"facts": {"old": old, "new": new, "left": len(left)}})

    async def _store(self, progress: Progress) -> None:
        await self._services.run(self._services.state.advance, progress)

    def _parcel(self, id: str, post: Post, person: int) -> Parcel:
        at = self._services.clock().timestamp()
        return Parcel(Outgoing(id, post.chat, person, sealed(post), at), post)

    def _queue(self, parcels: Sequence[Parcel]) -> None:
        for parcel in parcels:
            lane = self._lanes.get(parcel.row.chat)
            if lane is None:
                self._lanes[parcel.row.chat] = lane = deque()
                self._begin(self._serve(parcel.row.chat))
            self._supersede(lane, parcel)
            lane.insert(1 if parcel.urgent and lane else len(lane), parcel)
            self._due[parcel.cause] += bool(parcel.cause)
        self._stirred.set()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _supersede(self, lane: deque[Parcel], newer: Parcel) -> None:
        """A card that will be edited again needs no older look; what is under way goes on."""
        if not (newer.post.edit and newer.post.dialog):
            return
        same = newer.post.edit, newer.post.dialog
        for older in [p for p in tuple(lane)[1:] if (p.post.edit, p.post.dialog) == same]:
            lane.remove(older)
            self._recorder.gone(older)
            self._settled(older)

    async def _serve(self, chat: int) -> None:
        lane = self._lanes[chat]
        try:
            while lane:
                await self._deliver(lane[0])
                self._settled(lane.popleft())
        finally:
            del self._lanes[chat]

    def _settled(self, parcel: Parcel) -> None:
        if self._due[parcel.cause] > 1:
            self._due[parcel.cause] -= 1
        else:
            del self._due[parcel.cause]
        self._stirred.set()

    async def _deliver(self, parcel: Parcel) -> None:
        """Try until the post is shown, refused or too old."""
        tries = 0
        while not await self._over(parcel, fate := await self._tried(parcel)):
            tries += 1
            asked = fate.seconds if isinstance(fate, Later) else 0
            waited = asked or min(_FIRST_WAIT * 2**tries, _LONGEST_WAIT)
            await self._wire.pace.sleep(waited)

    async def _tried(self, parcel: Parcel) -> Fate:
        chat = parcel.row.chat
        post = replace(parcel.post, chat=self._moved[chat]) if chat in self._moved else parcel.post
        fate = await attempt(self._wire, post)
        if not isinstance(fate, Moved):
            return fate
        await self._migrated(chat, fate.chat)
        return await attempt(self._wire, replace(post, chat=fate.chat))

    async def _migrated(self, old: int, new: int) -> None:
        try:
            await self.migrate(old, new)
        except PomnenkaError as error:
            log.error("chat not moved", extra={"facts": {"cause": type(error).__name__}})

    async def _over(self, parcel: Parcel, fate: Fate) -> bool:
        """Whether a fate is final; then it is recorded."""
        match fate:
            case Sent(message):
                self._recorder.shown(parcel, message)
            case Barred():
                await self._turned_back(parcel)
            case Homeless():
                self._recorder.gone(parcel, self._at_home(parcel))
            case Unfit(cause):
                self._dropped(parcel, cause)
            case Later(_, cause) if self._age(parcel) > GIVE_UP_SECONDS:
                self._dropped(parcel, cause)
            case _:
                return False
        return True

    def _age(self, parcel: Parcel) -> float:
        return self._services.clock().timestamp() - parcel.row.at

    def _dropped(self, parcel: Parcel, cause: str) -> None:
        log.error("post given up", extra={"facts": {"post": parcel.row.id, "cause": cause}})
        self._recorder.gone(parcel)

    async def _turned_back(self, parcel: Parcel) -> None:
        """Where the bot may not write, one stand-in is sent, however many posts there were (G2)."""
        other, person = parcel.post.otherwise, parcel.row.person
        if not other:
            self._recorder.gone(parcel)
            return
        try:
            await self._services.run(letters.put_by, self._services.state, person, parcel.post)
        except PomnenkaError as error:
            log.error("letter lost", extra={"facts": {"cause": type(error).__name__}})
        self._recorder.gone(parcel, self._once(parcel, other))

    def _once(self, parcel: Parcel, other: Post) -> tuple[Parcel, ...]:
        update = parcel.row.id.partition(".")[0]
        if update in self._stood_in:
            return ()
        self._stood_in.append(update)
        return (self._parcel(f"{update}.instead", other, parcel.row.person),)

    def _at_home(self, parcel: Parcel) -> tuple[Parcel, ...]:
        person = parcel.row.person
        if not person or person == parcel.row.chat:
            return ()
        home = replace(parcel.post, chat=person, topic=0, edit=0, answering=0)
        return (self._parcel(f"{parcel.row.id}.home", home, person),)
