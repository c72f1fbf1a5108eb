"""Undo, Edit and Move of what was kept: from the journal, for 30 days, after any restart (K9)."""

from __future__ import annotations

from typing import Any

from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.browsing import menuwrites, sectioning
from handlers.callbacks import Verb, place
from handlers.compacting import report
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import facts
from handlers.keeping import cards, filing, keep
from handlers.messages import listing, outcome, render
from handlers.messages.payloads import outcome_to_json
from handlers.messages.reply import Post, Reply
from handlers.messages.voice import Voice
from handlers.reminding import changes
from memory.dialogs import Dialog
from memory.document import Document
from memory.edits import remove_entry, replace_entry
from memory.sectionplaces import bare
from memory.spaces import DocumentName
from memory.store import Item, Operation, Receipt, Refusal, UndoRefused

_MOVED = "move:"
_PASSED = "undo_passed"
_MOST_PASSED = 50
_SINGLE = frozenset({keep.ENTRY, sectioning.SECTION})


def press(turn: Turn) -> Posts:
    """A pressed button that names an operation: Undo, Edit, Move, or single items."""
    assert turn.press
    if turn.press.verb is Verb.UNFACT:
        return facts.undo(turn)
    done = turn.services.store.operation(turn.press.id, whole=True)
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
    """The language of what was written, "" when it tells none."""
    return turn.heard(listing.plain(" ".join(done.added))) if _is_single(done) else ""


def _in_place(turn: Turn, reply: Reply, voice: Voice) -> Posts:
    """On the message itself, below it when it has other parts, above the page of a menu."""
    assert turn.press
    if turn.press.number:
        return answer(turn, reply, voice)
    return menuwrites.taken_back(turn, reply.html) or replaced(turn, reply)


def last(turn: Turn) -> Posts:
    """/undo: take back the person's last operation, once per message (W4).

    What cannot be taken back, because its lines are gone, is told once; the next /undo goes on to
    the operation before it.
    """
    voice = turn.voice()
    settled = _taken_by(turn) or _passed_by(turn)
    done = settled or _newest(turn)
    noted = None if settled else _beside(turn, voice, done.at.timestamp() if done else 0.0)
    if noted is not None:
        return noted
    if done is None:
        return answer(turn, render.say(voice, "undo.nothing"), voice)
    reply = undo(turn, done, voice)
    if _stands(turn, done):
        _pass_over(turn, done)
        reply = Reply(f"{reply.html}\n{voice('undo.older')}")
        return answer(turn, reply, voice)
    return (*_where_shared(turn, done, reply), *answer(turn, reply, voice))


def _where_shared(turn: Turn, done: Operation, reply: Reply) -> Posts:
    """The line by which several people learned of an entry, with what became of it (G3)."""
    author = done.author
    told = turn.services.state.dialog_at(author.chat, author.message)
    if told is None or told.kind != Kind.SHARED:
        return ()
    return (Post(Reply(reply.html), told.chat, told.topic, edit=told.message),)


def _beside(turn: Turn, voice: Voice, after: float) -> Posts | None:
    """The person's last change of a reminder or a fact taken back, when it is later."""
    told = changes.last(turn, voice, max(after, facts.changed(turn)))
    return facts.last(turn, voice, after) if told is None else told


def _taken_by(turn: Turn) -> Operation | None:
    """What this message took back already; of two that belong together the one that says so."""
    done, newest = turn.services.store.undone_by(turn.request), _newest(turn)
    return newest if done and newest and _twin(newest) == done.op else done


def _passed_by(turn: Turn) -> Operation | None:
    """What this message was found unable to take back (W4)."""
    found = [op for op, request in _passed(turn) if turn.request and request == turn.request]
    return turn.services.store.operation(found[0]) if found else None


def _newest(turn: Turn) -> Operation | None:
    """The newest operation that can be undone, without those that were passed over."""
    passed, store, older = {op for op, _ in _passed(turn)}, turn.services.store, ""
    done = store.last(turn.person.id)
    while done and done.op in passed and done.op != older:
        older = done.op
        done = store.last(turn.person.id, older=older)
    return done


def _passed(turn: Turn) -> list[Any]:
    found = turn.services.state.preference(turn.person.id, _PASSED, [])
    return found if isinstance(found, list) else []


def _pass_over(turn: Turn, done: Operation) -> None:
    ops = [op for op in (done.op, _twin(done)) if op]
    known = [pair for pair in _passed(turn) if pair[0] not in ops]
    passed = [*known, *([op, turn.request] for op in ops)][-_MOST_PASSED:]
    turn.services.state.prefer(turn.person.id, _PASSED, passed)


def _stands(turn: Turn, done: Operation) -> bool:
    """Whether something of an operation is still there to be undone."""
    left = turn.services.store.operation(done.op)
    return bool(left and left.keys)


def undo(turn: Turn, done: Operation, voice: Voice) -> Reply:
    """Take an operation back, together with those in other documents that it belongs to."""
    if not dialogs.belongs(turn, done.ref.space):
        return render.say(voice, "undo.unknown")
    if done.author.source.startswith(_MOVED):
        return _moved_back(turn, done, voice)
    wrote = turn.services.store.operation(done.author.twin, whole=True)
    if wrote and wrote.keys == (keep.ENTRY,):
        return _both_back(turn, done, wrote, voice)
    result = turn.services.store.undo(done.op, turn.author("undo"))
    if isinstance(result, UndoRefused):
        return _refused(result, done, voice)
    if done.author.twin:
        return _all_back(turn, done, voice)
    return _taken_back(done, voice) if _is_single(done) else _counted(result, voice)


