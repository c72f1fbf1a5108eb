"""Homes other than keep.md: the card that names the place, and the button that files (T6-T13)."""

from __future__ import annotations

import re

from curation import fitting
from curation.engine import Aspect, Home, Relation, Route
from handlers import places
from handlers.chats import shared
from handlers.context import Turn
from handlers.keeping import persona, placing, topics
from handlers.messages import outcome
from handlers.messages.outcome import Outcome
from memory.spaces import DocumentName, DocumentRef, slug_of

_KEEP = str(DocumentName.KEEP)
_DATE = re.compile(r"\[\d{4}-\d{2}-\d{2}\]\s+")


def offer(turn: Turn, route: Route, text: str) -> Outcome:
    """The card for a part that belongs elsewhere; as typed when the rewrite lost something."""
    entry = " ".join(text.split()) if route.losses else route.entry
    match route.home:
        case Home.SOUL:
            words = placing.heading_words(turn, route.aspect)
            return persona.offer(turn, route.target or entry, words)
        case Home.TOPIC | Home.PROCEDURE:
            return topics.offer(turn, route, entry)
        case Home.PROJECT:
            return _project(turn, route, entry)
        case Home.AGENT_RULE:
            return _rule(turn, route, entry)
    return outcome.BelongsIn(route.home, entry, route.target, choices(turn, route))


def choices(turn: Turn, route: Route) -> tuple[str, ...]:
    """Codes of the places a button can file to, the best first.

    keep.md is the way out of a wrong guess; a skill's own file is never written.
    """
    match route.home:
        case Home.NOTE:
            return (str(DocumentName.NOTES), _KEEP)
        case Home.PROJECT:
            return _projects(turn, route.target)
        case Home.AGENT_RULE | Home.SKILL_RULE:
            return rules(turn, route.entry, route.aspect)
        case Home.GROUP:
            return (*shared.choices(turn), _KEEP)
        case Home.TOPIC | Home.PROCEDURE:
            return topics.choices(turn, route)
    return ()


def everywhere(turn: Turn, entry: str = "") -> tuple[str, ...]:
    """Places an entry of keep.md can be moved to."""
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    about = topics.existing(turn)[: places.MOST]
    return (str(DocumentName.NOTES), *places.projects("", known), *about, *rules(turn, entry))


def _project(turn: Turn, route: Route, entry: str) -> Outcome:
    slug = slug_of(route.target)
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    near = places.near(slug, known) if slug and slug not in known else ""
    found = choices(turn, route)
    if near:
        found = (places.project(near), *found)
    return outcome.BelongsIn(route.home, entry, route.target, found, slug in known, near)


def _projects(turn: Turn, target: str) -> tuple[str, ...]:
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    return (*places.projects(target, known), _KEEP)


def _rule(turn: Turn, route: Route, entry: str) -> Outcome:
    """A rule that USER.md or AGENTS.md has already, or has in other words, is not repeated (S3)."""
    found = rules(turn, entry, route.aspect)
    for code in (found[0], str(_other(found[0]))):
        said = _said_already(turn, entry, code)
        if said:
            return said
    return outcome.BelongsIn(route.home, entry, route.target, found)


def _other(code: str) -> DocumentName:
    first = places.split(code).name
    return DocumentName.AGENTS if first is DocumentName.USER else DocumentName.USER


def rules(turn: Turn, entry: str, aspect: Aspect = Aspect.NONE) -> tuple[str, ...]:
    """Places for a rule: sections of USER.md and AGENTS.md, the fitting one first (T6).

    A procedure or convention of the agent's work goes to AGENTS.md, all else to USER.md.
    """
    user = _sections(turn, entry, DocumentName.USER, Aspect.MANNER)
    own = user or (_default(turn, entry),)
    agents = _agents(turn, entry)
    room = own[: places.MOST - 1]
    return (agents, *room) if aspect is Aspect.WORK else (*room, agents)


