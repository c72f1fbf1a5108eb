"""/find, and questions like "what do you know about Honza?": hits by pages, with sources (X2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.browsing import browse, documents, menu, outdated
from handlers.browsing.menu import Menu, Spot, View
from handlers.callbacks import Verb, encode
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import factlines
from handlers.keeping import cards
from handlers.messages import listing
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice, quoted
from memory import search
from memory.dialogs import Dialog
from memory.scope import readable
from memory.search import Findings, Hit
from memory.spaces import Space

PAGE = 8
"""How many hits stand on one page."""

_PAGES = 5
_TEXT = 320
_BEFORE = 80
_LABEL = 60
_WIDE = 4


@dataclass(frozen=True, slots=True)
class Sought:
    """The words that are looked for and the page shown, from 0, as a stored question carries it."""

    words: str
    page: int = 0

    @classmethod
    def of(cls, payload: dict[str, Any]) -> Sought:
        """What a stored question looks for."""
        return cls(payload["words"], payload["page"])

    def shown(self, found: Findings) -> list[tuple[int, Hit]]:
        """The hits of the page, or of the last one there is, with their numbers from 1."""
        page = min(self.page, max(0, len(found.hits) - 1) // PAGE)
        return list(enumerate(found.hits, 1))[page * PAGE : (page + 1) * PAGE]


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
    voice = turn.voice(language)
    sought = Sought(words)
    found = _searched(here, sought)
    if not found.hits:
        return _nothing(here, words, found, voice)
    if cards.forbidden(turn, words):
        return answer(here, _sheet(here, sought, found, voice), voice)
    payload = _payload(sought, found, voice) | _space(here)
    dialog = dialogs.open_dialog(here, Question(Kind.FIND, payload))
    return answer(here, _sheet(here, sought, found, voice, dialog.id), voice, dialog.id)


def wondered(turn: Turn, question: str, language: str) -> Posts:
    """Any other question in words: what is known about its words; else what can be asked."""
    names = [word for word in question.split()[1:] if word[:1].isupper() and len(word) > 1]
    asks = turn.services.index.asks(question)
    hits = _searched(_here(turn), Sought(question)).hits if asks else ()
    if any(_names(turn, hit, names) for hit in hits):
        return find(turn, question, language)
    voice = turn.voice(language)
    return answer(turn, Reply(voice("find.wondered")), voice)


def _names(turn: Turn, hit: Hit, names: list[str]) -> bool:
    """Whether a hit has one of the names of a question; any has when there are none."""
    text = " ".join((*hit.headings, hit.text))
    return not names or any(turn.services.index.marks(text, name) for name in names)


def _payload(sought: Sought, found: Findings, voice: Voice) -> dict[str, Any]:
    """What is stored of a page: the words, and where each numbered hit stands, without its text."""
    spots = {
        str(number): [hit.ref.key, hit.line - 1, menu.mark_of(hit.text)]
        for number, hit in sought.shown(found)
        if hit.ref
    }
    words = sought.words[: search.LONGEST]
    return {"words": words, "page": sought.page, "language": voice.language, "spots": spots}


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
    found = turn.services.index.search(_spaces(turn), question)
    return replace(found, hits=outdated.below(found.hits, turn.services.engine, turn.today))


def _nothing(turn: Turn, words: str, found: Findings, voice: Voice) -> Posts:
    """Nothing was found: words that are spelled nearly so, and what could not be looked at."""
    unread = _unread(turn, found, voice)
    if cards.forbidden(turn, words):
        return answer(turn, Reply("\n\n".join((voice("find.nothing"), *unread))), voice)
    near = turn.services.index.near(_spaces(turn), words)
    if not near:
        said = voice("find.nothing.here" if turn.at_desk else "find.nothing")
        return answer(turn, Reply("\n\n".join((said, *unread))), voice)
    payload = _payload(Sought(words), found, voice) | {"near": list(near)}
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
    """A hit is opened, or the page turned, or another spelling looked for.

    What may be read is decided again.
    """
    assert turn.press
    here, voice, number = _here(turn), turn.voice(dialog.payload["language"]), turn.press.number
    near, sought = dialog.payload.get("near", []), Sought.of(dialog.payload)
    if turn.press.verb is Verb.PAGE:
        sought = replace(sought, page=max(0, number - 1))
    elif spot := dialog.payload["spots"].get(str(number)):
        return _opened(here, spot, voice)
    elif 0 < number <= len(near):
        sought = Sought(near[number - 1])
    found = _searched(here, sought)
    payload = {**dialog.payload, **_payload(sought, found, voice), "near": []}
    here.services.state.amend(dialog.id, payload)
    return replaced(here, _sheet(here, sought, found, voice, dialog.id), dialog.id)


def _opened(turn: Turn, spot: list[Any], voice: Voice) -> Posts:
    """The menu at an entry, as /show opens it."""
    key, line, mark = spot
    document, entry = Spot(View.DOCUMENT, key), Spot(View.ENTRY, key, line, mark)
    return browse.opened(turn, Menu((Spot(View.DOCUMENTS), document, entry)), voice)


def _sheet(turn: Turn, sought: Sought, found: Findings, voice: Voice, dialog: str = "") -> Reply:
    """One page of hits with its source each."""
    pages, hits = max(1, -(-len(found.hits) // PAGE)), sought.shown(found)
    page = min(sought.page, pages - 1)
    rows = [_row(turn, number, hit, sought, voice) for number, hit in hits]
    more = found.total - len(found.hits)
    rest = [voice("find.more", more)] if more > 0 and page == pages - 1 else []
    head = voice("find.found", found.total) if hits else voice("find.nothing")
    text = "\n\n".join([head, *rows, *rest, *_unread(turn, found, voice)])
    turning = listing.page_buttons(page, pages, dialog) if dialog else ()
    return Reply(text, (*_openers(hits, dialog), *turning))


def _openers(hits: list[tuple[int, Hit]], dialog: str) -> Rows:
    """A button for each hit that can be opened."""
    numbers = [number for number, hit in hits if hit.ref and dialog]
    picks = [Button(f"{number}", encode(dialog, Verb.CHOOSE, number)) for number in numbers]
    return tuple(tuple(picks[i : i + _WIDE]) for i in range(0, len(picks), _WIDE))


def _unread(turn: Turn, found: Findings, voice: Voice) -> list[str]:
    """What could not be looked at, if anything (X2)."""
    names = ", ".join(documents.title(turn, ref, voice) for ref in found.unread)
    return [voice("find.unread", len(found.unread), names=names)] if names else []


def _row(turn: Turn, number: int, hit: Hit, sought: Sought, voice: Voice) -> str:
    text = factlines.line(hit.fact, voice) if hit.fact else hit.text
    marks = turn.services.index.marks(text, sought.words)
    return f"<b>{number}.</b> {marked(text, marks)}\n<i>{quoted(_where(turn, hit, voice))}</i>"


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


def _where(turn: Turn, hit: Hit, voice: Voice) -> str:
    """The source of a hit: document, sections, line; or that it is a fact."""
    if hit.ref is None:
        place = voice.plain("find.fact")
    else:
        title = documents.title(turn, hit.ref, voice)
        place = " › ".join((f"{title}:{hit.line}", *hit.headings))
    past = hit.over and hit.fact is not None
    return voice.plain("find.past", where=place) if past else place
