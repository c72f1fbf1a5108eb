"""The people's side: demo/PEOPLE.md, and the faults and the journal of the tests."""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientError

from demo import people_routes
from tests.demo.emulator_side import telegram_side

ALICE, PETR, HANA, GROUP = 111, 222, 333, -1001


class Stream:
    """An open event stream of a page."""

    def __init__(self, response):
        self.response = response

    async def next(self):
        """Name and data of the next event."""
        while True:
            chunk = (await asyncio.wait_for(self.response.content.readuntil(b"\n\n"), 3)).decode()
            if not chunk.startswith(":"):
                fields = dict(line.split(": ", 1) for line in chunk.strip().split("\n"))
                return fields["event"], json.loads(fields["data"])

    async def names(self, count):
        """Names of the next events."""
        return [(await self.next())[0] for _ in range(count)]


@asynccontextmanager
async def watching(side):
    """A page that listens."""
    async with side.http.get(f"{side.url}/people/events") as response:
        await response.content.readuntil(b"\n\n")
        yield Stream(response)


async def test_the_world_at_start(telegram):
    """R1: three people with a private chat each, one group, and who was opened."""
    state = await telegram.state()
    people = {p["id"]: (p["first_name"], p["language_code"], p["opened"]) for p in state["people"]}
    assert people == {
        ALICE: ("Alice", "en", True),
        PETR: ("Petr", "cs", True),
        HANA: ("Hana", "cs", False),
    }
    chats = {chat["id"]: (chat["type"], chat["members"]) for chat in state["chats"]}
    assert chats[GROUP] == ("group", [ALICE, PETR, HANA])
    assert chats[HANA] == ("private", [HANA])
    assert state["bot"]["username"] == "pomnenka_bot"
    assert state["messages"] == {"111": [], "222": [], "333": [], "-1001": []}


async def test_what_a_page_is_told(telegram):
    """R1: every page is told of messages, edits, answers, actions and deletions of both sides."""
    async with watching(telegram) as one, watching(telegram) as two:
        mine = await telegram.say("hi")
        name, data = await one.next()
        assert (name, data["chat"], data["message"]["by"]) == ("message", ALICE, ALICE)
        button = {"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]}
        sent = (await telegram.send(reply_markup=button))["message_id"]
        name, data = await one.next()
        assert (name, data["message"]["by"]) == ("message", "bot")
        assert data["message"]["reply_markup"] == button
        number = await telegram.tap(sent)
        await telegram.ok("answerCallbackQuery", callback_query_id=number, text="ok")
        assert await one.next() == (
            "answer",
            {
                "callback_query_id": number,
                "person": ALICE,
                "chat": ALICE,
                "message_id": sent,
                "text": "ok",
                "show_alert": False,
                "url": "",
            },
        )
        await telegram.ok("editMessageText", chat_id=ALICE, message_id=sent, text="new")
        name, data = await one.next()
        assert (name, data["message"]["edited"], data["message"]["text"]) == ("edited", True, "new")
        await telegram.ok("sendChatAction", chat_id=ALICE, action="typing")
        action = {"chat": ALICE, "action": "typing", "topic": 0}
        assert await one.next() == ("action", action)
        await telegram.people("people/delete", person=ALICE, chat=ALICE, message_id=mine)
        assert await one.next() == ("deleted", {"chat": ALICE, "message_id": mine})
        assert (await two.names(6))[-1] == "deleted"


async def test_events_are_numbered(telegram):
    """R1: a page can tell which events its state already holds."""
    await telegram.say("before")
    async with telegram.http.get(f"{telegram.url}/people/events") as response:
        await response.content.readuntil(b"\n\n")
        last = (await telegram.state())["last_event"]
        await telegram.say("after")
        chunk = (await response.content.readuntil(b"\n\n")).decode()
        assert int(re.search(r"id: (\d+)", chunk)[1]) == last + 1


async def test_language_changes_commands(telegram):
    """R1: each person's interface language decides which commands they see."""
    command = [{"command": "nech", "description": "česky"}]
    await telegram.ok("setMyCommands", commands=command, language_code="cs")
    async with watching(telegram) as page:
        await telegram.people("people/language", person=ALICE, language_code="cs")
        assert await page.names(1) == ["people"]
        _, data = await page.next()
        assert data["commands"]["111"]["111"] == command
    await telegram.say("ahoj")
    assert telegram.pending()[-1]["message"]["from"]["language_code"] == "cs"


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("say", {"person": 9, "chat": ALICE, "text": "x"}, "there is no person 9"),
        ("say", {"person": PETR, "chat": ALICE, "text": "x"}, "Petr is not in chat 111"),
        ("say", {"person": ALICE, "chat": 5, "text": "x"}, "there is no chat 5"),
        ("say", {"person": ALICE, "chat": ALICE, "text": " "}, "there is no text"),
        ("say", {"person": ALICE, "chat": ALICE, "text": "x" * 4097}, "longer than 4096"),
        (
            "say",
            {"person": ALICE, "chat": ALICE, "text": "x", "reply_to": 9},
            "there is no message 9",
        ),
        ("edit", {"person": PETR, "chat": GROUP, "message_id": 1, "text": "x"}, "only the author"),
        ("delete", {"person": PETR, "chat": GROUP, "message_id": 1}, "only the author"),
        ("migrate", {"chat": ALICE}, "only a basic group"),
        ("promote", {"person": ALICE, "chat": GROUP, "status": "king"}, "status must be"),
        ("load", {"chats": 0}, "chats must be 1"),
    ],
)
async def test_senseless_actions(telegram, path, body, answer):
    """R1: an action that makes no sense is a 400 with one sentence."""
    await telegram.say("x", chat=GROUP)
    async with telegram.http.post(f"{telegram.url}/people/{path}", json=body) as got:
        assert got.status == 400
        assert answer in (await got.json())["error"]


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Host": "evil.example"}],
    ids=["origin", "host"],
)
async def test_foreign_pages_are_refused(telegram, headers):
    """R1: other sites' pages can neither act nor read, even when they borrow the address."""
    url = f"{telegram.url}/people/state"
    async with telegram.http.get(url, headers=headers) as got:
        assert got.status == 403


