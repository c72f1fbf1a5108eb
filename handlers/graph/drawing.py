"""The Picture buttons of a timeline: facts become what is drawn, and the picture is sent (F4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from handlers.answers import answer
from handlers.callbacks import Verb
from handlers.context import Posts, Turn
from handlers.graph import factlines, factviews, pictures
from handlers.graph.pictures import Bar, Edge, Sheet
from handlers.messages import render
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice, quoted
from memory.dialogs import Dialog
from memory.factrules import EVENTS, Fact, key
from memory.facts import Query


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A button of a timeline: a picture of it, or another page."""
    assert turn.press
    if turn.press.verb is not Verb.DRAW:
        return factviews.turn_page(turn, dialog)
    voice = turn.voice(dialog.payload["language"])
    if not pictures.installed():
        return answer(turn, render.say(voice, "picture.missing"), voice)
    draw = _around if turn.press.number else _time
    return answer(turn, draw(turn, dialog.payload["entity"], voice), voice)


def _time(turn: Turn, entity: str, voice: Voice) -> Reply:
    facts, today = turn.services.state.facts, turn.today.isoformat()
    count = facts.count(turn.person.id, Query(entity))
    found = facts.timeline(turn.person.id, entity, Query(limit=pictures.MOST))
    bars = [bar(fact, today, voice) for fact in found if not fact.empty]
    sheet = _sheet("picture.time", _name(found, entity, voice), count, turn, voice)
    refusal = _refusal((text for one in bars for text in (one.label, one.text)), bars)
    if refusal or not pictures.drawable((sheet.title,)):
        return render.say(voice, refusal or "picture.letters")
    return _picture(sheet, pictures.timeline(bars, sheet))


def _around(turn: Turn, entity: str, voice: Voice) -> Reply:
    facts, today = turn.services.state.facts, turn.today.isoformat()
    query = Query(on=today, limit=pictures.MOST + 1)
    found = facts.neighbourhood(turn.person.id, entity, query)
    edges = [edge(fact, entity, voice) for fact in found[: pictures.MOST]]
    name = _name(found, entity, voice)
    sheet = _sheet("picture.around", name, len(found), turn, voice)
    refusal = _refusal((text for one in edges for text in (one.label, one.text)), edges)
    if refusal or not pictures.drawable((sheet.title,)):
        return render.say(voice, refusal or "picture.letters")
    return _picture(sheet, pictures.neighbourhood(name, edges, sheet))


def _refusal(texts: Iterable[str], found: Sequence[object]) -> str:
    if not found:
        return "picture.nothing"
    return "" if pictures.drawable(texts) else "picture.letters"


def _picture(sheet: Sheet, png: bytes) -> Reply:
    return Reply(quoted(" · ".join(filter(None, (sheet.title, sheet.note)))), picture=png)


def _name(found: Sequence[Fact], entity: str, voice: Voice) -> str:
    """The entity as it is spelled where it is a subject."""
    own = (fact.subject for fact in found if key(fact.subject) == key(entity))
    return factviews.heading(next(own, entity), voice)


def _sheet(id: str, name: str, count: int, turn: Turn, voice: Voice) -> Sheet:
    more = count > pictures.MOST
    note = voice.plain("picture.newest", pictures.MOST) if more else ""
    today = voice.plain("picture.today")
    title = voice.plain(id, subject=name)
    return Sheet(title[:1].upper() + title[1:], today, year(turn.today.isoformat()), note)


def bar(fact: Fact, today: str, voice: Voice) -> Bar:
    """A fact as a bar, or as a point when it is an event without an end."""
    return Bar(
        factlines.label(fact.predicate, voice),
        fact.object,
        factlines.days(fact, voice) or voice.plain("picture.undated"),
        year(fact.since) if fact.since else None,
        year(fact.until) if fact.until else None,
        fact.holds(today),
        fact.predicate in EVENTS and not fact.until,
    )


def edge(fact: Fact, entity: str, voice: Voice) -> Edge:
    """A fact as seen from an entity at one of its ends."""
    inward = key(fact.subject) != key(entity)
    other = factlines.subject(fact.subject, voice) if inward else fact.object
    return Edge(factlines.label(fact.predicate, voice), other, inward)


def year(day: str) -> float:
    """A day as a decimal year; a year or a month stands for its first day."""
    parts = [int(part) for part in day.split("-")]
    moment = date(*(*parts, 1, 1)[:3])
    return moment.year + (moment.timetuple().tm_yday - 1) / 366
