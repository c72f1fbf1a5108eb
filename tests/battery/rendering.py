"""BT26: whatever a fact says, its message is taken, and shows what was stored."""

import random
import time

import locales
from curation.characters import visible
from curation.engine import Relation
from demo.clock import Clock
from demo.emulator import Emulator
from demo.world import Person
from handlers.messages import render
from handlers.messages.outcome import Duplicate, Kept
from handlers.messages.reply import LIMIT, Post, Reply
from handlers.messages.voice import Voice
from tests.battery.battery import Result, Test
from tests.handlers.emulated_telegram import InProcess
from tests.handlers.leaping import leaping
from tests.handlers.outbox_stage import Office

TOKEN = "42:TEST"
PIECES = (
    "<b>", "</b>", "<i", "</", "<a href='x'>", "<script>", "<!--", "-->", "<tg-spoiler>", "< b >",
    "&", "&amp;", "&lt;", "&#60;", "&#x3c;", "&nbsp;", "&;", "&#", "\"", "'", ">", "<", "\\",
    "😀", "👩‍👩‍👧", "🇨🇿", "𝔘", "e\u0301", "ů", "ß", "שלום", "مرحبا", "می\u200cخواهم", "漢字", "ไทย",
    "\u202e", "\u2066", "\u200f", "ring size", "54", "/start", "@somebody", "#tag", "https://x.cz/?a=1&b=2",
)  # fmt: skip
_SHORT, _EDGES = 300, (LIMIT - 7, LIMIT - 6, LIMIT - 5, LIMIT - 1, LIMIT)


class Unquoted(Voice):
    """A twin that puts what people wrote into the HTML as it is."""

    def __call__(self, id, n=None, /, **params):
        return self.catalogue.text(id, n, **params)


def rendering(run):
    """``n`` facts of tags, entities, pairs and edges: rendered, sent, and read again."""
    catalogue = locales.load(["en"]).catalogue("en")
    voice = (Unquoted if run.broken else Voice)("en", catalogue)
    facts = [_fact(run.chance, number) for number in range(run.n)]

    async def main():
        emulator = Emulator(TOKEN, Clock(time.time), random.Random(1))
        telegram = InProcess(emulator)
        office = await Office(run.folder, telegram).open()
        wrong = 0
        for number, (fact, card) in enumerate(facts, 1):
            emulator.world.add_person(Person(number, "A", "a", "en"))
            office.answer(number, Post(card(fact, voice), number))
            await office.outbox.settle()
            wrong += not _recovered(fact, telegram.shown(number))
        return telegram, wrong

    telegram, wrong = leaping(main)
    result = Result({"facts": run.n, "rejects": len(telegram.refused), "changed": wrong})
    result.counts["longest"] = telegram.longest
    result.expect_zero("rejects", "changed")
    result.expect(telegram.longest <= LIMIT, f"a message has {telegram.longest} units")
    return result


def _fact(chance, number):
    """A fact, and how it is shown: on a card, or whole however long it is."""
    if number % 3:
        text = _words(chance, _SHORT)
        return text, chance.choice((_kept, _duplicate))
    edge = chance.choice((*_EDGES, 2 * LIMIT, chance.randrange(LIMIT, 3 * LIMIT)))
    separator = chance.choice(("\n", " ", ""))
    text = separator.join(_words(chance, 80) for _ in range(edge // 40))
    return _shortened(text, edge), _whole


def _words(chance, most):
    blank = chance.choice((" ", ""))
    words = [chance.choice(PIECES) for _ in range(chance.randrange(1, most // 6))]
    return _shortened(blank.join(words), most)


def _shortened(text, most):
    data = text.encode("utf-16-le")[: 2 * most]
    return data.decode("utf-16-le", "ignore").strip() or "x"


def _kept(fact, voice):
    return render.card([Kept(fact, "op")], voice)


def _duplicate(fact, voice):
    return render.card([Duplicate(fact, fact, Relation.EXTENDS)], voice, "d")


def _whole(fact, voice):
    return Reply(voice("keep.kept", entry=fact))


def _recovered(fact, texts):
    """Whether the messages show the fact, apart from blanks at which a message was cut."""
    wanted, told = visible(fact), "".join(texts)
    if len(texts) == 1:
        return wanted in told
    return "".join(wanted.split()) in "".join(told.split())


TESTS = (Test(26, "rendering", "q", n=3000, few=300, do=rendering),)
