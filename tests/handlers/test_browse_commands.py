"""Menus in chat by name, by command and by number (X1, M1, D2)."""

import time

import pytest

from memory.members import Chat
from tests.handlers.browse_stage import USER
from tests.handlers.handlers_stage import GROUP, PETR


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("/show memory.md", "memory.md"),
        ("/show MEMORY.md", "MEMORY.md"),
        ("/show memory", "MEMORY.md"),
        ("/show Garden", "projects/garden.md"),
        ("/show boat", "memory_boat.md"),
        ("/show USER", "USER.md"),
        ("show USER.md", "USER.md"),
        ("/show agents", "AGENTS.md"),
    ],
)
async def test_names(shelf, said, title):
    """X1: a document is found by its file, its path, or its short name, whatever the case."""
    shelf.put("- a → memory_boat.md\n", "index")
    shelf.put("- a\n", "memory")
    shelf.put("- a\n", "project", "garden")
    shelf.put("- a\n", "topic", "boat")
    await shelf.say(said)
    assert shelf.text.split("\n")[0] == title


async def test_a_name_that_is_none(shelf):
    """X1: an unknown name is answered with those there are."""
    await shelf.say("/show nonsense")
    assert shelf.text.startswith("There is no file called “nonsense”.")
    assert shelf.labels == ["keep.md · 2", "USER.md · 5"]


async def test_a_document_that_is_not_there_yet(shelf):
    """X1: an empty document says so, and its first entry can be added."""
    await shelf.say("/show notes")
    assert shelf.text == "notes.md\nNothing stands in it yet."
    await shelf.press("Add entry")
    await shelf.say("read Šimon")
    assert shelf.file("notes") == "- read Šimon\n"


async def test_nothing_at_all(stage):
    """X1: who has nothing yet is told how to begin."""
    await stage.say("/show")
    assert (stage.text[:24], stage.labels) == ("I remember nothing for y", [])


@pytest.mark.parametrize("said", ["ukaž paměť", "Co si pamatuješ?", "/ukaz", "/ukaž", "/pamet"])
async def test_in_czech(stage, said):
    """L1, X1: words and commands of another language open the same menu."""
    stage.put("- klíč má Vrba\n", by=PETR)
    await stage.say(said, by=PETR)
    assert stage.text == "Tohle si pro tebe pamatuju. Který soubor mám otevřít?"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("/zrus", "Nic otevřeného nebylo."),
        ("/zrušit", "Nic otevřeného nebylo."),
        ("/zpet", "Není co vracet."),
    ],
)
async def test_commands_by_their_czech_names(stage, said, text):
    """L1: a command may be called by its name in a language of the bot."""
    await stage.say(said, by=PETR)
    assert stage.text == text


async def test_keep_by_its_czech_name(stage):
    """L1: a translated command is the command in everything."""
    await stage.say("/zapamatuj klíč má Vrba", by=PETR)
    assert stage.file(by=PETR) == "- klíč má Vrba\n"


async def test_very_long_entries(shelf):
    """X1: a page and an entry fit into a message however long the texts are."""
    shelf.put("".join(f"- {n} {'word ' * 800}\n" for n in range(9)))
    await shelf.say("/show keep")
    assert len(shelf.text) < 4096
    assert all(len(label) <= 34 for label in shelf.labels)
    await shelf.press("1. 0 word")
    assert len(shelf.text) < 4096


async def test_a_long_document(shelf):
    """X1: a menu over ten thousand lines answers at once."""
    lines = "".join(f"- fact {n} about something in the garden\n" for n in range(10_000))
    shelf.put(lines)
    await shelf.say("/list")
    begun = time.perf_counter()
    await shelf.press("‹")
    assert time.perf_counter() - begun < 1.0
    assert "1249/1250" in shelf.labels


async def test_buttons_are_short(shelf):
    """D1: button data is an opaque id, a verb and a number, at most 64 bytes."""
    await shelf.say("/show user › Style")
    for _, rows in shelf.telegram.messages.values():
        assert all(len(b["callback_data"].encode()) <= 64 for row in rows for b in row)


async def test_add_by_command(shelf):
    """M1: /add names document and section; case and accents do not matter."""
    await shelf.say("/add user › style: answer: briefly")
    assert "- in Czech\n- answer: briefly\n\n### Email" in shelf.file("user")
    assert shelf.text == "Filed in USER.md › Style: answer: briefly"
    await shelf.press("Undo")
    assert shelf.file("user") == USER


