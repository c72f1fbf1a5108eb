"""Keep: from what was said to a line on disk, or to a card where a person must decide (K1-K12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation import admission, engine
from curation.characters import veiled
from curation.engine import Hints, Part, Refusal, Relation, Unclear
from handlers import dialogs
from handlers.answers import answer
from handlers.chats import sharing
from handlers.compacting import compact, tidy
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import factoffers
from handlers.keeping import filing
from handlers.messages import outcome, render
from handlers.messages.outcome import Outcome, Ready
from handlers.messages.payloads import outcome_to_json
from handlers.messages.voice import Voice
from handlers.reminding import remind
from memory.document import Document
from memory.edits import Edit, Hunk, append_entry, replace_entry
from memory.spaces import DocumentName
from memory.store import Item, Receipt

ENTRY = "entry"
"""The key of the only item of an operation that writes one entry."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be kept; ``language`` is that of the trigger, "" when unknown.

    ``foreign`` text was written by somebody else and is shown before anything (K2, T5).
    """

    text: str
    language: str = ""
    foreign: bool = False


def remember(turn: Turn, content: Content) -> Posts:
    """Judge the content, write what can be written, and answer with one message."""
    admitted = admission.clean(content.text, turn.services.languages)
    if isinstance(admitted, admission.Rejected):
        voice = turn.voice(content.language)
        refusal = replace(render.say(voice, f"admission.{admitted.why}"), refused=True)
        return answer(turn, refusal, voice)
    hints = Hints(turn.person.language[:2], content.foreign, content.language)
    said = None if content.foreign else sharing.announced(turn, admitted.text)
    if said and not said.text:
        return question(turn, turn.voice(content.language))
    judged = turn.services.engine.judge(said.text if said else admitted.text, hints)
    voice = turn.voice(content.language or judged.language)
    if len(judged.parts) == 1 and isinstance(judged.parts[0].verdict, engine.Ask):
        return question(turn, voice, judged.parts[0].verdict.why)
    known = Judged(judged.language, content.foreign)
    ours, mine = sharing.ours(judged, bool(said))
    group = said.group if said else ""
    offered = sharing.offer(turn, ours, voice, group) if ours else ()
    if ours and not mine:
        return offered
    found = [consider(turn, part, known) for part in mine]
    return (*offered, *show(turn, found, voice, [part.text for part in mine]))


def question(turn: Turn, voice: Voice, why: Unclear = Unclear.EMPTY) -> Posts:
    """Ask for the concrete fact; the next message is taken for it (K3)."""
    dialog = dialogs.open_dialog(turn, Question(Kind.CONTENT, {}, listens=True))
    return answer(turn, render.ask(voice, f"unclear.{why}"), voice, dialog.id)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known about all parts of an input."""

    language: str
    foreign: bool = False


_ORDERS = frozenset({engine.Home.AGENT_RULE, engine.Home.SKILL_RULE, engine.Home.SOUL})
"""What tells the agent what to do; from others it is an instruction of foreign origin (T5)."""


def consider(turn: Turn, part: Part, judged: Judged) -> Outcome:
    """What becomes of one part, before anything is written (K4, K6, T1-T14)."""
    verdict = part.verdict
    if isinstance(verdict, engine.Refuse):
        return refused(turn, part.text, verdict.why)
    if isinstance(verdict, engine.Ask):
        return outcome.Vague(verdict.why)
    if isinstance(verdict, engine.Route):
        if judged.foreign and verdict.home in _ORDERS:
            return outcome.Suspicious(one_line(part.text))
        if verdict.home is engine.Home.REMINDER:
            return remind.offer(turn, part.text)
        return filing.offer(turn, verdict, part.text)
    if judged.foreign:
        entry = one_line(part.text) if verdict.losses else verdict.entry
        return outcome.Foreign(part.text, entry, verdict.ask_reason)
    if verdict.losses:
        return outcome.Unfaithful(one_line(part.text), verdict.entry)
    if verdict.doubt:
        return _uncertain(verdict, judged.language)
    return weigh(turn, verdict.entry, judged.language, verdict.ask_reason)


def _uncertain(verdict: engine.Keep, language: str) -> Outcome:
    """What was said with a "maybe" is stored only when the person agrees (T15)."""
    marked = f"{verdict.entry} {verdict.doubt}"
    return outcome.Uncertain(verdict.entry, marked, language, verdict.ask_reason)


def refused(turn: Turn, text: str, why: Refusal) -> Outcome:
    """Not stored; only text that merely reads like an instruction may be insisted on (T5)."""
    if why is Refusal.INJECTION and admission.blank(text, turn.services.languages) == text:
        return outcome.Suspicious(one_line(text), veiled(text))
    appointment = remind.calendar(turn, text) if why is Refusal.CALENDAR_DATE else None
    return appointment or outcome.Refused(why)


