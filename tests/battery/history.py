"""BT7: what four killed clients were told is explained by one legal order of their operations.

Each client says what it is about to do, and what it was told: the operation's items and the whole
document of the receipt. Afterwards a pure model looks for an order that gives every answer; what a
kill left open may have happened, whole and once, or not.
"""

import contextlib
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from memory.changeset import Category, Change, Op, edit_of
from memory.document import Span
from memory.edits import append_entry, remove_entry, replace_entry
from memory.errors import DocumentError
from memory.files import PosixDisk
from memory.spaces import DocumentName
from memory.store import Author, Item, UndoRefused
from tests.battery.battery import Result, Test
from tests.battery.children import Child, Member
from tests.battery.model import Call, Event, Piece, explain
from tests.memory.store_workplace import KEEP, LOG, MEMORY, Workplace

CLIENTS = 4
DOCUMENTS = {DocumentName.KEEP: KEEP, DocumentName.MEMORY: MEMORY}
START = tuple(f"- start {i}" for i in range(20))


class Lockless(PosixDisk):
    """The broken twin: its lock does nothing."""

    @contextlib.contextmanager
    def lock(self, place):
        yield


@dataclass
class Client:
    """One client over all its lives, in the parent."""

    name: int
    n: int
    events: list = field(default_factory=list)
    child: Child = None
    lives: int = 0
    failed: int = 0

    def start(self, folder, disk, seed):
        """A new life goes on behind the last call of the one before."""
        first = len(self.events)
        self.lives += 1
        names = f"{self.name}.{self.lives}"
        self.child = Child(_live, (folder, disk, names), range(first, self.n), f"{seed}.{names}")

    @property
    def said(self):
        return len(self.events) + sum(1 for kind, _ in self.child.stream() if kind == "try")

    def bury(self):
        """Keep what the ended child said."""
        for kind, payload in self.child.stream():
            words = json.loads(payload)
            if kind == "try":
                self.events.append(Event(Call.read(words), began=words["at"]))
            else:
                self.events[-1].answer(words)


def history(run):
    """``n`` operations a client, a kill for every twenty-five of them."""
    disk = Lockless if run.broken else PosixDisk
    work = Workplace(run.folder, disk)
    for ref in DOCUMENTS.values():
        work.put("".join(f"{line}\n" for line in START).encode(), ref)
    work.state.close()
    clients = [Client(name, run.n) for name in range(CLIENTS)]
    kills = _play(run, clients, disk)
    return _judge(Member("end", run.folder, disk), clients, kills)


