"""Change-sets of the night that break one rule each, beside a sound change that must not get through."""

import json
from functools import partial

from memory import edits
from memory.changeset import decode, decode_reply, edit_of
from memory.document import Document

DOCUMENT = Document.of(
    "# Memory\n\n## Alpha\n- one\n- two\n- three\n### Sub one\n- s one\n- s two\n- s three\n"
    "### Sub two\n- t one\n- t two\n\n## Beta\n- same\n- b one\n- same\n- b two\n\n"
    "## Gamma\n" + "".join(f"- g {i}\n" for i in range(30)) + "\n## Delta\n- d one\n- d two\n"
)
SOUND = {"op": "delete", "category": "detail", "original": ["- d one"], "reason": "a detail"}


def night(document, changes, violations):
    """What the night makes of an answer: all of it, or nothing when a rule is broken (N2)."""
    plan = None if violations else edit_of(*changes)(document)
    return document if plan is None else edits.apply(document, plan)


def delete(*lines, **fields):
    return SOUND | {"original": list(lines)} | fields


def merge(lines, *new, **fields):
    change = {"op": "merge", "original": list(lines), "new_text": list(new), "reason": "one topic"}
    return change | fields


def without(change, *names):
    return {key: value for key, value in change.items() if key not in names}


def said(*changes, **fields):
    """A set as JSON values, the sound change in it."""
    return partial(decode, {"changes": [SOUND, *changes], **fields})


def reply(text):
    """A model's whole answer."""
    return partial(decode_reply, text)


def fenced(*changes):
    return f"```json\n{json.dumps({'changes': [SOUND, *changes]})}\n```\n"


TWO = ("- s one", "- s two")
G = tuple(f"- g {i}" for i in range(30))
GOOD = reply(
    fenced(merge(TWO, "- s one, two"), delete(*G[:20]), delete("- t one", reason="r" * 120))
)

BAD = {
    "no block": (reply(json.dumps({"changes": [SOUND]})), "no_json_block"),
    "nothing": (reply(""), "no_json_block"),
    "unclosed block": (reply(fenced().removesuffix("```\n")), "no_json_block"),
    "two blocks": (reply(fenced() + fenced()), "multiple_json_blocks"),
    "a word in front": (reply("Sure:\n" + fenced()), "prose_around_json"),
    "a word behind": (reply(fenced() + "Done."), "prose_around_json"),
    "broken JSON": (reply('```json\n{"changes": [}\n```'), "bad_json"),
    "cut JSON": (reply(fenced().replace("]}", "")), "bad_json"),
    "nested to death": (reply("```json\n" + "[" * 100_000 + "\n```"), "bad_json"),
    "a list": (partial(decode, [SOUND]), "wrong_type"),
    "changes is an object": (partial(decode, {"changes": {"1": SOUND}}), "wrong_type"),
    "no changes": (partial(decode, {"edits": [SOUND]}), "wrong_type"),
    "a field beside changes": (said(note="x"), "unknown_field"),
    "a field in a change": (said(delete("- d two", line=3)), "unknown_field"),
    "a change is a text": (said("- d two"), "wrong_type"),
    "original is a text": (said(SOUND | {"original": "- d two"}), "wrong_type"),
    "a line is a number": (said(delete("- d two", 7)), "wrong_type"),
    "a line is half a character": (said(delete("- d \ud800")), "wrong_type"),
    "reason is null": (said(delete("- d two", reason=None)), "wrong_type"),
    "no op": (said(without(delete("- d two"), "op")), "wrong_type"),
    "op rewrite": (said(delete("- d two", op="rewrite")), "bad_op"),
    "op shorten": (said(merge(["- d two"], "- d", op="shorten")), "bad_op"),
    "op in capitals": (said(delete("- d two", op="DELETE")), "bad_op"),
    "no category": (said(without(delete("- d two"), "category")), "category_missing"),
    "another category": (said(delete("- d two", category="boring")), "bad_category"),
    "category in capitals": (said(delete("- d two", category="Detail")), "bad_category"),
    "category on a merge": (said(merge(TWO, "- s", category="detail")), "category_on_merge"),
    "new text on a delete": (said(delete("- d two", new_text=["- d"])), "new_text_on_delete"),
    "merge without new text": (said(without(merge(TWO, "-"), "new_text")), "new_text_missing"),
    "merge into nothing": (said(merge(TWO)), "new_text_missing"),
    "no reason": (said(without(delete("- d two"), "reason")), "reason_missing"),
    "blank reason": (said(delete("- d two", reason=" \t")), "reason_missing"),
    "121 characters of reason": (said(delete("- d two", reason="r" * 121)), "reason_too_long"),
    "nothing to delete": (said(delete()), "empty_original"),
    "blank lines": (said(delete("", "")), "empty_original"),
    "21 lines": (said(delete(*G[:21])), "too_many_lines"),
    "a line that is not there": (said(delete("- d three")), "original_not_found"),
    "another case": (said(delete("- D two")), "original_not_found"),
    "a blank more": (said(delete("- d two ")), "original_not_found"),
    "a no-break space": (said(delete("-\u00a0d two")), "original_not_found"),
    "a gap": (said(delete("- g 0", "- g 2")), "original_not_found"),
    "a line that stands twice": (said(delete("- same")), "original_not_unique"),
    "a part of a line": (said(delete("g 17")), "not_whole_line"),
    "two lines in one text": (said(delete("- g 0\n- g 1")), "not_whole_line"),
    "another order": (said(delete("- g 1", "- g 0")), "not_file_order"),
    "four lines from five": (said(merge(G[:5], *"abcd")), "new_text_too_many_lines"),
    "301 characters": (said(merge(TWO, "- " + "x" * 299)), "new_text_too_long"),
    "as many lines as before": (said(merge(TWO, "- a", "- b")), "new_text_not_fewer_lines"),
    "one line into one": (said(merge(TWO[:1], "- s")), "new_text_not_fewer_lines"),
    "a line feed": (said(merge(TWO, "- a\n- b")), "new_text_newline"),
    "a carriage return": (said(merge(TWO, "- a\r- b")), "new_text_newline"),
    "a new heading": (said(merge(TWO, "## Mine")), "new_text_heading"),
    "a heading behind blanks": (said(merge(TWO, "  # Mine")), "new_text_heading"),
    "twice the same line": (said(delete("- d one")), "overlap"),
    "a merge over a delete": (said(delete("- s two"), merge(TWO, "- s")), "overlap"),
    "over half": (said(delete(*G[:20]), delete(*G[20:]), delete("- one")), "removes_over_half"),
    "across ###": (
        said(merge(("- s three", "### Sub two", "- t one"), "- x")),
        "merge_across_subsection",
    ),
    "across ##": (said(merge(("- t two", "", "## Beta", "- same"), "- x")), "merge_across_section"),
    "a heading in a merge": (said(merge(("### Sub one", *TWO), "- s")), "merge_across_subsection"),
    "a heading alone": (said(delete("### Sub one")), "heading_orphaned"),
    "a heading with a part": (said(delete("## Alpha", "- one")), "heading_orphaned"),
}
