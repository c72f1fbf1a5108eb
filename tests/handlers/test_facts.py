"""Facts in a chat: told, near ones asked about, listed, ended, drawn, undone (F1-F4, T14)."""

from datetime import timedelta

import pytest

from curation.rules import Rules
from handlers.graph import noting
from memory.facts import Query
from memory.operations import Author
from tests.handlers.handlers_stage import PETR, Stage


@pytest.fixture
async def real(tmp_path, languages):
    """A bot with the engine that ships."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    yield stage
    await stage.close()


def stored(stage, user=111):
    found = stage.state.facts.facts(user, Query())
    return [(f.subject, f.predicate, f.object, f.since, f.until) for f in reversed(found)]


async def test_a_fact_is_told_in_both_ways(real):
    """F4: with its predicate and as a sentence; the person is the subject “me”."""
    await real.say("/fact Alice works_at Acme since 2020")
    assert real.text == "Noted as a fact: Alice — workplace: Acme (since 2020)"
    await real.say("/fact I live in Brno since May 2024")
    assert real.text == "Noted as a fact: you — home: Brno (since May 2024)"
    assert stored(real) == [
        ("Alice", "works_at", "Acme", "2020", ""),
        ("me", "lives_in", "Brno", "2024-05", ""),
    ]


async def test_the_czech_sentence(real):
    """F4, L1: the sentence of seed and guide, answered in Czech."""
    await real.say("/fact Honza pracuje v Škodě od 2024", by=PETR)
    assert real.text == "Zapsáno mezi fakta: Honza — zaměstnání: Škoda (od 2024)"
    await real.say("/fact já allergic_to arašídy", by=PETR)
    assert real.text == "Zapsáno mezi fakta: ty — alergie: arašídy"


async def test_what_a_new_value_ends_is_shown_and_undone_at_once(real):
    """F1, F2: the value that ended is in the answer; one Undo restores both."""
    await real.say("/fact Alice works_at Acme since 2020")
    await real.say("/fact Alice works_at Beta since 2024")
    assert real.text.endswith("\nThis ended: Alice — workplace: Acme (2020 – 2024)")
    await real.press("Undo")
    assert real.text == (
        "Taken back: Alice — workplace: Beta (since 2024)\n"
        "As before: Alice — workplace: Acme (since 2020)"
    )
    assert stored(real) == [("Alice", "works_at", "Acme", "2020", "")]


async def test_the_undo_command_takes_back_what_was_last(real):
    """K9, F2: of an entry and a fact the later one; a replayed /undo does nothing more."""
    await real.say("/keep the spare key hangs in the shed")
    real.later(minutes=1)
    await real.say("/fact Alice owns canoe")
    real.later(minutes=1)
    await real.say("/undo")
    assert (real.text, stored(real)) == ("Taken back: Alice — owns: canoe", [])
    await real.say("/undo")
    assert real.file() == ""


@pytest.mark.parametrize(
    ("label", "after"), [("Replace", ["green tea"]), ("Keep both", ["tea", "green tea"]), ("Skip", ["tea"])]
)  # fmt: skip
async def test_a_near_fact_is_asked_about(real, label, after):
    """F3: nothing is stored before the answer, and the answer is done once."""
    await real.say("/fact me prefers tea")
    await real.say("/fact me prefers green tea")
    assert real.labels == ["Replace", "Keep both", "Skip"]
    assert [row[2] for row in stored(real)] == ["tea"]
    message, data = real.data(label)
    await real.press(label)
    await real.press_data(data, message=message)
    assert [row[2] for row in stored(real)] == after


@pytest.mark.parametrize(
    ("known", "over", "end"),
    [
        ("Tom works at Globex since 2024", "Tom no longer works at Globex", "It ended"),
        ("Tom works at Globex since 2024", "Tom doesn't work at Globex any more", ""),
        ("Honza pracuje v Globexu od 2024", "Honza už nepracuje v Globexu", "Už neplatí"),
        ("Honza pracuje v Globexu od 2024", "Honza už nepracuje v Acme", ""),
    ],
)
async def test_a_fact_that_is_said_to_be_over_is_shown(real, known, over, end):
    """F2, T14: it is not ended unasked; its card with the button that ends it is shown."""
    await real.say(f"/fact {known}")
    await real.say(f"/fact {over}")
    assert stored(real)[0][2:] == ("Globex", "2024", "")
    assert (end in real.labels) == bool(end)
    if end:
        await real.press(end)
        assert stored(real)[0][2:] == ("Globex", "2024", real.now.date().isoformat())


async def test_a_fact_without_a_day_claims_none(real):
    """F4: in the timeline nothing says “always” where no day is known."""
    await real.say("/fact Tom lives in Brno")
    await real.say("/timeline Tom")
    assert "no date: home — Brno" in real.text


async def test_a_single_value_can_be_the_same_or_a_change(real):
    """F1, F3: “The same” corrects it in place, “It changed” ends the old one."""
    await real.say("/fact Alice works_at Acme since 2020")
    await real.say("/fact Alice works_at Acme Corp since 2024")
    assert real.labels == ["The same", "It changed", "Skip"]
    await real.press("It changed")
    assert [row[2:] for row in stored(real)] == [
        ("Acme", "2020", "2024"),
        ("Acme Corp", "2024", ""),
    ]


async def test_the_near_fact_may_be_gone_before_the_answer(real):
    """D5: the answer meets what stands now: stored, or asked again about another near fact."""
    await real.say("/fact me prefers tea")
    await real.say("/fact me prefers green tea")
    message, data = real.data("Replace")
    real.state.facts.delete(noting.Deed(Author(111), real.now, "op"), 1)
    await real.say("/fact me prefers green tea leaves")
    await real.press_data(data, message=message)
    assert "close to this one" in real.telegram.messages[111, message][0]
    assert [row[2] for row in stored(real)] == ["green tea leaves"]


async def test_a_question_about_a_fact_survives_a_restart(real):
    """D1, D6: it is in /pending, can be shown again, and is answered after a restart."""
    await real.say("/fact me prefers tea")
    await real.say("/fact me prefers green tea")
    await real.close()
    await real.open()
    await real.say("/pending")
    assert "Fact: you — preference: green tea" in real.text
    await real.press("Show 1")
    await real.press("Keep both")
    assert len(stored(real)) == 2


async def test_cancel_ends_the_question(real):
    """D2: /cancel stores nothing."""
    await real.say("/fact me prefers tea")
    await real.say("/fact me prefers green tea")
    await real.say("/cancel")
    await real.press_data(real.data("Keep both")[1])
    assert [row[2] for row in stored(real)] == ["tea"]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("/fact", "Tell me a fact like this"),
        ("/fact something or other", "I cannot make a fact of that"),
        ("/fact Tom isn't allergic to cats", "I cannot make a fact of that"),
        ("/fact Tom lives in Brno since 2025-02-31", "There is no such day"),
        ("/fact Tom bydlí v Brně od 31. 2. 2025", "Takový den není"),
        ("/fact Tom no longer works at Acme", "I cannot make a fact of that"),
        ("/fact me plays_chess_with Tom", "I do not know the kind of fact plays_chess_with"),
        ("/fact me knows my bank password is Trnka_78!x", "secret"),
        ("/fact me has_condition blood pressure 120/80", "health"),
        ("/fact me lives_in Opava since 2024-02-30", "There is no such day"),
        ("/fact me lives_in Opava od 31. 4. 2024", "There is no such day"),
        ("/fact me visiting dentist on 5 May at 14:00", "calendar"),
        (f"/fact me owns {'x' * 101}", "at most 100 characters"),
    ],
)
async def test_what_is_not_stored(real, said, answer):
    """F1, T1-T3, W6: the same guards as for an entry; the way out is said."""
    await real.say(said)
    assert answer in real.text
    assert stored(real) == []
    assert "Trnka" not in real.text


async def test_a_fact_is_listed_ended_and_deleted_by_button(real):
    """F4: each fact of the list has a button; its end and deletion can be undone."""
    for value in ("tea", "cocoa"):
        await real.say(f"/fact me prefers {value}")
    await real.say("/facts")
    assert real.text == (
        "2 facts hold today:\n\n2. you — preference: cocoa\n1. you — preference: tea"
    )
    await real.press("1")
    assert real.text == "you — preference: tea\n\nLearned: May 4, 2026"
    await real.press("It ended")
    assert real.text == "Ended: you — preference: tea (until May 4, 2026)"
    await real.press("Back to the list")
    assert real.text == "1 fact holds today:\n\n2. you — preference: cocoa"
    await real.press("2")
    await real.press("Delete")
    assert [row[2] for row in stored(real)] == ["tea"]
    await real.press("Undo")
    assert [row[2] for row in stored(real)] == ["tea", "cocoa"]


async def test_facts_are_found_by_words_and_by_pages(real):
    """F4: /facts with words, eight on a page; what is over is not listed."""
    for number in range(9):
        await real.say(f"/fact me owns box {number}")
    await real.say("/facts box")
    assert real.text.startswith("9 facts with “box”:")
    await real.press("›")
    assert real.text.endswith("1. you — owns: box 0")
    await real.say("/facts nothing like it")
    assert real.text == "No fact that holds today has “nothing like it”."


async def test_nobody_sees_the_facts_of_another(real):
    """F2, G1: the same numbers, other people's facts."""
    await real.say("/fact me owns canoe")
    await real.say("/facts", by=PETR)
    assert "canoe" not in real.text
    await real.say("/fact me owns piano", by=PETR)
    await real.say("/facts", by=PETR)
    message, _ = real.data("1")
    listed = real.data("1")[1]
    await real.press_data(listed.replace("choose", "erase"), message=message)
    assert [row[2] for row in stored(real, 111) + stored(real, 222)] == ["canoe", "piano"]


