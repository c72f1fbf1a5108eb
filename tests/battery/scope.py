"""BT13: what is reached where is what docs/spaces.md says. BT14: a refusal tells nothing.

BT13 plays each kind of conversation on the running bot and compares what can be read, written,
taken back and pressed there with the table, cell by cell. Then every command there is, and
questions about what is kept, are said in it; no answer may show what the table does not allow.
"""

import asyncio
import gc
import itertools
import statistics
import time
from functools import partial
from pathlib import Path

from handlers.callbacks import Verb, encode
from handlers.commands import COMMANDS
from handlers.context import Person, Place, Policy, Turn
from memory import scope
from memory.edits import append_entry
from memory.members import Chat, Look, Members
from memory.scope import Audience, Conversation, Denied, Target, Wish
from memory.spaces import DocumentName, DocumentRef, channel, group, personal
from memory.state import State
from memory.store import Author, Item
from tests.battery.battery import Result, Test
from tests.handlers.group_stage import HANA, ROBOT, TOKEN, GroupStage
from tests.handlers.handlers_stage import ALICE, GROUP, NOON, PETR, speech
from tests.handlers.scripted_engine import ScriptedEngine

TABLE = Path(__file__).parents[2] / "docs" / "spaces.md"
HERE, ELSEWHERE, TOPIC = GROUP["id"], -2002, 7
GROUPS = {"family": frozenset({111, 222}), "work": frozenset({222})}
IN_TOPIC = {"message_thread_id": TOPIC, "is_topic_message": True}
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
LINKED = {"id": 136817688, "is_bot": True, "first_name": "Channel"}
REFUSED = (400, {"ok": False, "error_code": 400, "description": "Bad Request: x"})

DOCUMENTS = {
    "own": DocumentRef(personal(111), DocumentName.KEEP),
    "notes on a chat": DocumentRef(personal(111), DocumentName.ROOM, str(HERE)),
    "this chat": DocumentRef(channel(HERE), DocumentName.CHANNEL),
    "this topic": DocumentRef(channel(HERE, TOPIC), DocumentName.CHANNEL),
    "group": DocumentRef(group("family"), DocumentName.GROUP),
    "another group": DocumentRef(group("work"), DocumentName.GROUP),
    "another chat": DocumentRef(channel(ELSEWHERE), DocumentName.CHANNEL),
    "somebody's": DocumentRef(personal(222), DocumentName.KEEP),
}
WISHES = {
    "own": Wish(),
    "notes on a chat": Wish(room="Zahrádka"),
    "this chat": Wish(channel=str(HERE)),
    "this topic": Wish(channel=f"{HERE}.{TOPIC}"),
    "group": Wish(group="family"),
    "another group": Wish(group="work"),
    "another chat": Wish(channel=str(ELSEWHERE)),
    "somebody's": Wish(channel="222"),
}
WORDS = {name: f"quetzal{n}" for n, name in enumerate(DOCUMENTS)}
SECRETS = {name: f"amber{n}stone" for n, name in enumerate(DOCUMENTS)}
"""Each document says that its word has a stone: words are asked for, a stone is what leaks."""

PLACES = ("channel", "group", "keep", "rooms", f"rooms/{HERE}", "group/family", "group/work")
LAST = ("undo", "cancel", "forgetme", "forget")


class Trusting(Members):
    """The twin: whoever is not known does not count."""

    def audience_since(self, chat, since):
        people = self.people(chat)
        return Audience(len(people) + 1, people)


class TrustingState(State):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.members = Trusting(self._database, GROUPS)


def table():
    """The written table: the rights of each document by conversation."""
    rows = [line.strip("| \n").split(" | ") for line in TABLE.read_text("utf-8").splitlines()]
    head = next(row for row in rows if row[0] == "conversation")
    return {
        row[0]: dict(
            zip(head[1:], (cell.replace("·", "").split() for cell in row[1:]), strict=True)
        )
        for row in rows[rows.index(head) + 2 :]
        if len(row) == len(head)
    }


