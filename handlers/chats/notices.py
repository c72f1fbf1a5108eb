"""What happened to a document outside of any conversation, told once (M6, d.4).

A person hears of their own documents in private, a chat of its CHANNEL.md in the chat itself, and
each member of a group of its GROUP.md in private. Where somebody has to decide, a chat's admins
do, or any member of the group.
"""

from __future__ import annotations

from dataclasses import replace

from handlers import dialogs, places
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, encode
from handlers.context import Place, Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.keeping import keep
from handlers.messages import listing, render
from handlers.messages.outcome import Ready
from handlers.messages.reply import Button, Reply, shortened
from handlers.messages.voice import Voice, quoted
from memory.dialogs import Dialog
from memory.errors import Unreadable
from memory.ledger import Notice, What
from memory.members import Members
from memory.spaces import DocumentName, DocumentRef, Space, SpaceKind, personal, space_of
from memory.store import Item, Receipt

_MOST = 10
_WIDTH = 200
_BRIEF = 60
_HEARD = 1000
_ASKED = (What.MISSING, What.SHRUNK)


def readers(notice: Notice, members: Members) -> tuple[Place, ...]:
    """Where to tell it: nowhere in a chat that the bot was put out of (G3)."""
    space = notice.ref.space
    match space.kind:
        case SpaceKind.PERSONAL:
            return (Place(space.number),)
        case SpaceKind.GROUP:
            return tuple(map(Place, sorted(members.members_of(space.owner))))
    here = Place(space.number, topic=space.topic, private=False)
    return (here,) if members.reachable(space.number) else ()


def concerning(turn: Turn, notice: Notice) -> Turn:
    """The turn at the memory that a notice is about."""
    space = notice.ref.space
    return turn if space.kind is SpaceKind.PERSONAL else replace(turn, shared=space)


def tell(turn: Turn, notice: Notice) -> Posts:
    """The message about a notice; where a person may decide, with buttons."""
    voice = turn.voice(_heard(turn, notice))
    whole = _told(notice, voice)
    if notice.kind not in _ASKED:
        return answer(turn, Reply(whole), voice)
    payload = {
        "about": notice.kind,
        "space": notice.ref.space.code,
        "admins": notice.ref.space.kind is SpaceKind.CHANNEL,
        "document": str(notice.ref.name),
        "slug": notice.ref.slug,
        "lines": list(notice.removed) if notice.kind is What.MISSING else [],
        "language": voice.language,
    }
    dialog = dialogs.open_dialog(turn, Question(Kind.OUTSIDE, payload))
    return answer(turn, Reply(whole, buttons(dialog.id, voice)), voice, dialog.id)


def _heard(turn: Turn, notice: Notice) -> str:
    """The language of what was kept a moment ago, or that of a chat's memory.

    Other lines may be anybody's.
    """
    gone = notice.removed[:1] if notice.kind is What.MISSING else ()
    text = "".join(map(listing.plain, gone))
    if turn.at_desk:
        text = _text(turn, notice)
    detect = turn.services.languages.detect
    return detect(text, turn.person.language[:2]) if text else ""


def _text(turn: Turn, notice: Notice) -> str:
    """What a chat's memory says, for its language; else the lines that came and went."""
    try:
        lines = turn.services.store.read(notice.ref).document.lines
    except Unreadable:
        lines = ()
    return "\n".join(lines or (*notice.added, *notice.removed))[:_HEARD]


def _told(notice: Notice, voice: Voice) -> str:
    name = places.shown(_code(notice.ref), voice.names)
    count = len(notice.removed) if notice.kind in _ASKED else None
    said = voice(f"notice.{notice.kind}", count, document=name)
    return "\n".join([said, *_diff(notice, voice)])


def buttons(dialog: str, voice: Voice) -> tuple[tuple[Button, ...], ...]:
    """Put back, or leave as it is."""
    back = Button(voice.plain("button.restore"), encode(dialog, Verb.RESTORE))
    leave = Button(voice.plain("button.leave"), encode(dialog, Verb.LEAVE))
    return ((back, leave),)


def about(dialog: Dialog, voice: Voice) -> str:
    """One line on what such a question is about, as plain text."""
    name = places.shown(_code(_ref(dialog)), voice.names)
    lines = dialog.payload["lines"]
    if not lines:
        return voice.plain("pending.outside", document=name)
    entry = shortened(listing.plain(lines[0]), _BRIEF)
    return voice.plain("pending.missing", document=name, entry=entry)


def again(dialog: Dialog, voice: Voice) -> Reply:
    """The question once more; of a document that lost most of its lines without these."""
    return Reply(quoted(about(dialog, voice)), buttons(dialog.id, voice))


def press(turn: Turn, dialog: Dialog) -> Posts:
    """The decision, carried out."""
    assert turn.press
    voice = turn.voice(dialog.payload.get("language", ""))
    if not _may_decide(turn, _ref(dialog).space):
        return replaced(turn, render.say(voice, "dialog.not_yours"))
    if not dialogs.close(turn, dialog):
        return replaced(turn, render.say(voice, "dialog.answered"))
    back = turn.press.verb is Verb.RESTORE
    if dialog.payload["about"] == What.SHRUNK:
        reply = _restored(turn, dialog, voice) if back else _accepted(turn, dialog, voice)
    else:
        reply = _kept_again(turn, dialog, voice) if back else render.say(voice, "notice.left")
    return replaced(turn, reply, dialog.id)


def _restored(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    ref = _ref(dialog)
    return _done(turn.services.store.put_back(ref, turn.author("put_back")), ref, voice)


def _accepted(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    copy = turn.services.store.accept(_ref(dialog))
    return (
        render.say(voice, "notice.copied", name=copy) if copy else render.say(voice, "notice.left")
    )


def _kept_again(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    """The entries that had gone, written again at the end of their document."""
    ref = _ref(dialog)
    lines = [line for line in dialog.payload["lines"] if line.startswith("- ")]
    items = [
        Item(str(number), keep.keeping(Ready(line.removeprefix("- "))))
        for number, line in enumerate(lines, 1)
    ]
    receipt = turn.services.store.apply(ref, items, turn.author("put_back"))
    return _done(receipt, ref, voice)


def _done(receipt: Receipt, ref: DocumentRef, voice: Voice) -> Reply:
    name = places.shown(_code(ref), voice.names)
    said = voice("notice.restored", receipt.after, document=name)
    return Reply(said, render.undo_button(receipt.op, voice) if receipt.op else ())


def _may_decide(turn: Turn, space: Space) -> bool:
    """Whether the person still belongs to a group; for a chat `dialogs.may_decide` has said it."""
    members = turn.services.state.members.members_of
    return space.kind is not SpaceKind.GROUP or turn.person.id in members(space.owner)


def _ref(dialog: Dialog) -> DocumentRef:
    payload = dialog.payload
    space = space_of(payload["space"]) if "space" in payload else personal(dialog.asker)
    return DocumentRef(space, DocumentName(payload["document"]), payload["slug"])


def _code(ref: DocumentRef) -> str:
    slug = ref.space.owner if ref.name is DocumentName.GROUP else ref.slug
    return places.code(ref.name, slug)


def _diff(notice: Notice, voice: Voice) -> list[str]:
    signed = [("−", line) for line in notice.removed if line.strip()]
    signed += [("+", line) for line in notice.added if line.strip()]
    shown = [
        quoted(f"{sign} {shortened(listing.plain(line), _WIDTH)}") for sign, line in signed[:_MOST]
    ]
    rest = len(signed) - len(shown)
    return [*shown, voice("notice.more", rest)] if rest > 0 else shown
