"""Governance in chat: one proposal over the index and its topics, whole repairs, undo (S2, S5)."""

import os
from dataclasses import replace
from datetime import timedelta

import pytest

from curation.engine import Relation
from curation.governance import survey
from handlers.compacting import estate
from handlers.compacting.repairing import carry_out
from handlers.context import Person, Place, Turn
from memory.edits import append_entry
from memory.errors import Unfinished
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Author, Item
from tests.handlers.handlers_stage import ALICE, GROUP, NOON, PETR

INDEX = "# Index\n\n## Work\n- Insurance → memory_insurance.md\n- Boat → memory_boat.md\n"
BOAT = "# Boat\r\n- mast 9 m\r\n- no newline at the end"
COURSE = "# Course progress\n- unit 7\n"


def age(stage, slug, days):
    """Let a topic's file be so many days old."""
    at = (stage.now - timedelta(days=days)).timestamp()
    os.utime(stage.path("topic", slug), (at, at))


@pytest.fixture
def untidy(stage):
    """A dead pointer, a topic of 200 days with a pointer, and an orphan."""
    stage.put(INDEX, "index")
    stage.put(BOAT, "topic", "boat")
    age(stage, "boat", 200)
    stage.put(COURSE, "topic", "course")
    age(stage, "course", 3)
    return stage


def files(stage):
    """What governance may touch, as it stands."""
    return {
        "index": stage.file("index"),
        "boat": stage.path("topic", "boat").read_bytes(),
        "archived": _bytes(stage.path("archive", "boat")),
        "course": stage.file("topic", "course"),
    }


def _bytes(path):
    return path.read_bytes() if path.exists() else b""


async def test_the_proposal(untidy):
    """S5, C4: one numbered proposal, a toggle for each repair; nothing is changed by looking."""
    before = files(untidy)
    await untidy.say("/tidy")
    assert untidy.text == (
        "3 things in memory.md can be put right:\n\n"
        "Move to the archive:\n"
        "1. Boat (memory_boat.md) — untouched for 200 days\n\n"
        "Remove, because the file is gone:\n"
        "2. Insurance → memory_insurance.md\n\n"
        "Add to the index:\n"
        "3. Course progress → memory_course.md\n\n"
        "Commands: apply | keep 3 7 | delete 2 5 | cancel"
    )
    assert untidy.labels == [
        "☑ 1. Boat",
        "☑ 2. Insurance",
        "☑ 3. Course progress",
        "Apply (3)",
        "Cancel",
    ]
    assert files(untidy) == before


async def test_apply(untidy):
    """S5, S2, W2: the old topic stands byte for byte in the archive, its file is empty and no
    topic any more, pointers are true; a second look finds nothing (C2)."""
    await untidy.say("tidy up my memory index")
    await untidy.press("Apply")
    assert untidy.text == "3 things put right."
    assert files(untidy) == {
        "index": "# Index\n\n## Work\n- Course progress → memory_course.md\n",
        "boat": b"",
        "archived": BOAT.encode(),
        "course": COURSE,
    }
    assert untidy.layout.slugs(personal(111), DocumentName.TOPIC) == ("course",)
    await untidy.say("/tidy")
    assert untidy.text == "Nothing to tidy in memory.md."


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_undo_of_one(untidy, number):
    """C6: each repair is taken back alone, all of its files at once, byte for byte."""
    before = files(untidy)
    await untidy.say("/tidy")
    await untidy.say(f"delete {number}")
    assert files(untidy) != before
    await untidy.press("Undo")
    assert files(untidy) == before


async def test_undo_of_all_one_by_one(untidy):
    """C6: in whatever order the repairs are taken back, everything is as it was."""
    before = files(untidy)
    await untidy.say("/tidy")
    await untidy.press("Apply")
    assert untidy.labels == ["↩ 1. Boat", "↩ 2. Insurance", "↩ 3. Course progress"]
    card = untidy.newest[1]
    for number in (2, 1, 3):
        await untidy.press(f"↩ {number}.", message=card)
    after = files(untidy)
    assert sorted(after.pop("index").split("\n")) == sorted(before.pop("index").split("\n"))
    assert after == before


