"""BT28: two people use one bot, and neither is ever shown a word of the other.

Person 222 has a secret word in every document there can be, in facts, values, reminders, in a
question that waits and in the journal. Person 111 then says every command there is, asks for what
stands beside the word, presses every button that comes back and some of 222's, and runs the
command line. The broken twin forgets whose folder a personal space is.
"""

import json
from contextlib import closing
from datetime import timedelta

from click.testing import CliRunner

from bot import config
from bot.__main__ import main
from bot.cli.console import at_once
from bot.core import open_core
from bot.wiring import policy, services
from handlers import commands, dialogs
from handlers.callbacks import JOURNAL, Press, Verb, decode
from handlers.context import Person, Place, Said, Turn
from handlers.dialogs import Gone, Kind, Question
from handlers.keeping import revise
from handlers.messages.reply import as_text
from memory.edits import append_entry
from memory.errors import PomnenkaError
from memory.factrows import Deed
from memory.factrules import Draft
from memory.keyvalues import Slot
from memory.reminders import Reminder
from memory.spaces import READ_ONLY, SLUGS, DocumentName, DocumentRef, group, personal
from memory.store import Author, Item
from tests.battery.battery import Result, Test

ME, OTHER = 111, 222
CANARY = "Q7ztk9canary"
BESIDE = "zebra"
TEXT = f"{BESIDE} {CANARY}"
SLUG = {
    DocumentName.DATED: "2026-05-02",
    DocumentName.OVERLAY: "notes",
    DocumentName.ROOM: "-1001",
}
CONFIG = """
[users]
allow = [111, 222]
homes = {homes}
[groups]
members = {{ crew = [222, 333] }}
"""
ASKS = (
    "/{command}",
    "/{command} " + BESIDE,
    "/{command} keep.md",
    "/{command} " + str(OTHER),
    "/{command} crew",
)
SAYINGS = (
    f"what do you know about the {BESIDE}?",
    "show me my memory",
    "compact memory",
    f"keep the {BESIDE} is striped",
    "keep compact",
    "delete 1 2",
    "yes",
)
CALLS = (
    ("search", BESIDE),
    ("context", "--dated", "366"),
    ("facts", "list", "--all"),
    ("memory", "show", "--document", "keep"),
    ("context", "--chat", "-1001", "--room-notes"),
    ("search", BESIDE, "--chat", "-1001"),
    ("memory", "headings", "--group", "crew"),
    ("memory", "log"),
    ("facts", "timeline", BESIDE),
    ("facts", "owned", BESIDE),
    ("kv", "namespaces"),
    ("kv", "list"),
    ("kv", "get", BESIDE),
    ("kv", "list", "--group", "crew"),
    ("skills", "overlays"),
    ("skills", "overlay", "notes"),
    ("tidy",),
    ("compact",),
)


