"""Menus in chat: pages, old screens, and what changed meanwhile (X1, D1, D4)."""

from tests.handlers.browse_stage import USER
from tests.handlers.handlers_stage import PETR


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
