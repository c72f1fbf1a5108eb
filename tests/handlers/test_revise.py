"""Undo, Edit and Move: from the journal, for 30 days, after any restart (K9, D6, W6)."""

import pytest

from curation.engine import Keep, Kind, Refusal, Refuse
from memory.edits import append_entry
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Author, Item
from tests.handlers.handlers_stage import ALICE, PETR


async def restart(stage):
    await stage.close()
    await stage.open()


@pytest.fixture
def kept(stage):
    """Alice's keep.md with a line of before."""
    stage.put("- old\n")
    return stage


async def test_undo_after_a_restart(kept):
    """K9, D1: Undo takes the line back, also after the bot was started again."""
    await kept.say("keep the plumber is Ana")
    await restart(kept)
    await kept.press("Undo")
    assert kept.file() == "- old\n"
    assert (kept.text, kept.labels) == ("Taken back: the plumber is Ana", [])


async def test_undo_twice(kept):
    """D4: a repeated press is harmless and is told."""
    await kept.say("keep the plumber is Ana")
    message, data = kept.data("Undo")
    await kept.press_data(data, message=message)
    await kept.press_data(data, message=message)
    assert kept.file() == "- old\n"
    assert kept.text == "That was taken back already."


@pytest.mark.parametrize(
    ("days", "text"),
    [(29, "Taken back: the plumber is Ana"), (31, "That is longer than 30 days ago")],
)
async def test_undo_lasts_thirty_days(kept, days, text):
    """D6: Undo works for 30 days."""
    await kept.say("keep the plumber is Ana")
    kept.later(days=days)
    await kept.press("Undo")
    assert kept.text.startswith(text)


async def test_undo_of_an_edit_says_what_stands_again(kept):
    """K9: who takes a changed wording back is told which line stands now."""
    await kept.say("keep the plumber is Ana")
    await kept.press("Edit")
    await kept.say("the plumber is Eva")
    await kept.press("Undo")
    assert kept.file() == "- old\n- the plumber is Ana\n"
    assert kept.text == "Taken back: the plumber is Eva\nAgain: the plumber is Ana"


async def test_undo_of_somebody_else(kept):
    """D3: an operation of another person is not known to the presser."""
    await kept.say("keep the plumber is Ana")
    message, data = kept.data("Undo")
    await kept.press_data(data, by=PETR, message=message)
    assert "plumber" in kept.file()
    assert kept.text == "Tuhle změnu už nemůžu najít."


async def test_the_undo_command(kept):
    """/undo takes back the person's last operation, then the one before, then says so."""
    await kept.say("keep one")
    await kept.say("keep two")
    await kept.say("/undo")
    assert (kept.file(), kept.text) == ("- old\n- one\n", "Taken back: two")
    await kept.say("/undo")
    await kept.say("/undo")
    assert (kept.file(), kept.text) == ("- old\n", "There is nothing to take back.")


async def test_edit(kept):
    """K9: Edit asks for the wording, the next message replaces the entry, in its place."""
    await kept.say("keep the plumber is Ana")
    await kept.say("keep another")
    message = min(m for _, m in kept.telegram.messages)
    await restart(kept)
    await kept.press("Edit", message=message)
    assert "the plumber is Ana" in kept.text
    await kept.say("the plumber is Eva")
    assert kept.file() == "- old\n- the plumber is Eva\n- another\n"
    assert (kept.text, kept.labels) == ("Changed: the plumber is Eva", ["Undo", "Edit", "Move"])
    await kept.press("Undo")
    assert kept.file() == "- old\n- the plumber is Ana\n- another\n"


async def test_an_edit_stands_as_typed(kept):
    """K9: the wording a person sends is the entry; no rewrite has the last word, one line it is."""
    kept.engine.verdicts["the plumber  is\nEva"] = Keep("plumber: Eva", Kind.FACT)
    await kept.say("keep the plumber is Ana")
    await kept.press("Edit")
    await kept.say("the plumber  is\nEva")
    assert kept.file() == "- old\n- the plumber is Eva\n"


@pytest.mark.parametrize("why", [Refusal.SECRET, Refusal.HEALTH_VALUE, Refusal.INJECTION])
async def test_an_edit_is_a_way_in(kept, why):
    """W6: what a keep refuses, Edit refuses too, and the entry stays."""
    kept.engine.verdicts["zzz"] = Refuse(why)
    await kept.say("keep the plumber is Ana")
    await kept.press("Edit")
    await kept.say("zzz")
    assert kept.file() == "- old\n- the plumber is Ana\n"
    assert "zzz" not in kept.text


async def test_edit_of_what_is_gone(kept):
    """D5: an entry that the person removed by hand is not brought back; the text is given back."""
    await kept.say("keep the plumber is Ana")
    await kept.press("Edit")
    kept.put("- old\n")
    await kept.say("the plumber is Eva")
    assert kept.file() == "- old\n"
    assert "the plumber is Eva" in kept.text


async def test_move_and_back(kept):
    """K9: Move writes to the picked place and takes the entry out; Undo turns both back."""
    kept.put("## Style\n- short\n", "user")
    await kept.say("keep answer in Czech")
    await kept.press("Move")
    assert kept.labels == ["notes.md", "USER.md › Style", "AGENTS.md", "Cancel"]
    await kept.press("USER.md")
    assert kept.file("user") == "## Style\n- short\n- answer in Czech\n"
    assert kept.file() == "- old\n"
    assert kept.text == "Moved to USER.md › Style: answer in Czech"
    await restart(kept)
    await kept.press("Undo")
    assert kept.file("user") == "## Style\n- short\n"
    assert kept.file() == "- old\n- answer in Czech\n"
    assert kept.text == "Back in keep.md: answer in Czech"


