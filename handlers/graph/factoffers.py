"""Which of what was kept is a fact too, so that its card has a button for that (T14, F4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from curation import tellings
from curation.triples import Triple, recognise
from handlers import dialogs
from handlers.context import Turn
from handlers.dialogs import Kind, Question
from handlers.messages.outcome import Kept, Outcome
from handlers.messages.payloads import outcome_to_json
from handlers.messages.voice import Voice
from memory.factrules import EVENTS

_MOST_OFFERS = 50

Offered = tuple[list[Outcome], str]
"""What is shown, and the stored question behind its "+ Fact" buttons, "" when there is none."""


def offered(
    turn: Turn, settled: Sequence[Outcome], voice: Voice, said: Sequence[str] = ()
) -> Offered:
    """Put a button on what was kept and is a fact, by what was said or by its entry.

    Nothing is offered at a terminal: `pomnenka facts` is there.
    """
    if not turn.place.message:
        return list(settled), ""
    texts = said if len(said) == len(settled) else [""] * len(settled)
    found = {
        str(part): triple
        for part, (one, text) in enumerate(zip(settled, texts, strict=True))
        if isinstance(one, Kept) and (triple := _triple(turn, voice, (text, one.entry)))
    }
    shown = [_marked(one, str(part) in found) for part, one in enumerate(settled)]
    return shown, _opened(turn, shown, found, voice) if found else ""


def _triple(turn: Turn, voice: Voice, texts: Sequence[str]) -> Triple | None:
    languages, today = turn.services.languages, turn.today.isoformat()
    read = (recognise(text, languages, voice.language, today) for text in texts if text)
    found = next(filter(None, read), None)
    return tellings.dated(found, EVENTS, today) if found else None


def _marked(one: Outcome, is_fact: bool) -> Outcome:
    return replace(one, offered=True) if is_fact and isinstance(one, Kept) else one


def _opened(turn: Turn, shown: Sequence[Outcome], found: dict[str, Triple], voice: Voice) -> str:
    payload = {
        "parts": [outcome_to_json(one) for one in shown],
        "triples": {part: asdict(triple) for part, triple in found.items()},
        "language": voice.language,
    }
    dialogs.thin(turn, Kind.OFFER, _MOST_OFFERS)
    return dialogs.open_dialog(turn, Question(Kind.OFFER, payload)).id