def one_line(text: str) -> str:
    """The text as typed, with line breaks and runs of blanks collapsed (K2)."""
    return " ".join(text.split()).removeprefix("- ")


def weigh(turn: Turn, entry: str, language: str, ask_reason: bool = False) -> Outcome:
    """Compare an entry with what is known, then ask for a missing reason (K7, K8)."""
    for name in (DocumentName.KEEP, DocumentName.MEMORY, DocumentName.USER):
        existing = _texts(turn, name)
        if not existing:
            continue
        match = turn.services.engine.compare(entry, existing)
        if match.index is None or match.relation is Relation.DIFFERENT:
            continue
        known = existing[match.index]
        if match.relation is Relation.EXACT and name is DocumentName.KEEP:
            return _done_already(turn, entry) or outcome.Known(known)
        return outcome.Duplicate(entry, known, match.relation, name, ask_reason)
    return outcome.NeedsReason(entry, language) if ask_reason else Ready(entry)


def _done_already(turn: Turn, entry: str) -> Outcome | None:
    """The entry was written for this very message, before a crash (W4)."""
    ref = turn.document(DocumentName.KEEP)
    done = turn.services.store.answered(ref, turn.author(), entry)
    return outcome.Kept(entry, done.op) if done else None


def _texts(turn: Turn, name: DocumentName) -> tuple[str, ...]:
    return turn.services.known.texts(turn.services.store.read(turn.document(name)))


def show(turn: Turn, outcomes: Sequence[Outcome], voice: Voice, said: Sequence[str] = ()) -> Posts:
    """Write what is ready and answer with one card; a long keep.md is compacted first (K10).

    ``said`` are the outcomes' own words, in which a fact may be recognised (T14).
    """
    settled, receipt = settle(turn, outcomes)
    if any(map(outcome.waits, settled)):
        dialog = open_card(turn, settled, voice)
    else:
        settled, dialog = factoffers.offered(turn, settled, voice, said)
    first = compact.overflow(turn, voice, receipt) if receipt else ()
    if any(isinstance(one, outcome.Vague) for one in settled) and not listens(settled):
        dialogs.open_dialog(turn, Question(Kind.CONTENT, {}, listens=True))
    card = answer(turn, render.card(settled, voice, dialog), voice, dialog)
    return (*first, *card, *compact.hint(turn, voice), *tidy.hint(turn, voice))


def open_card(turn: Turn, outcomes: Sequence[Outcome], voice: Voice, message: int = 0) -> str:
    """Store a card whose parts wait for decisions; gives its id."""
    payload = {"parts": [outcome_to_json(o) for o in outcomes], "language": voice.language}
    question = Question(Kind.CARD, payload, listens=listens(outcomes))
    return dialogs.open_dialog(turn, question, message).id


def listens(outcomes: Sequence[Outcome]) -> bool:
    """Whether the next message is the reason that a part waits for (K7)."""
    return any(isinstance(o, outcome.NeedsReason) or remind.is_asking(o) for o in outcomes)


def settle(turn: Turn, outcomes: Sequence[Outcome]) -> tuple[list[Outcome], Receipt | None]:
    """Write the ready ones, each as an operation of its own; gives the last receipt too."""
    settled: list[Outcome] = []
    last: Receipt | None = None
    for one in outcomes:
        if isinstance(one, Ready):
            one, last = write(turn, one)
        settled.append(one)
    return settled, last


def write(turn: Turn, ready: Ready) -> tuple[Outcome, Receipt]:
    """One entry to keep.md; it is reported as kept only after it was read back (K9, K12)."""
    ref, item = turn.document(DocumentName.KEEP), Item(ENTRY, keeping(ready))
    receipt = turn.services.store.apply(ref, [item], turn.author(), ready.entry)
    if not receipt.changed:
        return outcome.Known(ready.entry), receipt
    turn.services.known.appended(ref, receipt, ready.entry)
    return outcome.Kept(ready.entry, receipt.op, ready.replaces), receipt


def keeping(ready: Ready) -> Edit:
    """The edit: nothing when the line stands already, so that a repeated update is harmless.

    When the entry to be replaced is gone meanwhile, the new one is appended (D5).
    """

    line = f"- {ready.entry}"

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        if any(raw.rstrip("\r\n") == line for raw in document.raw):
            return ()
        hunks = replace_entry(ready.replaces, ready.entry)(document) if ready.replaces else None
        return append_entry(ready.entry)(document) if hunks is None else hunks

    return plan
