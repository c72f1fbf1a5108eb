"""Facts as pictures for a phone: a timeline, and what surrounds somebody (F4).

matplotlib is an optional extra and is imported when the first picture is drawn. A picture is
at most 1080 by 1350 pixels; no letter on it is smaller than 28.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE, HIGH = 1080, 1350
"""The size in pixels; with few facts a picture is lower."""

MOST = 12
"""How many facts stand on one picture."""

LETTER = 28
"""The height of the smallest letters, in pixels."""

_DPI = 100
_PAPER, _INK, _SOFT, _LINE = "#fbfaf6", "#22303c", "#5d6b78", "#d9dee3"
_NOW, _PAST, _TODAY = "#3f78b5", "#aeb9c4", "#c8563f"
_FONT = "DejaVu Sans"
_DRAWING = threading.Lock()
_TOP, _ROW, _BELOW = 198, 104, 130
_DISC, _BOX = 104, 348


@dataclass(frozen=True, slots=True)
class Bar:
    """One fact of a timeline; ``start`` and ``end`` are decimal years, None where unknown.

    ``point``: it is an event of one day. ``now``: it holds today.
    """

    label: str
    text: str
    days: str
    start: float | None
    end: float | None
    now: bool
    point: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """One fact around an entity: the other end, and whether it points at the entity."""

    label: str
    text: str
    inward: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands around a drawing; ``note`` says what is left out, "" when nothing is."""

    title: str
    today: str
    at: float
    note: str = ""


def installed() -> bool:
    """Whether the extra that draws is there."""
    return importlib.util.find_spec("matplotlib") is not None


def drawable(texts: Iterable[str]) -> bool:
    """Whether the font has every letter of some texts; Chinese ones it has not."""
    from matplotlib.font_manager import findfont, get_font

    with _DRAWING:
        known = get_font(findfont(_FONT)).get_charmap()
    return all(ord(char) in known for text in texts for char in text if not char.isspace())


def timeline(bars: Sequence[Bar], sheet: Sheet) -> bytes:
    """A PNG of at most 12 facts in the order of time, those that hold today in blue."""
    with _DRAWING:
        return along(bars, sheet).png()


def neighbourhood(name: str, edges: Sequence[Edge], sheet: Sheet) -> bytes:
    """A PNG with an entity in the middle and at most 12 facts around it."""
    with _DRAWING:
        return round_(name, edges, sheet).png()


def along(bars: Sequence[Bar], sheet: Sheet) -> Page:
    """The page of a timeline."""
    step = min(_ROW, (HIGH - _TOP - _BELOW) / max(1, len(bars)))
    rows = [_TOP + number * step for number in range(len(bars))]
    page = Page(sheet, round(_TOP + len(bars) * step + _BELOW))
    scale = _Scale.of(bars, sheet.at)
    _axis(page, scale, sheet, rows)
    for bar, top in zip(bars, rows, strict=True):
        _bar(page, scale, bar, top)
    return page


def round_(name: str, edges: Sequence[Edge], sheet: Sheet) -> Page:
    """The page of a neighbourhood: two columns of boxes beside a disc."""
    columns = {1: edges[0::2], -1: edges[1::2]}
    page = Page(sheet, min(HIGH, 210 + max(2, len(columns[1])) * 200))
    middle = (page.high + 150) / 2
    for side, column in columns.items():
        for number, edge in enumerate(column):
            y = middle + (number - (len(column) - 1) / 2) * 193
            _spoke(page, edge, (side, y), middle)
    page.disc(WIDE / 2, middle, _DISC)
    for line, y in _centred(page.wrapped(name, 2 * _DISC - 34, 32, 3), middle + 11, 40):
        page.text((WIDE / 2, y), line, 32, "white", "center", bold=True)
    return page


def _centred(lines: Sequence[str], middle: float, step: float) -> list[tuple[str, float]]:
    top = middle - (len(lines) - 1) * step / 2
    return [(line, top + number * step) for number, line in enumerate(lines)]