@pytest.mark.parametrize(
    ("words", "done"), [("keep 1", {2, 3}), ("delete 1 3", {1, 3}), ("apply", {1, 2, 3})]
)
async def test_words(untidy, words, done):
    """D2: words and buttons are the same answer."""
    await untidy.say("/tidy")
    await untidy.say(words)
    now = files(untidy)
    assert (now["boat"] == b"", "insurance" not in now["index"], "course" in now["index"]) == (
        1 in done,
        2 in done,
        3 in done,
    )


async def test_toggles_and_wrong_numbers(untidy):
    """D2, D4: a number out of range changes nothing; a toggled row is left out."""
    await untidy.say("/tidy")
    await untidy.say("delete 9")
    assert "1 to 3" in untidy.text
    await untidy.press("☑ 1.")
    await untidy.press("Apply (2)")
    assert files(untidy)["boat"] == BOAT.encode()


async def test_what_was_declined_rests(untidy):
    """C7: a repair that was left out is not proposed again for 90 days."""
    await untidy.say("/tidy")
    await untidy.say("keep 1")
    await untidy.say("/tidy")
    assert untidy.text == "Nothing to tidy in memory.md."
    untidy.later(days=91)
    await untidy.say("/tidy")
    assert "1. Boat" in untidy.text


async def test_cancel(untidy):
    """D2: nothing is changed and nothing waits any more."""
    before = files(untidy)
    await untidy.say("/tidy")
    await untidy.say("cancel")
    assert files(untidy) == before
    await untidy.say("apply")
    assert files(untidy) == before


async def test_the_files_moved_on(untidy):
    """D5: a topic that was written to, a file that came back and a topic that went are skipped
    and named; the rest is done, and no half of a move stays."""
    await untidy.say("/tidy")
    untidy.put("# Boat\n- sold\n", "topic", "boat")
    untidy.put("# Insurance\n", "topic", "insurance")
    untidy.path("topic", "course").unlink()
    await untidy.press("Apply")
    assert untidy.text.startswith("Nothing was left to put right.")
    assert all(f"\n{n}. " in untidy.text for n in (1, 2, 3))
    assert untidy.file("index") == INDEX
    assert untidy.file("topic", "boat") == "# Boat\n- sold\n"
    assert not _bytes(untidy.path("archive", "boat"))


async def test_an_archive_that_has_that_name(untidy):
    """S5: what stands in the archive already is never written over."""
    untidy.put("- older\n", "archive", "boat")
    await untidy.say("/tidy")
    await untidy.press("Apply")
    assert untidy.file("archive", "boat") == "- older\n"
    assert untidy.path("archive", "boat_2").read_bytes() == BOAT.encode()


async def test_a_press_that_comes_again(untidy):
    """W4: the same press handled twice does everything once."""
    await untidy.say("/tidy")
    message, data = untidy.data("Apply")
    await untidy.press_data(data, message=message, query="same")
    done = files(untidy)
    await untidy.press_data(data, message=message, query="same")
    assert files(untidy) == done
    assert untidy.text == "3 things put right."


async def test_only_the_owner(untidy):
    """D3: somebody else's press changes nothing."""
    before = files(untidy)
    await untidy.say("/tidy")
    message, data = untidy.data("Apply")
    await untidy.press_data(data, by=PETR, message=message)
    assert files(untidy) == before


async def test_asked_for_in_a_group(untidy):
    """G2: the proposal goes to the private chat."""
    await untidy.say("/tidy", chat=GROUP)
    assert {
        chat for (chat, _), (text, _) in untidy.telegram.messages.items() if "Boat" in text
    } == {ALICE["id"]}


async def test_what_only_a_person_can_settle(stage):
    """S5: contradictions, repetitions and misplaced files are shown and never changed."""
    stage.put("- Lives in Brno\n- Likes tea\n", "user")
    stage.put("- Likes tea\n", "keep")
    stage.put("# Home\n- Lives in Prague\n", "topic", "home")
    stage.put("- Home → memory_home.md\n", "index")
    stage.path().with_name("memory_Foo.md").write_text("x\n")
    stage.engine.relations["Lives in Brno", "Lives in Prague"] = Relation.CONTRADICTS
    age(stage, "home", 1)
    await stage.say("/tidy")
    assert stage.text == (
        "Only you can settle these:\n"
        "• USER.md says “Lives in Brno”, memory_home.md says “Lives in Prague”\n"
        "• “Likes tea” stands in USER.md and in keep.md\n"
        "• memory_Foo.md is read by nobody, it looks like memory_….md"
    )
    assert stage.labels == []
    await stage.say("apply")
    assert stage.file("topic", "home") == "# Home\n- Lives in Prague\n"