class Tenants:
    """One installation with two people."""

    def __init__(self, folder, broken):
        homes = {str(who): str(folder / "one") for who in (ME, OTHER)} if broken else {}
        pairs = ", ".join(f'"{who}" = {json.dumps(home)}' for who, home in homes.items())
        self.file = folder / "pomnenka.toml"
        self.file.write_text(CONFIG.format(homes="{ " + pairs + " }"), encoding="utf-8")
        self.core = open_core(config.load(self.file))
        self.says, self.seen, self.presses = 0, [], 0
        self.other_op = ""

    def fill(self):
        """The other one's memory: the word in everything there is."""
        spaces = personal(OTHER), group("crew")
        for ref in (ref for space in spaces for ref in _documents(space)):
            self._write(ref)
        core, author = self.core, Author(OTHER, request="fill")
        now = core.clock()
        for number, draft in enumerate(_facts()):
            core.state.facts.add(Deed(author, now, f"fact{number}"), draft)
        for space in spaces:
            slot = Slot(space, "default", BESIDE)
            core.state.keyvalues.set(slot, json.dumps(TEXT), author, now)
        told = Reminder(0, OTHER, TEXT, now + timedelta(hours=1))
        core.state.reminders.create(told, "fill")
        turn = self.turn(OTHER, f"keep the {BESIDE} is called {CANARY}")
        commands.converse(turn)
        payload = {"words": TEXT, "page": 0, "language": "en", "spots": {}}
        self.question = dialogs.open_dialog(turn, Question(Kind.FIND, payload)).id

    def _write(self, ref):
        path = self.core.layout.path(ref)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"## {BESIDE}\n- {TEXT}\n", encoding="utf-8")
        if ref.name not in READ_ONLY and ref.name is not DocumentName.LOG:
            item = Item("entry", append_entry(f"{BESIDE} again {CANARY}"))
            self.other_op = self.core.store.apply(ref, [item], Author(OTHER, OTHER)).op

    def turn(self, who, text="", press=None):
        core = self.core
        given = services(core, at_once), policy(core.settings)
        request = core.new_id()
        return Turn(*given, Person(who), Place(who), "pomnenka_bot", Said(text), press, request)

    def say(self, text):
        """The person says something; whatever comes back is looked at, and its buttons pressed."""
        self.says += 1
        for post in self.answered(lambda: commands.converse(self.turn(ME, text)), text):
            for button in (button for row in post.reply.buttons for button in row):
                if press := decode(button.data):
                    self.press(press)

    def press(self, press):
        """A button is pressed, as the program does it."""
        self.presses += 1
        turn = self.turn(ME, press=press)
        found = dialogs.in_journal(turn) if press.verb in JOURNAL else dialogs.pressed(turn)
        if isinstance(found, Gone):
            return
        answer = (lambda: commands.press(turn, found)) if found else (lambda: revise.press(turn))
        self.answered(answer, f"{press}")

    def answered(self, work, what):
        """The posts of some work, each looked through for the word."""
        try:
            posts = work()
        except PomnenkaError as error:
            self.look(what, str(error))
            return ()
        for post in posts:
            labels = [button.text for row in post.reply.buttons for button in row]
            self.look(what, as_text(post.reply.html), *labels, post.reply.placeholder)
        return posts

    def look(self, what, *texts):
        self.seen += [what for text in texts if CANARY in text]

    def call(self, words):
        """The command line for the first person."""
        command = [*words, "--user", str(ME), "--config", str(self.file)]
        result = CliRunner().invoke(main, [*command, *(["--json"] if len(words) % 2 else [])])
        self.look(" ".join(words), result.output)
        return result.exit_code


def _documents(space):
    for name in space.documents:
        yield DocumentRef(space, name, SLUG.get(name, BESIDE) if name in SLUGS else "")


def _facts():
    yield Draft(BESIDE, "owns", CANARY)
    yield Draft("me", "works_at", TEXT)
    yield Draft(CANARY, "knows", BESIDE)


def tenants(run):
    """Everything the one may do, and what of the other it showed."""
    place = Tenants(run.folder, run.broken)
    with closing(place.core):
        place.fill()
        for ask in ASKS[: 1 + run.n // 4]:
            for command in sorted(commands.COMMANDS):
                place.say(ask.format(command=command))
        for text in SAYINGS:
            place.say(text)
        for verb in Verb:
            for id in (place.question, place.other_op):
                place.press(Press(id, verb, 1))
    codes = [place.call(words) for words in CALLS[: run.n]]
    shown = sorted(set(place.seen))
    counts = {"said": place.says, "pressed": place.presses, "called": len(codes)}
    result = Result({**counts, "not understood": codes.count(2), "canary seen": len(place.seen)})
    result.expect_zero("not understood")
    result.expect(not shown, f"the other one's word was shown: {shown[:10]}")
    return result


TESTS = (Test(28, "tenants", "q", n=len(CALLS), few=4, do=tenants),)
