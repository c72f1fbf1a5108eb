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
        found = rules(decode(obj, DOCUMENTS[name])[1])
        assert found - {"pinned_section"} == wanted

    agree()


DOCUMENT = Document.of(
    "# M\n\n## One\n- a\n- b\n- a\n### Sub\n- c\n- d\n### Sub two\n- e\n## Two\n- f\n- g\n\n---\n"
    "- 1\n- 2\n- 3\n- 4\n"
)
FLAT = Document.of("- likes tea\n- has a dog\n- tea is green\n- e\n- f\n")


def spans(*pairs):
    return tuple(Span(*pair) for pair in pairs)


def change(op, *pairs, document=DOCUMENT, new=(), category=None, reason="r", original=None):
    lines = tuple(document.lines[i] for p in pairs for i in range(*p))
    category = category or (Category.DETAIL if op is Op.DELETE else None)
    return Change(op, spans(*pairs), original or lines, tuple(new), category, reason)


RULED = Document.of("## A\n- a\n\n---\n\n## B\n- b\n")
LONG = tuple(f"- fact {i} {'x' * 200}" for i in range(30))
LONG_DOCUMENT = Document.of("".join(f"{line}\n" for line in (*LONG, *LONG, *LONG)))
PINNED = Document.of("## A <!-- pinned -->\n- a\n\n## B\n- b\n- c\n- d\n- e\n")
PROFILES = {
    "a pinned line": (
        PINNED, [change(Op.DELETE, (1, 2), document=PINNED)], *[{"pinned_section"}] * 3,
    ),
    "a pinned heading": (
        PINNED, [change(Op.DELETE, (0, 2), document=PINNED)], *[{"pinned_section"}] * 3,
    ),
    "a line beside a pinned section": (
        PINNED, [change(Op.DELETE, (4, 5), document=PINNED)], set(), set(), set(),
    ),
    "equal lines by their place": (
        DOCUMENT, [change(Op.DELETE, (5, 6))], {"original_not_unique"}, set(), set(),
    ),
    "21 lines and no reason": (
        LONG_DOCUMENT,
        [change(Op.DELETE, (0, 21), document=LONG_DOCUMENT, reason="")],
        {"too_many_lines", "reason_missing", "original_not_unique"}, set(), set(),
    ),
    "a long reason": (DOCUMENT, [change(Op.DELETE, (3, 5), reason="x" * 121)], {"reason_too_long"}, set(), set()),
    "four long new lines": (
        LONG_DOCUMENT,
        [change(Op.MERGE, (20, 26), document=LONG_DOCUMENT, new=[line + "!" for line in LONG[:4]])],
        {"new_text_too_many_lines", "new_text_too_long", "original_not_unique"}, set(), set(),
    ),
    "as many new lines": (
        DOCUMENT, [change(Op.MERGE, (7, 9), new=["- c", "- D"])], *[{"new_text_not_fewer_lines"}] * 3,
    ),
    "merge across subsections": (
        DOCUMENT, [change(Op.MERGE, (8, 11), new=["- x"])], *[{"merge_across_subsection"}] * 3,
    ),
    "merge across sections": (DOCUMENT, [change(Op.MERGE, (10, 13), new=["- x"])], *[{"merge_across_section", "heading_orphaned"}] * 3),
    "a heading without its body": (DOCUMENT, [change(Op.DELETE, (6, 8))], *[{"heading_orphaned"}] * 3),
    "a heading with its body": (DOCUMENT, [change(Op.DELETE, (6, 9))], set(), set(), set()),
    "a heading with its body, the rule below stays": (
        RULED, [change(Op.DELETE, (0, 2), document=RULED)], set(), set(), set(),
    ),
    "overlap": (
        DOCUMENT, [change(Op.DELETE, (7, 9)), change(Op.DELETE, (8, 9))], *[{"overlap"}] * 3,
    ),
    "over half the file": (
        FLAT, [change(Op.DELETE, (2, 5), document=FLAT)], *[{"removes_over_half"}] * 3,
    ),
    "lines apart": (
        FLAT,
        [change(Op.MERGE, (0, 1), (2, 3), document=FLAT, new=["- likes green tea"])],
        {"original_not_found"}, {"original_not_found"}, set(),
    ),
    "spans out of order": (
        FLAT,
        [change(Op.MERGE, (2, 3), (0, 1), document=FLAT, new=["- x"])],
        {"original_not_found", "not_file_order"}, {"original_not_found", "not_file_order"}, {"not_file_order"},
    ),
    "shorten": (
        FLAT, [change(Op.SHORTEN, (2, 3), document=FLAT, new=["- green tea"])], {"bad_op"}, {"bad_op"}, set(),
    ),
    "shorten to something longer": (
        FLAT,
        [change(Op.SHORTEN, (2, 3), document=FLAT, new=["- green tea, ever"])],
        {"bad_op", "shorten_not_shorter"}, {"bad_op", "shorten_not_shorter"}, {"shorten_not_shorter"},
    ),
    "a heading as new text": (
        FLAT, [change(Op.MERGE, (0, 2), document=FLAT, new=["  ## x"])], *[{"new_text_heading"}] * 3,
    ),
    "lines that are not there": (
        FLAT, [change(Op.DELETE, (0, 1), original=("- Likes tea",))], *[{"original_not_found"}] * 3,
    ),
    "a place outside the file": (
        FLAT,
        [Change(Op.DELETE, spans((7, 8)), ("- e",), (), Category.DETAIL, "r")],
        *[{"original_not_found"}] * 3,
    ),
    "blank lines only": (DOCUMENT, [change(Op.DELETE, (14, 15))], {"empty_original", "original_not_unique"}, {"empty_original"}, {"empty_original"}),
    "two things at once": (
        FLAT,
        [change(Op.DELETE, (0, 1), document=FLAT, new=["- x"]), change(Op.MERGE, (1, 3), document=FLAT, category=Category.DETAIL)],
        *[{"new_text_on_delete", "category_on_merge", "new_text_missing", "removes_over_half"}] * 3,
    ),
    "delete without a category": (
        FLAT, [Change(Op.DELETE, spans((0, 1)), ("- likes tea",), (), None, "r")], *[{"category_missing"}] * 3,
    ),
    "nothing": (FLAT, [], set(), set(), set()),
}  # fmt: skip


