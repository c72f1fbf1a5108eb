"""Memory as menus in chat: what is seen, what is changed, and what an old screen does (X1, M1, D1)."""

import time

import pytest

from curation.engine import Refusal, Refuse
from memory.members import Chat
from tests.handlers.handlers_stage import GROUP, PETR

USER = "# Alice\n- name: Alice\n\n## Style\n- short\n- in Czech\n\n### Email\n- no greeting\n\n## Food\n- tea\n"


async def restart(stage):
    await stage.close()
    await stage.open()


@pytest.fixture
def shelf(stage):
    """Alice's memory: two kept facts and a USER.md with sections."""
    stage.put("- the plumber is Ana\n- the key is at Vrba\n")
    stage.put(USER, "user")
    return stage


async def test_the_documents(shelf):
    """X1: /show lists the documents that exist, with their numbers of entries."""
    await shelf.say("/show")
    assert shelf.text == "What I remember for you. Which file shall I open?"
    assert shelf.labels == ["keep.md · 2", "USER.md · 5"]


async def test_a_document_its_section_and_an_entry(shelf):
    """X1: document, section and entry are opened in place, on one message."""
    await shelf.say("/show")
    await shelf.press("USER.md")
    assert shelf.labels == [
        "1. name: Alice",
        "2. Style · 3",
        "3. Food · 1",
        "Add section",
        "‹ Back",
    ]
    await shelf.press("Style")
    assert shelf.text.startswith("USER.md › Style")
    assert shelf.labels[:3] == ["1. short", "2. in Czech", "3. Email · 1"]
    await shelf.press("2. in Czech")
    assert shelf.text == "in Czech\n\nUSER.md › Style"
    assert shelf.labels == ["Edit", "Move", "Delete", "‹ Back"]
    assert len(shelf.telegram.messages) == 1


async def test_delete_and_undo(shelf):
    """X1, M4: Delete takes the entry out at once; Undo brings it back, both on the menu."""
    await shelf.say("/show user")
    await shelf.press("Style")
    await shelf.press("in Czech")
    await shelf.press("Delete")
    assert "in Czech" not in shelf.file("user")
    assert shelf.text.startswith("Deleted: in Czech\n\nUSER.md › Style")
    await restart(shelf)
    await shelf.press("Undo")
    assert shelf.file("user") == USER
    assert shelf.text.startswith("Stands again: in Czech\n\nUSER.md › Style")
    assert len(shelf.telegram.messages) == 1


async def test_undo_away_from_the_menu(shelf):
    """D1: when the menu is of something else, Undo answers where it was pressed."""
    await shelf.say("/remove in Czech")
    assert shelf.text == "Deleted from USER.md: in Czech"
    await shelf.press("Undo")
    assert (shelf.file("user"), shelf.text) == (USER, "Stands again: in Czech")


async def test_an_entry_goes_with_what_hangs_on_it(shelf):
    """M4: a bullet goes with its continuation lines and nested ones, and the menu says how many."""
    text = "## Boat\n- mast\n  of spruce\n  - 9 m\n  - varnished\n- sail\n"
    shelf.put(text, "notes")
    await shelf.say("/show notes › Boat")
    await shelf.press("mast of spruce")
    assert "2 more entries hang on it" in shelf.text
    assert "Move" not in shelf.labels
    await shelf.press("Delete")
    assert shelf.file("notes") == "## Boat\n- sail\n"
    await shelf.press("Undo")
    assert shelf.file("notes") == text


async def test_edit(shelf):
    """K9, X1: the next message is the wording; it stands as typed, and the menu shows it."""
    await shelf.say("/show user › Style")
    await shelf.press("1. short")
    await shelf.press("Edit")
    await restart(shelf)
    await shelf.say("very  short")
    assert shelf.file("user") == USER.replace("- short", "- very short")
    assert (shelf.text, shelf.labels) == ("Changed: very short", ["Undo"])
    assert "1. very short" in shelf.telegram.messages[111, 1001][0]
    await shelf.press("Undo")
    assert shelf.file("user") == USER


