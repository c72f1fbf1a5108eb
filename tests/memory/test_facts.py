"""Facts: what they are, what a new one does to known ones, and every trap of the relatives."""

import pytest

from memory.factrules import Alike, Choice, Fault, FaultCode, Near, Same
from memory.facts import Added, Query, Undone
from memory.operations import Refusal
from tests.memory.facts_notebook import TODAY


def test_a_fact_is_found_by_any_spelling_and_shown_in_its_own(book):
    """F3: the display spelling stays; case, accents and composition do not hide a fact."""
    added = book.add("Žaneta Nová", "works_at", "Škoda  Auto")
    assert isinstance(added, Added)
    assert (added.fact.id, added.fact.subject, added.fact.object) == (
        1,
        "Žaneta Nová",
        "Škoda Auto",
    )
    for spelled in ("zaneta nova", "ŽANETA NOVÁ", "Žaneta Nova\u0301"):
        assert [f.object for f in book.facts.facts(1, Query(subject=spelled))] == ["Škoda Auto"]


@pytest.mark.parametrize(
    ("second", "dates", "spans"),
    [
        ("Beta", {}, [("Acme", "2020", TODAY), ("Beta", TODAY, "")]),
        ("Beta", {"since": "2024-02"}, [("Acme", "2020", "2024-02"), ("Beta", "2024-02", "")]),
        ("Beta", {"since": "2015"}, [("Acme", "2020", ""), ("Beta", "2015", "2020")]),
        ("Beta", {"since": "2015", "until": "2018"}, [("Acme", "2020", ""), ("Beta", "2015", "2018")]),
        ("Beta", {"since": "2015", "until": "2022"}, [("Acme", "2020", ""), ("Beta", "2015", "2020")]),
        ("Beta", {"until": "2016"}, [("Acme", "2020", ""), ("Beta", "", "2016")]),
        ("Beta", {"since": "2020"}, [("Acme", "2020", "2020"), ("Beta", "2020", "")]),
        ("Beta", {"since": TODAY, "until": "2027"}, [("Acme", "2020", TODAY), ("Beta", TODAY, "2027")]),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_single_value_ends_where_the_next_one_begins(book, second, dates, spans):
    """F1, F2: one value at a time, in the order in which they began, whatever is said first."""
    book.add("Alice", "works_at", "Acme", "2020")
    assert isinstance(book.add("Alice", "works_at", second, **dates), Added)
    assert book.spans() == spans


def test_what_was_closed_is_shown_and_one_undo_restores_it(book):
    """F1, F2: the answer shows the value that ended; one undo brings both back as they were."""
    book.add("Alice", "lives_in", "Brno", "2019")
    before = book.spans()
    added = book.add("Alice", "lives_in", "Praha", "2025-03")
    assert [(f.object, f.until) for f in added.closed] == [("Brno", "2025-03")]
    undone = book.facts.undo(book.deed(), added.op)
    assert isinstance(undone, Undone)
    assert [f.object for f in undone.removed] == ["Praha"]
    assert [(f.object, f.until) for f in undone.restored] == [("Brno", "")]
    assert book.spans() == before


def test_trap_tea_then_green_tea_is_not_dropped(book):
    """F3, trap: a longer value is asked about, and both can stand."""
    book.add("me", "prefers", "tea")
    asked = book.add("me", "prefers", "green tea")
    assert isinstance(asked, Near)
    assert (asked.alike, [f.object for f in asked.facts]) == (Alike.PART, ["tea"])
    assert book.current() == ["tea"]
    book.add("me", "prefers", "green tea", choice=Choice(apart=True))
    assert book.current() == ["green tea", "tea"]


def test_trap_coffee_then_no_coffee_never_merges(book):
    """F3, trap: a denial is never taken for the same, nor dropped."""
    book.add("me", "prefers", "coffee")
    assert isinstance(book.add("me", "prefers", "no coffee"), Near)
    book.add("me", "prefers", "no coffee", choice=Choice(same=1))
    assert book.spans() == [("no coffee", "", "")]


def test_trap_acme_then_acme_corp_is_asked_not_dropped(book):
    """F3, trap: the same employer spelled out, or another one: a person says which."""
    book.add("Alice", "works_at", "Acme", "2020")
    assert isinstance(book.add("Alice", "works_at", "Acme Corp", "2024"), Near)
    corrected = book.add("Alice", "works_at", "Acme Corp", choice=Choice(same=1))
    assert corrected.corrected.object == "Acme"
    assert book.spans() == [("Acme Corp", "2020", "")]
    book.facts.undo(book.deed(), corrected.op)
    book.add("Alice", "works_at", "Acme Corp", "2024", choice=Choice(apart=True))
    assert book.spans() == [("Acme", "2020", "2024"), ("Acme Corp", "2024", "")]


def test_trap_postgres_and_mysql_are_two_decisions(book):
    """F3, trap: two sentences that share most words are two facts, unasked."""
    book.add("me", "decided", "use postgres for the new project", TODAY)
    assert isinstance(book.add("me", "decided", "use mysql for the new project", TODAY), Added)
    assert len(book.current()) == 2


def test_trap_names_keep_their_capitals(book):
    """F3, trap: nothing is lower-cased; a wrong capital can be corrected."""
    book.add("Petr McDonald", "owns", "kTM 990")
    asked = book.add("petr mcdonald", "owns", "KTM 990")
    assert isinstance(asked, Near)
    assert asked.alike is Alike.SPELLING
    book.add("Petr McDonald", "owns", "KTM 990", choice=Choice(same=1))
    assert book.spans() == [("KTM 990", "", "")]


def test_trap_a_back_dated_value_does_not_end_the_current_one_before_it_began(book):
    """F2, trap: an older value is put before the current one and does not become current."""
    book.add("Alice", "lives_in", "Brno", "2022")
    added = book.add("Alice", "lives_in", "Opava", "2010")
    assert (added.fact.until, added.closed) == ("2022", ())
    assert book.current("lives_in") == ["Brno"]


def test_trap_a_fact_with_an_end_can_be_invalidated(book):
    """F2, trap: a fact that carries an end can be ended earlier, or later."""
    book.add("me", "acquired", "lamp", "2026-01-01", "2026-04-01")
    assert book.facts.invalidate(book.deed(), 1, "2026-02-01").after.until == "2026-02-01"
    assert book.facts.invalidate(book.deed(), 1, "2026-06-01").after.until == "2026-06-01"
    assert book.current() == ["lamp"]


def test_trap_ids_are_each_users_own(book):
    """F2, trap: ids count from 1 for each person; somebody else's id is simply unknown."""
    book.add("me", "speaks", "Czech", user=1)
    for _ in ("first", "second"):
        assert book.add("me", "speaks", "Dutch", user=2).__class__ in (Added, Same)
    unknown = Fault(FaultCode.UNKNOWN_FACT)
    assert book.facts.invalidate(book.deed(user=3), 1) == unknown
    assert book.facts.delete(book.deed(user=3), 1) == unknown
    assert book.facts.delete(book.deed(user=2), 1).before.object == "Dutch"
    assert book.spans(user=1) == [("Czech", "", "")]
    op = book.add("me", "speaks", "Welsh", user=2).op
    assert book.facts.undo(book.deed(user=1), op) is Refusal.UNKNOWN


@pytest.mark.parametrize(
    "since", ["2024-02-30", "2023-02-29", "2024-13-01", "0000-01-01", "1.2.2024", "soon", "20245"]
)
def test_trap_dates_are_days_of_the_calendar(book, since):
    """F2, trap: a day that does not exist is refused and nothing is stored."""
    assert book.add("me", "lives_in", "Brno", since) == Fault(FaultCode.INVALID_DATE)
    assert book.spans() == []


def test_trap_an_end_is_never_before_its_start(book):
    """F2, trap: neither when added nor when ended later."""
    assert book.add("me", "owns", "kayak", "2024-05-01", "2024-04-30").code == "ends_before_start"
    book.add("me", "owns", "kayak", "2024-05-01")
    assert book.facts.invalidate(book.deed(), 1, "2024-04-30").code == "ends_before_start"
    assert book.spans() == [("kayak", "2024-05-01", "")]


def test_trap_current_counts_facts_that_end_in_the_future(book):
    """F2, trap: a fact with an end to come is as current as one without."""
    book.add("me", "staying_in", "Porto", "2026-05-01", "2026-06-01")
    book.add("me", "visiting", "Ostrava", "2026-04-01", "2026-05-04")
    book.add("me", "lives_in", "Brno", "2026-09-01")
    assert book.current() == ["Porto"]
    assert book.facts.count(1, Query(on=TODAY)) == 1


def test_trap_words_of_every_script_are_words(book):
    """F3, trap: Czech, Ukrainian and Chinese words are compared whole."""
    book.add("Honza", "allergic_to", "žluťoučké včelí bodnutí")
    assert isinstance(book.add("Honza", "allergic_to", "včelí bodnutí"), Near)
    assert isinstance(book.add("Honza", "allergic_to", "žloutek"), Added)
    book.add("Олена", "speaks", "польська мова")
    assert isinstance(book.add("олена", "speaks", "польська"), Near)
    assert isinstance(book.add("Олена", "speaks", "українська"), Added)


def test_trap_half_open_spans(book):
    """F2, trap: a fact holds on its first day and no more on its last."""
    book.add("me", "staying_in", "Porto", "2026-01-02", "2026-01-05")
    days = [f"2026-01-0{number}" for number in range(1, 7)]
    assert [bool(book.spans(on=one)) for one in days] == [False, True, True, True, False, False]
    assert [book.facts.fact(1, 1).holds(one) for one in days] == [
        bool(book.spans(on=one)) for one in days
    ]


def test_trap_acquired_and_disposed_of_stand_side_by_side(book):
    """F1, trap: the same object under both; what is owned now follows from them."""
    book.add("me", "acquired", "Arc desk lamp", "2026-05-01")
    assert book.facts.owned(1, "me", TODAY) == ("Arc desk lamp",)
    assert isinstance(book.add("me", "disposed_of", "arc desk lamp", "2026-05-03"), Added)
    assert (book.facts.owned(1, "me", "2026-05-02"), book.facts.owned(1, "me", TODAY)) == (
        ("Arc desk lamp",),
        (),
    )
    assert isinstance(book.add("me", "acquired", "Arc desk lamp", "2026-05-04"), Added)
    assert book.facts.owned(1, "me", TODAY) == ("Arc desk lamp",)


def test_temporary_places_coexist(book):
    """F1: staying somewhere does not end living somewhere, and several trips stand."""
    book.add("me", "lives_in", "Brno")
    for place in ("Porto", "Lisbon"):
        book.add("me", "staying_in", place, "2026-05-01")
    assert isinstance(book.add("me", "traveled_to", "Rome", "2023"), Added)
    assert isinstance(book.add("me", "traveled_to", "Rome", "2025"), Added)
    assert len(book.current()) == 5


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (("speaks", "Czech"), ("speaks", "Czech"), Same),
        (("speaks", "Czech", "2001"), ("speaks", "Czech"), Same),
        (("speaks", "Czech"), ("speaks", "Czech", "2001"), Alike.DATES),
        (("lives_in", "Brno"), ("lives_in", "Brno", "", "2025"), Alike.DATES),
        (("owns", "Škoda"), ("owns", "Skoda"), Alike.SPELLING),
        (("lives_in", "Olomouc"), ("lives_in", "Olomuoc"), Alike.PART),
        (("owns", "room 12"), ("owns", "room 13"), Added),
        (("decided", "no meat", "2025"), ("decided", "no meat", "2026"), Added),
    ],
    ids=str,
)
def test_repeated_and_nearly_repeated_facts(book, first, second, outcome):
    """F3: the same again is nothing new; what is close is asked; what differs stands."""
    book.add("me", *first)
    found = book.add("me", *second)
    if isinstance(outcome, type):
        assert isinstance(found, outcome)
    else:
        assert found.alike is outcome
    assert len(book.spans()) == (2 if outcome is Added else 1)


