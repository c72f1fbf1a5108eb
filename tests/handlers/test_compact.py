"""Compaction: one numbered proposal, and what its answers do to the file (C1-C8, K10, D2-D5)."""

import pytest

from curation.engine import Item
from memory.changeset import Category, Change, Op
from memory.document import Span
from tests.handlers.handlers_stage import ALICE, PETR, Stage

MEMORY = "## Server\n" + "".join(f"- fact {n}\n" for n in range(1, 13))


def delete(document, number, line, **fields):
    """An item that deletes one line."""
    text = document.lines[line]
    span = Span(line, line + 1)
    change = Change(Op.DELETE, (span,), (text,), (), Category.DETAIL, "only a command")
    return Item(
        number,
        Op.DELETE,
        Category.DETAIL,
        text.removeprefix("- "),
        (change,),
        "detail_command",
        **fields,
    )


def merge(document, number, line):
    """An item that merges two neighbouring lines."""
    spans = (Span(line, line + 2),)
    old = document.lines[line : line + 2]
    new = ("- " + "; ".join(text.removeprefix("- ") for text in old),)
    change = Change(Op.MERGE, spans, tuple(old), new, None, "neighbouring lines")
    return Item(number, Op.MERGE, None, new[0].removeprefix("- "), (change,), "merge_topic")


def four(document):
    """Three deletions, one of them unsure, and a merge."""
    return (
        delete(document, 1, 1),
        delete(document, 2, 3, borderline=True),
        delete(document, 3, 5),
        merge(document, 4, 7),
    )


@pytest.fixture
def proposed(stage):
    """A MEMORY.md of thirteen lines with four proposed changes."""
    stage.put(MEMORY, "memory")
    stage.engine.proposals["memory"] = four
    return stage


async def test_the_proposal(proposed):
    """C4: one numbered proposal with categories, reasons, toggles and the commands line."""
    await proposed.say("compact memory")
    assert proposed.text == (
        "Found 4 candidates to change in MEMORY.md:\n\n"
        "Delete:\n"
        "1. [detail] fact 1 — only a command or its flags\n"
        "⚠ 2. [detail] fact 3 — only a command or its flags\n"
        "3. [detail] fact 5 — only a command or its flags\n\n"
        "Merge:\n"
        "4. “fact 7” + “fact 8” → fact 7; fact 8 — neighbouring lines on one topic\n\n"
        "⚠ = look twice, I am not sure\n"
        "Commands: apply | keep 3 7 | delete 2 5 | cancel"
    )
    assert proposed.labels[0] == "☑ 1. fact 1"
    assert proposed.labels[-2:] == ["Apply (4)", "Cancel"]
    assert proposed.file("memory") == MEMORY


async def test_apply_and_its_report(proposed):
    """C5, C6: the file loses the lines, the log gains one line an item, the report counts."""
    await proposed.say("compact memory")
    await proposed.press("Apply")
    assert proposed.file("memory") == (
        "## Server\n- fact 2\n- fact 4\n- fact 6\n- fact 7; fact 8\n"
        "- fact 9\n- fact 10\n- fact 11\n- fact 12\n"
    )
    assert proposed.file("log").splitlines() == [
        '2026-05-04 12:30 DELETED [detail] "fact 1" — only a command',
        '2026-05-04 12:30 DELETED [detail] "fact 3" — only a command',
        '2026-05-04 12:30 DELETED [detail] "fact 5" — only a command',
        '2026-05-04 12:30 MERGED "fact 7" + "fact 8" → "fact 7; fact 8" — neighbouring lines',
    ]
    assert proposed.text == "Compaction: 13 → 9 lines\n4 changes applied."
    assert proposed.labels == ["Undo", "Undo one by one"]


async def test_undo_restores_the_bytes(proposed):
    """C6: Undo of the whole brings every byte back."""
    await proposed.say("compact memory")
    await proposed.say("apply")
    await proposed.press("Undo")
    assert proposed.file("memory") == MEMORY
    assert proposed.text == "Taken back: 9 → 13 lines"