async def test_a_move_that_comes_back_by_half(kept):
    """C6: where the other place has changed, the answer says that the entry stands in both."""
    await kept.say("keep answer in Czech")
    await kept.press("Move")
    await kept.press("AGENTS.md")
    kept.later(minutes=11)
    kept.put(kept.file("agents").replace("answer in Czech", "always answer in Czech"), "agents")
    await kept.say("/undo")
    assert kept.file() == "- old\n- answer in Czech\n"
    assert "It also still stands" in kept.text


async def test_move_can_be_cancelled(kept):
    """K9: a move that is cancelled changes nothing."""
    await kept.say("keep answer in Czech")
    await kept.press("Move")
    await kept.press("Cancel")
    assert kept.file() == "- old\n- answer in Czech\n"
    assert kept.text == "It stays where it is."


@pytest.mark.parametrize("text", ["- ", "   ", "\n"])
async def test_an_edit_to_nothing(kept, text):
    """K3: no empty entry is ever stored; the question stays open."""
    await kept.say("keep the plumber is Ana")
    await kept.press("Edit")
    await kept.say(text)
    assert kept.file() == "- old\n- the plumber is Ana\n"
    await kept.say("the plumber is Eva")
    assert kept.file() == "- old\n- the plumber is Eva\n"


async def test_a_replayed_undo(kept):
    """W4: the same /undo message takes back one operation, however often it is delivered."""
    await kept.say("keep one")
    await kept.say("keep two")
    for _ in range(2):
        await kept.say("/undo", message_id=77)
    assert kept.file() == "- old\n- one\n"


async def test_undo_goes_on_to_what_is_older(kept):
    """D6: what cannot be taken back any more is told once, and the next /undo goes on."""
    await kept.say("keep one")
    await kept.say("keep two")
    kept.later(minutes=11)
    kept.put("- old\n- one\n- two, changed by hand\n")
    await kept.say("/undo")
    assert kept.file() == "- old\n- one\n- two, changed by hand\n"
    assert kept.text.startswith("“two” no longer stands there as I wrote it")
    assert kept.text.endswith("\nThe next /undo takes back what came before.")
    await kept.say("/undo")
    assert kept.file() == "- old\n- two, changed by hand\n"
    await kept.say("/undo")
    assert kept.text == "There is nothing to take back."


async def test_a_replayed_undo_that_finds_nothing(kept):
    """W4: an /undo that could do nothing is no other /undo when it comes again."""
    await kept.say("keep one")
    await kept.say("keep two")
    kept.later(minutes=11)
    kept.put("- old\n- one\n- two, changed by hand\n")
    for _ in range(2):
        await kept.say("/undo", message_id=77)
    assert kept.file() == "- old\n- one\n- two, changed by hand\n"
    assert kept.text.startswith("“two” no longer stands")


async def test_a_replayed_press_says_the_entry(kept):
    """W4: after a crash the press that took an entry back is answered as the first time."""
    await kept.say("keep the plumber is Ana")
    message, data = kept.data("Undo")
    for _ in range(2):
        await kept.press_data(data, message=message, query="q-1")
    assert kept.text == "Taken back: the plumber is Ana"


TOPIC, INDEX = "# Boat\n- mast 9 m\n", "# Index\n- Boat → memory_boat.md\n"


def twins(stage):
    """A topic's file and its pointer, written as two operations that belong together (S2)."""
    request, op = (ALICE["id"], ALICE["id"], 1), ""
    for name, slug, lines in (("topic", "boat", TOPIC), ("index", "", INDEX)):
        ref = DocumentRef(personal(ALICE["id"]), DocumentName(name), slug)
        stage.put(lines.splitlines(True)[0], name, slug)
        edit = append_entry(lines.splitlines()[1].removeprefix("- "))
        author = Author(*request, f"with:{op}" if op else "chat")
        op = stage.store.apply(ref, [Item("entry", edit)], author).op


@pytest.mark.parametrize("times", [1, 2], ids=["once", "replayed"])
async def test_twins_are_taken_back_together(stage, times):
    """S2: a topic and its pointer go together, and the sentence names the entry."""
    twins(stage)
    for _ in range(times):
        await stage.say("/undo", message_id=77)
    assert stage.file("topic", "boat") == "# Boat\n"
    assert stage.file("index") == "# Index\n"
    assert stage.text == "Taken back: mast 9 m"


async def test_twins_stay_together(stage):
    """S2: when the topic has changed since, its pointer stays too, and /undo goes on."""
    twins(stage)
    stage.later(minutes=11)
    stage.put("# Boat\n- mast 10 m\n", "topic", "boat")
    await stage.say("/undo")
    assert stage.file("index") == INDEX
    assert stage.text.startswith("“mast 9 m” no longer stands there")
    await stage.say("/undo")
    assert stage.text == "There is nothing to take back."


async def test_a_pointer_that_changed_stays(stage):
    """S2: the entry is taken back, and it is said that the pointer was left alone."""
    twins(stage)
    stage.later(minutes=11)
    stage.put("# Index\n- My boat → memory_boat.md\n", "index")
    await stage.say("/undo")
    assert stage.file("topic", "boat") == "# Boat\n"
    assert stage.text.startswith("Taken back: mast 9 m. The line about it in memory.md has changed")
