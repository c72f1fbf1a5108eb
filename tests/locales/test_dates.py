"""Moments as people say them, in eight languages (T9)."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import locales
from locales import dates
from locales.dates import Problem

CODES = ("en", "cs", "sk", "de", "pl", "es", "uk", "zh")
PRAGUE = ZoneInfo("Europe/Prague")
MONDAY = datetime(2026, 5, 4, 12, 30, tzinfo=PRAGUE)

WISHES = {
    "en": ("remind me {} to call mum", "call mum"),
    "cs": ("připomeň mi {} zavolat mámě", "zavolat mámě"),
    "sk": ("pripomeň mi {} zavolať mame", "zavolať mame"),
    "de": ("erinnere mich {} Mama anzurufen", "Mama anzurufen"),
    "pl": ("przypomnij mi {} zadzwonić do mamy", "zadzwonić do mamy"),
    "es": ("recuérdame {} llamar a mamá", "llamar a mamá"),
    "uk": ("нагадай мені {} подзвонити мамі", "подзвонити мамі"),
    "zh": ("提醒我{}给妈妈打电话", "给妈妈打电话"),
}
"""A wish with room for the time, and what is to be told."""

SAID = {
    "today at 18": (
        "at 18:00",
        "dnes v 18",
        "dnes o 18",
        "heute um 18 Uhr",
        "dzisiaj o 18",
        "hoy a las 18",
        "сьогодні о 18",
        "今天18点",
    ),
    "tomorrow": ("tomorrow", "zítra", "zajtra", "morgen", "jutro", "mañana", "завтра", "明天"),
    "tomorrow at 9": (
        "tomorrow at 9",
        "zítra v 9",
        "zajtra o 9",
        "morgen um 9",
        "jutro o 9",
        "mañana a las 9",
        "завтра о 9",
        "明天9点",
    ),
    "tomorrow at nine": (
        "tomorrow at nine",
        "zítra v devět",
        "zajtra o deviatej",
        "morgen um neun",
        "jutro o dziewiątej",
        "mañana a las nueve",
        "завтра о дев'ятій",
        "明天上午九点",
    ),
    "tomorrow 9:30": (
        "tomorrow at half past nine",
        "zítra v půl desáté",
        "zajtra o pol desiatej",
        "morgen um halb zehn",
        "jutro o wpół do dziesiątej",
        "mañana a las nueve y media",
        "завтра о 9:30",
        "明天九点半",
    ),
    "day after": (
        "the day after tomorrow",
        "pozítří",
        "pozajtra",
        "übermorgen",
        "pojutrze",
        "pasado mañana",
        "післязавтра",
        "后天",
    ),
    "in 2 hours": (
        "in two hours",
        "za dvě hodiny",
        "o dve hodiny",
        "in zwei Stunden",
        "za dwie godziny",
        "en dos horas",
        "через дві години",
        "两小时后",
    ),
    "in 20 minutes": (
        "in 20 minutes",
        "za 20 minut",
        "o 20 minút",
        "in 20 Minuten",
        "za 20 minut",
        "en 20 minutos",
        "через 20 хвилин",
        "20分钟后",
    ),
    "in half an hour": (
        "in half an hour",
        "za půl hodiny",
        "o pol hodiny",
        "in einer halben Stunde",
        "za pół godziny",
        "en media hora",
        "через пів години",
        "半小时后",
    ),
    "in 3 days": (
        "in 3 days",
        "za 3 dny",
        "o 3 dni",
        "in 3 Tagen",
        "za 3 dni",
        "en 3 días",
        "через 3 дні",
        "3天后",
    ),
    "on Friday": (
        "on Friday",
        "v pátek",
        "v piatok",
        "am Freitag",
        "w piątek",
        "el viernes",
        "у п'ятницю",
        "星期五",
    ),
    "next Monday at 9": (
        "next Monday at 9",
        "příští pondělí v 9",
        "budúci pondelok o 9",
        "nächsten Montag um 9",
        "w przyszły poniedziałek o 9",
        "el próximo lunes a las 9",
        "наступного понеділка о 9",
        "下周一9点",
    ),
    "5 June 18:30": (
        "on 5 June at 18:30",
        "5. června v 18.30",
        "5. júna o 18:30",
        "am 5. Juni um 18:30",
        "5 czerwca o 18:30",
        "el 5 de junio a las 18:30",
        "5 червня о 18:30",
        "6月5日18:30",
    ),
    "tonight": (
        "this evening at 8",
        "dnes večer v 8",
        "dnes večer o 8",
        "heute Abend um 8",
        "dziś wieczorem o 8",
        "esta noche a las 8",
        "сьогодні ввечері о 8",
        "今天晚上8点",
    ),
}
MEANT = {
    "today at 18": (4, 18, 0),
    "tomorrow": (5, 9, 0),
    "tomorrow at 9": (5, 9, 0),
    "tomorrow at nine": (5, 9, 0),
    "tomorrow 9:30": (5, 9, 30),
    "day after": (6, 9, 0),
    "in 2 hours": (4, 14, 30),
    "in 20 minutes": (4, 12, 50),
    "in half an hour": (4, 13, 0),
    "in 3 days": (7, 9, 0),
    "on Friday": (8, 9, 0),
    "next Monday at 9": (11, 9, 0),
    "tonight": (4, 20, 0),
}
"""Day of May 2026, hour and minute, said on Monday 4 May 2026 at 12:30."""

CASES = [
    pytest.param(code, phrase, name, id=f"{code}-{name}")
    for name, phrases in SAID.items()
    for code, phrase in zip(CODES, phrases, strict=True)
]


@pytest.fixture(scope="module")
def speech():
    return locales.load(CODES)


def wall(text, speech, now=MONDAY, **more):
    """What is understood as plain wall time, or the problem."""
    when = dates.understand(text, now, speech, **more)
    return when.moment.replace(tzinfo=None) if when.moment else when.problem


@pytest.mark.parametrize(("code", "phrase", "name"), CASES)
def test_common_forms(code, phrase, name, speech):
    """T9: the common forms of every language are understood, and the matter is left over."""
    pattern, matter = WISHES[code]
    when = dates.understand(pattern.format(phrase), MONDAY, speech)
    june = datetime(2026, 6, 5, 18, 30, tzinfo=PRAGUE)
    day = MEANT.get(name)
    assert when.moment == (datetime(2026, 5, *day, tzinfo=PRAGUE) if day else june)
    assert when.rest == matter


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 9", datetime(2026, 5, 5, 9)),
        ("at 13", datetime(2026, 5, 4, 13)),
        ("at 6pm", datetime(2026, 5, 4, 18)),
        ("9", datetime(2026, 5, 5, 9)),
        ("18.30", datetime(2026, 5, 4, 18, 30)),
        ("v 18h", datetime(2026, 5, 4, 18)),
        ("Monday", datetime(2026, 5, 11, 9)),
        ("Monday at 18", datetime(2026, 5, 4, 18)),
        ("5/6", datetime(2026, 6, 5, 9)),
        ("13/5", datetime(2026, 5, 13, 9)),
        ("3 May", datetime(2027, 5, 3, 9)),
        ("2026-06-01 10:00", datetime(2026, 6, 1, 10)),
        ("29 February", datetime(2028, 2, 29, 9)),
        ("in 400 days", datetime(2027, 6, 8, 9)),
        ("in an hour and a half", datetime(2026, 5, 4, 14)),
        ("in 1 hour 30 minutes", datetime(2026, 5, 4, 14)),
        ("in two and a half hours", datetime(2026, 5, 4, 15)),
        ("za 2 a půl hodiny", datetime(2026, 5, 4, 15)),
        ("this weekend", datetime(2026, 5, 9, 9)),
        ("o víkendu", datetime(2026, 5, 9, 9)),
        ("on the 15th", datetime(2026, 5, 15, 9)),
        ("10 minutes before the meeting", Problem.MISSING),
        ("in a month", datetime(2026, 6, 4, 9)),
        ("tomorrow night", datetime(2026, 5, 5, 20)),
        ("Friday next week at 10", datetime(2026, 5, 15, 10)),
        ("today at 9", Problem.PAST),
        ("5 May 2020", Problem.PAST),
        ("yesterday", Problem.PAST),
        ("31 December 9999", Problem.FAR),
        ("in 9999 years", Problem.FAR),
        ("30 February", Problem.NO_DAY),
        ("31. února", Problem.NO_DAY),
        ("29 February 2027", Problem.NO_DAY),
        ("31 June at 9", Problem.NO_DAY),
        ("za čtrnáct dní", datetime(2026, 5, 18, 9)),
        ("in a fortnight", datetime(2026, 5, 18, 9)),
        ("na Nový rok", datetime(2027, 1, 1, 9)),
        ("today", Problem.MISSING),
        ("at 25:00", Problem.MISSING),
        ("", Problem.MISSING),
        ("buy 2 apples", Problem.MISSING),
        ("buy May flowers", Problem.MISSING),
        ("look at a picture", Problem.MISSING),
        ("every Monday at 9", Problem.REPEATS),
        ("každé pondělí", Problem.REPEATS),
        ("water the plants every day", Problem.REPEATS),
    ],
    ids=str,
)
def test_single_forms(text, expected, speech):
    """T9: hours mean the next one, a day its morning; what cannot be is named."""
    assert wall(text, speech) == expected


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("remind me to call Ann on Friday about the trip", "call Ann about the trip"),
        (
            "remind me tomorrow that I have the dentist on Friday at 14:00",
            "I have the dentist on Friday at 14:00",
        ),
        ("remind me tomorrow to send the daily report", "send the daily report"),
        ("call mum tomorrow at 5 please", "call mum"),
        ("tomorrow remind me to call mum at 9", "call mum"),
        ("Prosím, připomeň mi ve čtvrtek ráno vynést koš", "vynést koš"),
        ("připomeň mi, že mám v pátek odevzdat úkol", "odevzdat úkol"),
        ("připomeň mi v pátek ve tři odpoledne, že se platí nájem", "že se platí nájem"),
        ("připomeň mi zítra, že přijede Jana", "přijede Jana"),
        ("připomeň mi za čtrnáct dní zkontrolovat pneumatiky", "zkontrolovat pneumatiky"),
        ("upozorni mě zítra ráno na odpadky", "na odpadky"),
    ],
)
def test_the_matter(text, rest, speech):
    """T9: what is told is the wish without its words about time."""
    assert dates.understand(text, MONDAY, speech).rest == rest


def test_a_time_for_a_known_day(speech):
    """T9: a new time without a day stays on the day it was."""
    friday = datetime(2026, 5, 8).date()
    assert wall("18:30", speech, day=friday) == datetime(2026, 5, 8, 18, 30)
    assert wall("tomorrow 8:00", speech, day=friday) == datetime(2026, 5, 5, 8)


def test_an_hour_that_does_not_exist(speech):
    """T9: a time in the gap of the spring night is the first moment after the gap."""
    before = datetime(2026, 3, 28, 12, tzinfo=PRAGUE)
    when = dates.understand("tomorrow at 2:30", before, speech)
    assert when.moment.astimezone(UTC) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert wall("tomorrow at 2:30", speech, before) == datetime(2026, 3, 29, 3)


def test_an_hour_that_comes_twice(speech):
    """T9: a time that the autumn night has twice is the first one."""
    before = datetime(2026, 10, 24, 12, tzinfo=PRAGUE)
    when = dates.understand("tomorrow at 2:30", before, speech)
    assert when.moment.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_two_hours_are_two_hours(speech):
    """T9: a span of hours passes over the change of the clock, a span of days keeps the hour."""
    night = datetime(2026, 3, 29, 1, 30, tzinfo=PRAGUE)
    assert wall("in 2 hours", speech, night) == datetime(2026, 3, 29, 4, 30)
    assert wall("in 2 days at 8", speech, night) == datetime(2026, 3, 31, 8)


@pytest.mark.parametrize(
    ("zone", "day", "hour"),
    [
        ("Australia/Lord_Howe", datetime(2026, 10, 4), 2),
        ("America/New_York", datetime(2026, 3, 8), 2),
        ("Pacific/Apia", datetime(2011, 12, 30), 9),
    ],
)
def test_gaps_of_any_length(zone, day, hour):
    """T9: half an hour, an hour or a whole day: what does not exist is the moment after it."""
    place = ZoneInfo(zone)
    found = dates.existing(day.replace(hour=hour, minute=10), place)
    earlier = found - timedelta(0)
    assert found.astimezone(UTC).astimezone(place).replace(tzinfo=None) >= day.replace(hour=hour)
    just_before = (earlier.astimezone(UTC) - timedelta(minutes=1)).astimezone(place)
    assert just_before.replace(tzinfo=None) < day.replace(hour=hour, minute=10)


@pytest.mark.parametrize("code", CODES)
def test_shown_with_its_weekday(code):
    """T9: a moment is written out, so that nobody takes 5/6 for the sixth of May."""
    shown = dates.shown(datetime(2026, 6, 5, 9, 0, tzinfo=PRAGUE), code)
    assert "2026" in shown
    assert "9:00" in shown
    assert "06/05" not in shown


def test_a_language_without_date_words(tmp_path):
    """T9: what no grammar knows is left to the library, with the hour of a day."""
    for name in ("grammar", "safety"):
        source = locales.languages._FOLDER / "en" / f"{name}.toml"
        (tmp_path / "fr").mkdir(exist_ok=True)
        (tmp_path / "fr" / source.name).write_text(source.read_text(encoding="utf-8"))
    french = locales.Languages(["fr"], tmp_path)
    assert wall("le 5 juin 2026", french) == datetime(2026, 6, 5, 9)


def test_no_word_of_a_long_matter_is_lost(speech):
    """W3, B17: the moment is looked for in the beginning; the matter is whole."""
    matter = "buy " + "milk and bread " * 90 + "and call Petr"
    when = dates.understand(f"remind me tomorrow at 9 to {matter}", MONDAY, speech, "en")
    assert (when.moment, when.rest) == (datetime(2026, 5, 5, 9, tzinfo=PRAGUE), matter)


@pytest.mark.parametrize(
    "text",
    ["1 " * 500, "at " * 400, "in 1 hour and " * 90, "9" * 1000, "1/" * 500, "明天" * 500],
    ids=lambda text: text[:8],
)
def test_hostile_text_costs_little(text, speech):
    """B17: no text keeps a thread busy, neither in our words nor in the library's."""
    wall("tomorrow at 9", speech)
    start = time.process_time()
    wall(text, speech)
    assert time.process_time() - start < 0.5


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text(text):
    """T9: whatever is written, an answer comes, and a moment lies ahead."""
    when = dates.understand(text, MONDAY, ANY)
    assert when.moment is None or MONDAY < when.moment <= MONDAY + dates.FARTHEST
    assert (when.moment is None) == bool(when.problem)


ANY = locales.load(["en", "cs"])