def _play(run, clients, disk):
    """Let all clients run to their end, killing one now and then; how many kills there were."""
    seed, total = run.chance.random(), run.n * CLIENTS
    due = sorted(run.chance.randrange(total) for _ in range(max(4, total // 25)))
    kills, running = 0, list(clients)
    for client in clients:
        client.start(run.folder, disk, seed)
    while running:
        running = [client for client in running if _goes_on(client)]
        if due and running and sum(client.said for client in clients) >= due[0]:
            due.pop(0)
            kills += 1
            _replace(run.chance.choice(running), (run, disk, seed))
        time.sleep(0.001)
    return kills


def _goes_on(client):
    if client.child.listen(0):
        return True
    client.failed += client.child.wait() != 0
    client.bury()
    return False


def _replace(client, start):
    run, disk, seed = start
    time.sleep(run.chance.uniform(0, 0.005))
    client.child.kill()
    client.bury()
    client.start(run.folder, disk, seed)


def _live(pipe, place, numbers, seed):
    """The child: random operations, each said before and after."""
    folder, disk, name = place
    work, chance = Member(name, folder, disk), random.Random(seed)
    author = Author(int(name.split(".")[0]) + 1)
    for number in numbers:
        _act(pipe, work, _chosen(work, author, chance, f"{name}.{number}"), author)


@dataclass
class Wish:
    """A call with what makes it: items, or the operation that is to be undone."""

    call: Call
    items: tuple = ()
    undoes: str = ""


def _chosen(work, author, chance, name):
    kind = chance.choices(("keep", "replace", "remove", "compact", "undo"), (35, 20, 15, 15, 15))[0]
    last = work.store.last(author.user) if kind == "undo" else None
    if last:
        return _undo(work, last)
    ref = chance.choice(tuple(DOCUMENTS.values()))
    lines = work.store.read(ref).document.lines
    if len(lines) < 12 or kind in ("keep", "undo"):
        kind = "keep"
    return _MAKERS[kind](ref, lines, chance, name)


def _keep(ref, lines, chance, name):
    line = f"{name} kept"
    piece = Piece("1", (), (f"- {line}",), end=True)
    return Wish(Call("keep", ref.name, (piece,)), (Item("1", append_entry(line)),))


def _swap(ref, lines, chance, name):
    old, new = chance.choice(lines).removeprefix("- "), f"{name} new"
    piece = Piece("1", (f"- {old}",), (f"- {new}",))
    return Wish(Call("replace", ref.name, (piece,)), (Item("1", replace_entry(old, new)),))


def _remove(ref, lines, chance, name):
    old = chance.choice(lines).removeprefix("- ")
    log = f'DELETED "{old}" — {name}'
    piece = Piece("1", (f"- {old}",), (), log)
    return Wish(Call("remove", ref.name, (piece,)), (Item("1", remove_entry(old), (log,)),))


def _compact(ref, lines, chance, name):
    """A merge of two neighbours and the deletion of a line elsewhere, each with its log line."""
    at = chance.randrange(4, len(lines) - 2)
    gone = chance.randrange(0, at - 1)
    new = (f"- {name} merged",)
    merged = Change(Op.MERGE, (Span(at, at + 2),), lines[at : at + 2], new, None, "one topic")
    deleted = Change(
        Op.DELETE, (Span(gone, gone + 1),), lines[gone : gone + 1], (), Category.DETAIL
    )
    logs = (f'MERGED "{name}"', f'DELETED "{name}"')
    items = tuple(Item(str(i), edit_of(c), (logs[i],)) for i, c in enumerate((merged, deleted)))
    pieces = Piece("0", merged.original, new, logs[0]), Piece("1", deleted.original, (), logs[1])
    return Wish(Call("compact", ref.name, pieces), items)


def _undo(work, last):
    entry = work.state.entry(last.op)
    pieces = []
    for index in entry.standing:
        hunks = [patch.hunk for patch in entry.patches if patch.item == index]
        out, back = (
            tuple(line.rstrip("\n") for hunk in hunks for line in side(hunk))
            for side in (lambda h: h.new, lambda h: h.old)
        )
        log = "".join(f"RESTORED {x.partition(' ')[2]}" for x in entry.items[index].log)
        pieces.append(Piece(entry.items[index].key, out, back, log))
    return Wish(Call("undo", last.ref.name, tuple(pieces)), (), last.op)


_MAKERS = {"keep": _keep, "replace": _swap, "remove": _remove, "compact": _compact}


def _act(pipe, work, wish, author):
    pipe.say("try", _words(wish.call.words()))
    try:
        if wish.undoes:
            told = work.store.undo(wish.undoes, author)
        else:
            told = work.store.apply(DOCUMENTS[wish.call.document], wish.items, author)
    except DocumentError as error:
        pipe.say("told", _words({"refused": type(error).__name__}))
        return
    if isinstance(told, UndoRefused):
        pipe.say("told", _words({"refused": told.why}))
    else:
        answer = {"applied": told.applied, "changed": told.changed}
        pipe.say("told", _words(answer | {"lines": told.document.lines}))


def _words(values):
    return json.dumps(values | {"at": time.monotonic_ns()}).encode()


def _judge(work, clients, kills):
    final = {name: work.store.read(ref).document.lines for name, ref in DOCUMENTS.items()}
    begin = dict.fromkeys(DOCUMENTS, START)
    found = explain([client.events for client in clients], begin, final)
    events = [event for client in clients for event in client.events]
    counts = {
        "operations": len(events),
        "done": sum(1 for e in events if e.changed),
        "refused": sum(1 for e in events if e.refused),
        "kills": kills,
        "clients failed": sum(client.failed for client in clients),
        "left open": sum(1 for e in events if e.open),
        "of these done": len(found.happened),
        "unexplained": len(found.stuck),
        "torn": sum(not line.startswith("- ") for lines in final.values() for line in lines),
    }
    log = work.bytes(LOG).decode().split("\n") if work.path(LOG).exists() else []
    logged = [line[17:] for line in log]
    result = Result(counts | _logged(events, found, logged))
    result.expect_zero(
        "clients failed", "unexplained", "torn", "log lines missing", "log lines too many"
    )
    result.missed += found.stuck
    work.state.close()
    return result


def _logged(events, found, logged):
    """Each item that was applied has exactly one line, all others have none."""
    happened = {id(event): keys for event, keys in found.happened}
    wanted, seen = Counter(), Counter(logged)
    for event in events:
        for piece in event.call.pieces:
            if piece.log:
                wanted[piece.log] += piece.key in (event.applied or happened.get(id(event), ()))
    return {
        "log lines": wanted.total(),
        "log lines missing": (wanted - seen).total(),
        "log lines too many": sum(max(0, seen[line] - count) for line, count in wanted.items()),
    }


TESTS = (Test(7, "history", "f", n=500, few=60, do=history),)