@pytest.mark.parametrize("case", PROFILES)
def test_profiles(case):
    """What each of the three profiles says about a change-set, all violations at once (product 2)."""
    document, changes, *wanted = PROFILES[case]
    found = [rules(validate(changes, document, profile)) for profile in Profile]
    assert found == wanted


def test_violations_name_their_change():
    """A violation carries the number of its change, and none for the whole change-set (N2)."""
    changes = [change(Op.DELETE, (0, 1), document=FLAT), change(Op.MERGE, (1, 3), document=FLAT)]
    assert validate(changes, FLAT, Profile.STRICT) == (
        Violation("new_text_missing", 1),
        Violation("removes_over_half"),
    )


ENVELOPES = {
    "the block alone": ('```json\n{"changes": []}\n```', None),
    "blank lines around": ('\n```json  \n{"changes": []}\n```\n\n', None),
    "prose before": ('Here:\n```json\n{"changes": []}\n```', "prose_around_json"),
    "no fence": ('{"changes": []}', "no_json_block"),
    "two blocks": ('```json\n{"changes": []}\n```\n' * 2, "multiple_json_blocks"),
    "broken": ('```json\n{"changes": [}\n```', "bad_json"),
    "nested to death": ("```json\n" + "[" * 200_000 + "\n```", "bad_json"),
    "a list": ("```json\n[]\n```", "wrong_type"),
    "no changes": ("```json\n{}\n```", "wrong_type"),
    "a lone surrogate": (
        '```json\n{"changes": [{"op": "delete", "category": "detail", "original": ["- e"], "reason": "\\ud800"}]}\n```',
        "wrong_type",
    ),
}


@pytest.mark.parametrize("case", ENVELOPES)
def test_replies(case):
    """A reply is exactly one json block and nothing else; what it says is read, never guessed (N2)."""
    text, rule = ENVELOPES[case]
    changes, violations = decode_reply(text, FLAT)
    assert changes == ()
    assert rules(violations) == ({rule} if rule else set())


BOUNDS = {
    "reason": ({"reason": "r" * 120}, {"reason": "r" * 121}, "reason_too_long"),
    "lines": ({"pairs": (0, 20)}, {"pairs": (0, 21)}, "too_many_lines"),
    "new lines": ({"new": ["- x"] * 3}, {"new": ["- x"] * 4}, "new_text_too_many_lines"),
    "characters": (
        {"new": ["ž" * 150, "\U0001f33c" * 150]},
        {"new": ["ž" * 150, "\U0001f33c" * 151]},
        "new_text_too_long",
    ),
}


@pytest.mark.parametrize("case", BOUNDS)
def test_bounds_of_the_night(case):
    """The limits of seed 001 to the line and code point, and only in the strict profile (N2)."""
    document = Document.of("".join(f"- {i}\n" for i in range(60)))
    *said, rule = BOUNDS[case]
    for options, wanted in zip(said, (set(), {rule}), strict=True):
        options = dict(options)
        pairs = options.pop("pairs", (0, 5))
        merge = change(Op.MERGE, pairs, document=document, **({"new": ["- x"]} | options))
        assert rules(validate([merge], document, Profile.STRICT)) == wanted
        assert not validate([merge], document, Profile.INTERACTIVE)