class Scene:
    """One kind of conversation on a bot of its own; Alice speaks, everything has a memory."""

    def __init__(self, folder, languages, broken):
        state = partial(TrustingState if broken else State, groups=GROUPS)
        self.stage = GroupStage(folder, ScriptedEngine(), languages)
        self.stage._state = state
        self.by, self.fields, self.chat = ALICE, {}, GROUP

    async def open(self):
        await self.stage.open()
        await self.stage.here("cancel", by=PETR)
        await self.stage.here("cancel")
        for name, ref in DOCUMENTS.items():
            entry = append_entry(f"{WORDS[name]} has an {SECRETS[name]}")
            self.stage.store.apply(ref, [Item("entry", entry)], Author(1))
        self.stage.later(minutes=6)
        return self

    async def say(self, text):
        if self.chat is GROUP:
            await self.stage.here(text, self.by, **self.fields)
        else:
            await self.stage.say(text, self.by)

    async def press(self, data):
        place = {"message_id": 1, "date": 1, "chat": self.chat, "from": ROBOT, "text": "x"}
        query = {"id": f"p{next(self.stage._updates)}", "from": self.by, "chat_instance": "c"}
        shown = place | {k: v for k, v in self.fields.items() if k != "sender_chat"}
        await self.stage.feed({"callback_query": query | {"message": shown, "data": data}})

    @property
    def turn(self):
        """A turn of this conversation, None when nobody is let in by it."""
        if "sender_chat" in self.fields or not self.welcome:
            return None
        private = self.chat is not GROUP
        place = Place(self.chat["id"], 1, self.fields.get("message_thread_id", 0), private)
        stage = self.stage
        return Turn(stage.services, stage.policy, Person(self.by["id"]), place, "pomnenka_bot")

    @property
    def welcome(self):
        return self.stage.policy.everyone or self.by["id"] in self.stage.policy.members


def private(scene):
    scene.chat = {"id": 111, "type": "private"}


def stranger(scene):
    scene.stage.inside((ALICE, "creator"), (PETR, "member"), (HANA, "member"))


def robot(scene):
    scene.stage.inside((ALICE, "creator"), (PETR, "member"), (ROBOT, "member"))


def unknown(scene):
    scene.stage.telegram.failing["getChatMemberCount"] = [REFUSED] * 1000


def topic(scene):
    scene.fields = IN_TOPIC
    scene.stage.state.prefer(HERE, "topics", True)


def anonymous(scene):
    scene.by, scene.fields = ANONYMOUS, {"sender_chat": GROUP}


def post(scene):
    news = {"id": -3003, "type": "channel", "title": "News"}
    scene.by, scene.fields = LINKED, {"sender_chat": news}


def shut_out(scene):
    scene.stage.policy = Policy(members=frozenset({222}))


CONVERSATIONS = {
    "private": private,
    "members only": lambda scene: None,
    "a stranger inside": stranger,
    "another bot inside": robot,
    "nobody knows who is inside": unknown,
    "topic of a forum": topic,
    "anonymous admin": anonymous,
    "a channel's post": post,
    "not let in": shut_out,
}


def matrix(run):
    """Every conversation against the table, ``n`` times with the documents in another order."""
    counts = {
        "cells": 0,
        "wrong cells": 0,
        "others' presses": 0,
        "answers": 0,
        "shown": 0,
        "leaks": 0,
    }
    result, languages = Result(counts), speech()
    for number in range(run.n):
        for name in CONVERSATIONS:
            folder = run.folder / f"{number} {name}"
            folder.mkdir()
            asyncio.run(_played(Scene(folder, languages, run.broken), name, result))
    result.expect_zero("wrong cells", "others' presses", "leaks")
    return result