async def test_the_timeline_is_in_the_order_of_time(real):
    """F2, F4: what began first stands first, what holds is bold, the entity may be spelled freely."""
    await real.say("/fact Žaneta works_at Acme since 2024")
    await real.say("/fact Žaneta lives_in Brno since 2019")
    await real.say("/timeline zaneta")
    assert real.text == (
        "Žaneta: 2 facts in the order of time\n\n"
        "since 2019: home — Brno\nsince 2024: workplace — Acme"
    )
    await real.say("/timeline Nobody")
    assert real.text == "No facts about Nobody yet."


async def test_a_timeline_is_sent_as_a_picture(real):
    """F4: a photo with its caption in the private chat; the list stays."""
    await real.say("/fact Žaneta works_at Acme since 2024")
    await real.say("/timeline zaneta")
    await real.press("Picture: time")
    assert real.telegram.sent("sendPhoto")[-1]["caption"] == "Žaneta: timeline"
    await real.press("Picture: around")
    assert [(name, kind) for name, png, kind in real.telegram.uploads if png[:4] == b"\x89PNG"] == [
        ("pomnenka.png", "image/png")
    ] * 2


async def test_letters_that_cannot_be_drawn(real):
    """F4: Chinese is told instead of drawn as empty boxes."""
    await real.say("/fact 小明 lives_in 北京")
    await real.say("/timeline 小明")
    await real.press("Picture: time")
    assert real.text == "I cannot draw these letters, so the list above has to do."
    assert real.telegram.sent("sendPhoto") == []


