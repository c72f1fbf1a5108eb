"""/facts and /timeline: pages of facts, one fact with its buttons, the record of an entity (F4)."""

from __future__ import annotations

from dataclasses import dataclass

from curation.triples import ME, person
from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, encode
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import factlines, noting
from handlers.messages import listing
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice, quoted
from locales.days import shown
from memory.dialogs import Dialog
from memory.factrules import Draft, Fact, Fault, FaultCode, Same, key
from memory.facts import Query

PAGE = 8
"""How many facts stand on one page, with a button each."""

STEPS = 20
"""How many rows of a timeline stand on one page."""

_WIDE = 4
_MOST_OPEN = 10
_TITLE = 64


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows: the facts, its number from 0, and how many facts there are."""

    facts: tuple[Fact, ...]
    number: int
    count: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.count // self.size))


def listed(turn: Turn) -> Posts:
    """/facts [words]: what holds today, newest first, each with a button."""
    words = turn.said.argument
    voice = turn.voice()
    page = _page(turn, words, 0)
    if not page.count:
        said = voice("facts.nothing", words=words) if words else voice("facts.none")
        return answer(turn, Reply(said), voice)
    dialogs.thin(turn, Kind.FACTS, _MOST_OPEN)
    question = Question(Kind.FACTS, {"words": words, "page": 0, "language": voice.language})
    dialog = dialogs.open_dialog(turn, question)
    return answer(turn, _sheet(page, words, voice, dialog.id), voice, dialog.id)


def _page(turn: Turn, words: str, number: int) -> Page:
    facts, today = turn.services.state.facts, turn.today.isoformat()
    word = person(words, turn.services.languages)
    count = facts.count(turn.person.id, Query(on=today, word=word))
    number = min(max(0, number), max(0, (count - 1) // PAGE))
    query = Query(on=today, word=word, limit=PAGE, skip=PAGE * number)
    return Page(facts.facts(turn.person.id, query), number, count, PAGE)


def _sheet(page: Page, words: str, voice: Voice, dialog: str) -> Reply:
    if words:
        head = voice("facts.found", page.count, words=words)
    else:
        head = voice("facts.list", page.count)
    rows = [f"<b>{fact.id}.</b> {quoted(factlines.line(fact, voice))}" for fact in page.facts]
    picks = [Button(f"{f.id}", encode(dialog, Verb.CHOOSE, f.id)) for f in page.facts]
    wide = tuple(tuple(picks[i : i + _WIDE]) for i in range(0, len(picks), _WIDE))
    turning = listing.page_buttons(page.number, page.pages, dialog)
    return Reply("\n".join([head, "", *rows]), (*wide, *turning))


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A button of the list: another page, one fact, its end, or its deletion."""
    assert turn.press
    voice, number = turn.voice(dialog.payload["language"]), turn.press.number
    facts = turn.services.state.facts
    match turn.press.verb:
        case Verb.CHOOSE:
            return replaced(turn, _one(turn, number, voice, dialog), dialog.id)
        case Verb.END:
            ended = facts.invalidate(noting.deed(turn), number)
            outcome: object = noting.Over(ended.fact) if isinstance(ended, Same) else ended
        case Verb.ERASE:
            outcome = facts.delete(noting.deed(turn), number)
        case _:
            return _turned(turn, dialog, number - 1)
    reply = noting.reply(outcome, voice)
    rows = (*reply.buttons, _back(dialog, voice))
    return replaced(turn, Reply(reply.html, rows), dialog.id)


def again(turn: Turn, dialog: Dialog) -> Reply:
    """The page as it is now."""
    voice = turn.voice(dialog.payload["language"])
    words = dialog.payload["words"]
    page = _page(turn, words, dialog.payload["page"])
    return _sheet(page, words, voice, dialog.id)


def _turned(turn: Turn, dialog: Dialog, number: int) -> Posts:
    words = dialog.payload["words"]
    page = _page(turn, words, number)
    turn.services.state.amend(dialog.id, {**dialog.payload, "page": page.number})
    voice = turn.voice(dialog.payload["language"])
    if not page.count:
        said = voice("facts.nothing", words=words) if words else voice("facts.none")
        return replaced(turn, Reply(said), dialog.id)
    return replaced(turn, _sheet(page, words, voice, dialog.id), dialog.id)


