"""A change-set: what compaction proposes for one document, in three profiles (product.md 2).

The nightly JSON of seed 001 decodes into the same values, so one validator judges all. The
rules have the names of benchmarks/data/COMPACTION.md; every broken one is reported at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from memory.changes import Category, Change, Op, Profile, Violation
from memory.document import Document, Span
from memory.edits import Edit, Hunk, locate, occurrences, splice
from memory.validator import Draft, judged, misplaced

__all__ = [
    "Category",
    "Change",
    "Op",
    "Profile",
    "Violation",
    "decode",
    "decode_reply",
    "edit_of",
    "encode",
    "validate",
]

_FIELDS = {"op": str, "category": str, "original": list, "new_text": list, "reason": str}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK = re.compile(r"^```json[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


def decode_reply(text: str, document: Document) -> tuple[tuple[Change, ...], tuple[Violation, ...]]:
    """Read a model's answer: exactly one ```` ```json ```` block and nothing else (N2).

    Returns:
        As `decode`; a broken envelope is the only violation then.
    """
    blocks = list(_BLOCK.finditer(text))
    if len(blocks) != 1:
        return (), (Violation("multiple_json_blocks" if blocks else "no_json_block"),)
    block = blocks[0]
    if (text[: block.start()] + text[block.end() :]).strip():
        return (), (Violation("prose_around_json"),)
    try:
        obj = json.loads(block[1])
    except (ValueError, RecursionError):
        return (), (Violation("bad_json"),)
    return decode(obj, document)


def decode(obj: object, document: Document) -> tuple[tuple[Change, ...], tuple[Violation, ...]]:
    """Read the JSON of seed 001 and judge it by the strict profile (N2).

    ``original`` is placed where its whole lines stand, which must be exactly once.

    Returns:
        The changes that could be read and placed, and all violations. Unless there are none,
        nothing of it may be applied.
    """
    if not isinstance(obj, dict) or not isinstance(obj.get("changes"), list):
        unknown = (
            [Violation("unknown_field")] if isinstance(obj, dict) and set(obj) - {"changes"} else []
        )
        return (), (*unknown, Violation("wrong_type"))
    found = [Violation("unknown_field")] if set(obj) - {"changes"} else []
    drafts: list[Draft] = []
    for number, item in enumerate(obj["changes"]):
        draft, rules = _read(number, item)
        if draft:
            draft, more = _placed(draft, document)
            drafts.append(draft)
            rules = [*rules, *more]
        found += [Violation(rule, number) for rule in rules]
    found += judged(drafts, document, Profile.STRICT)
    return tuple(_change(d) for d in drafts if _is_sound(d)), tuple(dict.fromkeys(found))


def encode(changes: Sequence[Change]) -> dict[str, object]:
    """The JSON of seed 001; a change of several spans becomes one list of its lines."""
    return {"changes": [_encoded(change) for change in changes]}


def validate(
    changes: Sequence[Change], document: Document, profile: Profile
) -> tuple[Violation, ...]:
    """Every rule that a change-set breaks in a document, in the given profile (product.md 2).

    All profiles: the lines stand where the change says, nothing overlaps, at most half of the
    file goes, no heading leaves a body behind, merges stay inside one subsection (or one
    section, or a file without headings) and make fewer lines. STRICT adds the limits of seed
    001, asks for a reason, and for lines that occur once. INTERACTIVE and KEEP tell equal lines
    apart by their spans. Only KEEP merges lines that are not adjacent, and shortens (rule
    ``shorten_not_shorter`` is its own).
    """
    drafts = [Draft.of(number, change) for number, change in enumerate(changes)]
    found = [v for d in drafts for v in misplaced(d, document, profile)]
    return tuple(dict.fromkeys([*found, *judged(drafts, document, profile)]))


def edit_of(*changes: Change) -> Edit:
    """The edit that makes changes together (one proposal item), all of them or none.

    Each span's lines are looked for at their place, else at the only place they stand now; the
    edit is None when some are gone or stand in several places (D5).
    """

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        pieces: dict[Span, tuple[str, ...]] = {}
        for change in changes:
            for index, (span, lines) in enumerate(_pieces(change)):
                start = locate(document.lines, lines, span.start)
                if start is None:
                    return None
                found = Span(start, start + len(lines))
                if any(found.start < p.stop and p.start < found.stop for p in pieces):
                    return None
                pieces[found] = () if index else change.new_text
        return splice(document, pieces)

    return plan


def _pieces(change: Change) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Each span of a change with its own lines."""
    taken = 0
    for span in change.spans:
        yield span, change.original[taken : taken + len(span)]
        taken += len(span)


