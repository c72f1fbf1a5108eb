"""BT24: secrets and health values are found, and are nowhere at rest (B20, T1, T2, W6).

The first test reads texts that the rules were not made from. The second lets what was found come
in by every way there is, and looks for it in every file: while it waits in the inbox, and after
everything was handled and closed.
"""

import asyncio
import itertools
import json
import logging
import re
import tomllib
from functools import partial
from pathlib import Path

from click.testing import CliRunner
from telegram import Update

import locales
from bot.__main__ import main
from bot.feed import arrival, row
from bot.logs import Redacting
from curation import admission, triggers
from curation.rules import Rules
from tests.battery.battery import Result, Test
from tests.handlers.handlers_stage import ALICE, Stage

TEXTS = tomllib.loads((Path(__file__).parent / "data/dangers.toml").read_text("utf-8"))
RECALL, MOST_FALSE = 0.95, 0.03
SHORTEST = 6
"""A shorter value is looked for with what stands before it: ``7391`` is in every database."""

OTHER = {"id": 333, "is_bot": False, "first_name": "Hana"}
HOME = {"id": ALICE["id"], "type": "private"}
AT = {"latitude": 50.1, "longitude": 14.4}
VALUE = re.compile(r"\[\[(.+?)\]\]")


def plain(text):
    """A marked text as it is said."""
    return text.replace("[[", "").replace("]]", "")


def only_names(text, languages):
    """The twin: a secret is what stands in quotes or has a key's shape."""
    shapes = re.search(r"AKIA|ghp_|-----BEGIN", text)
    return admission.Admitted(text, ((0, 1),) if shapes else ())


def found(run):
    """How many of the marked texts are seen, and how many harmless ones are taken for them."""
    languages = locales.load(["cs", "en"])
    clean = only_names if run.broken else admission.clean
    hits = {"secret": 0, "health": 0, "harmless": 0}
    for kind, name in itertools.product(hits, ("secrets", "health")):
        if kind in ("harmless", {"secrets": "secret"}.get(name, name)):
            seen = (clean(plain(text), languages) for text in TEXTS[kind])
            hits[kind] += sum(bool(getattr(one, name)) for one in seen)
    result = Result({f"{kind} of {len(TEXTS[kind])}": hits[kind] for kind in hits})
    for kind in ("secret", "health"):
        result.expect(hits[kind] >= RECALL * len(TEXTS[kind]), f"{kind}: only {hits[kind]}")
    result.expect(hits["harmless"] <= MOST_FALSE * len(TEXTS["harmless"]), "too many false ones")
    return result


def message(**fields):
    """A message of Alice's to the bot."""
    return {"message_id": 1, "date": 1, "chat": HOME, "from": ALICE, **fields}


def ways(text):
    """Every way a text can come in by a message, as messages."""
    quoted = message(text=text)
    return {
        "text": message(text="keep " + text),
        "trigger of another language": message(text="zapamatuj si, že " + text),
        "command": message(text="/keep " + text),
        "no trigger": message(text=text),
        "among others": message(text=f"keep the tea is in the tin; {text}; Ana plays chess"),
        "caption": message(caption="keep " + text, photo=[]),
        "reply": message(text="keep this", reply_to_message=quoted),
        "quote": message(text="keep this", quote={"text": text, "position": 0}),
        "forward": message(
            text=text, forward_origin={"type": "user", "date": 1, "sender_user": OTHER}
        ),
        "contact": message(
            contact={"phone_number": "1", "first_name": text, "vcard": f"BEGIN\nNOTE:{text}\n"}
        ),
        "venue": message(venue={"title": text, "address": text, "location": AT}),
        "new caption": message(caption=text, edit_date=2),
    }


class Room(Stage):
    """A bot whose updates come through the inbox."""

    async def take(self, incoming):
        """Handle one accepted row and what follows from it."""
        update = Update.de_json(json.loads(incoming.body), self.application.bot)
        await self.application.process_update(update)
        self.outbox.done(update.update_id)
        await self.outbox.settle()

    async def edit_to(self, incoming):
        """The row's text as the answer to Edit."""
        await self.say(f"keep the ring of Ana has size {incoming.update_id}")
        await self.press("Edit")
        await self.take(incoming)


def rows(texts, blank):
    """One row for each text and way; the first ids are answers to Edit."""
    numbers = itertools.count(1_000_000)
    for text in texts:
        for way, said in ways(text).items():
            kind = "edited_message" if way == "new caption" else "message"
            body = {"update_id": next(numbers), kind: said}
            yield way, row(arrival(body), blank)


def at_rest(folder, values):
    """How many of the values stand in some file, however JSON or a database writes them."""
    data = b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    forms = {v: (v.encode(), json.dumps(v)[1:-1].encode()) for v in values}
    return sum(any(form in data for form in forms[value]) for value in values)


async def lived(room, incoming, values):
    """Accept all, look, handle all, close, look again; (waiting, in the end)."""
    await room.open()
    room.state.accept([one for _, one in incoming])
    waiting = at_rest(room.folder, values)
    for way, one in incoming:
        await (room.edit_to if way == "no trigger" else room.take)(one)
    await room.close()
    return waiting, at_rest(room.folder, values)


def by_command_line(folder, texts):
    """`pomnenka keep` over the same memory; how many were refused."""
    config = folder / "pomnenka.toml"
    config.write_text('[workspace]\npath = "workspace"\nstate = "state"\n')
    options = ("--user", str(ALICE["id"]), "--json", "--config", str(config))
    answers = (CliRunner().invoke(main, ["keep", *options, "--", text]) for text in texts)
    return sum(json.loads(answer.stdout)["status"] == "refused" for answer in answers)


def at_rest_nowhere(run):
    """Let dangerous texts in by every way and look for them in every file."""
    languages = locales.load(["cs", "en"])
    marked = [t for kind in ("secret", "health") for t in TEXTS[kind] if is_seen(t, languages)]
    chosen = run.chance.sample(marked, min(run.n, len(marked)))
    texts = [plain(text) for text in chosen]
    values = [sought(text, found) for text in chosen for found in VALUE.finditer(text)]
    blank = str if run.broken else partial(triggers.blank, languages=languages)
    log = logging.FileHandler(run.folder / "pomnenka.log")
    log.setFormatter(Redacting("42:TEST"))
    logging.getLogger().addHandler(log)
    try:
        room = Room(run.folder, Rules(languages), languages)
        waiting, after = asyncio.run(lived(room, list(rows(texts, blank)), values))
        asked = texts[:: max(1, len(texts) // 4)]
        refused = by_command_line(run.folder, asked)
    finally:
        logging.getLogger().removeHandler(log)
    counts = {"texts": len(texts), "ways": len(ways("")) + 1, "values looked for": len(values)}
    counts |= {"at rest while waiting": waiting, "at rest in the end": after}
    counts["after the command line"] = at_rest(run.folder, values)
    result = Result(counts)
    result.expect(refused == len(asked), f"the command line refused only {refused}")
    result.expect_zero("at rest while waiting", "at rest in the end", "after the command line")
    return result


def sought(text, marked):
    """What to look for of a marked value."""
    value = marked.group(1)
    return value if len(value) >= SHORTEST else text[: marked.start()][-SHORTEST:] + value


def is_seen(text, languages):
    """Whether the rules see it at all; what they miss is counted by the other test."""
    seen = admission.clean(plain(text), languages)
    return bool(seen.secrets or seen.health)


TESTS = (
    Test(24, "secrets and health values", "q", n=350, few=350, do=found),
    Test(24, "nothing at rest", "q", n=150, few=8, do=at_rest_nowhere),
)
