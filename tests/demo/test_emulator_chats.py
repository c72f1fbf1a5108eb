"""Sections "Chats", "Migration", "Group privacy" and "Commands"."""

import pytest

ALICE, PETR, HANA, GROUP = 111, 222, 333, -1001


@pytest.mark.parametrize(
    ("params", "answer"),
    [
        ({}, "400 Bad Request: chat_id is empty"),
        ({"chat_id": ""}, "400 Bad Request: chat_id is empty"),
        ({"chat_id": 987654}, "400 Bad Request: chat not found"),
        ({"chat_id": "@nobody"}, "400 Bad Request: chat not found"),
        ({"chat_id": HANA}, "403 Forbidden: bot can't initiate conversation with a user"),
    ],
)
async def test_unreachable_chats(telegram, params, answer):
    """Chats: none given, unknown, or never opened by the person."""
    assert await telegram.refused("sendMessage", text="x", **params) == answer


@pytest.mark.parametrize(
    ("action", "body", "chat", "answer"),
    [
        ("block", {"person": ALICE, "blocked": True}, ALICE, "bot was blocked by the user"),
        ("deactivate", {"person": ALICE}, ALICE, "user is deactivated"),
        ("kick", {"person": ALICE, "chat": GROUP}, GROUP, "bot was kicked from the group chat"),
    ],
)
async def test_forbidden(telegram, action, body, chat, answer):
    """Chats: blocked, deactivated, kicked."""
    await telegram.people(f"people/{action}", **body)
    refusal = await telegram.refused("sendMessage", chat_id=chat, text="x")
    assert refusal == f"403 Forbidden: {answer}"


async def test_supergroup_refusals(telegram):
    """Chats: the texts name a supergroup as such."""
    chat = (await telegram.people("people/migrate", chat=GROUP))["chat"]
    await telegram.people("people/kick", person=ALICE, chat=chat)
    refusal = await telegram.refused("sendMessage", chat_id=chat, text="x")
    assert refusal == "403 Forbidden: bot was kicked from the supergroup chat"
    await telegram.people("people/add", person=ALICE, chat=chat)
    await telegram.ok("leaveChat", chat_id=chat)
    refusal = await telegram.refused("sendMessage", chat_id=chat, text="x")
    assert refusal == "403 Forbidden: bot is not a member of the supergroup chat"


async def test_group_without_people(telegram):
    """Chats: a group that everybody left is deleted."""
    for person in (ALICE, PETR, HANA):
        await telegram.people("people/leave", person=person, chat=GROUP)
    refusal = await telegram.refused("sendMessage", chat_id=GROUP, text="x")
    assert refusal == "403 Forbidden: the group chat was deleted"


async def test_start_opens_the_private_chat(telegram):
    """Chats: a person who starts the bot can be written to; deep links carry a payload."""
    await telegram.people("people/start", person=HANA, payload="abc")
    message = telegram.pending()[-1]["message"]
    assert (message["text"], message["from"]["language_code"]) == ("/start abc", "cs")
    assert message["entities"] == [{"offset": 0, "length": 6, "type": "bot_command"}]
    assert (await telegram.send(HANA))["chat"]["id"] == HANA


async def test_block_and_restart_are_told(telegram):
    """Chats: my_chat_member on block and on restart."""
    await telegram.people("people/block", person=ALICE, blocked=True)
    await telegram.people("people/block", person=ALICE, blocked=False)
    changes = [update["my_chat_member"] for update in telegram.fresh()]
    statuses = [(c["old_chat_member"]["status"], c["new_chat_member"]["status"]) for c in changes]
    assert statuses == [("member", "kicked"), ("kicked", "member")]
    assert (await telegram.send())["chat"]["id"] == ALICE


