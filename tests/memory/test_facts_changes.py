"""Facts: requests, undo, audit, and what is asked of them (F2, W4)."""

from datetime import timedelta

import pytest

from memory.factrules import Choice, Draft, FaultCode, Same, alike, day
from memory.facts import Changed, Deed, Query, Undone
from memory.operations import Author, Refusal
from tests.memory.facts_notebook import NOON, TODAY


def test_one_request_may_tell_of_two_days(book):
    """W4: the same thing on another day is another step of a request, and not a repetition."""
    book.add("me", "traveled_to", "Rome", "2020", request="m7")
    book.add("me", "traveled_to", "Rome", "2023", request="m7")
    assert book.spans() == [("Rome", "2020", ""), ("Rome", "2023", "")]


def test_a_request_that_comes_again_does_nothing_twice(book):
    """W4: the same message handed on again gives the same answer, and one change."""
    book.add("me", "lives_in", "Brno", "2019")
    first = book.add("me", "lives_in", "Praha", request="m7")
    assert book.add("me", "lives_in", "Praha", request="m7") == first
    ended = book.facts.invalidate(book.deed(request="m8"), 2, "2026-06-01")
    assert book.facts.invalidate(book.deed(request="m8"), 2, "2026-06-01") == ended
    gone = book.facts.delete(book.deed(request="m9"), 2)
    assert book.facts.delete(book.deed(request="m9"), 2) == gone
    back = book.facts.undo(book.deed(request="m10"), gone.op)
    assert book.facts.undo(book.deed(request="m10"), gone.op) == back
    assert len(book.spans()) == 2


def test_every_change_has_its_row_before_and_after(book):
    """F2, M6: the audit says what was done to a fact, by whom and from which message."""
    book.add("me", "lives_in", "Brno", "2019")
    book.add("me", "lives_in", "Praha", "2025")
    rows = book.facts.audit(1, 1)
    assert [(row.action, bool(row.step.before)) for row in rows] == [("add", False), ("add", True)]
    assert (rows[1].step.before.until, rows[1].step.after.until) == ("", "2025")
    assert (rows[1].author.chat, rows[1].author.message, rows[1].author.source) == (5, 6, "chat")


def test_undo_is_for_thirty_days_and_once(book):
    """F2: undo ends after 30 days, works once, and is itself no change to undo."""
    op = book.add("me", "speaks", "Czech").op
    book.now = NOON + timedelta(days=30, minutes=1)
    assert book.facts.undo(book.deed(), op) is Refusal.EXPIRED
    book.now = NOON + timedelta(days=30)
    deed = book.deed()
    assert isinstance(book.facts.undo(deed, op), Undone)
    assert book.facts.undo(book.deed(), op) is Refusal.ALREADY
    assert book.facts.undo(book.deed(), deed.op) is Refusal.UNKNOWN
    assert book.facts.undo(book.deed(), "nothing") is Refusal.UNKNOWN


def test_undo_does_not_overwrite_what_came_later(book):
    """F2: an undo that would meet a later change is refused and changes nothing."""
    op = book.add("me", "lives_in", "Brno", "2019").op
    book.facts.invalidate(book.deed(), 1, "2024")
    assert book.facts.undo(book.deed(), op) is Refusal.MOVED_ON
    gone = book.facts.delete(book.deed(), 1)
    book.add("me", "lives_in", "Praha")
    end = book.facts.invalidate(book.deed(), 2)
    book.add("me", "lives_in", "Opava")
    assert book.facts.undo(book.deed(), end.op) is Refusal.MOVED_ON
    assert isinstance(book.facts.undo(book.deed(), gone.op), Undone)


def test_ids_are_never_used_again(book):
    """F2: the number of a deleted fact does not come to mean another one."""
    book.add("me", "speaks", "Czech")
    book.facts.delete(book.deed(), 1)
    assert book.add("me", "speaks", "Dutch").fact.id == 2


def test_timeline_and_neighbourhood(book):
    """F2: the record of an entity in the order of time; who and what stands around it."""
    book.add("Alice", "works_at", "Acme", "2024")
    book.add("Alice", "lives_in", "Brno", "2019")
    book.add("Petr", "relates_to", "alice")
    book.add("Alice", "born_in", "Opava")
    found = book.facts.timeline(1, "ALICE")
    assert [f.object for f in found] == ["Brno", "Acme", "Opava"]
    near = book.facts.neighbourhood(1, "Alice", Query(on=TODAY))
    assert sorted(f.object for f in near) == ["Acme", "Brno", "Opava", "alice"]


def test_facts_are_found_by_words(book):
    """F4: a word of subject or object finds a fact, without its accents too; % is a sign."""
    book.add("Honza", "works_at", "Škoda Auto")
    book.add("me", "decided", "save 10 % a month")
    assert [o for o, _, _ in book.spans(word="skod honz")] == ["Škoda Auto"]
    assert [o for o, _, _ in book.spans(word="%")] == ["save 10 % a month"]
    assert book.spans(word="brno") == []