async def test_a_full_index_takes_no_pointer(untidy):
    """S1: at 180 lines an orphan stays one and is named; what shrinks the index always goes."""
    untidy.put(INDEX + "→ x\n" * 176, "index")
    await untidy.say("/tidy")
    await untidy.say("keep 1")
    assert "\n3. Course progress" in untidy.text
    assert untidy.file("index").count("\n") == 180
    assert "insurance" not in untidy.file("index") and "course" not in untidy.file("index")


async def test_many_repairs_have_pages(stage):
    """C4, B14: a long proposal is paged; its numbers stay."""
    for n in range(30):
        stage.put(f"# Topic {n}\n", "topic", f"t{n:02}")
        age(stage, f"t{n:02}", 1)
    await stage.say("/tidy")
    assert "24 things" in stage.text
    await stage.press("›")
    assert "9. Topic 8 →" in stage.text


async def test_pending(untidy):
    """D6: a proposal that waits is listed, shown again, and can be ended."""
    await untidy.say("/tidy")
    await untidy.say("/pending")
    assert "3 things to put right in memory.md" in untidy.text
    await untidy.press("Show 1")
    assert "1. Boat" in untidy.text
    await untidy.say("/cancel")
    await untidy.say("/pending")
    assert "Boat" not in untidy.text


async def test_the_monthly_hint(untidy):
    """S5: after a keep, once in 30 days, and only where there is something to do."""

    async def hinted():
        before = len(untidy.telegram.messages)
        await untidy.say(f"keep ring size {before}")
        return "3 things in memory.md can be put right: /tidy" in untidy.text

    assert await hinted()
    assert not await hinted()
    untidy.later(days=29)
    assert not await hinted()
    untidy.later(days=1)
    assert await hinted()


async def test_no_hint_without_a_reason(stage):
    """S5: who has nothing to tidy hears nothing."""
    await stage.say("keep ring size 54")
    assert "tidy" not in stage.text


async def test_the_journal_makes_a_topic_young(untidy):
    """S5: what was written through the bot counts, whatever the file's own time says."""
    ref = DocumentRef(personal(111), DocumentName.TOPIC, "boat")
    untidy.store.apply(ref, [Item("x", append_entry("sold"))], Author(111))
    age(untidy, "boat", 200)
    await untidy.say("/tidy")
    assert "Boat" not in untidy.text
    assert untidy.now == NOON


async def test_undo_never_loses_the_only_copy(untidy):
    """C6, S5: when the topic's file was taken anew meanwhile, its old lines still stand
    somewhere after Undo, whole."""
    await untidy.say("/tidy")
    await untidy.say("delete 1")
    untidy.put("# Another boat\n- bought in May\n", "topic", "boat")
    await untidy.press("Undo")
    now = files(untidy)
    assert BOAT.encode() in (now["archived"] or now["boat"])
    assert b"bought in May" in now["boat"]


async def test_undo_of_half_says_so(untidy):
    """C6: what stands in the archive was changed: the topic comes back, and Undo says the rest."""
    await untidy.say("/tidy")
    await untidy.say("delete 1")
    untidy.put(BOAT.replace("9 m", "11 m"), "archive", "boat")
    await untidy.press("Undo")
    assert untidy.text.endswith("The rest could not be taken back, because it has changed since.")
    assert files(untidy)["boat"] == BOAT.encode()
    assert b"11 m" in files(untidy)["archived"]


@pytest.mark.parametrize(("lines", "told"), [(149, False), (150, True), (180, True)])
async def test_a_long_index_without_anything_to_repair(stage, lines, told):
    """S1: whoever is sent here by a full index always learns what to do."""
    stage.put("→ x\n" * lines, "index")
    await stage.say("/tidy")
    assert (f"memory.md has {lines} lines" in stage.text) is told
    assert told or stage.text == "Nothing to tidy in memory.md."