async def test_migration(telegram):
    """Migration: two service messages, then the old id names the new one; ids start anew."""
    chat = (await telegram.people("people/migrate", chat=GROUP))["chat"]
    old, new = [update["message"] for update in telegram.fresh()]
    assert (old["chat"]["id"], old["migrate_to_chat_id"]) == (GROUP, chat)
    assert (new["chat"]["id"], new["migrate_from_chat_id"]) == (chat, GROUP)
    answer = await telegram.call("sendMessage", chat_id=GROUP, text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": chat}
    assert (await telegram.send(chat))["message_id"] == 2


async def test_new_groups(telegram):
    """Chats: basic groups and supergroups have ids of their own kind; the bot is told it joined."""
    body = {"person": ALICE, "title": "New", "members": [PETR]}
    forum = (await telegram.people("people/group", **body, forum=True))["chat"]
    group = (await telegram.people("people/group", **body))["chat"]
    assert (str(forum)[:4], group) == ("-100", -1002)
    updates = telegram.fresh()
    assert [list(update)[1] for update in updates] == ["message", "my_chat_member"] * 2
    assert updates[0]["message"]["new_chat_members"][0]["username"] == "pomnenka_bot"
    assert (await telegram.ok("getChat", chat_id=forum))["is_forum"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("hello", False, id="plain"),
        pytest.param("/keep@pomnenka_bot x", True, id="command-for-it"),
        pytest.param("/keep@POMNENKA_bot x", True, id="command-any-case"),
        pytest.param("/keep@other_bot x", False, id="command-for-another"),
        pytest.param("/keep x", False, id="plain-command"),
        pytest.param("@pomnenka_bot keep x", True, id="mention"),
        pytest.param("@petr keep x", False, id="mention-of-another"),
        pytest.param("mail me@pomnenka_bot.cz", False, id="no-mention"),
    ],
)
async def test_privacy_mode(telegram, text, seen):
    """Privacy: what a member bot sees in a group that it never wrote to."""
    await telegram.say(text, chat=GROUP)
    assert bool(telegram.pending()) is seen


async def test_plain_commands_go_to_the_last_bot(telegram):
    """Privacy: a plain command is seen once the bot spoke last, but not plain text."""
    await telegram.send(GROUP)
    await telegram.say("/keep x", chat=GROUP)
    await telegram.say("see /keep", chat=GROUP)
    await telegram.say("text", chat=GROUP)
    assert [u["message"]["text"] for u in telegram.pending()] == ["/keep x"]


async def test_replies_to_the_bot_are_seen(telegram):
    """Privacy: replies to its messages are shown, replies to people are not."""
    ours = (await telegram.send(GROUP, "which?"))["message_id"]
    theirs = await telegram.say("x", chat=GROUP)
    await telegram.say("3 7", chat=GROUP, reply_to=ours)
    await telegram.say("never", chat=GROUP, reply_to=theirs)
    assert [u["message"]["text"] for u in telegram.pending()] == ["3 7"]


async def test_administrators_see_everything(telegram):
    """Privacy: a bot that is an administrator sees plain text."""
    await telegram.people("people/promote", person=ALICE, chat=GROUP, status="administrator")
    await telegram.say("plain", chat=GROUP)
    assert [list(u)[1] for u in telegram.fresh()] == ["my_chat_member", "message"]


async def test_kick_and_add_are_told(telegram):
    """Privacy: my_chat_member on kick and add; the service message only while inside."""
    await telegram.people("people/kick", person=ALICE, chat=GROUP)
    await telegram.say("@pomnenka_bot x", chat=GROUP)
    await telegram.people("people/add", person=PETR, chat=GROUP)
    kinds = [list(update)[1] for update in telegram.fresh()]
    assert kinds == ["my_chat_member", "message", "my_chat_member"]


async def test_own_messages_never_come_back(telegram):
    """Privacy: nothing that the bot does comes back as an update."""
    message = await telegram.send()
    where = {"chat_id": ALICE, "message_id": message["message_id"]}
    await telegram.ok("editMessageText", **where, text="y")
    await telegram.ok("pinChatMessage", **where)
    assert telegram.pending() == []


async def test_edited_messages(telegram):
    """Updates: an edit comes as edited_message, by the same privacy rules; deletions never."""
    mine = await telegram.say("keep x")
    hidden = await telegram.say("plain", chat=GROUP)
    telegram.fresh()
    body = {"person": ALICE, "text": "keep y"}
    await telegram.people("people/edit", chat=ALICE, message_id=mine, **body)
    await telegram.people("people/edit", chat=GROUP, message_id=hidden, **body)
    await telegram.people("people/delete", person=ALICE, chat=ALICE, message_id=mine)
    (update,) = telegram.fresh()
    assert update["edited_message"]["text"] == "keep y"
    assert "edit_date" in update["edited_message"]


async def test_members(telegram):
    """Methods: who is in a chat, and as what."""
    member = {"chat_id": GROUP}
    assert (await telegram.ok("getChatMember", **member, user_id=ALICE))["status"] == "creator"
    assert (await telegram.ok("getChatMember", **member, user_id=PETR))["status"] == "member"
    assert (await telegram.ok("getChatMember", **member, user_id=123456))["status"] == "member"
    assert "user not found" in await telegram.refused("getChatMember", **member, user_id=4)
    assert "invalid user_id" in await telegram.refused("getChatMember", **member)
    administrators = await telegram.ok("getChatAdministrators", **member)
    assert [a["user"]["id"] for a in administrators] == [ALICE]
    assert await telegram.ok("getChatMemberCount", **member) == 4
    await telegram.people("people/leave", person=PETR, chat=GROUP)
    assert (await telegram.ok("getChatMember", **member, user_id=PETR))["status"] == "left"
    refusal = await telegram.refused("getChatAdministrators", chat_id=ALICE)
    assert refusal == "400 Bad Request: there are no administrators in the private chat"


