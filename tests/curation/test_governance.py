"""What could be repaired in the index and its topics, and what is only shown (S2, S5)."""

from datetime import date, timedelta

import pytest

import locales
from curation.engine import Companion, Match, Relation
from curation.governance import (
    MOST_COMPARED,
    STALE_DAYS,
    Estate,
    Matter,
    Repair,
    Topic,
    Twin,
    contradictions,
    repetitions,
    survey,
)
from curation.rules import Rules
from memory.document import Document

TODAY = date(2026, 12, 1)


def topic(slug, text="# A title\n- a line\n", days=10):
    touched = TODAY - timedelta(days=days)
    return Topic(slug, f"memory_{slug}.md", Document.of(text), touched)


def found(index, *topics, files=(), archived=()):
    names = {t.file for t in topics} | set(files)
    estate = Estate(Document.of(index), topics, frozenset(names), frozenset(archived))
    return [(r.matter, r.file, r.new) for r in survey(estate, TODAY)]


def test_an_index_in_order():
    """S5: pointers that lead somewhere and topics with a pointer need nothing."""
    index = "- Course → memory_course.md\n- Notes → notes.md\n→ see user.md\n"
    assert found(index, topic("course"), files={"notes.md"}) == []


def test_orphans_and_dead_pointers():
    """S2: a topic without a pointer, and a pointer without a file, each with its repair."""
    assert found("- Boat → memory_boat.md\n", topic("course")) == [
        (Matter.DEAD, "memory_boat.md", ""),
        (Matter.ORPHAN, "memory_course.md", "A title"),
    ]


@pytest.mark.parametrize("file", ["memory_Course.md", "memory_course", "ws/memory_course.md"])
def test_a_misnamed_pointer_is_one_repair(file):
    """S5: a pointer written in another way is renamed, and its topic is then no orphan."""
    assert found(f"- C → {file}\n", topic("course")) == [
        (Matter.MISNAMED, file, "memory_course.md")
    ]


def test_a_misnamed_pointer_beside_the_right_one():
    """S5: where the right pointer stands too, the wrong one is dead."""
    index = "- C → memory_course.md\n- C → memory_Course.md\n"
    assert found(index, topic("course")) == [(Matter.DEAD, "memory_Course.md", "")]


@pytest.mark.parametrize(("days", "goes"), [(179, False), (180, False), (181, True)])
def test_old_topics(days, goes):
    """S5: only what nobody touched for more than 180 days is offered for the archive."""
    assert STALE_DAYS == 180
    assert found("- A → memory_a.md\n", topic("a", days=days)) == (
        [(Matter.STALE, "memory_a.md", "a")] if goes else []
    )


def test_an_old_topic_is_one_repair_only():
    """S5: its pointer, missing or misspelt, goes along; no second repair is offered."""
    assert found("", topic("a", days=400)) == [(Matter.STALE, "memory_a.md", "a")]
    assert found("- A → memory_A.md\n", topic("a", days=400)) == [
        (Matter.STALE, "memory_A.md", "a")
    ]


def test_nothing_in_the_archive_is_overwritten():
    """S5: a name that is taken gets a number, also by another move of the same proposal."""
    long = "x" * 40
    assert found("", topic("a", days=400), archived={"a", "a_2"})[0][2] == "a_3"
    assert len(found("", topic(long, days=400), archived={long})[0][2]) <= 40


def test_pinned_is_left_alone():
    """M4: no pointer of a pinned section, and no topic with one, is part of a proposal."""
    index = "## Desk <!-- pinned -->\n- Gone → memory_gone.md\n- A → memory_a.md\n"
    assert found(index, topic("a", days=400)) == []
    pinned = topic("b", "## Rules <!-- pinned -->\n- x\n", days=400)
    assert found("- B → memory_b.md\n", pinned) == []


def test_a_repair_knows_what_it_was_made_from():
    """D5: the digest of the topic binds the move to what was looked at."""
    old = topic("a", days=200)
    (repair,) = survey(Estate(Document.of(""), (old,), frozenset()), TODAY)
    wanted = (Matter.STALE, "memory_a.md", "A title", "a", "a", old.document.digest, 200)
    assert repair == Repair(*wanted)