async def test_blocked_people_do_not_speak(telegram):
    """R1: who has blocked the bot restarts it before writing."""
    await telegram.people("people/block", person=ALICE, blocked=True)
    body = {"person": ALICE, "chat": ALICE, "text": "x"}
    async with telegram.http.post(f"{telegram.url}/people/say", json=body) as got:
        assert got.status == 400
    await telegram.people("people/start", person=ALICE)
    assert telegram.pending()[-1]["message"]["text"] == "/start"


async def test_forwards_name_their_origin_or_hide_it(telegram):
    """K2: a forward arrives with forward_origin, of a person or of a mere name."""
    said = await telegram.say("secret plan", person=PETR, chat=GROUP)
    body = {"person": ALICE, "chat": GROUP, "message_id": said, "to": ALICE}
    await telegram.people("people/forward", **body)
    await telegram.people("people/forward", **body, hidden=True)
    open_, hidden = [u["message"]["forward_origin"] for u in telegram.pending()]
    assert (open_["type"], open_["sender_user"]["id"]) == ("user", PETR)
    assert (hidden["type"], hidden["sender_user_name"]) == ("hidden_user", "Petr")


async def test_captions(telegram):
    """K2: a document with a caption."""
    body = {"person": ALICE, "chat": ALICE, "file_name": "a.md", "content": "- x"}
    await telegram.people("people/document", **body, caption="/keep this")
    message = telegram.pending()[-1]["message"]
    assert (message["caption"], message["caption_entities"][0]["type"]) == (
        "/keep this",
        "bot_command",
    )
    assert message["document"]["file_size"] == 3
    edit = {"person": ALICE, "chat": ALICE, "message_id": message["message_id"]}
    await telegram.people("people/edit", **edit, text="other")
    edited = telegram.pending()[-1]["edited_message"]
    assert (edited["caption"], "caption_entities" in edited) == ("other", False)


async def test_anonymous_administrators(telegram):
    """G2: an anonymous administrator is no person but a sender_chat."""
    await telegram.say("/keep@pomnenka_bot x", chat=GROUP, anonymous=True)
    message = telegram.pending()[-1]["message"]
    assert message["from"]["username"] == "GroupAnonymousBot"
    assert message["sender_chat"]["id"] == GROUP


async def test_reactions(telegram):
    """Updates: reactions are seen by pages, and by bots that are administrators and ask."""
    telegram.emulator.updates.allow(["message_reaction"])
    message = (await telegram.send(GROUP))["message_id"]
    await telegram.people("people/promote", person=ALICE, chat=GROUP, status="administrator")
    body = {"person": PETR, "chat": GROUP, "message_id": message}
    await telegram.people("people/react", **body, emoji="👍")
    await telegram.people("people/react", **body, emoji="")
    added, removed = [update["message_reaction"] for update in telegram.pending()]
    assert (added["new_reaction"], removed["new_reaction"]) == (
        [{"type": "emoji", "emoji": "👍"}],
        [],
    )


async def test_reset(telegram):
    """R1: the world can start anew while the commands stay."""
    await telegram.ok("setMyCommands", commands=[{"command": "a", "description": "b"}])
    await telegram.say("x")
    await telegram.people("people/reset")
    state = await telegram.state()
    assert state["messages"]["111"] == []
    assert state["commands"]["111"]["111"]
    assert telegram.pending() == []


async def test_every_action_is_documented():
    """R1: PEOPLE.md names every call of the people's side."""
    text = Path(people_routes.__file__).with_name("PEOPLE.md").read_text(encoding="utf-8")
    assert [path for path in people_routes.ACTIONS if path not in text] == []