def _sections(turn: Turn, entry: str, name: DocumentName, aspect: Aspect) -> tuple[str, ...]:
    """The sections of a document, the best first, as codes."""
    spots = placing.spots_of(turn.services.store.read(turn.document(name)).document)
    languages = turn.services.languages
    grammar = languages.grammar(placing.spoken(turn, entry))
    order = fitting.ranked(entry, spots, grammar, placing.heading_words(turn, aspect))
    titles = dict.fromkeys(spots[i].title for i in order)
    return tuple(places.code(name, heading=title) for title in titles)


def _agents(turn: Turn, entry: str) -> str:
    spots = placing.spots_of(turn.services.store.read(turn.document(DocumentName.AGENTS)).document)
    grammar = turn.services.languages.grammar(placing.spoken(turn, entry))
    found = fitting.fitting(entry, spots, grammar, placing.heading_words(turn, Aspect.WORK))
    heading = spots[found[0]].title if found else ""
    return places.code(DocumentName.AGENTS, heading=heading)


def _default(turn: Turn, entry: str) -> str:
    """The section that is made where USER.md has none, in the language of the entry (T6)."""
    title = turn.voice(placing.spoken(turn, entry)).plain("heading.rules")
    return places.code(DocumentName.USER, heading=title)


def put(turn: Turn, entry: str, code: str) -> Outcome | None:
    """File an entry, unless the document has it or a related one: then the person chooses (S3).

    None when the place is gone meanwhile.
    """
    return _said_already(turn, entry, code) or file(turn, entry, code)


def _said_already(turn: Turn, entry: str, code: str) -> Outcome | None:
    """The card or the word that an entry stands there; a topic's may still lack its pointer."""
    place = places.split(code)
    ref = reference(turn, code)
    if ref is None or turn.services.store.answered(ref, turn.author(), entry):
        return None
    texts = turn.services.known.texts(turn.services.store.read(ref))
    match = turn.services.engine.compare(entry, tuple(_DATE.sub("", text, 1) for text in texts))
    if match.index is None or match.relation is Relation.DIFFERENT:
        return None
    if match.relation is Relation.EXACT and place.name is DocumentName.TOPIC:
        return None
    if match.relation is Relation.EXACT:
        return outcome.Known(texts[match.index], place.name)
    return outcome.Duplicate(entry, texts[match.index], match.relation, place.name, code=code)


def reference(turn: Turn, code: str) -> DocumentRef | None:
    """The document behind a code, None when this person may not write it from here."""
    place = places.split(code)
    if place.name in (DocumentName.CHANNEL, DocumentName.GROUP):
        found = shared.reference(turn, code)
        return found if isinstance(found, DocumentRef) else None
    ref = turn.document(place.name, place.slug)
    return ref if ref.is_proper else None


def file(turn: Turn, entry: str, code: str, replaces: str = "") -> Outcome | None:
    """Write an entry to the place that a code names; ``replaces`` is the one that gives way.

    None when its heading is gone meanwhile. Rules in AGENTS.md are dated (product.md 2).
    """
    place = places.split(code)
    if place.name is DocumentName.TOPIC:
        return topics.file(turn, entry, place, replaces)
    if place.name in (DocumentName.CHANNEL, DocumentName.GROUP):
        return _shared(turn, entry, code)
    ref = reference(turn, code)
    receipt = placing.write(turn, ref, entry, (place, replaces)) if ref else None
    if receipt is None or receipt.skipped:
        return None
    if not receipt.changed:
        return outcome.Known(entry, place.name)
    return outcome.Filed(
        entry, places.shown(code, turn.services.layout.names), receipt.op, replaces
    )


def _shared(turn: Turn, entry: str, code: str) -> Outcome | None:
    written = shared.write(turn, code, entry, turn.voice(placing.spoken(turn, entry)))
    if not isinstance(written, shared.Written):
        return None
    where = places.code(written.ref.name, places.split(code).slug, written.heading)
    if not written.op:
        return outcome.Known(entry, written.ref.name)
    return outcome.Filed(entry, places.shown(where, turn.services.layout.names), written.op)