@pytest.mark.parametrize("way", ["words", "button"])
async def test_undo_of_one_item(proposed, way):
    """C6: a single item comes back, the others stay; also when words applied them."""
    await proposed.say("compact memory")
    await (proposed.say("apply") if way == "words" else proposed.press("Apply"))
    await proposed.press("Undo one by one")
    assert proposed.labels == ["↩ 1. fact 1", "↩ 2. fact 3", "↩ 3. fact 5", "↩ 4. fact 7; fact 8"]
    await proposed.press("↩ 2")
    assert "- fact 3\n" in proposed.file("memory")
    assert "- fact 1\n" not in proposed.file("memory")
    assert len(proposed.labels) == 3


SAME = {
    "keep 2 4": ("keep 2 4", ("2", "4")),
    "nech 2 a 4": ("nech 2 a 4", ("2", "4")),
    "delete 1 3": ("delete 1 3", ("2", "4")),
    "keep 2-4": ("keep 2-4", ("2", "3", "4")),
    "apply": ("apply", ()),
}


@pytest.mark.parametrize(("words", "off"), SAME.values(), ids=SAME.keys())
async def test_words_and_buttons_are_the_same(tmp_path, languages, words, off):
    """D2: an answer in words and by toggles gives files equal to the byte."""
    files = []
    for way in ("words", "buttons"):
        stage = await Stage(tmp_path / way, _scripted(), languages).open()
        stage.put(MEMORY, "memory")
        await stage.say("compact memory")
        if way == "words":
            await stage.say(words)
        else:
            for number in off:
                await stage.press(f"☑ {number}.")
            await stage.press("Apply")
        files.append((stage.file("memory"), stage.file("log")))
        await stage.close()
    assert files[0] == files[1]
    assert files[0][0] != MEMORY


def _scripted():
    from tests.handlers.scripted_engine import ScriptedEngine

    engine = ScriptedEngine()
    engine.proposals["memory"] = four
    return engine


@pytest.mark.parametrize(
    "words", ["keep 9", "delete 1 7", "keep 0", "keep 1 delete 2", "nech 1 a smaž 2, 3"]
)
async def test_numbers_that_do_not_exist(proposed, words):
    """D2: a number out of range changes nothing and is answered with the valid ones."""
    await proposed.say("compact memory")
    await proposed.say(words)
    assert "numbers 1 to 4" in proposed.text
    assert proposed.file("memory") == MEMORY
    await proposed.say("apply")
    assert proposed.file("memory") != MEMORY


@pytest.mark.parametrize("words", ["keep 3 7", "/keep 3 7", "keep 3 delete 7"])
async def test_numbers_without_a_proposal(stage, words):
    """D2: "keep 3 7" with nothing pending is answered, not stored."""
    await stage.say(words)
    assert "No proposal is waiting for numbers" in stage.text
    assert stage.file() is None


async def test_apply_twice(proposed):
    """D4: the second apply changes nothing and says so, by button and by word."""
    await proposed.say("compact memory")
    message, data = proposed.data("Apply")
    await proposed.press_data(data, message=message)
    after = proposed.file("memory"), proposed.file("log")
    await proposed.press_data(data, message=message)
    assert proposed.alert == "That was answered already."
    assert proposed.labels == ["Undo", "Undo one by one"]
    await proposed.say("apply")
    assert proposed.text == "Nothing is waiting for an answer."
    assert (proposed.file("memory"), proposed.file("log")) == after


async def test_a_double_press_keeps_the_report(proposed):
    """D4, C6: a second press made before the report came leaves the report its Undo."""
    await proposed.say("compact memory")
    (message, data), card = proposed.data("Apply"), proposed.text
    await proposed.press_data(data, message=message, seen=card)
    await proposed.press_data(data, message=message, seen=card)
    assert proposed.alert == "That was answered already."
    assert proposed.labels == ["Undo", "Undo one by one"]


async def test_a_card_answered_in_words_loses_its_buttons(proposed):
    """D4: a press on what words have answered says so and takes the keyboard away."""
    await proposed.say("compact memory")
    message, data = proposed.data("Apply")
    await proposed.say("apply")
    await proposed.press_data(data, message=message)
    assert proposed.alert == "That was answered already."
    assert proposed.telegram.messages[111, message][1] == []
    assert proposed.labels == ["Undo", "Undo one by one"]


