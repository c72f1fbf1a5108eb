"""Change-sets: the seed's JSON, the validator in three profiles, and applying them."""

import importlib.util
import json
import pathlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.changeset import (
    Category,
    Change,
    Op,
    Profile,
    Violation,
    decode,
    decode_reply,
    edit_of,
    encode,
    validate,
)
from memory.document import Document, Span
from memory.edits import apply

DATA = pathlib.Path(__file__).parents[2] / "benchmarks" / "data"
CASES = sorted((DATA / "compaction").iterdir())


def load_checker():
    spec = importlib.util.spec_from_file_location("check_compaction", DATA / "check_compaction.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()
DOCUMENTS = {c.name: Document.parse((c / "MEMORY.md").read_bytes()) for c in CASES}
CHECKED = {c.name: CHECKER.Doc(CHECKER.read_lines(c / "MEMORY.md")) for c in CASES}
GOLD = {
    c.name: CHECKER.gold_changeset(
        CHECKED[c.name], json.loads((c / "labels.json").read_text(encoding="utf-8"))
    )
    for c in CASES
}
BENCH = [
    pytest.param(path, expected, id=f"{case.name}-{name}")
    for case in CASES
    if (case / "changesets").is_dir()
    for name, expected in json.loads(
        (case / "changesets" / "expect.json").read_text(encoding="utf-8")
    ).items()
    for path in [case / "changesets" / name]
]


def rules(violations):
    return {v.rule for v in violations}


@pytest.mark.parametrize(("path", "expected"), BENCH)
def test_bench_change_sets(path, expected):
    """Each change-set of the bench breaks exactly the rule it was made for, or none (N2)."""
    document = DOCUMENTS[path.parents[1].name]
    obj = json.loads(path.read_text(encoding="utf-8"))
    read = decode_reply(obj["reply"], document) if expected["form"] == "reply" else None
    _, violations = read or decode(obj, document)
    assert rules(violations) == (set() if expected["valid"] else {expected["rule"]})


@pytest.mark.parametrize("name", GOLD)
def test_gold_change_sets_survive_the_round_trip(name):
    """Decode, encode and decode again keeps every change, and validating agrees (N2)."""
    document = DOCUMENTS[name]
    changes, violations = decode(GOLD[name], document)
    assert not violations
    assert decode(encode(changes), document) == (changes, ())
    assert all(not validate(changes, document, profile) for profile in Profile)


@pytest.mark.parametrize("name", GOLD)
def test_gold_change_sets_apply_like_the_bench(name):
    """Applying a change-set leaves the lines that the bench's own arithmetic leaves (C5)."""
    document = DOCUMENTS[name]
    changes, _ = decode(GOLD[name], document)
    _, placed = CHECKER.check_changeset(GOLD[name], CHECKED[name])
    hunks = edit_of(*changes)(document)
    assert list(apply(document, hunks).lines) == CHECKER.apply(CHECKED[name].lines, placed)


TEXT = st.sampled_from(
    ["", " ", "- a", "## b", "  # c", "x\ny", "x\r", "é" * 121, "y" * 301, "shorten", "merge"]
)
JUNK = st.one_of(TEXT, st.none(), st.integers(), st.lists(TEXT, max_size=4), st.just({}))
FIELDS = ("op", "category", "original", "new_text", "reason", "extra")


@st.composite
def mutated(draw, name):
    """A legal change-set with up to four things spoiled."""
    lines = CHECKED[name].lines
    changes = [dict(c) for c in draw(st.permutations(GOLD[name]["changes"]))]
    changes = changes[: draw(st.integers(0, len(changes)))]
    obj = {"changes": changes}
    for _ in range(draw(st.integers(1, 4))):
        spoil(draw, obj, lines)
    return obj


def spoil(draw, obj, lines):
    changes = obj["changes"] if isinstance(obj.get("changes"), list) else []
    kind = draw(st.sampled_from(["add", "add", "field", "field", "cut", "block", "shuffle", "top"]))
    if kind == "top" and draw(st.integers(0, 5)) == 0:
        obj[draw(st.sampled_from(["changes", "note"]))] = draw(JUNK)
    elif kind == "add":
        changes.append(draw(blocks(lines)))
    elif changes:
        index = draw(st.integers(0, len(changes) - 1))
        if isinstance(changes[index], dict):
            changes[index] = draw(spoiled(changes[index], kind, lines))


@st.composite
def blocks(draw, lines):
    """A change over any run of lines, headings and blanks included."""
    start = draw(st.integers(0, len(lines) - 1))
    original = lines[start : start + draw(st.integers(1, 24))]
    if draw(st.booleans()):
        return {"op": "delete", "category": "detail", "original": original, "reason": "r"}
    new = draw(st.lists(st.sampled_from(["- n", "  ## x", "w" * 150]), max_size=4))
    return {"op": "merge", "original": original, "new_text": new, "reason": "r"}


@st.composite
def spoiled(draw, change, kind, lines):
    change = dict(change)
    original = change.get("original")
    whole = isinstance(original, list) and all(isinstance(x, str) for x in original) and original
    if kind == "field":
        change[draw(st.sampled_from(FIELDS))] = draw(JUNK)
    elif kind == "cut" and whole:
        change["original"] = [original[0][1:-1], *original[1:]]
    elif kind == "shuffle" and whole:
        change["original"] = draw(st.permutations(original))
    elif kind == "block":
        change["original"] = draw(st.lists(st.sampled_from(lines), max_size=3))
    else:
        change.pop(draw(st.sampled_from(FIELDS)), None)
    return change


@pytest.mark.parametrize("name", [c.name for c in CASES[:7]])
def test_the_same_rules_as_the_bench(name):
    """On spoiled change-sets the broken rules are those of the bench's checker, all at once (N2)."""

    @settings(max_examples=150, deadline=None)
    @given(mutated(name))
    def agree(obj):
        wanted, _ = CHECKER.check_changeset(obj, CHECKED[name])
        assert rules(decode(obj, DOCUMENTS[name])[1]) == wanted

    agree()
