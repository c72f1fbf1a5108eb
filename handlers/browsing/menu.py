"""A menu over memory as a value: where it stands, the rows of one page, and its message; pure (X1).

A menu is one message that is edited in place and one stored row. Where it stands is a trail of
spots, the last one shown. A button names a row of the page by a number that holds for that page
alone: what is pressed on an older screen only draws the present page again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from handlers.callbacks import Verb, encode
from handlers.messages import listing
from handlers.messages.reply import Button, Reply, Rows, shortened
from handlers.messages.voice import Voice, quoted

_PER_PAGE = 10
_PAGES = 10_000
_TEXT = 380
_MARK = 12


class View(StrEnum):
    """What a spot shows."""

    DOCUMENTS = "documents"
    DOCUMENT = "document"
    SECTION = "section"
    ENTRY = "entry"
    CLEAR = "clear"
    DROP = "drop"
    CARRY = "carry"
    PLACE = "place"
    FOUND = "found"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Spot:
    """One place in memory.

    ``ref`` is the key of a document; ``line`` (from 0) and ``mark`` tell the heading or entry: the
    line where it stood and the trace of its text, both looked at again when it is used. ``text``
    is the code of a place to move to, or what is to be written.
    """

    view: View
    ref: str = ""
    line: int = -1
    mark: str = ""
    page: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what a press on it opens, the button's label, and its line in the message."""

    spot: Spot
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """A button below the rows; ``id`` names its label among the sentences."""

    verb: Verb
    id: str


@dataclass(frozen=True, slots=True)
class Page:
    """What one spot shows: a head (HTML), the rows of this page, and what can be done here.

    ``back`` says whether a button leads one step back; a question has a Cancel of its own.
    """

    head: str
    rows: tuple[Row, ...] = ()
    page: int = 0
    pages: int = 1
    first: int = 1
    actions: tuple[Action, ...] = ()
    foot: str = ""
    back: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """What was done last, said above the page; ``op`` is what Undo takes back."""

    html: str = ""
    op: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A stored menu: its trail, the rows of the page that is shown, and that page's number."""

    trail: tuple[Spot, ...]
    rows: tuple[Spot, ...] = ()
    turned: int = 0
    note: Note = Note()

    @property
    def spot(self) -> Spot:
        """Where it stands."""
        return self.trail[-1]

    @property
    def stamp(self) -> int:
        """What numbers of the present page begin with."""
        return self.turned % _PAGES * _PER_PAGE

    @property
    def numbered(self) -> dict[int, Spot]:
        """The entries of the page by the numbers that stand before them."""
        first = self.spot.page * listing.ROWS + 1
        lists = self.spot.view in (View.DOCUMENT, View.SECTION)
        rows = enumerate(self.rows, first) if lists else ()
        return {number: spot for number, spot in rows if spot.view is View.ENTRY}

    def picked(self, number: int) -> Spot | None:
        """The row a button means, None when it is none of the present page."""
        index = number - self.stamp - 1
        return self.rows[index] if 0 <= index < len(self.rows) else None

    def is_present(self, number: int) -> bool:
        """Whether a button is one of the page that is shown now."""
        return number - number % _PER_PAGE == self.stamp

    def at(self, spot: Spot, note: Note = Note()) -> Menu:
        """The menu one step further in."""
        return replace(self, trail=(*self.trail, spot), note=note)

    def up(self, steps: int = 1, note: Note = Note()) -> Menu:
        """The menu some steps back, never out of its first spot."""
        return replace(self, trail=self.trail[: max(1, len(self.trail) - steps)], note=note)

    def on(self, page: int) -> Menu:
        """The menu on another page of its spot."""
        return replace(self, trail=(*self.trail[:-1], replace(self.spot, page=page)), note=Note())


def mark_of(text: str) -> str:
    """The trace of a text, by which it is known again without being stored."""
    return hashlib.blake2s(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]


def reply(page: Page, menu: Menu, voice: Voice, dialog: str) -> Reply:
    """The message of a menu: what was done, the head, numbered rows, and all its buttons."""
    lines = [f"{n}. {row.text}" for n, row in enumerate(page.rows, page.first) if row.text]
    blocks = [menu.note.html, page.head, "\n".join(lines), page.foot]
    undo = ((Button(voice.plain("button.undo"), encode(menu.note.op, Verb.UNDO)),),)
    rows = (
        *(undo if menu.note.op else ()),
        *(_row(n, row, menu, dialog, page) for n, row in enumerate(page.rows, 1)),
        *listing.page_buttons(page.page, page.pages, dialog),
        *_actions(page, menu, voice, dialog),
    )
    return Reply("\n\n".join(filter(None, blocks)), rows)


def _row(place: int, row: Row, menu: Menu, dialog: str, page: Page) -> tuple[Button, ...]:
    number = f"{page.first + place - 1}. " if row.text else ""
    label = shortened(f"{number}{row.label}", listing.LABEL)
    return (Button(label, encode(dialog, Verb.OPEN, menu.stamp + place)),)


def _actions(page: Page, menu: Menu, voice: Voice, dialog: str) -> Rows:
    buttons = [Button(voice.plain(a.id), encode(dialog, a.verb, menu.stamp)) for a in page.actions]
    back = [Button(voice.plain("button.up"), encode(dialog, Verb.UP))]
    own = tuple(tuple(buttons[i : i + 3]) for i in range(0, len(buttons), 3))
    return (*own, tuple(back)) if page.back and len(menu.trail) > 1 else own


def short(text: str) -> str:
    """A text as it stands in a numbered row, as HTML."""
    return quoted(shortened(text, _TEXT))


def to_json(menu: Menu) -> dict[str, Any]:
    """A menu as the payload of its stored row."""
    return {
        "trail": [spot_to_json(spot) for spot in menu.trail],
        "rows": [spot_to_json(spot) for spot in menu.rows],
        "turned": menu.turned,
        "note": [menu.note.html, menu.note.op],
    }


def from_json(data: dict[str, Any]) -> Menu:
    """The menu that `to_json` wrote."""
    trail = tuple(map(spot_from_json, data["trail"]))
    rows = tuple(map(spot_from_json, data["rows"]))
    return Menu(trail, rows, data["turned"], Note(*data["note"]))


def spot_to_json(spot: Spot) -> list[str | int]:
    """A spot as JSON."""
    return [str(spot.view), spot.ref, spot.line, spot.mark, spot.page, spot.text]


def spot_from_json(data: list[Any]) -> Spot:
    """The spot that `spot_to_json` wrote."""
    view, *rest = data
    return Spot(View(view), *rest)
