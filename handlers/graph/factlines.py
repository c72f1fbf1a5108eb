"""Facts as lines of text; pure (F3, F4)."""

from __future__ import annotations

from handlers.messages.voice import Voice
from locales.days import shown
from memory.factrules import EVENTS, ME, Draft, Fact, known


def line(fact: Fact | Draft, voice: Voice) -> str:
    """A fact on one line of plain text, with its days."""
    said = voice.plain(
        "fact.line",
        subject=subject(fact.subject, voice),
        label=label(fact.predicate, voice),
        text=fact.object,
    )
    span = days(fact, voice)
    return f"{said} ({span})" if span else said


def subject(name: str, voice: Voice) -> str:
    """Who a fact is about; the person themselves is addressed."""
    return voice.plain("fact.you") if name == ME else name


def label(predicate: str, voice: Voice) -> str:
    """What a predicate is called; one of somebody's own keeps its words."""
    if known(predicate):
        return voice.plain(f"predicate.{predicate}")
    return predicate.replace("_", " ")


def days(fact: Fact | Draft, voice: Voice) -> str:
    """The days of a fact, "" when none is known."""
    since, until = (shown(x, voice.language) if x else "" for x in (fact.since, fact.until))
    if since and until:
        return voice.plain("fact.span", since=since, until=until)
    if until:
        return voice.plain("fact.until", until=until)
    if since and fact.predicate in EVENTS:
        return since
    return voice.plain("fact.since", since=since) if since else ""
