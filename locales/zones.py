"""Time zones by the names people know: a city in their language, a country, a difference to UTC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from locales.grammar import flat

MOST = 5
_OFFSET = re.compile(r"(?:utc|gmt)?\s?([+-−])\s?(\d{1,2})(?::?00)?")
_HOURS = range(-12, 15)
_SCATTERED = {
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles"),
    "es": (
        "Europe/Madrid",
        "America/Mexico_City",
        "America/Bogota",
        "America/Argentina/Buenos_Aires",
    ),
}
"""Zones of languages that are spoken in several of them; the others follow their country."""


def likely(codes: Sequence[str]) -> tuple[str, ...]:
    """Zones in which speakers of these languages mostly live, the first language's first."""
    found = [zone for code in codes for zone in _SCATTERED.get(code) or _at_home(code)]
    return tuple(dict.fromkeys(found))[: MOST + 1]


def _at_home(code: str) -> tuple[str, ...]:
    country = get_global("likely_subtags").get(code, "").rpartition("_")[2]
    return tuple(get_global("territory_zones").get(country, ()))[:1]


def find(said: str, codes: Sequence[str]) -> tuple[str, ...]:
    """The zones that a person may mean, the likeliest first; () when none is known."""
    words = " ".join(flat(said).replace("_", " ").split())
    offset = _OFFSET.fullmatch(words)
    if offset:
        return _shifted(offset)
    names = _names(tuple(codes))
    if words in names:
        return names[words][:MOST]
    near = get_close_matches(words, names, n=MOST, cutoff=0.8)
    return tuple(dict.fromkeys(zone for name in near for zone in names[name]))[:MOST]


def _shifted(offset: re.Match[str]) -> tuple[str, ...]:
    hours = int(offset[2]) * (1 if offset[1] == "+" else -1)
    if hours not in _HOURS:
        return ()
    return ("Etc/UTC",) if not hours else (f"Etc/GMT{-hours:+d}",)


def city(zone: str, code: str) -> str:
    """The name of a zone's city in a language, else as the zone calls it."""
    told = _cities(code).get(zone) or zone.rpartition("/")[2]
    return told.replace("_", " ")


@cache
def _cities(code: str) -> dict[str, str]:
    zones = Locale.parse(code).time_zones
    return {zone: str(names["city"]) for zone, names in zones.items() if "city" in names}


@lru_cache(maxsize=8)
def _names(codes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Every name with its zones: ids, cities and countries, in these languages and English."""
    known: dict[str, dict[str, None]] = {}
    for name, zone in _named(codes):
        known.setdefault(flat(name).replace("_", " "), {})[zone] = None
    return {name: tuple(zones) for name, zones in known.items()}


def _named(codes: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    available = available_timezones()
    places = [zone for zone in available if "/" in zone and not zone.startswith("Etc/")]
    yield from ((zone, zone) for zone in available)
    yield from ((zone.rpartition("/")[2], zone) for zone in places)
    for code in dict.fromkeys((*codes, "en")):
        yield from ((name, zone) for zone, name in _cities(code).items() if zone in available)
        for territory, name in Locale.parse(code).territories.items():
            found = get_global("territory_zones").get(territory, ())
            yield from ((name, zone) for zone in found if zone in available)