@pytest.mark.parametrize(
    ("fault", "status", "description"),
    [
        ({"status": 500}, 500, "Internal Server Error"),
        ({"status": 400, "description": "Bad Request: moon"}, 400, "Bad Request: moon"),
        ({"retry_after": 7}, 429, "Too Many Requests: retry after 7"),
    ],
)
async def test_refusals_on_demand(telegram, fault, status, description):
    """Faults: the next calls of a method fail as asked, then all is well."""
    await telegram.people("faults", method="sendMessage", times=2, **fault)
    assert (await telegram.ok("getMe"))["is_bot"]
    for _ in range(2):
        answer = await telegram.call("sendMessage", chat_id=ALICE, text="x")
        assert (answer["error_code"], answer["description"]) == (status, description)
    assert await telegram.send()
    assert len((await telegram.state())["messages"]["111"]) == 1


@pytest.mark.parametrize(("chat", "burst", "pause"), [(ALICE, 5, 6), (GROUP, 20, 61)])
async def test_flood_limits(telegram, chat, burst, pause):
    """429: with limits on, a flood is refused with the seconds to wait, chat actions are not."""
    await telegram.people("faults", limits=True)
    for number in range(burst):
        if number and number % 5 == 0:
            await telegram.people("clock", advance=5)
        await telegram.send(chat)
    answer = await telegram.call("sendMessage", chat_id=chat, text="x")
    assert answer["description"].startswith("Too Many Requests: retry after ")
    assert 0 < answer["parameters"]["retry_after"] <= pause
    await telegram.ok("sendChatAction", chat_id=chat, action="typing")
    await telegram.people("clock", advance=answer["parameters"]["retry_after"])
    assert await telegram.send(chat)


@pytest.mark.parametrize(("after", "messages"), [(False, 0), (True, 1)], ids=["before", "after"])
async def test_cut_connections(telegram, after, messages):
    """Faults: the connection is cut before the call, or after it was carried out."""
    await telegram.people("faults", method="sendMessage", times=1, cut=True, after=after)
    with pytest.raises(ClientError):
        await telegram.send()
    assert len((await telegram.state())["messages"]["111"]) == messages
    assert await telegram.send()


async def test_delays(telegram):
    """Faults: a call can be made slow, and what waits can be cleared."""
    await telegram.people("faults", method="*", times=5, delay=0.3)
    begun = asyncio.get_running_loop().time()
    await telegram.ok("getMe")
    assert asyncio.get_running_loop().time() - begun > 0.29
    await telegram.people("faults", clear=True)
    begun = asyncio.get_running_loop().time()
    await telegram.ok("getMe")
    assert asyncio.get_running_loop().time() - begun < 0.2


async def test_an_update_can_come_twice(telegram):
    """Faults: with polling, an update comes again although it was confirmed."""
    await telegram.people("faults", deliver_twice=1)
    await telegram.say("one")
    (first,) = await telegram.ok("getUpdates")
    again = await telegram.ok("getUpdates", offset=first["update_id"] + 1)
    assert again == [first]
    await telegram.say("two")
    later = await telegram.ok("getUpdates", offset=first["update_id"] + 1)
    assert [u["message"]["text"] for u in later] == ["two"]


async def test_the_journal_tells_everything(telegram):
    """Faults: calls, updates and actions stand in the journal in order."""
    await telegram.say("hi")
    await telegram.send()
    await telegram.refused("sendMessage", chat_id=5, text="x")
    journal = await telegram.get("journal")
    told = [(entry["kind"], entry["name"]) for entry in journal["entries"]]
    assert told == [
        ("update", "message"),
        ("people", "/people/say"),
        ("call", "sendmessage"),
        ("call", "sendmessage"),
    ]
    assert journal["entries"][-1]["answer"] == "400 Bad Request: chat not found"
    assert (await telegram.get("journal?since=3"))["entries"] == journal["entries"][3:]


@pytest.mark.parametrize("path", ["/page/../server.py", "/page/%2e%2e/server.py", "/page/none.js"])
async def test_only_the_page_is_served(telegram, path):
    """R1: nothing outside demo/page can be read."""
    from yarl import URL

    async with telegram.http.get(URL(telegram.url + path, encoded=True)) as got:
        assert got.status == 404


async def test_live_files(tmp_path):
    """R1: a page is told of Markdown and log files with the lines just written, never of links."""
    keep = tmp_path / "users" / "111" / "keep.md"
    keep.parent.mkdir(parents=True)
    keep.write_text("- a\n- b\n", encoding="utf-8")
    (tmp_path / "secret.md").symlink_to("/etc/hostname")
    (tmp_path / "link").symlink_to("/etc")
    (tmp_path / "state.sqlite").write_bytes(b"x")
    async with telegram_side(tmp_path) as side, watching(side) as page:
        assert await side.get("people/files") == [
            {"path": "users/111/keep.md", "text": "- a\n- b\n"}
        ]
        await asyncio.sleep(0.25)
        keep.write_text("- a\n- new ř\n- b\n- end\n", encoding="utf-8")
        name, data = await page.next()
        assert (name, data["path"], data["added"]) == ("files", "users/111/keep.md", [1, 3])
        keep.unlink()
        assert (await page.next())[1] == {"path": "users/111/keep.md", "text": None, "added": []}