async def test_add_asks_for_the_section(shelf):
    """M1: where a section is needed and none is said, the sections are buttons."""
    await shelf.say("/add user: coffee")
    assert shelf.labels == ["Style", "Food"]
    await shelf.press("Food")
    assert shelf.file("user") == f"{USER}- coffee\n"
    assert shelf.text.startswith("Added to “Food”: coffee")
    await shelf.press("Back")
    assert shelf.text.startswith("USER.md")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("/add", "Say where and what"),
        ("/add user › Travel: x", "There is no section of that name."),
        ("/add nonsense: x", "There is no file called “nonsense”."),
        ("/add memory: x", "That cannot be done with this document."),
        ("/remove", "Say a few words of it"),
        ("/remove zebra", "No entry has “zebra” in it"),
    ],
)
async def test_commands_that_do_not_fit(shelf, said, text):
    """M1: what cannot be done is said, and nothing is changed."""
    await shelf.say(said)
    assert shelf.text.startswith(text)
    assert (shelf.file("user"), shelf.file("memory")) == (USER, None)


async def test_add_makes_the_first_section(stage):
    """M1: an empty USER.md gets its first section with the entry."""
    await stage.say("/add user: likes tea")
    assert stage.file("user") == "## Good to know\n- likes tea\n"


async def test_add_to_keep_is_a_keep(shelf):
    """K4: what is added to keep.md goes the way of everything that is kept."""
    await shelf.say("/add keep: the boiler is in the cellar")
    assert shelf.text == "Kept: the boiler is in the cellar"


async def test_remove_with_several_candidates(shelf):
    """M1: multiple matches are listed as buttons with their places; the picked one is shown."""
    shelf.put("- the key of the boat\n", "notes")
    await shelf.say("/remove the KEY")
    assert shelf.text.startswith("2 entries have “the KEY” in them. Which one do you mean?")
    assert shelf.labels == ["1. the key is at Vrba", "2. the key of the boat"]
    await shelf.press("2. the key")
    await shelf.press("Delete")
    assert shelf.file("notes") == ""
    assert "1 entry has" in shelf.text


async def test_rooms(stage):
    """M2: in private the chats a person shares with the bot are there to take notes on."""
    stage.state.members.enter(Chat(GROUP["id"], "supergroup", "Zahrádka"), (111,))
    await stage.say("/show")
    assert stage.labels == ["Notes on Zahrádka · 0"]
    await stage.press("Zahrádka")
    await stage.press("Add entry")
    await stage.say("Petr is the one with the shed")
    assert stage.file("room", "-1001") == "## Good to know\n- Petr is the one with the shed\n"
    await stage.say("/show zahradka")
    assert stage.text.startswith("Notes on Zahrádka")


async def test_an_unreadable_document(shelf):
    """W3: a file that is no text is listed, and opening it says why it cannot be shown."""
    shelf.path("notes").write_bytes(b"\xff\xfe")
    await shelf.say("/show")
    assert "notes.md · ?" in shelf.labels
    await shelf.press("notes.md")
    assert "notes.md" in shelf.text
    assert "UTF-8" in shelf.text


async def test_delete_by_number(shelf):
    """D2: words mean the numbers of the page that is shown, as one change with one Undo."""
    shelf.put("".join(f"- fact {n}\n" for n in range(1, 12)))
    await shelf.say("/list")
    for _ in range(2):
        await shelf.say("delete 9 and 11", message_id=77)
    assert shelf.file() == "".join(f"- fact {n}\n" for n in (*range(1, 9), 10))
    assert shelf.text.startswith("Deleted: 2 entries\n\nkeep.md")
    await shelf.press("Undo")
    assert shelf.file().count("\n") == 11


@pytest.mark.parametrize("said", ["delete 3", "delete 9 12", "keep 9"])
async def test_numbers_of_no_entry(shelf, said):
    """D2: a number that is not on the page changes nothing."""
    text = "".join(f"- fact {n}\n" for n in range(1, 12))
    shelf.put(text)
    await shelf.say("/list")
    await shelf.say(said)
    assert shelf.file() == text
    assert ("9, 10, 11" in shelf.text) == said.startswith("delete")


async def test_numbers_of_what_is_only_shown(shelf):
    """product.md 2: words do no more than buttons: the index is not written here."""
    shelf.put("- one → memory_one.md\n", "index")
    await shelf.say("/show memory.md")
    await shelf.say("delete 1")
    assert shelf.file("index") == "- one → memory_one.md\n"