async def test_a_fact_is_offered_with_what_is_kept_and_stored_only_when_pressed(real):
    """T14: the button is below Undo, Edit, Move; pressing it stores the fact and shows what ended."""
    await real.say("/fact Honza works_at Acme since 2020")
    await real.say("keep that Honza works at Škoda since 2024")
    assert real.labels == ["Undo", "Edit", "Move", "+ Fact"]
    assert len(stored(real)) == 1
    await real.press("+ Fact")
    assert real.text.splitlines()[1:] == [
        "Noted as a fact: Honza — workplace: Škoda (since 2024)",
        "This ended: Honza — workplace: Acme (2020 – 2024)",
    ]
    assert real.labels == ["Undo", "Edit", "Move", "Undo the fact"]
    await real.press("Undo the fact")
    assert stored(real) == [("Honza", "works_at", "Acme", "2020", "")]
    assert "Škoda" in real.file()


async def test_the_offer_survives_a_restart_and_a_second_press(real):
    """T14, D1, D4: it is stored; pressed twice it stores one fact and the card keeps its buttons."""
    await real.say("keep Honza is allergic to peanuts")
    message, data = real.data("+ Fact")
    await real.close()
    await real.open()
    await real.press_data(data, message=message)
    await real.press_data(data, message=message)
    assert stored(real) == [("Honza", "allergic_to", "peanuts", "", "")]
    assert real.labels[:3] == ["Undo", "Edit", "Move"]


async def test_an_offered_fact_that_is_near_is_asked_about(real):
    """T14, F3: the card is kept, the question comes below it."""
    await real.say("/fact me allergic_to peanuts")
    await real.say("keep I am allergic to roasted peanuts")
    await real.press("+ Fact")
    assert real.text.startswith("I have a fact close to this one:")
    await real.press("Keep both")
    assert len(stored(real)) == 2


@pytest.mark.parametrize(
    "said",
    ["keep Honza is not allergic to peanuts", "keep Honza might live in Brno", "keep the shed key is blue"],
)  # fmt: skip
async def test_nothing_is_offered_for_a_denial_or_a_doubt(real, said):
    """T14: what is no fact is kept without the button."""
    await real.say(said)
    assert "+ Fact" not in real.labels


async def test_words_of_somebody_else_are_no_fact_about_the_person(real):
    """T5: a forwarded “I” is not me."""
    origin = {"type": "hidden_user", "sender_user_name": "Jan", "date": 1}
    await real.say("I am allergic to peanuts", forward_origin=origin)
    await real.press("Save")
    assert "+ Fact" not in real.labels
    assert stored(real) == []


async def test_a_replayed_message_stores_one_fact(real):
    """W4: the same message handed on again after a crash is answered from the audit."""
    body = {
        "message_id": 77,
        "date": 1,
        "chat": {"id": 111, "type": "private"},
        "from": PETR | {"id": 111, "language_code": "en"},
        "text": "/fact Alice works_at Acme",
        "entities": [{"type": "bot_command", "offset": 0, "length": 5}],
    }
    await real.feed({"message": body})
    await real.feed({"message": body})
    assert len(stored(real)) == 1
    assert real.text == "Noted as a fact: Alice — workplace: Acme"


async def test_undo_ends_after_thirty_days(real):
    """F2: an old button says that it is too late."""
    await real.say("/fact Alice works_at Acme")
    real.now += timedelta(days=31)
    await real.press("Undo")
    assert real.text == "That is longer than 30 days ago, so it cannot be taken back any more."


async def test_lists_do_not_pile_up(real):
    """D1: the oldest lists of a person close, so that no message has to look through many."""
    await real.say("/fact Alice owns canoe")
    for _ in range(13):
        await real.say("/facts")
    open_ = [d for d in real.state.dialogs_of(111) if d.kind == "facts"]
    assert len(open_) == 11