async def test_toggles_are_edited_in_place(proposed):
    """C4, D1: a toggle changes the card, survives a restart, and is harmless twice."""
    await proposed.say("compact memory")
    sent = len(proposed.telegram.sent("sendMessage"))
    await proposed.press("☑ 3.")
    assert "☐ 3. fact 5" in proposed.labels
    assert "Apply (3)" in proposed.labels
    assert len(proposed.telegram.sent("sendMessage")) == sent
    await proposed.close()
    await proposed.open()
    await proposed.press("Apply (3)")
    assert "- fact 5\n" in proposed.file("memory")


async def test_a_toggle_that_comes_again(proposed):
    """W4: the same press, delivered twice after a crash, toggles once; a second press toggles."""
    await proposed.say("compact memory")
    message, data = proposed.data("☑ 3.")
    for _ in range(2):
        await proposed.press_data(data, message=message, query="q again")
        assert "☐ 3. fact 5" in proposed.labels
    await proposed.press("☐ 3.")
    assert "☑ 3. fact 5" in proposed.labels


async def test_only_the_asker(proposed):
    """D3: somebody else's press gets an alert and changes nothing."""
    await proposed.say("compact memory")
    await proposed.press("Apply", by=PETR)
    assert proposed.alert == "Odpovědět může jen ten, koho jsem se ptala."
    assert proposed.file("memory") == MEMORY


async def test_the_file_changed_meanwhile(proposed):
    """D5: untouched items apply, touched ones are listed as skipped."""
    await proposed.say("compact memory")
    proposed.put("# new\n" + MEMORY.replace("- fact 3\n", "- fact three\n"), "memory")
    await proposed.say("apply")
    assert "- fact three\n" in proposed.file("memory")
    assert "- fact 1\n" not in proposed.file("memory")
    assert "Compaction: 14 → 11 lines\n3 changes applied." in proposed.text
    assert "1 change skipped, its lines are different now:\n⚠ 2. [detail] fact 3" in proposed.text


async def test_what_was_kept_rests(proposed):
    """C7: a kept item is not proposed again for 90 days."""
    await proposed.say("compact memory")
    await proposed.say("keep 1 2 3")
    proposed.engine.proposals["memory"] = lambda document: (
        delete(document, 1, 1),
        delete(document, 2, 9),
    )
    await proposed.say("compact memory")
    assert "Found 1 candidate to change" in proposed.text
    proposed.later(days=91)
    await proposed.say("compact memory")
    assert "Found 2 candidates to change" in proposed.text


async def test_nothing_to_clean_up(stage):
    """C1: an audit that finds nothing says so, also without a file."""
    await stage.say("compact memory")
    assert stage.text == "Nothing to clean up in MEMORY.md."


async def test_cancel(proposed):
    """D2: cancel changes nothing, and ends the question."""
    await proposed.say("compact memory")
    await proposed.say("zruš")
    assert proposed.text == "Cancelled, nothing was changed."
    assert proposed.file("memory") == MEMORY
    assert proposed.file("log") is None


async def test_a_newer_proposal_takes_the_place(proposed):
    """D4: the old card says that it is over and loses its keyboard."""
    await proposed.say("compact memory")
    message, data = proposed.data("Apply")
    await proposed.say("compact memory")
    await proposed.press_data(data, message=message)
    assert proposed.alert == "This question is over. Please start again."
    assert proposed.telegram.messages[111, message][1] == []
    assert proposed.file("memory") == MEMORY


async def test_pages(stage):
    """C4: at most eight toggles a page; numbers go on; the page is edited in place."""
    stage.put("".join(f"- fact {n}\n" for n in range(30)), "memory")
    stage.engine.proposals["memory"] = lambda document: tuple(
        delete(document, n + 1, n) for n in range(20)
    )
    await stage.say("compact memory")
    assert sum(label.startswith("☑") for label in stage.labels) == 8
    assert "1/3" in stage.labels
    await stage.press("›")
    assert stage.labels[0] == "☑ 9. fact 8"
    await stage.press("☑ 9.")
    await stage.press("‹")
    await stage.press("Apply (19)")
    assert stage.file("memory").startswith("- fact 8\n- fact 20\n")


