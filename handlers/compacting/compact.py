"""Compaction: the numbered proposal, its toggles, and what Apply does (C1-C8, K10)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from curation.engine import Companion, Item, Proposal
from handlers import dialogs, places
from handlers.answers import answer, replaced
from handlers.callbacks import Verb
from handlers.compacting import report
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.messages import listing, render
from handlers.messages.listing import Sheet
from handlers.messages.payloads import proposal_from_json, proposal_to_json
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from memory import store
from memory.changeset import edit_of
from memory.dialogs import Dialog
from memory.document import Document
from memory.errors import DocumentError
from memory.spaces import DocumentName
from memory.store import Receipt

_COMPANIONS = (DocumentName.USER, DocumentName.SOUL, DocumentName.KEEP)
_LINE = re.compile(r":\d+$")
_HINTED = "memory_hint_week"
_RESTING = "keep_compaction_cancelled"

_STEP = "compact"


def memory(turn: Turn) -> Posts:
    """One exhaustive proposal for MEMORY.md, or the word that there is nothing to do (C1, C2)."""
    document = turn.services.store.read(turn.document(DocumentName.MEMORY)).document
    companions = [_companion(turn, name) for name in _COMPANIONS]
    found = turn.services.engine.audit(document, companions, turn.today)
    return propose(turn, spoken(turn), DocumentName.MEMORY, found)


def _companion(turn: Turn, name: DocumentName) -> Companion:
    snapshot = turn.services.store.read(turn.document(name))
    return Companion(
        places.shown(name, turn.services.layout.names), turn.services.known.texts(snapshot)
    )


def keep(turn: Turn) -> Posts:
    """A proposal for keep.md, started by hand at any size (K10)."""
    document = turn.services.store.read(turn.document(DocumentName.KEEP)).document
    return propose(turn, spoken(turn), DocumentName.KEEP, _shrunk(turn, document))


def channel(turn: Turn) -> Posts:
    """A proposal for the memory of the chat it is asked for in, by one of its admins (G6).

    It stands in the chat and any admin decides; nothing personal is read for it.
    """
    voice, space = spoken(turn), next(iter(turn.conversation.channels), None)
    if space is None:
        return answer(turn, render.say(voice, "group.only_there"), voice)
    here = replace(turn, shared=space)
    if not turn.services.state.members.is_admin(turn.place.chat, turn.person.id, turn.now):
        return answer(here, render.say(voice, "group.admins_only"), voice)
    document = turn.services.store.read(here.document(DocumentName.CHANNEL)).document
    found = turn.services.engine.audit(document, [], turn.today)
    return propose(here, voice, DocumentName.CHANNEL, found)


def spoken(turn: Turn) -> Voice:
    """The language of the words it was asked in; a command has none (L1)."""
    text = turn.said.text
    spoken = "" if text.startswith("/") else text
    detect = turn.services.languages.detect
    return turn.voice(detect(spoken, turn.person.language[:2]) if spoken else "")


def _shrunk(turn: Turn, document: Document) -> Proposal:
    return turn.services.engine.shrink(document, turn.policy.keep_target, turn.today)


def propose(turn: Turn, voice: Voice, name: DocumentName, found: Proposal) -> Posts:
    """Store the proposal without what was declined lately, and show its first page (C4, C7)."""
    found = undeclined(turn, name, found)
    if not found.items:
        return answer(
            turn,
            render.say(voice, "compact.clean", document=places.shown(name, voice.names)),
            voice,
        )
    payload = _payload(Sheet(name, found), voice) | dialogs.office(turn)
    about = payload["document"], payload.get("space")
    for old in dialogs.waiting(turn):
        if old.kind == Kind.COMPACT and about == (
            old.payload["document"],
            old.payload.get("space"),
        ):
            dialogs.close(turn, old, "superseded")
    dialog = dialogs.open_dialog(turn, Question(Kind.COMPACT, payload, found.digest))
    return answer(turn, listing.sheet(Sheet(name, found), voice, dialog.id), voice, dialog.id)


def _payload(sheet: Sheet, voice: Voice) -> dialogs.Payload:
    return {
        "document": sheet.document,
        "proposal": proposal_to_json(sheet.proposal),
        "off": sorted(sheet.off),
        "page": sheet.page,
        "language": voice.language,
    }


def sheet_of(dialog: Dialog) -> Sheet:
    """The proposal of a stored question, as it was left."""
    payload = dialog.payload
    proposal = proposal_from_json(payload["proposal"])
    off = frozenset(payload["off"])
    return Sheet(DocumentName(payload["document"]), proposal, off, payload["page"])


def undeclined(turn: Turn, name: DocumentName, found: Proposal) -> Proposal:
    """The proposal without items kept in the last ``kept_days``; numbers are given anew (C7)."""
    since = turn.now - timedelta(days=turn.policy.kept_days)
    resting = turn.services.state.declined(turn.space, name, since)
    fresh = [i for i in found.items if not traces(i) or not resting.issuperset(traces(i))]
    return Proposal(found.digest, tuple(replace(item, number=n) for n, item in enumerate(fresh, 1)))


def traces(item: Item) -> tuple[str, ...]:
    """What is remembered of a kept item: its lines with what spoke against them (C7)."""
    why = " ".join(f"{k}={_LINE.sub('', v)}" for k, v in sorted(item.params.items()))
    lines = [line for change in item.changes for line in change.original if line.strip()]
    return tuple(f"{line}\n{item.reason} {why}" for line in lines)


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A pressed button of a proposal: toggle, page, Apply or Cancel.

    A toggle that comes again after a crash is not taken back (W4).
    """
    assert turn.press
    sheet = sheet_of(dialog)
    match turn.press.verb:
        case Verb.APPLY:
            return apply(turn, dialog, sheet)
        case Verb.CANCEL:
            return cancel(turn, dialog)
    voice = turn.voice(dialog.payload["language"])
    turned = turned_over(turn, dialog, _numbers(sheet))
    return replaced(turn, listing.sheet(sheet_of(turned), voice, dialog.id))


