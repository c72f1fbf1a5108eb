"""The card before a write to shared memory: what, where, and who will read it (G3, T10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation import sharing
from curation.engine import Home, Judgement, Keep, Part, Relation, Route
from handlers import dialogs, places
from handlers.answers import answer
from handlers.callbacks import Verb, encode
from handlers.chats import shared
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.messages import outcome, render
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice
from memory.dialogs import Dialog
from memory.spaces import DocumentName, DocumentRef, channel, space_of

_FOR_ALL = frozenset({Home.GROUP, Home.PROJECT, Home.NOTE, Home.AGENT_RULE, Home.SKILL_RULE})
_LONGEST = 700
_LABEL = 40


@dataclass(frozen=True, slots=True)
class Card:
    """An entry for several people.

    With ``code`` its place is chosen: a section of it is asked for when there are ``headings``,
    and what becomes of a related entry when there is a ``rival`` (S3).
    """

    entry: str
    choices: tuple[str, ...]
    code: str = ""
    headings: tuple[str, ...] = ()
    rival: str = ""
    relation: Relation = Relation.DIFFERENT


def announced(turn: Turn, text: str) -> sharing.Announced | None:
    """What is said for the group, when a text begins with saying so; None when it does not."""
    groups = turn.roster.groups_of(turn.person.id)
    return sharing.announced(text, turn.services.languages, groups)


def ours(judged: Judgement, announced: bool) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts that are for several people, and the others.

    What is announced for the group is for it, unless it is refused or unclear.
    """
    homes = _FOR_ALL if announced else {Home.GROUP}

    def is_ours(part: Part) -> bool:
        verdict = part.verdict
        if isinstance(verdict, Keep):
            return announced
        return isinstance(verdict, Route) and verdict.home in homes

    found = tuple(filter(is_ours, judged.parts))
    return found, tuple(part for part in judged.parts if part not in found)


def entry_of(part: Part) -> str:
    """What a part would be written as; as typed when the rewrite lost something."""
    verdict = part.verdict
    assert isinstance(verdict, Route | Keep)
    return " ".join(part.text.split()) if verdict.losses else verdict.entry


def offer(turn: Turn, parts: Sequence[Part], voice: Voice, group: str = "") -> Posts:
    """A card for each part; in a group it stands there, for what it says is for everyone.

    The ``group`` that was named stands first, where it is reached. Where no shared memory is
    reached, one card offers the person's own (G3).
    """
    named = places.code(DocumentName.GROUP, group)
    choices = tuple(sorted(shared.choices(turn), key=lambda code: code != named))
    standing = replace(turn, shared=shared.space(turn))
    cards = [Card(entry_of(part), choices) for part in parts]
    return tuple(post for card in cards for post in _ask(standing, card, voice))


def offer_at(turn: Turn, ref: DocumentRef, steps: Sequence[str], entry: str, voice: Voice) -> Posts:
    """The card for an entry whose document was said, and with ``steps`` its section (G3)."""
    slug = ref.space.owner if ref.name is DocumentName.GROUP else ""
    code = places.code(ref.name, slug, shared.INTO.join(steps))
    return _ask(replace(turn, shared=shared.space(turn)), Card(entry, (code,)), voice)


def _ask(turn: Turn, card: Card, voice: Voice) -> Posts:
    dialog = dialogs.open_dialog(turn, Question(Kind.SHARED, payload(turn, card, voice)))
    return answer(turn, shown(turn, card, voice, dialog.id), voice, dialog.id)


def payload(turn: Turn, card: Card, voice: Voice) -> dialogs.Payload:
    """A card as it is stored."""
    return {
        "entry": card.entry,
        "choices": list(card.choices),
        "code": card.code,
        "headings": list(card.headings),
        "rival": card.rival,
        "relation": card.relation,
        "language": voice.language,
        "space": turn.shared.code if turn.shared else "",
    }


def card_of(dialog: Dialog) -> Card:
    """The card that was stored."""
    stored = dialog.payload
    choices, headings = tuple(stored["choices"]), tuple(stored["headings"])
    rival = stored["rival"], Relation(stored["relation"])
    return Card(stored["entry"], choices, stored["code"], headings, *rival)


def standing(turn: Turn, dialog: Dialog) -> Turn:
    """The turn at the shared memory that a stored question is about, the same for others.

    A question moves along with its chat, so the chat is the one it stands in now (G4).
    """
    code = dialog.payload.get("space", "")
    if not code:
        return turn
    return replace(turn, shared=channel(turn.place.chat, space_of(code).topic))


def shown(turn: Turn, card: Card, voice: Voice, dialog: str) -> Reply:
    """The card: first where, with the readers of each place, then in which section."""
    entry = shortened(card.entry, _LONGEST)
    if card.rival:
        related = outcome.Duplicate(entry, shortened(card.rival, _LONGEST), card.relation)
        lines = [render.sentence(related, voice), shared.readers(turn, card.code, voice)]
        return Reply("\n\n".join(lines), _rival_buttons(voice, dialog))
    if card.code:
        lines = [voice("shared.section", entry=entry), shared.readers(turn, card.code, voice)]
        return Reply("\n\n".join(lines), _section_buttons(card, voice, dialog))
    if not card.choices:
        return Reply(voice("shared.nowhere", entry=entry), _buttons(card, voice, dialog))
    who = "\n".join(shared.readers(turn, code, voice) for code in card.choices)
    return Reply(f"{voice('shared.ask', entry=entry)}\n\n{who}", _buttons(card, voice, dialog))


def _buttons(card: Card, voice: Voice, dialog: str) -> Rows:
    offered = tuple(
        (Button(shortened(shared.name(code, voice), _LABEL), encode(dialog, Verb.FILE, n)),)
        for n, code in enumerate(card.choices, 1)
    )
    mine = Button(voice.plain("button.only_me"), encode(dialog, Verb.SAVE))
    return (*offered, (mine, _cancel(voice, dialog)))


def _rival_buttons(voice: Voice, dialog: str) -> Rows:
    verbs = (Verb.REPLACE, Verb.BOTH)
    row = tuple(Button(voice.plain(f"button.{verb}"), encode(dialog, verb)) for verb in verbs)
    return (row, (_cancel(voice, dialog),))


def _section_buttons(card: Card, voice: Voice, dialog: str) -> Rows:
    rows = tuple(
        (Button(shortened(title, _LABEL), encode(dialog, Verb.CHOOSE, n)),)
        for n, title in enumerate(card.headings, 1)
    )
    return (*rows, (_cancel(voice, dialog),))


def _cancel(voice: Voice, dialog: str) -> Button:
    return Button(voice.plain("button.cancel"), encode(dialog, Verb.CANCEL))