def _read(number: int, item: object) -> tuple[Draft | None, list[str]]:
    """A draft of one JSON change, and the rules its form breaks."""
    if not isinstance(item, dict):
        return None, ["wrong_type"]
    rules = ["unknown_field"] if set(item) - set(_FIELDS) else []
    if "op" not in item or not all(_is_typed(item, name) for name in _FIELDS):
        return None, [*rules, "wrong_type"]
    new_text = tuple(item["new_text"]) if "new_text" in item else None
    original = tuple(item.get("original", ()))
    op = item["op"] if item["op"] in (Op.DELETE, Op.MERGE) else ""
    draft = Draft(number, op, item.get("category"), original, new_text, item.get("reason", ""))
    return draft, rules


def _is_typed(item: Mapping[str, object], name: str) -> bool:
    """Whether a field is absent, or of its type and made of real characters."""
    if name not in item:
        return True
    value = item[name]
    texts = value if isinstance(value, list) and _FIELDS[name] is list else [value]
    if _FIELDS[name] is list and not isinstance(value, list):
        return False
    return all(isinstance(text, str) and not _SURROGATE.search(text) for text in texts)


def _is_sound(draft: Draft) -> bool:
    """Whether a decoded draft can be said as a `Change`."""
    known = draft.category is None or draft.category in set(Category)
    return draft.op in (Op.DELETE, Op.MERGE) and known and bool(draft.spans)


def _change(draft: Draft) -> Change:
    category = Category(draft.category) if draft.category else None
    return Change(
        Op(draft.op), draft.spans, draft.original, draft.new_text or (), category, draft.reason
    )


def _encoded(change: Change) -> dict[str, object]:
    item: dict[str, object] = {"op": str(change.op), "original": list(change.original)}
    if change.category is not None:
        item["category"] = str(change.category)
    if change.op is not Op.DELETE:
        item["new_text"] = list(change.new_text)
    return item | {"reason": change.reason}


def _placed(draft: Draft, document: Document) -> tuple[Draft, list[str]]:
    """A decoded draft with the one place of its lines, or why it has none."""
    if draft.is_empty:
        return draft, []
    places = occurrences(document.lines, draft.original)
    if len(places) == 1:
        span = Span(places[0], places[0] + len(draft.original))
        return replace(draft, spans=(span,)), []
    if places:
        return draft, ["original_not_unique"]
    return draft, [_miss(draft.original, document.lines)]


def _miss(original: Sequence[str], lines: Sequence[str]) -> str:
    """Why a block of lines is nowhere: in another order, a part of a line, or not there."""
    known, size, wanted = set(lines), len(original), sorted(original)
    whole = known.issuperset(original)
    windows = (sorted(lines[i : i + size]) for i in range(len(lines) - size + 1))
    if whole and wanted in windows:
        return "not_file_order"
    cut = "\n".join(original) in "\n".join(lines) or any("\n" in line for line in original)
    parts = not whole and all(_is_part(line, lines) for line in original)
    return "not_whole_line" if cut or parts else "original_not_found"


def _is_part(text: str, lines: Sequence[str]) -> bool:
    return text in lines or (bool(text.strip()) and any(text in line for line in lines))