class Page:
    """A canvas whose units are pixels from the upper left corner."""

    def __init__(self, sheet: Sheet, high: int) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.high = high
        self.figure: Figure = Figure(figsize=(WIDE / _DPI, high / _DPI), dpi=_DPI)
        self._canvas: Any = FigureCanvasAgg(self.figure)
        self.figure.set_facecolor(_PAPER)
        self.axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, WIDE)
        self.axes.set_ylim(high, 0)
        self.axes.axis("off")
        self.text((60, 98), self.fitted(sheet.title, 960, 48), 48, _INK, bold=True)
        if sheet.note:
            self.text((60, 146), sheet.note, LETTER, _SOFT)

    def text(
        self,
        place: tuple[float, float],
        said: str,
        size: float,
        color: str,
        side: str = "left",
        bold: bool = False,
    ) -> None:
        """Letters of ``size`` pixels on their base line; no sign in them is a formula."""
        self.axes.text(
            *place,
            said,
            fontsize=size * 72 / _DPI,
            color=color,
            ha=side,
            va="baseline",
            family=_FONT,
            weight="bold" if bold else "normal",
            parse_math=False,
            zorder=5,
        )

    def width(self, said: str, size: float, bold: bool = False) -> float:
        """How wide a text will be, in pixels."""
        from matplotlib.font_manager import FontProperties

        font = FontProperties(
            family=_FONT, size=size * 72 / _DPI, weight="bold" if bold else "normal"
        )
        wide, _, _ = self._canvas.get_renderer().get_text_width_height_descent(said, font, False)
        return float(wide)

    def fitted(self, said: str, room: float, size: float, bold: bool = True) -> str:
        """A text that fits, with an ellipsis for what does not."""
        if self.width(said, size, bold) <= room:
            return said
        while said and self.width(said + "…", size, bold) > room:
            said = said[:-1]
        return said.rstrip() + "…"

    def wrapped(self, said: str, room: float, size: float, most: int) -> list[str]:
        """A text in at most so many lines that fit."""
        lines, words = [""], said.split()
        for number, word in enumerate(words):
            longer = f"{lines[-1]} {word}".strip()
            if not lines[-1] or self.width(longer, size, True) <= room:
                lines[-1] = longer
            elif len(lines) < most:
                lines.append(word)
            else:
                lines[-1] = " ".join([lines[-1], *words[number:]])
                break
        return [self.fitted(line, room, size) for line in lines]

    def disc(self, x: float, y: float, radius: float) -> None:
        """The entity in the middle."""
        from matplotlib.patches import Circle

        self.axes.add_patch(
            Circle((x, y), radius, facecolor=_NOW, edgecolor=_PAPER, lw=8, zorder=4)
        )

    def box(self, place: tuple[float, float, float, float], **look: Any) -> None:
        """A box with round corners: left, top, width, height."""
        from matplotlib.patches import FancyBboxPatch

        style = f"round,pad=0,rounding_size={look.pop('round', 16)}"
        self.axes.add_patch(FancyBboxPatch(place[:2], *place[2:], boxstyle=style, **look))

    def texts(self) -> list[tuple[str, float, tuple[float, float, float, float]]]:
        """Every text, the height of its letters, and its place: left, low, right, high."""
        draw = self._canvas.get_renderer()
        return [
            (one.get_text(), one.get_fontsize() * _DPI / 72, one.get_window_extent(draw).extents)
            for one in self.axes.texts
            if one.get_text()
        ]

    def png(self) -> bytes:
        """The picture."""
        buffer = BytesIO()
        self.figure.savefig(buffer, format="png", dpi=_DPI, facecolor=_PAPER)
        return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class _Scale:
    """Years to pixels."""

    first: float
    last: float
    at: float
    left: float = 60.0
    right: float = 1020.0

    @classmethod
    def of(cls, bars: Sequence[Bar], at: float) -> _Scale:
        known = [x for bar in bars for x in (bar.start, bar.end) if x is not None]
        first, last = min([*known, at - 1.0]), max([*known, at])
        room = (last - first) * 0.04
        return cls(first - room, last + room, at)

    def x(self, year: float) -> float:
        share = (year - self.first) / (self.last - self.first)
        return self.left + share * (self.right - self.left)

    def years(self) -> list[int]:
        """Years to write below, far enough from each other."""
        span = self.last - self.first
        step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 500) if span / s <= 7), 1000)
        start = -(-int(self.first + 0.999) // step) * step
        return list(range(start, int(self.last) + 1, step))


def _bar(page: Page, scale: _Scale, bar: Bar, top: float) -> None:
    days = page.width(bar.days, LETTER) + 30 if bar.days else 0
    label = page.fitted(f"{bar.label}:", 420, LETTER, bold=False)
    start = 60 + page.width(label, LETTER) + 14
    page.text((60, top), label, LETTER, _SOFT)
    page.text(
        (start, top), page.fitted(bar.text, 1020 - days - start, LETTER), LETTER, _INK, bold=True
    )
    page.text((1020, top), bar.days, LETTER, _SOFT, "right")
    color = _NOW if bar.now else _PAST
    page.box((60, top + 24, 960, 4), facecolor=_LINE, edgecolor="none", round=2, zorder=1)
    if bar.point and bar.start is not None:
        page.axes.plot([scale.x(bar.start)], [top + 26], "o", ms=17, color=color, zorder=4)
        return
    begin = scale.left if bar.start is None else scale.x(bar.start)
    end = scale.right if bar.end is None else scale.x(bar.end)
    faint = 0.4 if bar.start is None and bar.end is None else 1.0
    shape = {"facecolor": color, "edgecolor": "none", "alpha": faint, "round": 9, "zorder": 3}
    page.box((begin, top + 15, max(20.0, end - begin), 22), **shape)


def _axis(page: Page, scale: _Scale, sheet: Sheet, rows: Sequence[float]) -> None:
    """Years below, a short line for each at every bar, and today in red."""
    marks = [(scale.x(year), _LINE, 1.5) for year in scale.years()]
    now, bottom = scale.x(scale.at), page.high - _BELOW
    for x, color, wide in (*marks, (now, _TODAY, 3.0)):
        ends = [y + 9 for y in rows], [y + 43 for y in rows]
        page.axes.vlines([x] * len(rows), *ends, color=color, lw=wide, zorder=2)
    half = page.width(sheet.today, LETTER, True) / 2
    middle = min(now, scale.right - half)
    page.text((middle, bottom + 72), sheet.today, LETTER, _TODAY, "center", bold=True)
    for year in scale.years():
        if 80 < scale.x(year) < 1000:
            page.text((scale.x(year), bottom + 26), str(year), LETTER, _SOFT, "center")


def _spoke(page: Page, edge: Edge, place: tuple[int, float], middle: float) -> None:
    """A box at the left (-1) or right (1) with its line to the middle, which ends at its label."""
    side, y = place
    left = 24.0 if side < 0 else WIDE - 24.0 - _BOX
    lines = page.wrapped(edge.text, _BOX - 44, LETTER, 3)
    top = y - (66.0 + 36 * len(lines)) / 2
    look = {"facecolor": "white", "edgecolor": _LINE, "lw": 2, "zorder": 3}
    page.box((left, top, _BOX, 66.0 + 36 * len(lines)), **look)
    inner, text = (left + _BOX, left + _BOX - 22) if side < 0 else (left, left + 22)
    align = "right" if side < 0 else "left"
    _line(page, (WIDE / 2, middle), (inner, top + 32), edge.inward)
    page.text(
        (text, top + 42), page.fitted(edge.label, _BOX - 44, LETTER, False), LETTER, _NOW, align
    )
    for number, line in enumerate(lines):
        page.text((text, top + 82 + 36 * number), line, LETTER, _INK, align, bold=True)


def _line(page: Page, start: tuple[float, float], end: tuple[float, float], inward: bool) -> None:
    """An arrow between the rim of the disc and a box; from the box when the fact is its."""
    from math import hypot

    from matplotlib.patches import FancyArrowPatch

    wide, high = end[0] - start[0], end[1] - start[1]
    share = (_DISC + 12) / hypot(wide, high)
    rim = (start[0] + wide * share, start[1] + high * share)
    ends = (end, rim) if inward else (rim, end)
    look: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 26,
        "lw": 3,
        "color": _PAST,
        "zorder": 1,
    }
    page.axes.add_patch(FancyArrowPatch(*ends, shrinkA=0, shrinkB=2, **look))
