"""The rules a change-set must keep; every broken one is reported (seed 001, product.md 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.changes import Category, Change, Op, Profile, Violation
from memory.document import Document, LineKind, Span
from memory.edits import occurrences


@dataclass(frozen=True, slots=True)
class _Limits:
    """The bounds of the strict profile (seed 001); characters are code points."""

    lines: int = 20
    new_lines: int = 3
    new_characters: int = 300
    reason: int = 120


@dataclass(frozen=True, slots=True)
class Draft:
    """A change as it was said, placed or not, legal or not; absent fields are None."""

    number: int
    op: str
    category: str | None
    original: tuple[str, ...]
    new_text: tuple[str, ...] | None
    reason: str
    spans: tuple[Span, ...] = ()

    @classmethod
    def of(cls, number: int, change: Change) -> Draft:
        """The draft that says a change."""
        new = change.new_text or (None if change.op is Op.DELETE else ())
        return cls(
            number, change.op, change.category, change.original, new, change.reason, change.spans
        )

    @property
    def is_empty(self) -> bool:
        """Whether it names no line, or only blank ones."""
        return not any(line.strip() for line in self.original)

    @property
    def rewrites(self) -> bool:
        """Whether new lines take the place of the old ones."""
        return self.op in (Op.MERGE, Op.SHORTEN)

    @property
    def lines(self) -> list[int]:
        """The numbers of all its lines, 0-based, in the order of the spans."""
        return [line for span in self.spans for line in range(span.start, span.stop)]


_LIMITS = _Limits()
_HEADING = re.compile(r"\s*#{1,6}(\s|$)")
_MUTE = (LineKind.BLANK, LineKind.RULE)


def misplaced(draft: Draft, document: Document, profile: Profile) -> Iterator[Violation]:
    """What is wrong with the spans a change names."""
    standing = tuple(document.lines[i] for i in draft.lines if 0 <= i < document.count)
    apart = len(draft.spans) > 1 and profile is not Profile.KEEP
    if not draft.spans or standing != draft.original or apart:
        yield Violation("original_not_found", draft.number)
    if list(draft.lines) != sorted(draft.lines):
        yield Violation("not_file_order", draft.number)
    if profile is Profile.STRICT and len(occurrences(document.lines, draft.original)) > 1:
        yield Violation("original_not_unique", draft.number)


def judged(drafts: Sequence[Draft], document: Document, profile: Profile) -> Iterator[Violation]:
    """The rules that hold however the change-set was said."""
    for draft in drafts:
        rules = [*_fields(draft, profile), *_texts(draft, profile), *_reach(draft, document)]
        yield from (Violation(rule, draft.number) for rule in rules)
    yield from _whole(drafts, document)


def _fields(draft: Draft, profile: Profile) -> Iterator[str]:
    """Which fields an operation takes, and the limits of the strict profile."""
    legal = set(Op) if profile is Profile.KEEP else {Op.DELETE, Op.MERGE}
    if draft.op not in legal:
        yield "bad_op"
    if draft.op == Op.DELETE:
        yield from _delete_fields(draft)
    if draft.rewrites and draft.category is not None:
        yield "category_on_merge"
    if draft.rewrites and not draft.new_text:
        yield "new_text_missing"
    if draft.is_empty:
        yield "empty_original"
    if profile is Profile.STRICT:
        yield from _bounds(draft)


def _delete_fields(draft: Draft) -> Iterator[str]:
    if draft.category is None:
        yield "category_missing"
    elif draft.category not in set(Category):
        yield "bad_category"
    if draft.new_text is not None:
        yield "new_text_on_delete"


def _bounds(draft: Draft) -> Iterator[str]:
    if not draft.reason.strip():
        yield "reason_missing"
    elif len(draft.reason) > _LIMITS.reason:
        yield "reason_too_long"
    if len(draft.original) > _LIMITS.lines and not draft.is_empty:
        yield "too_many_lines"


def _texts(draft: Draft, profile: Profile) -> Iterator[str]:
    """What the new lines of a merge or shorten may be."""
    new = draft.new_text
    if not draft.rewrites or not new or draft.is_empty:
        return
    if profile is Profile.STRICT and len(new) > _LIMITS.new_lines:
        yield "new_text_too_many_lines"
    if profile is Profile.STRICT and sum(map(len, new)) > _LIMITS.new_characters:
        yield "new_text_too_long"
    if draft.op == Op.MERGE and len(new) >= len(draft.original):
        yield "new_text_not_fewer_lines"
    if draft.op == Op.SHORTEN and sum(map(len, new)) >= sum(map(len, draft.original)):
        yield "shorten_not_shorter"
    if any("\n" in line or "\r" in line for line in new):
        yield "new_text_newline"
    if any(_HEADING.match(part) for line in new for part in line.split("\n")):
        yield "new_text_heading"


def _reach(draft: Draft, document: Document) -> Iterator[str]:
    """Whether the lines may be touched at all, and those of a merge lie inside one subsection."""
    if any(_pinned(document, line) for line in draft.lines):
        yield "pinned_section"
    if not draft.rewrites:
        return
    inside = [i for i in draft.lines if 0 <= i < document.count]
    places = {document.places[i] for i in inside if document.kinds[i] is not LineKind.BLANK}
    if len({section for section, _ in places}) > 1:
        yield "merge_across_section"
    elif len(places) > 1 or any(document.kinds[i] is LineKind.HEADING for i in inside):
        yield "merge_across_subsection"


def _pinned(document: Document, line: int) -> bool:
    """Whether a line belongs to a pinned section, its heading included (M4)."""
    return any(h.pinned and h.line <= line < h.body.stop for h in document.headings)


def _whole(drafts: Sequence[Draft], document: Document) -> Iterator[Violation]:
    """The rules over the change-set as a whole; unplaced changes take no part."""
    placed = [d for d in drafts if d.spans]
    spans = sorted((span for d in placed for span in d.spans), key=lambda s: (s.start, s.stop))
    if any(one.stop > other.start for one, other in pairwise(spans)):
        yield Violation("overlap")
    gone = {line for d in placed for line in d.lines}
    back = sum(len(d.new_text or ()) for d in placed if d.rewrites)
    if len(gone) - back > document.count / 2:
        yield Violation("removes_over_half")
    if _orphans(document, gone):
        yield Violation("heading_orphaned")


def _orphans(document: Document, gone: Iterable[int]) -> bool:
    """Whether a heading goes while something of its body stays."""
    lost = set(gone)
    return any(
        document.kinds[line] not in _MUTE and line not in lost
        for heading in document.headings
        if heading.line in lost
        for line in range(heading.body.start, heading.body.stop)
    )
