"""The pure parts: button data, payloads, pages, places and lengths (C4, D1)."""

import json

import pytest

import locales
from curation.engine import Home, Item, Proposal, Refusal, Relation, Unclear
from handlers import callbacks, places
from handlers.access import Stance, stance
from handlers.callbacks import Press, Verb
from handlers.context import Policy
from handlers.known import Known
from handlers.messages import listing, render
from handlers.messages import outcome as o
from handlers.messages.listing import Sheet
from handlers.messages.payloads import (
    outcome_from_json,
    outcome_to_json,
    proposal_from_json,
    proposal_to_json,
)
from handlers.messages.reply import shortened, units
from handlers.messages.voice import Voice
from memory.changeset import Category, Change, Op
from memory.document import Document, Span
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Receipt, Snapshot

ID = "abcdefghijklmnopqrstuvwxyz"
ENGLISH = Voice("en", locales.load(["en"]).catalogue("en"))


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("number", [0, 1, 999])
def test_button_data(verb, number):
    """D1: data survives the way to Telegram and back, within 64 bytes."""
    data = callbacks.encode(ID, verb, number)
    assert len(data.encode()) <= 64
    assert callbacks.decode(data) == Press(ID, verb, number)


@pytest.mark.parametrize("data", ["", "a", "a:b", "a:undo:", "a:undo:-1", "a b:undo", "a:undo:1:2"])
def test_foreign_button_data(data):
    """D1: what this program did not make is nothing."""
    assert callbacks.decode(data) is None


def test_parts_and_options():
    """A part of a card and its option fit into one number."""
    assert callbacks.place(callbacks.at(3, 7)) == (3, 7)


OUTCOMES = [
    o.Kept("a", "op", "b"),
    o.Known("a"),
    o.Duplicate("a", "b", Relation.EXTENDS, DocumentName.USER, True),
    o.NeedsReason("a", "cs", "b"),
    o.BelongsIn(Home.PROJECT, "a", "Red Barn", ("project/red-barn", "keep")),
    o.Moving("a", ("notes",)),
    o.Filed("a", "notes.md", "op"),
    o.Refused(Refusal.SECRET),
    o.Vague(Unclear.VAGUE),
    o.Unfaithful("a", "b"),
    o.Foreign("a", "b", True),
    o.Suspicious("a"),
    o.Suspicious("a", veiled=True),
    o.Dropped("a"),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda one: type(one).__name__)
def test_outcomes_as_json(outcome):
    """D1: a card comes back from the state as it went in."""
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(outcome)))) == outcome


def item(number, text="fact", op=Op.DELETE, new=()):
    category = Category.DETAIL if op is Op.DELETE else None
    span = Span(number, number + 1)
    change = Change(op, (span,), (f"- {text}",), new, category, "why")
    return Item(
        number, op, category, text, (change,), "task_done", {}, "USER.md:3", number % 2 == 0
    )


def test_proposals_as_json():
    """D1: a proposal comes back from the state as it went in."""
    proposal = Proposal("digest", (item(1), item(2, "é🙂", Op.MERGE, ("- x",)), item(3)))
    assert proposal_from_json(json.loads(json.dumps(proposal_to_json(proposal)))) == proposal


@pytest.mark.parametrize("size", [1, 20, 400, 4000], ids="{} characters".format)
@pytest.mark.parametrize("op", Op)
@pytest.mark.parametrize("letter", ["a", "<", "&", "🙂", "č"])
def test_every_page_fits(size, letter, op):
    """C4: whatever the texts are, each page fits into a message and has at most eight toggles."""
    new = () if op is Op.DELETE else (f"- {letter * size}",)
    items = tuple(item(n, letter * size, op, new) for n in range(1, 31))
    numbers = []
    for page in range(40):
        sheet = Sheet(DocumentName.MEMORY, Proposal("", items), frozenset({2}), page)
        reply = listing.sheet(sheet, ENGLISH, ID)
        toggles = [b.data for row in reply.buttons for b in row if ":toggle:" in b.data]
        assert len(toggles) <= 8
        assert units(visible(reply.html)) <= 4096
        new = [int(data.rsplit(":", 1)[1]) for data in toggles]
        if new[0] in numbers:
            break
        numbers += new
    assert numbers == list(range(1, 31))


def test_known_texts_grow_by_a_line(tmp_path):
    """K8: after an append the texts are known without reading; after anything else they are read."""
    ref = DocumentRef(personal(1), DocumentName.KEEP)
    known, old = Known(), Document.of("- a\n")
    first = known.texts(Snapshot(ref, old, old.digest, True))
    appended = Document.of("- a\n- b\n")
    known.appended(ref, Receipt("op", appended, 1, 2, ("entry",), (), appended.digest), "b")
    bare = Snapshot(ref, Document(()), appended.digest, True)
    assert known.texts(bare) == (*first, "b")
    changed = Document.of("- z\n- b\n- c\n")
    known.appended(ref, Receipt("op", changed, 2, 3, ("entry",), (), changed.digest), "c")
    assert known.texts(Snapshot(ref, changed, changed.digest, True)) == ("z", "b", "c")


def visible(html):
    from tests.handlers.fake_telegram import shown

    text = shown(html)
    assert text is not None
    return text


@pytest.mark.parametrize("count", [1, 2, 7, 25])
def test_every_card_fits(count):
    """T: a card of many long parts fits into one message, each part with its buttons."""
    one = o.Duplicate("n" * 3000, "o" * 3000, Relation.EXTENDS)
    card = render.card([one] * count, ENGLISH, ID)
    assert units(visible(card.html)) <= 4096
    assert len(card.buttons) == count


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("notes", "notes.md"),
        ("memory", "MEMORY.md"),
        ("project/red-barn", "projects/red-barn.md"),
        ("user/Style <!-- pinned -->", "USER.md › Style"),
        ("agents", "AGENTS.md"),
        ("topic/course", "memory_course.md"),
        ("topic/course/Lessons/1", "memory_course.md › Lessons/1"),
        ("group/family/Reference", "GROUP.md (family) › Reference"),
        ("channel/Decisions", "CHANNEL.md › Decisions"),
        ("soul/Name", "SOUL.md › Name"),
    ],
)
def test_places(code, shown):
    """A place is shown as people know it."""
    assert places.shown(code) == shown


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("🙂🙂", 4, "🙂🙂"), ("🙂🙂🙂", 4, "🙂…")],
)
def test_shortened(text, limit, short):
    """Lengths are UTF-16 units, and no character is cut in two."""
    assert shortened(text, limit) == short
    assert units(short) <= limit


@pytest.mark.parametrize(
    ("sender", "as_chat", "policy", "expected"),
    [
        (1, False, Policy(), Stance.STRANGER),
        (1, False, Policy(members=frozenset({1})), Stance.WELCOME),
        (1, False, Policy(admins=frozenset({1})), Stance.WELCOME),
        (1, False, Policy(everyone=True), Stance.WELCOME),
        (1, True, Policy(everyone=True), Stance.NOBODY),
        (1087968824, False, Policy(everyone=True), Stance.NOBODY),
        (0, False, Policy(everyone=True), Stance.NOBODY),
    ],
)
def test_stances(sender, as_chat, policy, expected):
    """G1, G2: deny by default, by id; who is no person has no memory."""
    assert stance(sender, as_chat, policy) is expected