def _moved_back(turn: Turn, done: Operation, voice: Voice) -> Reply:
    """First back where it stood, then out of the other place, so that nothing is lost."""
    result = turn.services.store.undo(done.op, turn.author("undo"))
    if isinstance(result, UndoRefused):
        return _refused(result, done, voice)
    store, target = turn.services.store, _twin(done)
    there, filed = store.undo(target, turn.author("undo")), store.operation(target)
    whole = not isinstance(there, UndoRefused) and (filed is None or _chain_back(turn, filed)[1])
    where = turn.services.layout.name(done.ref)
    said = "undo.moved" if whole else "undo.moved_both"
    return render.say(voice, said, document=where, entry=entry_of(done))


def _both_back(turn: Turn, done: Operation, wrote: Operation, voice: Voice) -> Reply:
    """Both or neither: ``wrote`` holds the entry, this operation what points to it (S2)."""
    store = turn.services.store
    there = store.undo(wrote.op, turn.author("undo"))
    gone = isinstance(there, UndoRefused) and there.why is Refusal.ALREADY
    if isinstance(there, UndoRefused) and not gone:
        return _refused(there, wrote, voice)
    here = store.undo(done.op, turn.author("undo"))
    if not isinstance(here, UndoRefused):
        return _taken_back(wrote, voice)
    if gone:
        return _refused(here, done, voice)
    document = turn.services.layout.name(done.ref)
    return render.say(voice, "undo.pointer", entry=entry_of(wrote), document=document)


def _all_back(turn: Turn, done: Operation, voice: Voice) -> Reply:
    names, whole = _chain_back(turn, done)
    reply = render.say(voice, "undo.files", names=names)
    return reply if whole else Reply(f"{reply.html}\n{voice('undo.half')}")


def _chain_back(turn: Turn, done: Operation) -> tuple[str, bool]:
    """Take back what was written together with a change, the last one first.

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


def _twin(done: Operation) -> str:
    """The operation in another document that one belongs to, "" for none."""
    return done.author.twin or done.author.source.partition(_MOVED)[2]


def _is_single(done: Operation) -> bool:
    """Whether an operation wrote or removed one entry or one section."""
    return len(done.keys) == 1 and done.keys[0] in _SINGLE


def _refused(result: UndoRefused, done: Operation, voice: Voice) -> Reply:
    if result.why is Refusal.MOVED_ON and _is_single(done) and done.added:
        return render.say(voice, "undo.gone", entry=entry_of(done))
    return render.say(voice, f"undo.{result.why}")


def _taken_back(done: Operation, voice: Voice) -> Reply:
    if done.added and done.removed:
        old = listing.plain(done.removed[-1])
        if old == entry_of(done):
            return render.say(voice, "undo.again", entry=old)
        return render.say(voice, "undo.replaced", entry=entry_of(done), old=old)
    if done.added:
        return render.say(voice, "undo.entry", entry=entry_of(done))
    return _again(done, voice)


def _again(done: Operation, voice: Voice) -> Reply:
    """What was removed stands again: a section with its entries, or one entry."""
    lines = [line for line in done.removed if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith("#"):
        count = len(Document.of("\n".join(lines)).entries)
        heading = bare(first.lstrip("#").strip())
        return render.say(voice, "undo.section", count, heading=heading)
    return render.say(voice, "undo.again", entry=listing.plain(first))


def _counted(result: Receipt, voice: Voice) -> Reply:
    said = voice("undo.lines", result.after, before=result.before)
    if not result.skipped:
        return Reply(said)
    return Reply(f"{said}\n{voice('undo.partly', len(result.skipped))}")


def entry_of(done: Operation) -> str:
    """The entry an operation wrote, or took away, without its bullet."""
    lines = [line for line in done.added or done.removed if line.strip()]
    return listing.plain(lines[-1]) if lines else ""


def items(turn: Turn, op: str, voice: Voice) -> Posts:
    """The items of a compaction that can still be taken back, one button each (C6)."""
    done = turn.services.store.operation(op)
    keys = done.keys if done else ()
    card = turn.services.state.dialog_at(turn.place.chat, turn.place.message)
    labels = _labels(card, voice) if card and card.kind == Kind.COMPACT else {}
    wanted = turn.press.number - 1 if turn.press and turn.press.verb is Verb.ITEMS else 0
    page, pages, part = listing.window(len(keys), wanted)
    rows = report.item_buttons(keys[part], labels, op)
    turning = listing.page_buttons(page, pages, op, Verb.ITEMS)
    return replaced(turn, Reply(voice("undo.items", len(keys)), (*rows, *turning)))


def _labels(card: Dialog, voice: Voice) -> dict[str, str]:
    from handlers.compacting.compact import sheet_of

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
    if "menu" in payload:
        return menuwrites.reword(turn, dialog, text)
    if "card" in payload:
        return _reword_card(turn, dialog, text)
    entry = menuwrites.worded(turn, text)
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
    return cards.reword(turn, card, dialog.payload["part"], menuwrites.worded(turn, text))


def ask_place(turn: Turn, done: Operation, voice: Voice) -> Posts:
    """The card with the places an entry can be moved to."""
    choices = filing.everywhere(turn, entry_of(done))
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