def turned_over(turn: Turn, dialog: Dialog, numbers: frozenset[int]) -> Dialog:
    """A numbered proposal after a toggle or a turned page, stored as it is now."""
    assert turn.press
    payload = {**dialog.payload, "by": turn.request}
    again = turn.request and dialog.payload.get("by") == turn.request
    match turn.press.verb:
        case Verb.TOGGLE if not again:
            payload["off"] = sorted({*payload["off"]} ^ {turn.press.number} & numbers)
        case Verb.PAGE:
            payload["page"] = max(0, turn.press.number - 1)
    turn.services.state.amend(dialog.id, payload)
    return replace(dialog, payload=payload)


def _numbers(sheet: Sheet) -> frozenset[int]:
    return frozenset(item.number for item in sheet.proposal.items)


@dataclass(frozen=True, slots=True)
class Pick:
    """Numbers said in words: ``keep`` means all but these, ``delete`` exactly these (D2)."""

    keeps: bool
    numbers: frozenset[int]

    def off(self, known: frozenset[int]) -> frozenset[int] | None:
        """Which of the known numbers are left out; None when another number was said."""
        if not self.numbers or not self.numbers <= known:
            return None
        return self.numbers if self.keeps else known - self.numbers


def select(turn: Turn, dialog: Dialog, pick: Pick) -> Posts:
    """``keep 3 7`` or ``delete 2 5``: the same answer as toggles and Apply, byte for byte."""
    sheet = sheet_of(dialog)
    known = _numbers(sheet)
    off = pick.off(known)
    if off is None:
        return valid_numbers(turn, dialog, known)
    return apply(turn, dialog, replace(sheet, off=off))


def valid_numbers(turn: Turn, dialog: Dialog, known: frozenset[int]) -> Posts:
    """Which numbers a proposal has (D2)."""
    voice = turn.voice(dialog.payload["language"])
    reply = render.say(voice, "compact.valid_numbers", len(known), last=max(known))
    return answer(turn, reply, voice)


def cancel(turn: Turn, dialog: Dialog) -> Posts:
    """Nothing is changed; a cancelled keep.md rests for the day (K10)."""
    voice = turn.voice(dialog.payload["language"])
    if not dialogs.close(turn, dialog):
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    name = DocumentName(dialog.payload["document"])
    if name is DocumentName.KEEP:
        _let_rest(turn)
    return instead(turn, dialog, render.say(voice, "compact.cancelled"), voice)