def test_a_question_of_dates_completes_the_known_fact(book):
    """F3: the answer “the same” gives the known fact its date and keeps its id."""
    book.add("me", "works_at", "Acme")
    corrected = book.add("me", "works_at", "Acme", "2024", choice=Choice(same=1))
    assert (corrected.fact.id, book.spans()) == (1, [("Acme", "2024", "")])


def test_a_past_value_inside_the_span_of_another_is_refused(book):
    """F2: nobody can tell which one was true, so neither is changed."""
    book.add("Alice", "works_at", "Acme", "2020")
    refused = book.add("Alice", "works_at", "Beta", "2021", "2022")
    assert (refused.code, refused.facts[0].object) == ("overlaps", "Acme")
    assert book.spans() == [("Acme", "2020", "")]


@pytest.mark.parametrize(
    ("draft", "code"),
    [
        (("", "owns", "x"), "empty_subject"),
        (("me", "owns", " \u200d"), "empty_object"),
        (("—", "owns", "x"), "empty_subject"),
        (("me", "owns", "  "), "empty_object"),
        (("me", "", "x"), "invalid_predicate"),
        (("me", "Works At", "x"), "invalid_predicate"),
        (("me", "works-at", "x"), "invalid_predicate"),
        (("me", "owns", "x" * 101), "object_too_long"),
        (("x" * 101, "owns", "x"), "subject_too_long"),
        (("me", "owns", "a\nb"), "contains_newline"),
        (("me", "owns", "a\u2028b"), "contains_newline"),
        (("me", "has_scheduled_procedure", "mri", "2026-06-01"), "calendar_date"),
        (("me", "has_scheduled_procedure", "mri", "2026-05-04"), None),
        (("me", "has_condition", "type 1 diabetes"), None),
        (("me", "has_weight", "82 kg"), "health_value"),
        (("me", "has_blood_pressure", "high"), "health_value"),
        (("me", "Plays_Chess_With", "Tom"), None),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_a_fact_must_be(book, draft, code):
    """F1, F2, T2, T3: each fault has its code; nothing is stored."""
    found = book.add(*draft)
    assert (found.code if isinstance(found, Fault) else None) == code
    assert bool(book.spans()) == (code is None)
