"""Pictures of facts: legible on a phone, nothing on top of anything else, every letter drawn (F4)."""

import itertools
import struct
import threading

import pytest

from handlers.graph import pictures
from handlers.graph.pictures import Bar, Edge, Sheet

SHEET = Sheet("Žaneta Šťastná: časová osa", "dnes", 2026.9, "Jen 12 nejnovějších.")
LONG = "tepelné čerpadlo místo kotle, protože plyn zdražil a starý kotel už dosluhoval celé roky"
WORDS = ("Brno", "Ústav přístrojové techniky AV ČR", LONG, "Львів", "W" * 60, "manželka: Klára")
DAYS = ("od 2. 3. 2020", "12. 12. 2012 – 31. 12. 2019", "bez data", "2014 – 2020")


def bars(count):
    """Facts with short and long labels, values and days, some undated, some over, some events."""
    for number in range(count):
        start = None if number % 5 == 4 else 1990 + 3.1 * number
        end = 2019.5 if number % 3 == 1 else None
        label = ("bydliště", "plánovaný zákrok", "x" * 40)[number % 3]
        text, days = WORDS[number % len(WORDS)], DAYS[number % len(DAYS)]
        yield Bar(label, text, days, start, end, end is None, number % 4 == 3)


def edges(count):
    for number in range(count):
        label = ("bydliště", "plánovaný zákrok", "x" * 40)[number % 3]
        yield Edge(label, WORDS[number % len(WORDS)], number % 4 == 1)


def overlapping(page):
    """Pairs of texts of which one stands on the other."""
    boxes = [(text, box) for text, _, box in page.texts()]
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes, 2)
        if a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
    ]


PAGES = {
    "timeline": lambda count: pictures.along(tuple(bars(count)), SHEET),
    "neighbourhood": lambda count: pictures.round_("Žaneta Šťastná", tuple(edges(count)), SHEET),
}


@pytest.mark.parametrize("count", [1, 2, 5, 11, 12])
@pytest.mark.parametrize("kind", PAGES)
def test_no_text_stands_on_another_or_leaves_the_picture(kind, count):
    """F4: up to 12 facts, however long, stay apart and inside; letters are 28 pixels at least."""
    page = PAGES[kind](count)
    assert overlapping(page) == []
    for text, size, (left, low, right, high) in page.texts():
        assert round(size) >= 28, text
        assert left >= 0 and low >= 0, text
        assert right <= pictures.WIDE and high <= page.high, text


@pytest.mark.parametrize("count", [1, 12])
def test_no_bar_stands_on_a_text(count):
    """F4: a bar is below its own text and above the next one."""
    page = pictures.along(tuple(bars(count)), SHEET)
    drawn = [patch.get_window_extent() for patch in page.axes.patches]
    for text, _, (left, low, right, high) in page.texts():
        on = [b for b in drawn if b.x0 < right and left < b.x1 and b.y0 < high and low < b.y1]
        assert on == [], text


@pytest.mark.parametrize("kind", PAGES)
def test_the_size_of_a_phone(kind):
    """F4: 1080 wide, at most 1350 high; twelve facts of each kind are a small file."""
    png = PAGES[kind](12).png()
    wide, high = struct.unpack(">II", png[16:24])
    assert (wide, high <= 1350, len(png) < 300_000) == (1080, True, True)


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("Příliš žluťoučký kůň úpěl ďábelské ódy", True),
        ("Щастя, ґанок, їжак", True),
        ("łódź, ñandú, ß", True),
        ("北京", False),
        ("Tom 🐶", False),
    ],
)
def test_which_letters_can_be_drawn(text, can):
    """F4: Czech, Polish, Spanish, German and Ukrainian; Chinese and emoji are told instead."""
    assert pictures.drawable([text]) is can


def test_a_dollar_is_a_dollar():
    """F4: no text is taken for a formula, nor breaks the drawing."""
    page = pictures.along((Bar("a", r"costs $\frac{$ a month", "", None, None, True),), SHEET)
    assert r"costs $\frac{$ a month" in [text for text, _, _ in page.texts()]
    assert page.png()


def test_pictures_are_drawn_side_by_side():
    """F4: several threads draw at once and get the same picture."""
    wanted = pictures.timeline(tuple(bars(4)), SHEET)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(pictures.timeline(tuple(bars(4)), SHEET)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4


def test_nothing_is_imported_before_the_first_picture():
    """F4: the extra costs nothing until it is used, and pyplot is never loaded."""
    import subprocess
    import sys

    code = "import sys, handlers.commands; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"
    assert "matplotlib.pyplot" not in sys.modules
