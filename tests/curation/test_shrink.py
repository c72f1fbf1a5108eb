"""Compaction of keep.md: certain steps first, nothing lost, nothing written freely (K10)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.engine import Proposal
from curation.shrink import shrink
from locales import load
from memory.changeset import Op, Profile, validate
from memory.document import Document

LANGUAGES = load(("en", "cs"))
TODAY = date(2026, 5, 1)
FILLING = "".join(f"- Bird {chr(97 + n)} sings {n}\n" for n in range(12))


def shrunk(text: str, target: int = 0) -> Proposal:
    return shrink(Document.of(text + FILLING), target, TODAY, LANGUAGES)


STEPS = {
    "equal": ("- Ann — nut allergy\n- ann — nut allergy.\n", "keep_equal"),
    "whole in another": (
        "- Tea without sugar, with lemon\n- tea without sugar\n",
        "keep_contained",
    ),
    "past": ("- Dentist appointment on 2026-03-12\n- Dogs bark\n", "keep_passed"),
    "cs past": ("- Schůzka s účetní 3. února 2026 v 10:00\n- Psi štěkají\n", "keep_passed"),
    "passing": ("- Router je dnes rozbitý\n- Psi štěkají\n", "keep_transient"),
    "subject": ("- Ann — plays chess\n- Dogs bark\n- Ann — hates rain\n", "merge_topic"),
}


@pytest.mark.parametrize(("text", "reason"), STEPS.values(), ids=STEPS)
def test_each_step_finds_its_entries(text: str, reason: str):
    """Equal, contained, passed and same-subject entries are found; others are not (K10)."""
    assert [item.reason for item in shrunk(text).items] == ([reason] if reason else [])


KEPT = {
    "ahead": "- Passport renewal on 2026-09-01\n- Dogs bark\n",
    "negation": "- Tea with sugar\n- never tea with sugar in the morning\n",
    "number": "- Shoes size 42\n- Shoes size 43 for winter\n",
    "number said twice": "- bus 7 leaves at 7\n- bus 12 leaves at 7\n",
    "numbers swapped": "- room 3 seats 5 people\n- room 5 seats 3 people\n",
    "names": "- Ann plays chess\n- Eva plays chess\n",
    "names swapped": "- Petr owes Jana money\n- Jana owes Petr money\n",
    "anniversary": "- Married on 2015-06-20\n- Dogs bark\n",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_differs_or_lasts_stays(text: str):
    """A number, a name, a denial or a date ahead makes another fact (K10)."""
    assert shrunk(text).items == ()


def test_merged_entries_keep_every_word():
    """Entries need not be neighbours, and the line is made of their own words."""
    item = shrunk("- Ann — plays chess\n- Dogs bark\n- Ann — hates rain\n").items[0]
    assert item.op is Op.MERGE
    assert item.changes[0].new_text == ("- Ann — plays chess; hates rain",)
    assert [len(span) for span in item.changes[0].spans] == [1, 1]


def test_it_stops_at_the_target():
    """No more is proposed than brings the file to its target, the most certain first."""
    text = "- Ann — plays chess\n- Ann — hates rain\n- Dogs bark\n- dogs bark\n"
    assert [item.reason for item in shrunk(text, 15).items] == ["keep_equal"]
    assert shrunk(text, 16).items == ()


def test_lines_that_are_no_entries_are_left_alone():
    """Foreign lines, and entries with children, are not touched (K12)."""
    text = "Note to self\nNote to self\n- Ann\n  - chess\n- Ann\n  - chess\n"
    assert shrunk(text).items == ()


_ENTRY = st.sampled_from(
    [
        "Ann — plays chess",
        "Ann — hates rain on Sundays",
        "ann — plays chess.",
        "Schůzka 2026-01-05 v 9:00",
        "never tea with sugar",
        "tea with sugar",
        "[x] buy paint",
        "Klára: nepije kávu",
        "Klára: pije čaj",
        "Passport until 2031-05-01",
    ]
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.lists(_ENTRY, max_size=25))
def test_any_list_gives_a_valid_proposal(entries: list[str]):
    """Whatever stands in keep.md, the proposal keeps the rules of its profile."""
    document = Document.of("".join(f"- {entry}\n" for entry in entries))
    changes = [c for item in shrink(document, 3, TODAY, LANGUAGES).items for c in item.changes]
    assert not validate(changes, document, Profile.KEEP)