async def _played(scene, name, result):
    if CONVERSATIONS[name] is shut_out:
        shut_out(scene)
    await scene.open()
    try:
        CONVERSATIONS[name](scene)
        await scene.say("cancel")
        wanted = table()[name]
        for document, ref in DOCUMENTS.items():
            found = await _rights(scene, document, ref)
            result.counts["cells"] += 1
            result.counts["wrong cells"] += found != wanted[document]
            kept = found == wanted[document]
            result.expect(kept, f"{name}, {document}: {found}, not {wanted[document]}")
        await _others_buttons(scene, result)
        await _leaks(scene, name, wanted, result)
    finally:
        await scene.stage.close()


async def _rights(scene, document, ref):
    """What a conversation may do with a document, as the letters of the table."""
    turn = scene.turn
    read = turn is not None and ref.space in scope.readable(turn.conversation, turn.roster)
    room = turn is not None and ref.name is DocumentName.ROOM and not turn.place.private
    write = turn is not None and _target(turn, document) == ref.space
    at_home = turn is not None and not read and not room and ref.space == personal(111)
    letters = {"R": read, "P": at_home, "W": write, "U": await _undone(scene, ref)}
    offered = document in ("this chat", "group") and _offers(turn, ref)
    if document in ("this chat", "group") and "topic" not in str(scene.fields):
        letters["W"] = write and offered
    return [letter for letter, has in letters.items() if has]


def _target(turn, document):
    found = scope.target(turn.conversation, WISHES[document], turn.roster)
    return found.space if isinstance(found, Target) else None


def _offers(turn, ref):
    """Whether the card for an entry of several people has a button for a document."""
    from handlers.chats import shared

    if turn is None:
        return False
    return ref in [shared.reference(turn, code) for code in shared.choices(turn)]


async def _undone(scene, ref):
    """Whether the writer's Undo works in this conversation."""
    user = 222 if ref.space == personal(222) else scene.by["id"]
    return await _pressed_undo(scene, ref, user)


async def _pressed_undo(scene, ref, user):
    entry = append_entry("written a moment ago")
    author = Author(user, scene.chat["id"])
    op = scene.stage.store.apply(ref, [Item("entry", entry)], author).op
    await scene.press(encode(op, Verb.UNDO))
    taken_back = "a moment ago" not in scene.stage.shared(ref)
    if not taken_back:
        scene.stage.store.undo(op, author)
    return taken_back


async def _others_buttons(scene, result):
    """Buttons that were made for Petr: his operations and his cards, pressed by somebody else."""
    stage = scene.stage
    for ref in DOCUMENTS.values():
        result.counts["others' presses"] += await _pressed_undo(scene, ref, 222)
    if scene.chat is GROUP:
        await stage.here("keep for the group: a note of Petr's", by=PETR, **IN_TOPIC)
    else:
        await stage.say("keep for the group: a note of Petr's", by=PETR)
    cards = [b for _, rows in stage.telegram.messages.values() for b in itertools.chain(*rows)]
    before = _files(stage)
    for button in cards:
        if "callback_data" in button:
            await scene.press(button["callback_data"])
    result.counts["others' presses"] += before != _files(stage)


def _files(stage):
    paths = sorted((stage.folder / "workspace").rglob("[!.]*.md"))
    return [(path, path.read_bytes()) for path in paths]


async def _leaks(scene, name, wanted, result):
    """No command and no question shows what the table does not allow, in any chat."""
    telegram = scene.stage.telegram
    start = len(telegram.calls)
    for text in _sayings():
        await scene.say(text)
    inside = {key for key, cell in wanted.items() if "R" in cell}
    home = {key for key, cell in table()["private"].items() if "R" in cell}
    nobody = scene.turn is None
    for method, parameters in telegram.calls[start:]:
        text, chat = str(parameters.get("text", "")), int(parameters.get("chat_id") or 0)
        result.counts["answers"] += method in ("sendMessage", "editMessageText")
        allowed = set() if nobody else inside if chat == HERE else home if chat == 111 else set()
        for document, secret in SECRETS.items():
            leaked = secret in text and document not in allowed
            result.counts["shown"] += secret in text
            result.counts["leaks"] += leaked
            result.expect(not leaked, f"{name}: {document} is said in {chat}")