def commands(*names):
    """Commands with a description each."""
    return [{"command": name, "description": f"do {name}"} for name in names]


async def test_commands_are_kept_per_scope_and_language(telegram):
    """Commands: getMyCommands returns only the exact pair."""
    pair = {"scope": {"type": "all_group_chats"}, "language_code": "cs"}
    await telegram.ok("setMyCommands", commands=commands("/go"), **pair)
    assert await telegram.ok("getMyCommands", **pair) == [
        {"command": "go", "description": "do /go"}
    ]
    for other in ({}, {"scope": pair["scope"]}, {"language_code": "cs"}):
        assert await telegram.ok("getMyCommands", **other) == []
    await telegram.ok("deleteMyCommands", **pair)
    assert await telegram.ok("getMyCommands", **pair) == []


async def test_clients_pick_the_narrowest_scope_then_the_language(telegram):
    """Commands: clients show the narrowest scope, then their language, then none."""
    wide, groups = {"type": "default"}, {"type": "all_group_chats"}
    admins = {"type": "all_chat_administrators"}
    await telegram.ok("setMyCommands", commands=commands("all"), scope=wide)
    await telegram.ok("setMyCommands", commands=commands("vse"), scope=wide, language_code="cs")
    await telegram.ok("setMyCommands", commands=commands("group"), scope=groups)
    await telegram.ok("setMyCommands", commands=commands("admin"), scope=admins)
    shown = (await telegram.state())["commands"]
    names = {
        (chat, person): [c["command"] for c in shown[str(chat)][str(person)]]
        for chat, person in ((111, 111), (222, 222), (-1001, 111), (-1001, 222))
    }
    assert names == {
        (111, 111): ["all"],
        (222, 222): ["vse"],
        (-1001, 111): ["admin"],
        (-1001, 222): ["group"],
    }


@pytest.mark.parametrize(
    ("params", "answer"),
    [
        ({"commands": commands("Upper")}, "BOT_COMMAND_INVALID"),
        ({"commands": commands("x" * 33)}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "a", "description": ""}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        (
            {"commands": [{"command": "a", "description": "x" * 257}]},
            "BOT_COMMAND_DESCRIPTION_INVALID",
        ),
        ({"commands": commands(*[f"c{n}" for n in range(101)])}, "BOT_COMMANDS_TOO_MUCH"),
        ({"commands": commands("a"), "language_code": "cs-CZ"}, "invalid language code specified"),
        ({"commands": commands("a"), "scope": {"type": "moon"}}, "can't parse BotCommandScope"),
        ({"commands": commands("a"), "scope": {"type": "chat", "chat_id": 9}}, "chat not found"),
    ],
    ids=["case", "33", "no-text", "257", "101", "language", "scope", "chat"],
)
async def test_refused_commands(telegram, params, answer):
    """Commands: names of 1-32, texts of 1-256, at most 100, known scopes and languages."""
    assert answer in await telegram.refused("setMyCommands", **params)


@pytest.mark.parametrize("name", ["Name", "Description", "ShortDescription"])
async def test_profile_texts(telegram, name):
    """Methods: name and descriptions per language, with the common one behind."""
    key = {"Name": "name", "Description": "description"}.get(name, "short_description")
    await telegram.ok(f"setMy{name}", **{key: "common"})
    await telegram.ok(f"setMy{name}", **{key: "česky"}, language_code="cs")
    assert await telegram.ok(f"getMy{name}", language_code="cs") == {key: "česky"}
    assert await telegram.ok(f"getMy{name}", language_code="de") == {key: "common"}
    assert "is too long" in await telegram.refused(f"setMy{name}", **{key: "x" * 600})


async def test_menu_button(telegram):
    """Methods: the menu button, common or of one chat."""
    await telegram.ok("setChatMenuButton", menu_button={"type": "commands"}, chat_id=ALICE)
    assert await telegram.ok("getChatMenuButton", chat_id=ALICE) == {"type": "commands"}
    assert await telegram.ok("getChatMenuButton") == {"type": "default"}