def test_forgetting_leaves_nothing(book):
    """G5: all facts of one person and their audit are gone, another one's stay."""
    book.add("me", "speaks", "Czech", user=1)
    book.add("me", "speaks", "Dutch", user=2)
    assert book.facts.forget(1) == 1
    assert (book.spans(user=1), book.facts.audit(1)) == ([], ())
    assert book.spans(user=2) == [("Dutch", "", "")]


def test_young_audit_rows_keep_their_texts(book):
    """F2, W6: what can still be undone keeps its texts; what is old is no last change either."""
    book.add("me", "speaks", "Klingon")
    book.now = NOON + timedelta(days=20)
    young = book.add("me", "speaks", "Czech").op
    book.facts.scrub(NOON + timedelta(days=10))
    assert book.facts.last(1).op == young
    assert isinstance(book.facts.undo(book.deed(), young), Undone)
    assert book.facts.last(1) is None


def test_a_value_that_never_held_stands_in_nobody_s_way(book):
    """F2: a value that ended on the day it began bounds no later one."""
    book.add("me", "works_at", "Acme", "2020")
    book.add("me", "works_at", "Beta", "2020")
    book.facts.delete(book.deed(), 2)
    book.add("me", "works_at", "Gamma", "2019")
    assert book.spans(on=TODAY) == [("Gamma", "2019", "")]


def test_a_correction_ends_no_fact_before_it_began(book):
    """F2: an end before the known start is refused in a correction too."""
    book.add("me", "works_at", "Acme", "2020")
    found = book.add("me", "works_at", "Acme Ltd", "", "2019", choice=Choice(same=1))
    assert (found.code, book.spans()) == (FaultCode.ENDS_BEFORE_START, [("Acme", "2020", "")])


def test_an_event_without_its_day_is_the_one_that_is_known(book):
    """F3: a day that is not said makes no second event."""
    book.add("me", "traveled_to", "Rome", "2020")
    assert isinstance(book.add("me", "traveled_to", "Rome"), Same)


def test_what_ended_before_is_not_told_as_ended(book):
    """F1: a value that was over on the day the next one begins is not touched."""
    book.add("me", "works_at", "Acme", "2018", "2020")
    assert book.add("me", "works_at", "Beta", "2020").closed == ()


def test_requests_and_operations_are_each_person_s_own(book):
    """W4, B24: one person's request or operation answers and settles nothing of another's."""
    first = book.add("me", "speaks", "Czech", user=1, request="m7")
    second = book.add("me", "speaks", "Czech", user=2, request="m7")
    assert first.op != second.op
    shared = [Deed(Author(user), NOON, "same") for user in (1, 2)]
    for deed in shared:
        book.facts.add(deed, Draft("me", "owns", "kayak"))
    for user in (1, 2):
        assert isinstance(book.facts.undo(book.deed(user), "same"), Undone)


def test_a_request_is_known_by_its_whole_name(book):
    """W4: a request whose name another's begins with took nothing back."""
    op = book.add("me", "speaks", "Czech").op
    book.facts.undo(book.deed(request="m10"), op)
    assert book.facts.undone_by(1, "m10") == op
    assert book.facts.undone_by(1, "m1") == ""


@pytest.mark.parametrize("said", ["２０２４-05-03", "٢٠٢٤-٠٥-٠٣", " 2024-05-03 "])
def test_a_day_is_stored_in_one_way(said):
    """F2: days are compared as text, so that digits of any script become the same ones."""
    assert day(said) == "2024-05-03"


def test_old_audit_rows_lose_their_texts(book):
    """W6: after 30 days nothing of a deleted fact is left, and ids still go on."""
    book.add("me", "speaks", "Klingon")
    book.facts.delete(book.deed(), 1)
    book.facts.scrub(NOON + timedelta(days=31))
    with book.database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM fact_audit").fetchall()
    assert len(rows) == 2
    assert "Klingon" not in str(rows)
    assert book.add("me", "speaks", "Czech").fact.id == 2


def test_deletion_and_its_undo(book):
    """F2: a deleted fact comes back as it was, under its id."""
    book.add("me", "owns", "kayak", "2020", "2027")
    gone = book.facts.delete(book.deed(), 1)
    assert isinstance(gone, Changed)
    assert book.spans() == []
    book.facts.undo(book.deed(), gone.op)
    assert (book.facts.fact(1, 1).until, book.facts.last(1).action) == ("2027", "add")


@pytest.mark.parametrize(
    ("text", "found"),
    [("2024", "2024"), ("2024-05", "2024-05"), ("2024-02-29", "2024-02-29"), ("", ""), ("x", None)],
)
def test_days(text, found):
    """F2: a year, a month or a day of the calendar."""
    assert day(text) == found


def test_alike_is_a_question_never_a_merge():
    """F3: parts and slips are alike, other words and other numbers are not."""
    assert alike("green tea", "tea")
    assert alike("Liberec", "Libereč")
    assert not alike("postgres", "mysql")
    assert not alike("flat 12, Long Street", "flat 13, Long Street")