def long_keep(document):
    """One merge of the first two entries."""
    return (merge(document, 1, 0),)


async def test_a_long_keep_is_proposed_before_the_answer(stage):
    """K10: above 150 lines the proposal comes first, then the answer; the entry is kept."""
    stage.put("".join(f"- fact {n}\n" for n in range(150)))
    stage.engine.proposals["keep"] = long_keep
    await stage.say("keep one more")
    proposal, kept = (text for text, _ in stage.telegram.messages.values())
    assert "Found 1 candidate to change in keep.md" in proposal
    assert kept == "Kept: one more"
    await stage.say("apply")
    assert stage.text == "Compaction: 151 → 150 lines\n1 change applied."


async def test_a_cancelled_keep_rests_for_a_day(stage):
    """K10: after a cancel the proposal comes at most once a day."""
    stage.put("".join(f"- fact {n}\n" for n in range(150)))
    stage.engine.proposals["keep"] = long_keep
    await stage.say("keep one more")
    await stage.say("cancel")
    await stage.say("keep tea at four")
    assert stage.text == "Kept: tea at four"
    assert len(stage.telegram.messages) == 4
    stage.later(days=1)
    await stage.say("keep the third")
    assert len(stage.telegram.messages) == 6


async def test_auto(tmp_path, languages):
    """K10: with ``auto`` the compaction is done at once, with its report and undo."""
    import dataclasses

    from tests.handlers.handlers_stage import EVERYBODY

    policy = dataclasses.replace(EVERYBODY, keep_compaction="auto")
    stage = await Stage(tmp_path, _scripted(), languages, policy).open()
    stage.put("".join(f"- fact {n}\n" for n in range(150)))
    stage.engine.proposals["keep"] = long_keep
    await stage.say("keep one more")
    report, kept = (text for text, _ in stage.telegram.messages.values())
    assert report == "Compaction: 151 → 150 lines\n1 change applied."
    assert kept == "Kept: one more"
    await stage.close()


async def test_an_unreadable_memory(proposed):
    """W3: a file that is not UTF-8 is named with a reference, and never taken for empty."""
    proposed.path("memory").write_bytes(b"\xff\xfe- x\n")
    await proposed.say("compact memory")
    assert "MEMORY.md is not a text file in UTF-8" in proposed.text
    assert "compact memory" in proposed.text


async def test_by_asker_even_when_everybody_sees(proposed):
    """G2: a proposal about personal memory never leaves the private chat."""
    await proposed.say("/compact", chat={"id": -1001, "type": "supergroup", "title": "G"})
    assert proposed.newest[0] == ALICE["id"]


async def test_an_open_edit_does_not_stand_in_the_way(proposed):
    """D2: "apply" goes to the newest question that can be agreed to."""
    await proposed.say("compact memory")
    await proposed.say("keep tea at four")
    await proposed.press("Edit")
    await proposed.say("apply")
    assert proposed.text.startswith("Compaction: 13 → 9 lines")


async def test_a_long_memory_is_hinted_at(stage):
    """C1: above 250 lines the bot says so after a keep, once a week."""
    stage.put("- fact\n" * 251, "memory")
    await stage.say("keep tea at four")
    assert stage.text == "MEMORY.md has 251 lines by now. “compact memory” cleans it up."
    await stage.say("keep coffee at nine")
    assert stage.text == "Kept: coffee at nine"
    stage.later(days=7)
    await stage.say("keep lunch at noon")
    assert stage.text.startswith("MEMORY.md has 251 lines")


async def test_an_apply_that_failed_can_be_repeated(proposed):
    """W3: nothing was changed, the card still works, by its own buttons and by words."""
    await proposed.say("compact memory")
    message, data = proposed.data("Apply")
    proposed.path("memory").write_bytes(b"\xff\n")
    await proposed.press_data(data, message=message)
    assert "MEMORY.md is not a text file" in proposed.text
    proposed.put(MEMORY, "memory")
    await proposed.press_data(data, message=message)
    assert proposed.file("memory") != MEMORY
    assert proposed.telegram.messages[111, message][0].startswith("Compaction: 13 → 9 lines")
