"""A proposal as pages of numbered rows with toggles; pure (C4).

Numbers belong to the proposal for ever; a page holds at most `ROWS` of them and fits into one
Telegram message whatever the texts are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from curation.characters import visible
from curation.engine import Item, Proposal
from handlers import places
from handlers.callbacks import Verb, encode
from handlers.messages.reply import Button, Reply, Rows, shortened, units
from handlers.messages.voice import Voice
from memory.changeset import Category, Op
from memory.spaces import DocumentName

ROWS = 8
_ROOM = 3400
_TEXT = 320
LABEL = 34
UNSURE = "⚠"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A proposal as it stands on a card: what is switched off, and the page shown (from 0)."""

    document: DocumentName
    proposal: Proposal
    off: frozenset[int] = frozenset()
    page: int = 0

    @property
    def chosen(self) -> tuple[Item, ...]:
        """The items that Apply would take."""
        return tuple(i for i in self.proposal.items if i.number not in self.off)


def sheet(sheet: Sheet, voice: Voice, dialog: str) -> Reply:
    """One page of the proposal, with a toggle per item, the page buttons, Apply and Cancel."""
    pages = paged([(item, row(item, voice)) for item in sheet.proposal.items])
    page = min(sheet.page, len(pages) - 1)
    head = voice(
        "compact.found",
        len(sheet.proposal.items),
        document=places.shown(sheet.document, voice.names),
    )
    body = _grouped(pages[page], sheet.off, voice)
    legend = [voice("compact.unsure")] if any(i.borderline for i, _ in pages[page]) else []
    text = "\n".join([head, "", *body, "", *legend, voice("compact.commands")])
    toggles = tuple(_toggle(item, sheet, voice, dialog) for item, _ in pages[page])
    turning = page_buttons(page, len(pages), dialog)
    return Reply(text, (*toggles, *turning, decision(len(sheet.chosen), voice, dialog)))


def paged(rows: Sequence[tuple[T, str]]) -> list[list[tuple[T, str]]]:
    """Rows laid on pages, in order: at most `ROWS` and so many units as fit."""
    pages: list[list[tuple[T, str]]] = [[]]
    used = 0
    for item, text in rows:
        size = units(text) + 1
        if pages[-1] and (len(pages[-1]) == ROWS or used + size > _ROOM):
            pages.append([])
            used = 0
        pages[-1].append((item, text))
        used += size
    return pages


def window(count: int, page: int) -> tuple[int, int, slice]:
    """The page that there is, how many there are, and which of ``count`` things it shows."""
    pages = max(1, -(-count // ROWS))
    shown = min(max(0, page), pages - 1)
    return shown, pages, slice(shown * ROWS, (shown + 1) * ROWS)


def row(item: Item, voice: Voice) -> str:
    """One numbered row: ``n. [category] text — reason``, or sources and text of a merge."""
    count = entries_below(item) if item.category is Category.STALE_SECTION else None
    params = {"reason": reason(item, voice), "category": _category(item, voice)}
    text = voice(_row_id(item), count, number=item.number, **params, **_texts(item, voice))
    return f"{UNSURE} {text}" if item.borderline else text


def _row_id(item: Item) -> str:
    if item.category is Category.STALE_SECTION:
        return "compact.row.section"
    return f"compact.row.{item.op}"


def _texts(item: Item, voice: Voice) -> dict[str, str]:
    if item.category is Category.STALE_SECTION:
        return {"text": _short(heading(item))}
    if item.op is Op.DELETE:
        return {"text": _short(item.text)}
    new = " / ".join(plain(line) for change in item.changes for line in change.new_text)
    return {"text": _short(new or item.text), "sources": _sources(item, voice)}


def _sources(item: Item, voice: Voice) -> str:
    lines = [plain(line) for change in item.changes for line in change.original if line.strip()]
    room = max(40, 600 // max(1, len(lines)))
    return " + ".join(voice.plain("compact.quote", text=shortened(line, room)) for line in lines)


def heading(item: Item) -> str:
    """The heading line of a stale section."""
    lines = (line for change in item.changes for line in change.original)
    return next((line.strip() for line in lines if line.startswith("#")), item.text)


def entries_below(item: Item) -> int:
    """How many bullets a stale section holds."""
    lines = (line for change in item.changes for line in change.original)
    return sum(line.lstrip()[:2] in ("- ", "* ", "+ ") for line in lines)


def plain(line: str) -> str:
    """A line without its bullet."""
    text = line.strip()
    return text[2:].lstrip() if text[:2] in ("- ", "* ", "+ ") else text


def reason(item: Item, voice: Voice) -> str:
    """Why, in the voice's language, with the evidence if there is some."""
    params = dict(item.params)
    count = params.pop("n", None)
    text = voice.plain(f"reason.{item.reason}", int(count) if count else None, **params)
    return f"{text} ({item.evidence})" if item.evidence and item.evidence not in text else text


def _category(item: Item, voice: Voice) -> str:
    return voice.plain(f"category.{item.category}") if item.category else ""


def _grouped(page: Sequence[tuple[Item, str]], off: Collection[int], voice: Voice) -> list[str]:
    lines: list[str] = []
    last: Op | None = None
    for item, text in page:
        if item.op is not last:
            lines += [*([""] if lines else []), voice(f"compact.head.{item.op}")]
            last = item.op
        lines.append(f"<s>{text}</s>" if item.number in off else text)
    return lines


def label(item: Item, voice: Voice) -> str:
    """What an item is about, in a few words."""
    return _texts(item, voice)["text"]


def _toggle(item: Item, sheet: Sheet, voice: Voice, dialog: str) -> tuple[Button, ...]:
    doubt = "⚠ " if item.borderline else ""
    text = f"{doubt}{label(item, voice)}"
    return toggle(item.number, text, item.number in sheet.off, dialog)


def toggle(number: int, text: str, off: bool, dialog: str) -> tuple[Button, ...]:
    """The button that takes one row of a proposal out and in again."""
    label = shortened(f"{'☐' if off else '☑'} {number}. {text}", LABEL)
    return (Button(label, encode(dialog, Verb.TOGGLE, number)),)


def page_buttons(page: int, pages: int, id: str, verb: Verb = Verb.PAGE) -> Rows:
    """``‹ 2/5 ›``: pages are counted from 1 in button data and for people."""
    if pages < 2:
        return ()
    before, after = (page - 1) % pages + 1, (page + 1) % pages + 1
    return (
        (
            Button("‹", encode(id, verb, before)),
            Button(f"{page + 1}/{pages}", encode(id, verb, page + 1)),
            Button("›", encode(id, verb, after)),
        ),
    )


def decision(chosen: int, voice: Voice, dialog: str) -> tuple[Button, ...]:
    """Apply, when something is chosen, and Cancel."""
    apply = voice.plain("button.apply", chosen)
    cancel = Button(voice.plain("button.cancel"), encode(dialog, Verb.CANCEL))
    return (Button(apply, encode(dialog, Verb.APPLY)), cancel) if chosen else (cancel,)


def _short(text: str) -> str:
    return shortened(visible(text), _TEXT)