def _sayings():
    """Every command, bare and with words; the ones that change something come last."""
    names = sorted(COMMANDS, key=lambda name: name in LAST)
    yield from (f"/{name}@{TOKEN[1:-1]}" for name in names if name not in LAST)
    yield from (f"/find {word}" for word in WORDS.values())
    yield from (f"/show {place}" for place in PLACES)
    yield from ("what do you know about quetzal0", "co víš o quetzal4", "/facts quetzal0")
    yield from ("compact memory", "compact channel memory", "keep compact", "pending")
    yield from (f"/{name}@{TOKEN[1:-1]}" for name in names if name in LAST)


CAUSES = {
    "no such group": ("nothing", 111, 3),
    "not a member": ("work", 111, 3),
    "a guest is there": ("family", 111, 4),
    "another bot is there": ("family", 111, 5),
    "a bad id": ("../family", 111, 3),
    "10 KB of an id": ("x" * 10_000, 111, 3),
    "a member of nothing": ("family", 333, 3),
}
"""Which group is asked for by whom, and how many members Telegram counts in the chat."""

MOST_APART = 1.15
BATCH = 8


def naive(conversation, wish, roster):
    """The twin: looks first whether there is such a group."""
    if not roster.members_of(wish.group):
        return Denied.NOT_A_MEMBER
    return scope.target(conversation, wish, roster)


def refusals(run):
    """The same words in the same time, whatever the cause: ``n`` interleaved rounds."""
    state = State(run.folder / "state.db", synchronous="OFF", groups=GROUPS)
    result = Result({"calls": 0, "answers": 0, "slowest to fastest": 0.0})
    try:
        rooms = {count: _room(state.members, count) for _, _, count in CAUSES.values()}
        ask = naive if run.broken else scope.target
        _measured(run, result, partial(_asked, ask, state.members.at(NOON), rooms))
    finally:
        state.close()
    return result


def _room(members, count):
    """A chat in which Alice and Petr are known, and Telegram counts so many."""
    chat = Chat(-count, "supergroup", "Room")
    members.enter(chat, (111, 222))
    members.enter(chat, (ROBOT["id"],) if count == 5 else (), bot=True)
    members.look(chat.id, Look(count), NOON)
    return chat.id


def _asked(ask, roster, rooms, cause):
    id, user, count = CAUSES[cause]
    return ask(Conversation(user, rooms[count]), Wish(group=id), roster)


def _measured(run, result, asked):
    """The medians of processor time, so that what else the machine does counts little."""
    times = {cause: [] for cause in CAUSES}
    answers = set()
    gc.disable()
    try:
        for number in range(run.n + 1):
            for cause in run.chance.sample(sorted(CAUSES), len(CAUSES)):
                start = time.thread_time_ns()
                answers |= {asked(cause) for _ in range(BATCH)}
                times[cause] += [time.thread_time_ns() - start] if number else []
    finally:
        gc.enable()
    medians = {cause: statistics.median(found) for cause, found in times.items()}
    apart = max(medians.values()) / min(medians.values())
    result.counts |= {"calls": run.n * BATCH * len(CAUSES), "answers": len(answers)}
    result.counts["slowest to fastest"] = round(apart, 3)
    result.expect(answers == {Denied.NOT_A_MEMBER}, f"the answers are {answers}")
    worst = max(medians, key=medians.get), min(medians, key=medians.get)
    result.expect(apart <= MOST_APART, f"{worst[0]} takes {apart:.2f} times as long as {worst[1]}")


TESTS = (
    Test(13, "scope matrix", "q", n=3, few=1, do=matrix),
    Test(14, "uniform refusal", "q", n=250, few=150, do=refusals),
)