@pytest.mark.parametrize("act", ["Edit", "Add entry", "Add section", "/add"])
async def test_every_way_in_is_guarded(shelf, act):
    """W6: what a keep refuses is refused from a menu too, and nothing of it is stored."""
    shelf.engine.verdicts["zzz"] = Refuse(Refusal.SECRET)
    if act == "/add":
        await shelf.say("/add user › Style: zzz")
    else:
        await shelf.say("/show user" if act == "Add section" else "/show user › Style")
        if act == "Edit":
            await shelf.press("1. short")
        await shelf.press(act)
        await shelf.say("zzz")
    assert shelf.file("user") == USER
    assert shelf.text.startswith("That looks like a secret")
    assert "zzz" not in "".join(str(d.payload) for d in shelf.state.dialogs_of(111))


async def test_what_cannot_be_a_bullet(shelf):
    """M1: a wording that would read as a heading is refused, and the question stays open."""
    await shelf.say("/show user › Style")
    await shelf.press("1. short")
    await shelf.press("Edit")
    await shelf.say("# short")
    assert shelf.text == "An entry cannot begin with #, or it would be taken for a heading."
    await shelf.say("brief")
    assert shelf.file("user") == USER.replace("- short", "- brief")


async def test_edit_of_what_is_gone(shelf):
    """D5: what was changed by hand meanwhile is left alone, and the text is given back."""
    await shelf.say("/show user › Style")
    await shelf.press("1. short")
    await shelf.press("Edit")
    changed = USER.replace("- short", "- short, but kind")
    shelf.put(changed, "user")
    await shelf.say("brief")
    assert shelf.file("user") == changed
    assert shelf.text.endswith("Your text:\n\nbrief")


async def test_add_an_entry_to_a_subsection(shelf):
    """M1: a new entry goes to the end of the section that is shown, with Undo."""
    await shelf.say("/show user › Style › Email")
    await shelf.press("Add entry")
    assert shelf.text == "What shall I add to “Email”?"
    await shelf.say("no signature")
    assert "- no greeting\n- no signature\n\n## Food" in shelf.file("user")
    await shelf.press("Undo")
    assert shelf.file("user") == USER


async def test_add_a_section(shelf):
    """M1: a new section stands at the end; a name that exists is refused with those there are."""
    await shelf.say("/show user")
    await shelf.press("Add section")
    await shelf.say("style")
    assert shelf.text.startswith("There is a section of that name already.")
    await shelf.say("Travel")
    assert shelf.file("user") == f"{USER}\n## Travel\n"
    assert "4. Travel: 0 entries" in shelf.telegram.messages[111, 1001][0]


async def test_remove_a_section(shelf):
    """M1: a section is asked for once, with its count, then goes to its end; Undo restores it."""
    await shelf.say("/show user › Style")
    await shelf.press("Remove section")
    assert shelf.text == "Remove “USER.md › Style” with 3 entries?"
    assert shelf.file("user") == USER
    await shelf.press("Remove section")
    assert shelf.file("user") == "# Alice\n- name: Alice\n\n## Food\n- tea\n"
    await shelf.press("Undo")
    assert shelf.file("user") == USER
    assert shelf.text.startswith("Stands again: “Style” with 3 entries")


async def test_a_section_is_not_removed_unasked(shelf):
    """M1: Back from the question changes nothing."""
    await shelf.say("/show user › Style")
    await shelf.press("Remove section")
    await shelf.press("Back")
    assert shelf.file("user") == USER
    assert shelf.text.startswith("USER.md › Style")


async def test_a_pin_holds_no_person_back(shelf):
    """M4: a pinned section is marked, and a person's own command works in it."""
    shelf.put("## Style <!-- pinned -->\n- short\n- brief\n", "user")
    await shelf.say("/show user")
    assert shelf.labels[0] == "1. 📌 Style · 2"
    await shelf.press("Style")
    await shelf.press("brief")
    await shelf.press("Delete")
    assert shelf.file("user") == "## Style <!-- pinned -->\n- short\n"


async def test_equal_headings_are_told_apart(shelf):
    """M4: of two sections of one name the one that was opened is written."""
    shelf.put("## Day\n- one\n\n## Day\n- two\n", "user")
    await shelf.say("/show user")
    await shelf.press("2. Day")
    await shelf.press("Add entry")
    await shelf.say("three")
    assert shelf.file("user") == "## Day\n- one\n\n## Day\n- two\n- three\n"


