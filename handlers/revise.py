"""Undo, Edit and Move of what was kept: from the journal, for 30 days, after any restart (K9)."""

from __future__ import annotations

from dataclasses import replace

from curation import admission
from handlers import cards, dialogs, filing, keep, listing, outcome, render, report
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, place
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.payloads import outcome_to_json
from handlers.reply import Reply
from handlers.voice import Voice
from memory.dialogs import Dialog
from memory.edits import remove_entry, replace_entry
from memory.spaces import DocumentName
from memory.store import Item, Operation, Receipt, Refusal, UndoRefused

_MOVED = "move:"


def press(turn: Turn) -> Posts:
    """A pressed button that names an operation: Undo, Edit, Move, or single items."""
    assert turn.press
    done = turn.services.store.operation(turn.press.id)
    if done is None or done.author.user != turn.person.id:
        voice = turn.voice()
        return answer(turn, render.say(voice, "undo.unknown"), voice)
    voice = turn.voice(_heard(turn, done))
    match turn.press.verb:
        case Verb.UNDO:
            return _in_place(turn, undo(turn, done, voice), voice)
        case Verb.EDIT:
            return ask_wording(turn, done, voice)
        case Verb.MOVE:
            return ask_place(turn, done, voice)
        case Verb.BACK:
            turn.services.store.undo(done.op, turn.author("undo"), {str(turn.press.number)})
    return items(turn, done.op, voice)


def _heard(turn: Turn, done: Operation) -> str:
    text = " ".join(done.added) if done.keys == (keep.ENTRY,) else ""
    return turn.services.languages.detect(text, turn.person.language[:2]) if text else ""


def _in_place(turn: Turn, reply: Reply, voice: Voice) -> Posts:
    """On the message itself, or below it when the message has other parts."""
    assert turn.press
    return answer(turn, reply, voice) if turn.press.number else replaced(turn, reply)


def last(turn: Turn) -> Posts:
    """/undo: take back the person's last operation, once per message (W4)."""
    voice, store = turn.voice(), turn.services.store
    done = store.undone_by(turn.request) or store.last(turn.person.id)
    if done is None:
        return answer(turn, render.say(voice, "undo.nothing"), voice)
    return answer(turn, undo(turn, done, voice), voice)


def undo(turn: Turn, done: Operation, voice: Voice) -> Reply:
    """Take an operation back; a move is taken back in both documents."""
    result = turn.services.store.undo(done.op, turn.author("undo"))
    if isinstance(result, UndoRefused):
        return _refused(result, done, voice)
    if done.author.source.startswith(_MOVED):
        target = done.author.source.removeprefix(_MOVED)
        there = turn.services.store.undo(target, turn.author("undo"))
        said = "undo.moved_both" if isinstance(there, UndoRefused) else "undo.moved"
        return render.say(voice, said, entry=entry_of(done))
    names, whole = _with_twins(turn, done)
    if done.keys == (keep.ENTRY,):
        reply = _taken_back(done, voice)
    else:
        apart = done.author.twin
        reply = render.say(voice, "undo.files", names=names) if apart else _counted(result, voice)
    return reply if whole else replace(reply, html=f"{reply.html}\n{voice('undo.half')}")


def _with_twins(turn: Turn, done: Operation) -> tuple[str, bool]:
    """Take back what was written together with it, the last one first.

    The first that cannot come back ends it: what was written before may be all there is left.

    Returns:
        The names of the documents taken back, and whether that is all of them.
    """
    store, twin = turn.services.store, done.author.twin
    names = [turn.services.layout.name(done.ref)]
    while twin:
        if isinstance(store.undo(twin, turn.author("undo")), UndoRefused):
            return ", ".join(names), False
        before = store.operation(twin)
        names += [turn.services.layout.name(before.ref)] if before else []
        twin = before.author.twin if before else ""
    return ", ".join(names), True


def _refused(result: UndoRefused, done: Operation, voice: Voice) -> Reply:
    if result.why is Refusal.MOVED_ON and done.keys == (keep.ENTRY,):
        return render.say(voice, "undo.gone", entry=entry_of(done))
    return render.say(voice, f"undo.{result.why}")


def _taken_back(done: Operation, voice: Voice) -> Reply:
    if done.added and done.removed:
        old = listing.plain(done.removed[-1])
        return render.say(voice, "undo.replaced", entry=entry_of(done), old=old)
    return render.say(voice, "undo.entry", entry=entry_of(done))


def _counted(result: Receipt, voice: Voice) -> Reply:
    said = voice("undo.lines", result.after, before=result.before)
    if not result.skipped:
        return Reply(said)
    return Reply(f"{said}\n{voice('undo.partly', len(result.skipped))}")


def entry_of(done: Operation) -> str:
    """The entry an operation wrote, or took away, without its bullet."""
    lines = done.added or done.removed
    return listing.plain(lines[-1]) if lines else ""


