"""Memory as menus in chat: what is seen and what is changed (X1, M1)."""

import pytest

from curation.engine import Refusal, Refuse
from tests.handlers.browse_stage import USER, restart


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