async def test_move_to_another_section(shelf):
    """X1: Move within a document is one change, and one Undo takes it back."""
    await shelf.say("/show user › Style")
    await shelf.press("in Czech")
    await shelf.press("Move")
    assert shelf.labels[:3] == ["› Food", "keep.md", "notes.md"]
    await shelf.press("Food")
    assert shelf.file("user") == USER.replace("- in Czech\n", "") + "- in Czech\n"
    assert shelf.text.startswith("Moved to USER.md › Food: in Czech\n\nUSER.md › Style")
    await shelf.press("Undo")
    assert shelf.file("user") == USER


async def test_move_to_another_document(shelf):
    """X1: Move writes there first, then takes out here; Undo puts both back."""
    await shelf.say("/list")
    await shelf.press("plumber")
    await shelf.press("Move")
    await shelf.press("notes.md")
    assert shelf.file("notes") == "- the plumber is Ana\n"
    assert shelf.file() == "- the key is at Vrba\n"
    await shelf.press("Undo")
    assert shelf.file() == "- the plumber is Ana\n- the key is at Vrba\n"
    assert not shelf.file("notes")
    assert shelf.text.startswith("Back in keep.md: the plumber is Ana\n\nkeep.md")


async def test_fields_of_soul(shelf):
    """product.md 2: the value of a field is changed; no section is added or removed."""
    shelf.put("# Soul\n\n## Name\nNela\n\n## Tone\n- kind\n", "soul")
    await shelf.say("/show soul")
    assert shelf.labels == ["1. Name: Nela", "2. Tone: kind", "‹ Back"]
    await shelf.press("Name")
    assert shelf.labels == ["Change", "‹ Back"]
    await shelf.press("Change")
    assert "Nela" in shelf.text
    await shelf.say("Pomněnka")
    assert shelf.file("soul") == "# Soul\n\n## Name\nPomněnka\n\n## Tone\n- kind\n"
    await shelf.press("Undo")
    assert "Nela" in shelf.file("soul")


@pytest.mark.parametrize(
    ("name", "slug"), [("index", ""), ("dated", "2026-05-03"), ("overlay", "mail")]
)
async def test_what_is_only_shown(shelf, name, slug):
    """product.md 2: the index, daily files and overlays are only read here."""
    shelf.put("# Title\n- one → memory_one.md\n", name, slug)
    await shelf.say(f"/show {shelf.path(name, slug).name}")
    await shelf.press("1. one")
    assert shelf.labels == ["‹ Back"]
    assert shelf.text.endswith("I only show this file; I do not change it here.")


async def test_what_is_no_bullet(shelf):
    """M4: prose and numbered items are shown, and it is said that only the file changes them."""
    shelf.put("Some words.\n\n1. first\n", "notes")
    await shelf.say("/show notes")
    await shelf.press("2. first")
    assert shelf.labels == ["‹ Back"]
    assert "This is no bullet" in shelf.text


async def test_since_when(shelf):
    """K11: an entry says since when it reads so, where the journal knows."""
    await shelf.say("keep the boiler is in the cellar")
    await shelf.say("/list")
    await shelf.press("boiler")
    assert "so since 2026-05-04" in shelf.text


async def test_pages(shelf):
    """X1: eight rows a page, the newest page of keep.md first, numbers running on."""
    shelf.put("".join(f"- fact {n}\n" for n in range(1, 36)))
    await shelf.say("/list")
    assert shelf.labels[:3] == ["33. fact 33", "34. fact 34", "35. fact 35"]
    await shelf.press("‹")
    assert shelf.labels[:8] == [f"{n}. fact {n}" for n in range(25, 33)]
    assert "4/5" in shelf.labels
    await shelf.press("25. fact 25")
    await shelf.press("Delete")
    assert shelf.labels[1:3] == ["25. fact 26", "26. fact 27"]


async def test_a_page_beyond_the_end(shelf):
    """D1: a forged page, row or verb draws the page that there is and changes nothing."""
    await shelf.say("/list")
    message, data = shelf.data("plumber")
    id = data.split(":")[0]
    for forged in (
        "page:99999",
        "open:999999",
        "open:19",
        "drop:10",
        "clear:10",
        "apply:10",
        "up:7",
    ):
        await shelf.press_data(f"{id}:{forged}", message=message)
    assert shelf.file() == "- the plumber is Ana\n- the key is at Vrba\n"


