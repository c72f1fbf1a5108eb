"""/find, and questions like "what do you know about Honza?": hits by pages, with sources (X2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from handlers import cards, dialogs, factlines, listing, places
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, encode
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.reply import Button, Reply, Rows, shortened
from handlers.voice import Voice, quoted
from memory import search
from memory.dialogs import Dialog
from memory.scope import readable
from memory.search import Findings, Hit
from memory.spaces import DocumentName, DocumentRef, Space, SpaceKind

PAGE = 8
"""How many hits stand on one page."""

_PAGES = 5
_TEXT = 320
_BEFORE = 80
_LABEL = 60


@dataclass(frozen=True, slots=True)
class Sought:
    """The words that are looked for and the page shown, from 0, as a stored question carries it."""

    words: str
    page: int = 0

    @classmethod
    def of(cls, payload: dict[str, Any]) -> Sought:
        """What a stored question looks for."""
        return cls(payload["words"], payload["page"])


def command(turn: Turn) -> Posts:
    """/find words."""
    words = turn.said.argument
    if not words:
        voice = turn.voice()
        return answer(_here(turn), Reply(voice("find.how")), voice)
    return find(turn, words)


def find(turn: Turn, words: str, language: str = "") -> Posts:
    """What is known about some words, as far as the conversation may read it.

    In a chat of several people that is their memory, and the answer stands there.
    """
    here = _here(turn)
    heard = language or turn.services.languages.detect(words, turn.person.language[:2])
    voice = turn.voice(heard)
    sought = Sought(words)
    found = _searched(here, sought)
    if not found.hits:
        return _nothing(here, words, found, voice)
    if found.total <= PAGE or cards.forbidden(turn, words):
        return answer(here, _sheet(here, sought, found, voice), voice)
    payload = {"words": words[: search.LONGEST], "page": 0, "language": voice.language}
    dialog = dialogs.open_dialog(here, Question(Kind.FIND, payload | _space(here)))
    return answer(here, _sheet(here, sought, found, voice, dialog.id), voice, dialog.id)


def _here(turn: Turn) -> Turn:
    """The turn about the memory of its chat, where that has several people."""
    shared = next(iter(turn.conversation.channels), None)
    return replace(turn, shared=shared) if shared else turn


def _space(turn: Turn) -> dict[str, str]:
    return {"space": turn.shared.code} if turn.shared else {}


def _spaces(turn: Turn) -> tuple[Space, ...]:
    return readable(turn.conversation, turn.roster)


def _searched(turn: Turn, sought: Sought) -> Findings:
    """All hits up to the end of the page."""
    limit = PAGE * _PAGES
    question = search.Question(sought.words, turn.today, limit=limit)
    return turn.services.index.search(_spaces(turn), question)


def _nothing(turn: Turn, words: str, found: Findings, voice: Voice) -> Posts:
    """Nothing was found: words that are spelled nearly so, and what could not be looked at."""
    unread = _unread(turn, found, voice)
    if cards.forbidden(turn, words):
        return answer(turn, Reply("\n\n".join((voice("find.nothing"), *unread))), voice)
    near = turn.services.index.near(_spaces(turn), words)
    if not near:
        said = voice("find.nothing.here" if turn.at_desk else "find.nothing")
        return answer(turn, Reply("\n\n".join((said, *unread))), voice)
    payload = {"words": words, "near": list(near), "page": 0, "language": voice.language}
    dialog = dialogs.open_dialog(turn, Question(Kind.FIND, payload | _space(turn)))
    said = "\n\n".join((voice("find.near"), *unread))
    reply = Reply(said, _spellings(near, dialog.id))
    return answer(turn, reply, voice, dialog.id)


def _spellings(near: tuple[str, ...], dialog: str) -> Rows:
    return tuple(
        (Button(shortened(words, _LABEL), encode(dialog, Verb.CHOOSE, n)),)
        for n, words in enumerate(near, 1)
    )


def press(turn: Turn, dialog: Dialog) -> Posts:
    """Another page, or another spelling; what may be read is decided again."""
    assert turn.press
    here, voice, number = _here(turn), turn.voice(dialog.payload["language"]), turn.press.number
    near = dialog.payload.get("near", [])
    if turn.press.verb is Verb.CHOOSE and 0 < number <= len(near):
        sought = Sought(near[number - 1])
    else:
        sought = replace(Sought.of(dialog.payload), page=max(0, number - 1))
    payload = {"words": sought.words, "page": sought.page, "language": voice.language}
    here.services.state.amend(dialog.id, {**dialog.payload, **payload, "near": []})
    return replaced(
        here, _sheet(here, sought, _searched(here, sought), voice, dialog.id), dialog.id
    )


def _sheet(turn: Turn, sought: Sought, found: Findings, voice: Voice, dialog: str = "") -> Reply:
    """One page of hits with its source each."""
    pages = max(1, -(-len(found.hits) // PAGE))
    page = min(sought.page, pages - 1)
    hits = found.hits[page * PAGE : (page + 1) * PAGE]
    rows = [_row(turn, n, hit, sought, voice) for n, hit in enumerate(hits, page * PAGE + 1)]
    more = found.total - len(found.hits)
    rest = [voice("find.more", more)] if more > 0 and page == pages - 1 else []
    head = voice("find.found", found.total) if hits else voice("find.nothing")
    text = "\n\n".join([head, *rows, *rest, *_unread(turn, found, voice)])
    turning = listing.page_buttons(page, pages, dialog) if dialog else ()
    return Reply(text, turning)


def _unread(turn: Turn, found: Findings, voice: Voice) -> list[str]:
    """What could not be looked at, if anything (X2)."""
    names = ", ".join(_title(ref, voice) for ref in found.unread)
    return [voice("find.unread", len(found.unread), names=names)] if names else []


def _row(turn: Turn, number: int, hit: Hit, sought: Sought, voice: Voice) -> str:
    text = factlines.line(hit.fact, voice) if hit.fact else hit.text
    marks = turn.services.index.marks(text, sought.words)
    return f"<b>{number}.</b> {marked(text, marks)}\n<i>{quoted(_where(hit, voice))}</i>"


def marked(text: str, marks: tuple[tuple[int, int], ...]) -> str:
    """A text as HTML with some spans in bold; of a long one the part around the first span."""
    first = marks[0][0] if marks else 0
    start = 0 if first < _TEXT - _BEFORE else text.rfind(" ", 0, first - _BEFORE) + 1
    shown = shortened(text[start:], _TEXT)
    kept = len(shown) - shown.endswith("…")
    pieces, at = ["…"] if start else [], 0
    for begin, end in _joined(marks):
        begin, end = begin - start, min(end - start, kept)
        if at <= begin < end:
            pieces += [quoted(shown[at:begin]), f"<b>{quoted(shown[begin:end])}</b>"]
            at = end
    return "".join([*pieces, quoted(shown[at:])])


def _joined(marks: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Spans with overlapping ones made one."""
    found: list[tuple[int, int]] = []
    for start, stop in marks:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stop))
        else:
            found.append((start, stop))
    return found


def _where(hit: Hit, voice: Voice) -> str:
    """The source of a hit: document, sections, line; or that it is a fact."""
    if hit.ref is None:
        place = voice.plain("find.fact")
    else:
        place = " › ".join((f"{_title(hit.ref, voice)}:{hit.line}", *hit.headings))
    past = hit.over and hit.fact is not None
    return voice.plain("find.past", where=place) if past else place


def _title(ref: DocumentRef, voice: Voice) -> str:
    """What a document is called."""
    slug = ref.space.owner if ref.space.kind is SpaceKind.GROUP else ref.slug
    return places.shown(places.code(DocumentName(ref.name), slug), voice.names)
