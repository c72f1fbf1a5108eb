"""Undo from the journal: whole operations and single items (C6, D6)."""

import itertools

import pytest

from memory.changeset import Change, Op, edit_of
from memory.document import Document, Span
from memory.edits import Hunk, add_heading, append_entry, remove_entry, replace_entry
from memory.store import Item, Refusal, UndoRefused
from tests.memory.store_workplace import ALICE, KEEP, LOG, MEMORY, PETR, Workplace

LETTERS = "abcdef"
SIX = "".join(f"- {x}\n" for x in LETTERS).encode()


@pytest.fixture
def work(tmp_path):
    return Workplace(tmp_path)


def delete(text, key=None):
    return Item(key or text, remove_entry(text), (f'DELETED [detail] "{text}" — old',))


STARTS = {
    "plain": SIX,
    "crlf": SIX.replace(b"\n", b"\r\n"),
    "bom": b"\xef\xbb\xbf" + SIX,
    "no-final-newline": SIX.removesuffix(b"\n"),
    "sections": b"# M\n\n## A\n- a\n- b\n\n## B\n- c\n- d\n- e\n- f\n",
    "equal-lines": SIX + SIX,
}
OPERATIONS = {
    "append": [Item("1", append_entry("new"))],
    "two-appends": [Item("1", append_entry("new")), Item("2", append_entry("newer"))],
    "replace": [Item("1", replace_entry("c", "C"))],
    "delete-first": [delete("a")],
    "delete-last": [delete("f")],
    "delete-all": [delete(x) for x in LETTERS],
    "delete-backwards": [delete(x) for x in reversed(LETTERS)],
    "mixed": [delete("b"), Item("2", replace_entry("c", "C")), Item("3", append_entry("z"))],
    "heading-then-entry": [Item("1", add_heading("New")), Item("2", append_entry("x", "New"))],
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_undo_restores_the_bytes(work, start, operation):
    """An operation and its undo leave the bytes of before (W2, C6)."""
    before = STARTS[start]
    work.put(before)
    receipt = work.store.apply(KEEP, OPERATIONS[operation], ALICE)
    assert receipt.changed
    assert receipt.skipped == ()
    assert work.bytes() != before
    assert work.store.undo(receipt.op, ALICE).skipped == ()
    assert work.bytes() == before


@pytest.mark.parametrize("order", list(itertools.permutations("bcd")), ids="".join)
def test_single_items_come_back_to_their_places(work, order):
    """Neighbouring deletions undone one by one, in any order, restore the bytes (C6)."""
    work.put(SIX, MEMORY)
    receipt = work.store.apply(MEMORY, [delete(x) for x in "bcd"], ALICE)
    for key in order:
        assert work.store.undo(receipt.op, ALICE, {key}).applied == (key,)
    assert work.bytes(MEMORY) == SIX
    assert work.store.undo(receipt.op, ALICE) == UndoRefused(Refusal.ALREADY)


def test_undo_works_around_an_edit_from_outside(work):
    """Lines that an agent added elsewhere stay, and the restored one finds its place (C6)."""
    work.put(SIX, MEMORY)
    receipt = work.store.apply(MEMORY, [delete("c")], ALICE)
    work.put(b"# Head\n\n" + work.bytes(MEMORY) + b"- agent\n", MEMORY)
    work.store.undo(receipt.op, ALICE)
    assert work.bytes(MEMORY) == b"# Head\n\n" + SIX + b"- agent\n"


def test_a_blank_line_is_no_landmark(work):
    """A restored line is not put below just any blank line when the document moved (C6)."""
    work.put(b"## H\n\n- x\n- b\n", MEMORY)
    receipt = work.store.apply(MEMORY, [delete("x")], ALICE)
    work.put(b"# T\n\n" + work.bytes(MEMORY), MEMORY)
    work.store.undo(receipt.op, ALICE)
    assert work.bytes(MEMORY) == b"# T\n\n## H\n\n- x\n- b\n"


def test_a_line_put_in_above_a_replaced_one(work):
    """An insertion where an earlier item replaces the line goes above it, and comes back (C6)."""
    work.put(SIX)
    insertion = Item("2", lambda document: (Hunk(1, (), ("- new\n",)),))
    receipt = work.store.apply(KEEP, [Item("1", replace_entry("b", "B")), insertion], ALICE)
    assert work.bytes() == SIX.replace(b"- b\n", b"- new\n- B\n")
    work.store.undo(receipt.op, ALICE, {"1"})
    assert work.bytes() == SIX.replace(b"- b\n", b"- new\n- b\n")
    work.store.undo(receipt.op, ALICE, {"2"})
    assert work.bytes() == SIX


def test_what_moved_on_is_named_and_the_rest_comes_back(work):
    """An item whose line was rewritten meanwhile is skipped, the others are undone (D5, C6)."""
    work.put(SIX)
    items = [Item("1", replace_entry("a", "A")), Item("2", replace_entry("e", "E"))]
    receipt = work.store.apply(KEEP, items, ALICE)
    work.put(work.bytes().replace(b"- A\n", b"- agent's A\n"))
    undone = work.store.undo(receipt.op, ALICE)
    assert (undone.applied, undone.skipped) == (("2",), ("1",))
    assert work.bytes() == SIX.replace(b"- a\n", b"- agent's A\n")
    again = work.store.undo(receipt.op, ALICE)
    assert again == UndoRefused(Refusal.MOVED_ON, ("1",))


def test_a_line_put_back_never_runs_into_its_neighbour(work):
    """A last line without newline gets one when another line now follows it (W2)."""
    work.put(b"- a")
    receipt = work.store.apply(KEEP, [Item("1", append_entry("b"))], ALICE)
    work.put(work.bytes() + b"- agent\n")
    work.store.undo(receipt.op, ALICE)
    assert work.bytes() == b"- a\n- agent\n"


def test_later_operations_do_not_block_an_older_undo(work):
    """The first of two keeps can be undone, and then the second (C6)."""
    first = work.store.apply(KEEP, [Item("1", append_entry("one"))], ALICE)
    second = work.store.apply(KEEP, [Item("1", append_entry("two"))], ALICE)
    work.store.undo(first.op, ALICE)
    assert work.bytes() == b"- two\n"
    work.store.undo(second.op, ALICE)
    assert work.bytes() == b""


def test_who_and_when(work):
    """Only the own operations can be undone, for 30 days, once (C6, D6)."""
    op = work.store.apply(KEEP, [Item("1", append_entry("one"))], ALICE).op
    assert work.store.undo(op, PETR) == UndoRefused(Refusal.UNKNOWN)
    assert work.store.undo("nonsense", ALICE) == UndoRefused(Refusal.UNKNOWN)
    work.clock.advance(days=30, seconds=1)
    assert work.store.undo(op, ALICE) == UndoRefused(Refusal.EXPIRED)
    assert work.store.last(111) is None
    work.clock.advance(days=-1)
    assert work.store.undo(op, ALICE).changed
    assert work.store.undo(op, ALICE) == UndoRefused(Refusal.ALREADY)


def test_an_undo_is_journaled_but_not_offered(work):
    """The newest operation with something left is offered; an undo itself never is (C6)."""
    first = work.store.apply(KEEP, [Item("1", append_entry("one"))], ALICE)
    second = work.store.apply(MEMORY, [Item("1", append_entry("two"))], ALICE)
    assert work.store.last(111).op == second.op
    assert work.store.last(111, KEEP).added == ("- one",)
    undo = work.store.undo(second.op, ALICE)
    assert work.store.last(111).op == first.op
    assert work.state.entry(undo.op).undoes == second.op
    assert work.store.last(222) is None


def test_undo_survives_a_restart_and_is_logged(work):
    """The journal is on disk; an item that was logged gets its RESTORED line (C5, D1)."""
    work.put(SIX, MEMORY)
    op = work.store.apply(MEMORY, [delete("b"), delete("c")], ALICE).op
    work.reopen()
    work.clock.advance(minutes=1)
    work.store.undo(op, ALICE, {"c"})
    assert work.bytes(LOG).decode().splitlines() == [
        '2026-05-04 12:30 DELETED [detail] "b" — old',
        '2026-05-04 12:30 DELETED [detail] "c" — old',
        '2026-05-04 12:31 RESTORED [detail] "c" — old',
    ]


def test_items_skipped_when_applied_cannot_be_undone(work):
    """What was not applied is neither offered nor undone (D5)."""
    work.put(SIX)
    receipt = work.store.apply(KEEP, [delete("a"), delete("gone")], ALICE)
    assert work.store.last(111).keys == ("a",)
    assert work.store.undo(receipt.op, ALICE, {"gone"}) == UndoRefused(Refusal.ALREADY)


def test_overlapping_changes_apply_once(work):
    """Two items for the same line: the first is applied, the second is skipped (D5)."""
    work.put(SIX)
    line = Change(Op.DELETE, (Span(1, 2),), ("- b",))
    items = [Item("1", edit_of(line)), Item("2", edit_of(line))]
    receipt = work.store.apply(KEEP, items, ALICE)
    assert (receipt.applied, receipt.skipped) == (("1",), ("2",))
    assert receipt.document == Document.of(SIX.decode().replace("- b\n", ""))


def test_an_item_inside_lines_that_another_replaces_is_skipped(work):
    """A later item for a line in the middle of an earlier item's lines is skipped (D5)."""
    work.put(SIX)
    merged = Item("1", lambda document: (Hunk(1, document.raw[1:4], ("- merged\n",)),))
    receipt = work.store.apply(KEEP, [merged, delete("c"), delete("e")], ALICE)
    assert (receipt.applied, receipt.skipped) == (("1", "e"), ("c",))
    assert work.bytes() == b"- a\n- merged\n- f\n"


def test_two_items_never_claim_the_same_line_back(work):
    """Of two appended equal lines one was removed outside: one item is undone, one skipped (D5)."""
    work.put(b"- a\n")
    items = [Item("1", append_entry("x")), Item("2", append_entry("x"))]
    receipt = work.store.apply(KEEP, items, ALICE)
    work.put(b"- a\n- x\n- b\n")
    undone = work.store.undo(receipt.op, ALICE)
    assert (undone.applied, undone.skipped) == (("1",), ("2",))
    assert work.bytes() == b"- a\n- b\n"