def apply(turn: Turn, dialog: Dialog, sheet: Sheet) -> Posts:
    """Apply what is chosen, once; the report is counted from disk (C5, C6, D5)."""
    voice = turn.voice(dialog.payload["language"])
    if not dialogs.close(turn, dialog):
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    try:
        receipt = written(turn, sheet)
    except DocumentError:
        dialogs.reopen(turn, dialog)
        raise
    kept = [item for item in sheet.proposal.items if item.number in sheet.off]
    lines = [trace for item in kept for trace in traces(item)]
    turn.services.state.decline(turn.space, sheet.document, lines, turn.now)
    return instead(turn, dialog, report.applied(sheet, receipt, voice), voice)


def instead(turn: Turn, dialog: Dialog, reply: Reply, voice: Voice) -> Posts:
    """The end of a proposal: in place of the card after a press, else below the words.

    The new message takes the ended question along, so that single items keep their names.
    """
    if turn.press:
        return replaced(turn, reply, dialog.id)
    return answer(turn, reply, voice, dialog.id)


def written(turn: Turn, sheet: Sheet) -> Receipt:
    """Write the chosen items as one operation, each with its own line in the log."""
    items = [store_item(item) for item in sheet.chosen]
    ref = turn.document(sheet.document)
    return turn.services.store.apply(ref, items, turn.author(), _STEP)


def store_item(item: Item) -> store.Item:
    """A proposal's item as the store takes it: keyed by its number, reasons in English (C5)."""
    return store.Item(str(item.number), edit_of(*item.changes), (report.log_of(item),))


def overflow(turn: Turn, voice: Voice, receipt: Receipt) -> Posts:
    """After a write: a proposal, or a compaction at once, when keep.md is too long (K10)."""
    if receipt.after <= turn.policy.keep_limit:
        return ()
    if turn.policy.keep_compaction == "auto":
        return _at_once(turn, voice, receipt.document)
    if _rests(turn) or _waits(turn):
        return ()
    found = undeclined(turn, DocumentName.KEEP, _shrunk(turn, receipt.document))
    if found.items:
        return propose(turn, voice, DocumentName.KEEP, found)
    _let_rest(turn)
    return ()


def hint(turn: Turn, voice: Voice) -> Posts:
    """A word, once a week, that MEMORY.md has become long (C1)."""
    ref, state = turn.document(DocumentName.MEMORY), turn.services.state
    count = turn.services.known.count(ref)
    if count <= turn.policy.hint_lines:
        return ()
    week = "-".join(map(str, turn.today.isocalendar()[:2]))
    if state.preference(turn.person.id, _HINTED, "") == week:
        return ()
    state.prefer(turn.person.id, _HINTED, week)
    reply = render.say(voice, "compact.hint", count, document=places.shown(ref.name, voice.names))
    return answer(turn, reply, voice)


def _let_rest(turn: Turn) -> None:
    """No further look at keep.md by itself today: it was declined, or nothing was found."""
    turn.services.state.prefer(turn.person.id, _RESTING, turn.today.isoformat())


def _rests(turn: Turn) -> bool:
    stored = turn.services.state.preference(turn.person.id, _RESTING, "")
    return bool(stored == turn.today.isoformat())


def _waits(turn: Turn) -> bool:
    return any(
        d.kind == Kind.COMPACT and d.payload["document"] == DocumentName.KEEP
        for d in dialogs.waiting(turn)
    )


def _at_once(turn: Turn, voice: Voice, document: Document) -> Posts:
    sheet = Sheet(DocumentName.KEEP, undeclined(turn, DocumentName.KEEP, _shrunk(turn, document)))
    if not sheet.proposal.items:
        return ()
    receipt = written(turn, sheet)
    dialog = dialogs.open_dialog(turn, Question(Kind.COMPACT, _payload(sheet, voice)))
    dialogs.close(turn, dialog)
    return answer(turn, report.applied(sheet, receipt, voice), voice, dialog.id)
