"""What a compaction did, as a message and as lines of the log; pure (C5, C6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.engine import Item
from handlers.callbacks import Verb, encode
from handlers.messages import listing
from handlers.messages.listing import Sheet
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice
from memory import logbook
from memory.changeset import Op
from memory.store import Receipt

_MOST_SKIPPED = 10
_TEXT = 120
_VERBS = {
    Op.DELETE: logbook.Verb.DELETED,
    Op.MERGE: logbook.Verb.MERGED,
    Op.SHORTEN: logbook.Verb.SHORTENED,
}


def log_of(item: Item) -> str:
    """The item's line in memory-clean.log, without its time; the reason is the English one."""
    reason = next((change.reason for change in item.changes if change.reason), "")
    texts = [text for change in item.changes for text in _logged(change.original, item.op)]
    new = "\n".join(listing.plain(x) for change in item.changes for x in change.new_text)
    category = item.category or ""
    return logbook.log_line(_VERBS[item.op], texts, category=category, new=new, reason=reason)


def _logged(lines: Sequence[str], op: Op) -> list[str]:
    """Each source of a merge for itself; the lines of anything else as one text."""
    if op is Op.MERGE:
        return [listing.plain(line) for line in lines if line.strip()]
    return ["\n".join([listing.plain(lines[0]), *lines[1:]])]


def applied(sheet: Sheet, receipt: Receipt, voice: Voice) -> Reply:
    """``Compaction: 151 → 117 lines``, what was skipped, and Undo (C6, D5)."""
    if not receipt.changed:
        return Reply("\n".join([voice("compact.unchanged"), *_skipped(sheet, receipt, voice)]))
    counts = voice("compact.report", receipt.after, before=receipt.before)
    done = voice("compact.applied", len(receipt.applied))
    lines = [counts, done, *_skipped(sheet, receipt, voice)]
    return Reply("\n".join(lines), undo_buttons(receipt, voice))


def undo_buttons(receipt: Receipt, voice: Voice) -> Rows:
    """Undo of the whole and, for several items, the way to single ones."""
    whole = Button(voice.plain("button.undo"), encode(receipt.op, Verb.UNDO))
    if len(receipt.applied) < 2:
        return ((whole,),)
    return ((whole, Button(voice.plain("button.undo_items"), encode(receipt.op, Verb.ITEMS, 1))),)


def _skipped(sheet: Sheet, receipt: Receipt, voice: Voice) -> list[str]:
    if not receipt.skipped:
        return []
    missed = [i for i in sheet.proposal.items if str(i.number) in receipt.skipped]
    rows = [listing.row(item, voice) for item in missed[:_MOST_SKIPPED]]
    return ["", voice("compact.skipped", len(receipt.skipped)), *rows]


def item_buttons(keys: Sequence[str], labels: Mapping[str, str], op: str) -> Rows:
    """A row for each item that can still be taken back."""
    return tuple(
        (Button(shortened(f"↩ {key}. {labels.get(key, '')}", 40), encode(op, Verb.BACK, int(key))),)
        for key in keys
        if key.isdecimal()
    )
