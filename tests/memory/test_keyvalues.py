"""Values of agents and programs: what a slot may be, what a write leaves behind (M7, M6)."""

import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.keyvalues import LARGEST, PREVIEW, Slot, encode, is_key, is_namespace
from memory.operations import Author
from memory.spaces import group, personal
from memory.state import State

ALICE, PETR = Author(111, source="cli"), Author(222, chat=-1001, message=5)
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
MINE = Slot(personal(111), "default", "state")


@pytest.fixture
def state(tmp_path):
    state = State(tmp_path / "state.db", synchronous="OFF")
    yield state
    state.close()


@pytest.fixture
def values(state):
    return state.keyvalues


def test_a_value_is_set_read_and_deleted(values):
    """M7: a value is stored with who wrote it and when; the same value again is no write."""
    assert values.get(MINE) is None
    assert values.set(MINE, "1", ALICE, NOON)
    assert not values.set(MINE, "1", PETR, NOON + timedelta(hours=1))
    assert values.get(MINE).text == "1"
    assert (values.get(MINE).writer, values.get(MINE).at) == (111, NOON)
    assert values.set(MINE, "2", PETR, NOON + timedelta(hours=1))
    assert (values.get(MINE).text, values.get(MINE).writer) == ("2", 222)
    assert values.delete(MINE, ALICE, NOON)
    assert not values.delete(MINE, ALICE, NOON)
    assert values.get(MINE) is None


def test_spaces_and_namespaces_are_apart(values):
    """M7: the same key in another space or namespace is another value."""
    slots = [
        Slot(space, namespace, "k")
        for space in (personal(111), personal(222), group("family"))
        for namespace in ("a", "b")
    ]
    for number, slot in enumerate(slots):
        values.set(slot, str(number), ALICE, NOON)
    assert [values.get(slot).text for slot in slots] == ["0", "1", "2", "3", "4", "5"]
    values.delete(slots[0], ALICE, NOON)
    assert values.namespaces(personal(111)) == (("b", 1),)
    assert values.namespaces(group("family")) == (("a", 1), ("b", 1))


def test_a_list_shows_beginnings(values):
    """M7: a list is sorted and shows 2,048 characters of a value, with its whole length."""
    values.set(Slot(personal(111), "n", "b"), encode("ž" * 5000), ALICE, NOON)
    values.set(Slot(personal(111), "n", "a"), "7", PETR, NOON)
    one, two = values.list(personal(111), "n")
    assert (one.key, one.preview, one.length, one.writer) == ("a", "7", 1, 222)
    assert (two.key, two.preview, two.length) == ("b", '"' + "ž" * (PREVIEW - 1), 5002)
    assert values.list(personal(111), "other") == ()


def test_every_write_is_audited_with_its_writer(state, values):
    """M6, M7: each write stands in the audit: who, by what, when, digests before and after."""
    slot = Slot(group("family"), "home", "plumber")
    values.set(slot, '"Ana"', ALICE, NOON)
    values.set(slot, '"Ana"', PETR, NOON)
    values.set(slot, '"Eva"', PETR, NOON + timedelta(days=1))
    values.delete(slot, ALICE, NOON + timedelta(days=2))
    found = reversed(state.trail.of(slot.audited, 9))
    seen = [(w.user, w.source, w.at, w.before, w.after) for w in found]
    ana, eva = (hashlib.sha256(text.encode()).hexdigest() for text in ('"Ana"', '"Eva"'))
    assert seen == [
        (111, "cli", NOON, "", ana),
        (222, "chat", NOON + timedelta(days=1), ana, eva),
        (111, "cli", NOON + timedelta(days=2), eva, ""),
    ]


def test_the_audit_holds_no_text(tmp_path):
    """M6, W5: neither a key nor a value stands in the audit; a deleted value is gone from disk."""
    state = State(tmp_path / "state.db", synchronous="OFF")
    slot = Slot(personal(111), "n", "kanárek")
    state.keyvalues.set(slot, '"papoušek"', ALICE, NOON)
    state.keyvalues.delete(slot, ALICE, NOON)
    state.close()
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "kanárek".encode() not in data and "papoušek".encode() not in data


@pytest.mark.parametrize("name", ["_memory", "", ".", "A", "a b", "a/b", "-a", "a" * 65, "č"])
def test_names_that_are_no_namespace(values, name):
    """M7: namespaces are short plain words; those that begin with ``_`` are the program's."""
    assert not is_namespace(name)
    with pytest.raises(ValueError):
        values.set(Slot(personal(111), name, "k"), "1", ALICE, NOON)


@pytest.mark.parametrize("key", ["", " ", "a\nb", "a\x00", "\ud800", "a" * 201], ids=ascii)
def test_names_that_are_no_key(values, key):
    """M7: a key is one line of text of at most 200 characters."""
    assert not is_key(key)
    with pytest.raises(ValueError):
        values.set(Slot(personal(111), "n", key), "1", ALICE, NOON)


def test_the_largest_value(values):
    """M7: exactly 1 MiB of UTF-8 is stored, one byte more is not."""
    largest = '"' + "ž" * ((LARGEST - 2) // 2) + '"'
    assert len(largest.encode()) == LARGEST
    assert values.set(MINE, largest, ALICE, NOON)
    with pytest.raises(ValueError):
        values.set(MINE, largest[:-1] + 'a"', ALICE, NOON)
    assert values.get(MINE).text == largest


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(JSON)
def test_a_value_is_json_or_refused(value):
    """M7: what is encoded reads back as the same value; NaN and infinite numbers are refused."""
    try:
        text = encode(value)
    except ValueError:
        assert "nan" in repr(value) or "inf" in repr(value)
    else:
        assert json.loads(text) == value


def test_what_is_nested_too_deeply():
    """M7: a value nested beyond reason is refused, not a crash."""
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError):
        encode(deep)