def items(turn: Turn, op: str, voice: Voice) -> Posts:
    """The items of a compaction that can still be taken back, one button each (C6)."""
    done = turn.services.store.operation(op)
    keys = done.keys if done else ()
    card = turn.services.state.dialog_at(turn.place.chat, turn.place.message)
    labels = _labels(card, voice) if card and card.kind == Kind.COMPACT else {}
    page = _page(turn, len(keys))
    shown = keys[page * listing.ROWS : (page + 1) * listing.ROWS]
    rows = report.item_buttons(shown, labels, op)
    pages = -(-len(keys) // listing.ROWS)
    turning = listing.page_buttons(page, pages, op, Verb.ITEMS)
    return replaced(turn, Reply(voice("undo.items", len(keys)), (*rows, *turning)))


def _page(turn: Turn, count: int) -> int:
    assert turn.press
    wanted = turn.press.number - 1 if turn.press.verb is Verb.ITEMS else 0
    return min(max(0, wanted), max(0, (count - 1) // listing.ROWS))


def _labels(card: Dialog, voice: Voice) -> dict[str, str]:
    from handlers.compact import sheet_of

    found = sheet_of(card).proposal.items
    return {str(item.number): listing.label(item, voice) for item in found}


def ask_wording(turn: Turn, done: Operation, voice: Voice) -> Posts:
    """Ask for the new text; the next message is taken for it."""
    entry = entry_of(done)
    payload = {"op": done.op, "entry": entry, "language": voice.language}
    dialog = dialogs.open_dialog(turn, Question(Kind.EDIT, payload, listens=True))
    return answer(turn, render.ask(voice, "edit.ask", entry=entry), voice, dialog.id)


def reword(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """The new wording: guarded like every other way in, then written (W6)."""
    payload = dialog.payload
    voice = turn.voice(payload["language"])
    refusal = cards.forbidden(turn, text)
    if refusal:
        return answer(turn, render.say(voice, refusal), voice)
    if "card" in payload:
        return _reword_card(turn, dialog, text)
    entry = worded(turn, text)
    edit = replace_entry(payload["entry"], entry)
    ref = turn.document(DocumentName.KEEP)
    receipt = turn.services.store.apply(ref, [Item(keep.ENTRY, edit)], turn.author("edit"))
    dialogs.close(turn, dialog)
    if receipt.skipped:
        return answer(turn, render.say(voice, "edit.gone", text=entry), voice)
    if not receipt.changed:
        return answer(turn, render.say(voice, "edit.same", entry=entry), voice)
    rows = render.done_buttons(receipt.op, voice, render.Target(""))
    return answer(turn, Reply(voice("edit.done", entry=entry), rows), voice)


def _reword_card(turn: Turn, dialog: Dialog, text: str) -> Posts:
    dialogs.close(turn, dialog)
    card = turn.services.state.dialog(dialog.payload["card"])
    if card is None or card.status != "open":
        voice = turn.voice(dialog.payload["language"])
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    return cards.reword(turn, card, dialog.payload["part"], worded(turn, text))


def worded(turn: Turn, text: str) -> str:
    """A wording as it is stored: as typed, on one line; the person has the last word (K9)."""
    admitted = admission.clean(text, turn.services.languages)
    assert isinstance(admitted, admission.Admitted)
    return keep.one_line(admitted.text)


def ask_place(turn: Turn, done: Operation, voice: Voice) -> Posts:
    """The card with the places an entry can be moved to."""
    choices = filing.everywhere(turn)
    payload = {
        "op": done.op,
        "parts": [outcome_to_json(outcome.Moving(entry_of(done), choices))],
        "language": voice.language,
    }
    dialog = dialogs.open_dialog(turn, Question(Kind.MOVE, payload))
    reply = render.card([outcome.Moving(entry_of(done), choices)], voice, dialog.id)
    return answer(turn, reply, voice, dialog.id)


def move(turn: Turn, dialog: Dialog) -> Posts:
    """A picked place: first written there, then taken out of keep.md, so nothing is lost."""
    assert turn.press
    voice = turn.voice(dialog.payload["language"])
    if turn.press.verb is not Verb.FILE:
        dialogs.close(turn, dialog)
        return replaced(turn, render.say(voice, "move.cancelled"), dialog.id)
    one = cards.parts(dialog)[0]
    _, option = place(turn.press.number)
    if not isinstance(one, outcome.Moving) or option >= len(one.choices):
        return ()
    if not dialogs.close(turn, dialog):
        return replaced(turn, render.say(voice, "dialog.answered"))
    return replaced(turn, _moved(turn, one, one.choices[option], voice), dialog.id)


def _moved(turn: Turn, one: outcome.Moving, code: str, voice: Voice) -> Reply:
    ref = turn.document(DocumentName.KEEP)
    store, author = turn.services.store, turn.author()
    known = turn.services.known.texts(store.read(ref))
    if one.entry not in known and not store.answered(ref, author):
        return render.say(voice, "edit.gone", text=one.entry)
    filed = filing.file(turn, one.entry, code)
    if not isinstance(filed, outcome.Filed):
        return render.say(voice, "move.no_place")
    item = Item(keep.ENTRY, remove_entry(one.entry))
    receipt = turn.services.store.apply(ref, [item], turn.author(_MOVED + filed.op))
    undo_op = receipt.op or filed.op
    rows = render.buttons(outcome.Filed(one.entry, filed.where, undo_op), voice, render.Target(""))
    return Reply(voice("move.done", entry=one.entry, where=filed.where), rows)
