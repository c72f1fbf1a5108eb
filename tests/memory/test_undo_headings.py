"""Undo and headings: what others wrote below a heading stays below it (C6, W2)."""

from hypothesis import given
from hypothesis import strategies as st

from memory.document import Document
from memory.edits import Hunk, add_heading, append_entry
from memory.operations import Item
from memory.patches import Record, plan, reverse
from tests.memory.store_workplace import ALICE, KEEP, PETR, Workplace

STARTS = ("", "- loose\n", "# M\n\n## Old\n\n- a\n", "## Old\n- a\n### Deep\n- b", "\ufeff## Old\n")
NEXT = st.sampled_from(["New", "Old", "Newer", ""])


def homes(document, without):
    """Each line with the headings it stands below, without some lines."""
    found, trail = [], {}
    levels = {h.line: h.level for h in document.headings}
    for number, line in enumerate(document.lines):
        if number in levels:
            trail = {k: v for k, v in trail.items() if k < levels[number]}
        if line.strip() and line not in without:
            found.append((line, tuple(trail.values())))
        if number in levels:
            trail[levels[number]] = line
    return found


@given(st.sampled_from(STARTS), st.lists(NEXT, max_size=3))
def test_every_other_line_stays_below_its_heading(start, later):
    """C6: an operation made a heading and an entry; its undo moves no other line to another one."""
    done = plan(Document.of(start), [Item("1", add_heading("New", "mine"))])
    now = done.after
    for number, heading in enumerate(later):
        edit = append_entry(f"theirs {number}", heading)
        now = plan(now, [Item("x", edit)]).after
    turned = reverse(now, Record(done.patches, frozenset({0})), {0}, now == done.after)
    assert turned.undone == (0,)
    assert "- mine" not in turned.after.lines
    mine = {"- mine"} if "## New" in turned.after.lines else {"- mine", "## New"}
    assert homes(turned.after, mine) == homes(now, mine)


def test_the_heading_of_a_line_taken_back(tmp_path):
    """C6: the first line made the heading; with a second below it only the first is taken back."""
    work = Workplace(tmp_path)
    work.put(b"")
    first = work.store.apply(KEEP, [Item("1", add_heading("Known", "the plumber"))], ALICE)
    second = work.store.apply(KEEP, [Item("1", append_entry("the barn", "Known"))], PETR)
    work.store.undo(first.op, ALICE)
    assert work.bytes() == b"## Known\n- the barn\n"
    work.store.undo(second.op, PETR)
    assert work.bytes() == b"## Known\n"


def test_a_heading_over_lines_that_stood_there(tmp_path):
    """W2: a heading that was put over lines goes again, whatever else was written since."""
    work = Workplace(tmp_path)
    work.put(b"- a\n")
    over = lambda document: (Hunk(0, (), ("## Over\n",)),)  # noqa: E731
    done = work.store.apply(KEEP, [Item("1", over)], ALICE)
    work.store.apply(KEEP, [Item("1", append_entry("b"))], PETR)
    work.store.undo(done.op, ALICE)
    assert work.bytes() == b"- a\n- b\n"