@pytest.mark.parametrize("verb", ["drop", "reword", "clear", "add", "head", "carry", "apply"])
async def test_a_forged_button_on_what_is_only_shown(shelf, verb):
    """D3, product.md 2: a button that was not there changes nothing."""
    shelf.put("- one → memory_one.md\n", "index")
    await shelf.say("/show memory.md")
    await shelf.press("1. one")
    message, data = shelf.data("Back")
    await shelf.press_data(f"{data.split(':')[0]}:{verb}:20", message=message)
    if verb == "carry":
        await shelf.press("keep.md")
    await shelf.say("two")
    assert shelf.file("index") == "- one → memory_one.md\n"
    assert shelf.file() == "- the plumber is Ana\n- the key is at Vrba\n"


AGENTS = "## Rules\n- [2026-01-02] run the tests\n- [2026-01-03] never push\n"


async def test_a_rule_gets_its_day(shelf):
    """product.md 2: a rule of AGENTS.md that is worded anew bears the day of the change."""
    shelf.put(AGENTS, "agents")
    await shelf.say("/show agents › Rules")
    await shelf.press("run the tests")
    await shelf.press("Edit")
    await shelf.say("run all tests")
    assert "- [2026-05-04] run all tests\n" in shelf.file("agents")
    await shelf.say("/add agents › rules: no new dependency")
    assert shelf.file("agents").endswith("- [2026-05-04] no new dependency\n")


async def test_a_rule_leaves_its_day_behind(shelf):
    """product.md 2: only AGENTS.md is dated, so a moved rule stands without its day."""
    shelf.put(AGENTS, "agents")
    await shelf.say("/show agents › Rules")
    await shelf.press("never push")
    await shelf.press("Move")
    await shelf.press("notes.md")
    assert shelf.file("notes") == "- never push\n"
    await shelf.press("Undo")
    assert (shelf.file("agents"), shelf.file("notes") or "") == (AGENTS, "")


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_other_lines_stay(shelf, end, ends):
    """W2: byte order mark, line ends and a missing last one stay through delete, move and undo."""
    text = f"\ufeff## A\n- one\n- two\n\n## B\n- three{end}".replace("\n", ends)
    shelf.put(text, "notes")
    for steps in (
        ("A", "two", "Delete"),
        ("B", "three", "Move", "› A"),
        ("A", "one", "Move", "› B"),
    ):
        await shelf.say("/show notes")
        for label in steps:
            await shelf.press(label)
        assert shelf.path("notes").read_bytes() != text.encode()
        await shelf.press("Undo")
        assert shelf.path("notes").read_bytes() == text.encode()


@pytest.mark.parametrize("left", ["", "- tea pot\n"])
async def test_a_replayed_remove(shelf, left):
    """W4: /remove, delivered again, says what it did and does not take the next entry."""
    shelf.put(f"- tea\n{left}", "notes")
    shelf.put("- key\n", "user")
    for _ in range(2):
        await shelf.say("/remove tea", message_id=77)
    assert shelf.file("notes") == left
    assert shelf.text == "Deleted from notes.md: tea"


async def test_add_to_a_section_that_is_not_there(shelf):
    """M1, W3: the sections there are come as buttons, and the text is not lost."""
    await shelf.say("/add USER.md › Drinks: no sugar")
    assert "There is no section of that name." in shelf.text
    assert "no sugar" in shelf.text
    assert shelf.labels[:2] == ["Style", "Food"]
    await shelf.press("Food")
    assert "## Food\n- tea\n- no sugar\n" in shelf.file("user")


async def test_add_to_one_of_two_equal_sections(shelf):
    """M1: two sections of one name are told apart by a button."""
    shelf.put("## Ideas\n- a\n\n## Ideas\n- b\n", "notes")
    await shelf.say("/add notes.md › Ideas: delta")
    assert "delta" in shelf.text
    await shelf.press("Ideas", message=None)
    assert shelf.file("notes").count("- delta") == 1


async def test_a_long_entry_is_told_shortened(shelf):
    """M1: the answer to an entry of thousands of characters shows its beginning."""
    await shelf.say("/add USER.md › Food: " + "plums and pears, " * 200)
    assert len(shelf.text) < 1000
    assert len(shelf.file("user")) > 3000
