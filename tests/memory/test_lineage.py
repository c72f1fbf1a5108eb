"""Where a foreign text comes from, and how it joins ours (reliability.md d.4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.document import BOM, Document
from memory.edits import apply
from memory.lineage import Step, ancestor, changes, merge

UNIQUE = st.lists(st.sampled_from([f"l{i}" for i in range(30)]), unique=True, max_size=20)


def doc(text):
    return Document.of("".join(f"{word}\n" for word in text.split()))


def lines(document):
    return "".join(document.raw).split()


MERGES = {
    "both append": ("a", "a ours", "a theirs", "a theirs ours"),
    "both append the same": ("a", "a new", "a new", "a new"),
    "far apart": ("a b c", "x a b c", "a b c y", "x a b c y"),
    "theirs removed, ours elsewhere": ("a b c d", "a b c d e", "b c d", "b c d e"),
    "ours removed, theirs elsewhere": ("a b c d", "b c d", "a b c d e", "b c d e"),
    "both removed": ("a b", "a", "a", "a"),
    "both changed one line": ("a b c", "a ours c", "a theirs c", "a theirs ours c"),
    "ours removed what theirs changed": ("a b c", "a c", "a new c", "a new c"),
    "theirs removed what ours changed": ("a b c", "a new c", "a c", "a new c"),
    "ours replaced next to their removal": ("a b c", "a x c", "a b", "a x"),
    "into an empty file": ("", "ours", "theirs", "theirs ours"),
    "one of a pair": ("a a", "a a b", "a", "a b"),
}


@pytest.mark.parametrize("case", MERGES, ids=str)
def test_a_merge_keeps_what_both_wrote(case):
    """Nothing that either side wrote is lost, and nothing stands twice (d.3, step 7)."""
    base, ours, theirs, merged = map(doc, MERGES[case])
    assert lines(merge(base, ours, theirs)) == lines(merged)


@given(UNIQUE, UNIQUE, UNIQUE)
def test_a_merge_loses_no_line(base, ours, theirs):
    """What a side added stands in the result; what a side removed and the other left is gone."""
    merged = lines(merge(*(doc(" ".join(side)) for side in (base, ours, theirs))))
    assert set(merged) >= (set(ours) - set(base)) | (set(theirs) - set(base))
    assert set(merged) >= set(base) & set(ours) & set(theirs)
    assert set(merged) <= set(ours) | set(theirs)


@given(UNIQUE, UNIQUE)
def test_changes_lead_from_one_to_the_other_and_back(before, after):
    """Hunks and their reverse are exact (W1)."""
    one, other = doc(" ".join(before)), doc(" ".join(after))
    step = Step(changes(one, other))
    assert apply(one, step.hunks) == other
    assert apply(other, step.back()) == one


ANCESTORS = {
    "has seen everything": ("a b c new", "a b c"),
    "has not seen the newest": ("a b new", "a b"),
    "has seen nothing of ours": ("a new", "a"),
    "exactly an older one": ("a b", "a b"),
    "removed an older line of ours": ("a c", "a b c"),
    "rewrote much": ("a b c x1 x2 x3 x4", "a b c"),
}


@pytest.mark.parametrize("case", ANCESTORS, ids=str)
def test_the_version_a_text_was_made_from(case):
    """The nearest version, of equals the oldest: an unseen line is not a removed one (d.4)."""
    theirs, expected = map(doc, ANCESTORS[case])
    steps = [Step(changes(doc("a b"), doc("a b c"))), Step(changes(doc("a"), doc("a b")))]
    assert ancestor(doc("a b c"), steps, theirs) == expected


def test_a_stale_rewrite_does_not_remove_what_it_has_not_seen():
    """The lines that we wrote meanwhile survive, and so does the foreign one (d.4)."""
    newest = doc("a b c")
    steps = [Step(changes(doc("a b"), newest)), Step(changes(doc("a"), doc("a b")))]
    theirs = doc("a theirs")
    merged = merge(ancestor(newest, steps, theirs), newest, theirs)
    assert sorted(lines(merged)) == ["a", "b", "c", "theirs"]


def test_ends_and_marks_stay_theirs():
    """CRLF, a missing last end and a byte order mark are no changes of lines (W2)."""
    base = Document.of(f"{BOM}a\r\nb")
    ours = Document.of(f"{BOM}a\r\nb\r\nours\r\n")
    theirs = Document.of(f"{BOM}new\r\na\r\nb")
    assert "".join(merge(base, ours, theirs).raw) == f"{BOM}new\r\na\r\nb\r\nours\r\n"
    assert changes(Document.of("a\r\n"), Document.of("a\n")) == ()