@pytest.fixture(scope="module")
def compare():
    return Rules(locales.load(["en", "cs"])).compare


def test_contradictions_across_files(compare):
    """S5: two files that say different things are shown together; a difference alone is not."""
    files = (
        Companion("USER.md", ("Lives in Brno", "Likes tea")),
        Companion("keep.md", ("Ring size 54",)),
        Companion("memory_a.md", ("Lives in Prague", "Ring size 55")),
    )
    assert contradictions(files, compare, 5) == (
        Twin("USER.md", "Lives in Brno", "memory_a.md", "Lives in Prague"),
        Twin("keep.md", "Ring size 54", "memory_a.md", "Ring size 55"),
    )
    assert len(contradictions(files, compare, 1)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Boiler was serviced in October 2025", "Boiler serviced by the same firm since 2021"),
        ("Nut allergy (Rosie) — pen in the green pouch", "Rosie's visits: no nuts in the flat"),
        ("Náhradní klíče od chaty — u souseda Vrby", "Náhradní klíče má soused Vrba"),
        ("Radši jezdí vlakem než autem", "Komín čistí pan Rada z vedlejší vsi"),
    ],
)
def test_what_only_touches_is_no_contradiction(compare, one, other):
    """S5: lines that share a few words are not held against each other."""
    assert contradictions((Companion("a", (one,)), Companion("b", (other,))), compare, 5) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lives in Brno", "Lives in Prague"),
        ("Allergic to peanuts", "Not allergic to peanuts"),
        ("Boiler serviced in October 2025", "Boiler serviced in October 2026"),
        ("Jezdí do práce vlakem", "Jezdí do práce autem"),
    ],
)
def test_what_changes_one_thing_is_one(compare, one, other):
    """S5: one word, number or denial apart: the two are shown together."""
    files = (Companion("a", (one,)), Companion("b", (other,)))
    assert contradictions(files, compare, 5) == (Twin("a", one, "b", other),)


def test_the_work_is_bounded():
    """S5: however long the files are, so many entries are compared and no more."""
    asked = []

    def counting(entry, existing):
        asked.append(entry)
        return Match(Relation.DIFFERENT)

    many = tuple(f"line {n}" for n in range(5000))
    files = (Companion("a", many), Companion("b", many), Companion("c", ("x" * 5000,)))
    assert contradictions(files, counting, 5) == ()
    assert 0 < len(asked) <= MOST_COMPARED
    assert asked[-1] == "line 4999"


def test_many_topics_leave_room_for_the_own_files(compare):
    """S5: however many topics there are, the last lines of USER.md and keep.md are compared."""
    topics = tuple(Companion(f"memory_{n}.md", ("Something else",)) for n in range(500))
    user = Companion("USER.md", ("Lives in Brno", *(f"line {n}" for n in range(50))))
    files = (user, Companion("keep.md", ("Lives in Prague",)), Companion("MEMORY.md", ()), *topics)
    assert Twin("USER.md", "Lives in Brno", "keep.md", "Lives in Prague") in contradictions(
        files, compare, 5
    )


def test_repetitions():
    """S5: the same words in two files are shown once, twice in one file are not our matter."""
    files = (
        Companion("USER.md", ("Likes tea.",)),
        Companion("keep.md", ("likes  tea", "Ring", "Ring", "likes tea")),
    )
    assert repetitions(files, 5) == (Twin("USER.md", "Likes tea.", "keep.md", "likes  tea"),)


def test_no_two_topics_move_to_one_place():
    """S5: a name in the archive that one topic is to get is free for no other one."""
    index = "- A → memory_boat.md\n- B → memory_boat_2.md\n"
    old = (topic("boat", days=400), topic("boat_2", days=400))
    targets = [new for _, _, new in found(index, *old, archived={"boat"})]
    assert len(set(targets)) == 2