async def test_a_move_that_fails_at_its_end_is_taken_back(untidy):
    """S2, W3: the index cannot be written: the topic is as it was, nothing is left in the
    archive, the error is told, and the card can be pressed again."""
    await untidy.say("/tidy")
    card = untidy.newest[1]
    untidy.path("index").write_bytes(b"caf\xe9\n")
    await untidy.press("Apply", message=card)
    assert "memory.md" in untidy.text
    untidy.put(INDEX, "index")
    assert files(untidy)["boat"] == BOAT.encode()
    assert not _bytes(untidy.path("archive", "boat"))
    await untidy.press("Apply", message=card)
    assert untidy.path("archive", "boat").read_bytes() == BOAT.encode()


async def test_an_archive_that_cannot_be_made(untidy):
    """W3: a file in the archive's place: nothing is changed, and the text of the error says so."""
    before = files(untidy)
    await untidy.say("/tidy")
    untidy.path("archive", "boat").parent.write_text("in the way\n")
    await untidy.press("Apply")
    assert {k: v for k, v in files(untidy).items() if k != "archived"} == {
        k: v for k, v in before.items() if k != "archived"
    }
    assert "put right" not in untidy.text


class Meddling:
    """A store beside which another program writes ``text`` to a file after each write."""

    def __init__(self, store, path, text):
        self._store, self._path, self._text = store, path, text

    def __getattr__(self, name):
        return getattr(self._store, name)

    def apply(self, *args):
        receipt = self._store.apply(*args)
        self._path.write_text(self._text)
        return receipt


def move(stage, store=None):
    """The boat's move to the archive, carried out without a proposal."""
    services = replace(stage.services, store=store or stage.store)
    turn = Turn(services, stage.policy, Person(111), Place(111), "bot", request="r1")
    found = survey(estate.gather(stage.services, personal(111)), stage.now.date())
    return turn, next(repair for repair in found if repair.slug == "boat")


async def test_a_topic_written_to_after_its_copy(untidy):
    """D5: what another program wrote between the copy and the emptying stays, and the copy goes."""
    path = untidy.path("topic", "boat")
    turn, repair = move(untidy, Meddling(untidy.store, path, "# Boat\n- new\n"))
    assert carry_out(turn, 1, repair).skipped
    assert path.read_text() == "# Boat\n- new\n"
    assert not _bytes(untidy.path("archive", "boat"))
    assert untidy.file("index") == INDEX


async def test_an_archive_that_filled_up_meanwhile(untidy):
    """S5, D5: what stands in the archive by now is not written over, and the topic stays."""
    turn, repair = move(untidy)
    untidy.put("- other\n", "archive", "boat")
    assert carry_out(turn, 1, repair).skipped
    assert untidy.file("archive", "boat") == "- other\n"
    assert untidy.path("topic", "boat").read_bytes() == BOAT.encode()


async def test_a_move_that_was_interrupted_goes_on(untidy):
    """W4, S2: killed after the copy, the same request finishes the move and copies nothing twice."""
    turn, repair = move(untidy)
    outcome = carry_out(turn, 1, repair)
    again = carry_out(turn, 1, repair)
    assert again == outcome
    assert untidy.layout.slugs(personal(111), DocumentName.ARCHIVE) == ("boat",)
    assert untidy.path("archive", "boat").read_bytes() == BOAT.encode()


class Dying:
    """A store that comes to its first write only, as if the program were killed then."""

    def __init__(self, store):
        self._store, self._writes = store, 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    def apply(self, ref, *args):
        self._writes += 1
        if self._writes > 1:
            raise Unfinished(ref)
        return self._store.apply(ref, *args)


async def test_a_kill_between_copy_and_emptying(untidy):
    """W4, S2: at that moment the topic stands twice and never nowhere; the same request ends it."""
    turn, repair = move(untidy, Dying(untidy.store))
    with pytest.raises(Unfinished):
        carry_out(turn, 1, repair)
    assert files(untidy)["boat"] == files(untidy)["archived"] == BOAT.encode()
    assert carry_out(replace(turn, services=untidy.services), 1, repair).op
    assert (files(untidy)["boat"], files(untidy)["archived"]) == (b"", BOAT.encode())