def _one(turn: Turn, id: int, voice: Voice, dialog: Dialog) -> Reply:
    fact = turn.services.state.facts.fact(turn.person.id, id)
    if fact is None:
        gone = noting.reply(Fault(FaultCode.UNKNOWN_FACT), voice)
        return Reply(gone.html, (_back(dialog, voice),))
    day = shown(fact.learned, voice.language)
    said = voice("facts.one", fact=factlines.line(fact, voice), day=day)
    doing = (
        Button(voice.plain("button.end_fact"), encode(dialog.id, Verb.END, id)),
        Button(voice.plain("button.delete_fact"), encode(dialog.id, Verb.ERASE, id)),
    )
    return Reply(said, (doing, _back(dialog, voice)))


def like(turn: Turn, draft: Draft) -> Fact | None:
    """The fact that holds today and says the same, None when there is none."""
    query = Query(draft.subject, on=turn.today.isoformat())
    found = turn.services.state.facts.facts(turn.person.id, query)
    said = draft.predicate, key(draft.object)
    return next((fact for fact in found if (fact.predicate, key(fact.object)) == said), None)


def card(turn: Turn, fact: Fact, voice: Voice) -> Posts:
    """One fact with its buttons, as from the list of those about the same subject."""
    dialogs.thin(turn, Kind.FACTS, _MOST_OPEN)
    stored = {"words": fact.subject, "page": 0, "language": voice.language}
    dialog = dialogs.open_dialog(turn, Question(Kind.FACTS, stored))
    return answer(turn, _one(turn, fact.id, voice, dialog), voice, dialog.id)


def _back(dialog: Dialog, voice: Voice) -> tuple[Button, ...]:
    number = int(dialog.payload["page"]) + 1
    return (Button(voice.plain("button.to_list"), encode(dialog.id, Verb.PAGE, number)),)


def timeline(turn: Turn) -> Posts:
    """/timeline [entity]: everything noted about it in the order of time, and as a picture."""
    said = turn.said.argument
    voice = turn.voice()
    entity = person(said, turn.services.languages) if said else ME
    page = _steps(turn, entity, 0)
    if not page.count:
        name = factlines.subject(entity, voice)
        return answer(turn, Reply(voice("timeline.none", subject=name)), voice)
    stored = {"entity": entity, "page": page.number, "language": voice.language}
    dialogs.thin(turn, Kind.TIMELINE, _MOST_OPEN)
    dialog = dialogs.open_dialog(turn, Question(Kind.TIMELINE, stored))
    return answer(turn, _record(turn, page, dialog, voice), voice, dialog.id)


def _steps(turn: Turn, entity: str, number: int) -> Page:
    """A page of the record; page 0 is the newest."""
    facts = turn.services.state.facts
    count = facts.count(turn.person.id, Query(entity))
    number = min(max(0, number), max(0, (count - 1) // STEPS))
    found = facts.timeline(turn.person.id, entity, Query(limit=STEPS, skip=STEPS * number))
    return Page(tuple(fact for fact in found if not fact.empty), number, count, STEPS)


def _record(turn: Turn, page: Page, dialog: Dialog, voice: Voice) -> Reply:
    entity, today = dialog.payload["entity"], turn.today.isoformat()
    name = page.facts[0].subject if page.facts else entity
    head = voice("timeline.list", page.count, subject=factlines.subject(name, voice))
    rows = [_row(fact, today, voice) for fact in page.facts]
    drawing = (
        Button(voice.plain("button.picture_time"), encode(dialog.id, Verb.DRAW)),
        Button(voice.plain("button.picture_around"), encode(dialog.id, Verb.DRAW, 1)),
    )
    turning: Rows = listing.page_buttons(page.number, page.pages, dialog.id)
    return Reply("\n".join([head, "", *rows]), (drawing, *turning))


def _row(fact: Fact, today: str, voice: Voice) -> str:
    holds = "timeline.now" if fact.holds(today) else "timeline.row"
    return voice(
        holds,
        days=factlines.days(fact, voice) or voice.plain("timeline.undated"),
        label=factlines.label(fact.predicate, voice),
        text=fact.object,
    )


def turn_page(turn: Turn, dialog: Dialog) -> Posts:
    """Another page of a timeline."""
    assert turn.press
    voice = turn.voice(dialog.payload["language"])
    page = _steps(turn, dialog.payload["entity"], turn.press.number - 1)
    return replaced(turn, _record(turn, page, dialog, voice), dialog.id)


def timeline_again(turn: Turn, dialog: Dialog) -> Reply:
    """The newest page of a timeline as it is now."""
    voice = turn.voice(dialog.payload["language"])
    return _record(turn, _steps(turn, dialog.payload["entity"], 0), dialog, voice)


def heading(entity: str, voice: Voice) -> str:
    """Whom a picture is about, short enough for its title."""
    return shortened(factlines.subject(entity, voice), _TITLE)