async def test_an_old_screen_opens_nothing_else(shelf):
    """D1: a row pressed on an older page is not taken for a row of the present one."""
    shelf.put("".join(f"- fact {n}\n" for n in range(1, 20)))
    await shelf.say("/show keep")
    message, data = shelf.data("1. fact 1")
    await shelf.press("›")
    await shelf.press_data(data, message=message)
    assert shelf.labels[0] == "9. fact 9"
    await shelf.press("9. fact 9")
    await shelf.press_data(data.replace("open", "drop"), message=message)
    assert shelf.file().count("\n") == 19


async def test_a_document_that_changed(shelf):
    """D5: an entry is known by its text; where it moved it is found, where it is gone it is said."""
    await shelf.say("/list")
    shelf.put("- new above\n- the plumber is Ana\n- the key is under the mat\n")
    await shelf.press("the key")
    assert shelf.text.startswith("That is no longer there")
    await shelf.press("plumber")
    await shelf.press("Delete")
    assert shelf.file() == "- new above\n- the key is under the mat\n"


async def test_deleting_what_is_gone(shelf):
    """D5: what was replaced since it was opened is not deleted in its place."""
    await shelf.say("/list")
    await shelf.press("plumber")
    shelf.put("- the plumber is Eva\n- the key is at Vrba\n")
    await shelf.press("Delete")
    assert shelf.file() == "- the plumber is Eva\n- the key is at Vrba\n"
    assert shelf.text.startswith("That is no longer there, so I changed nothing.")


async def test_equal_lines_that_moved(shelf):
    """D5: of two equal lines that both moved, neither is guessed at."""
    shelf.put("- one\n- milk\n- two\n")
    await shelf.say("/list")
    await shelf.press("milk")
    shelf.put("- milk\n- one\n- two\n- three\n- milk\n")
    await shelf.press("Delete")
    assert shelf.file().count("milk") == 2


async def test_a_section_that_is_gone(shelf):
    """D5: where a section was removed meanwhile, the menu goes one step back and says so."""
    await shelf.say("/show user › Food")
    shelf.put(USER.replace("## Food\n- tea\n", ""), "user")
    await shelf.press("Remove section")
    assert shelf.text.startswith("That is no longer there")
    assert "2. Style · 3" in shelf.labels


async def test_a_replayed_press(shelf):
    """W4: the press that deleted an entry, delivered again, deletes no second one."""
    await shelf.say("/list")
    await shelf.press("plumber")
    message, data = shelf.data("Delete")
    for _ in range(2):
        await shelf.press_data(data, message=message, query="q-7")
    assert shelf.file() == "- the key is at Vrba\n"
    assert shelf.text.startswith("Deleted: the plumber is Ana")
    await shelf.press("Undo")
    assert shelf.file() == "- the plumber is Ana\n- the key is at Vrba\n"


async def test_a_press_after_a_crash(shelf):
    """W4: written, but not answered before the crash: the same press finds what it did."""
    await shelf.say("/list")
    await shelf.press("plumber")
    message, data = shelf.data("Delete")
    before = shelf.state.dialogs_of(111)[0]
    await shelf.press_data(data, message=message, query="q-7")
    shelf.state.amend(before.id, before.payload)
    await shelf.press_data(data, message=message, query="q-7")
    assert shelf.file() == "- the key is at Vrba\n"
    assert shelf.text.startswith("Deleted: the plumber is Ana")


async def test_a_new_menu_supersedes_the_old(shelf):
    """D4: an older menu says that it is over and loses its keyboard; /pending lists none."""
    await shelf.say("/show")
    message, data = shelf.data("keep.md")
    await shelf.say("/show")
    assert shelf.telegram.messages[111, message][1] == []
    await shelf.press_data(data, message=message)
    assert shelf.alert == "This question is over. Please start again."
    assert shelf.telegram.messages[111, message][1] == []
    await shelf.say("/pending")
    assert shelf.text == "Nothing is waiting for you."


async def test_somebody_else_presses(shelf):
    """D3: a menu is for the one who opened it."""
    await shelf.say("/show")
    message, data = shelf.data("keep.md")
    await shelf.press_data(data, by=PETR, message=message)
    assert "Vrba" not in shelf.text


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
