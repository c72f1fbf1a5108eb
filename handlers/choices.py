"""What a person chose in /settings, with what holds before (R7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory.state import State

_ZONE, _QUIET = "zone", "quiet"


class Choice(StrEnum):
    """What can be switched on and off."""

    REMINDERS = "reminders"
    PROACTIVE = "proactive"
    DIGEST = "digest"
    MODEL = "model"


DEFAULTS = {
    Choice.REMINDERS: True,
    Choice.PROACTIVE: True,
    Choice.DIGEST: False,
    Choice.MODEL: False,
}
"""Nothing is sent to a model before its owner agrees."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours in which the bot does not speak by itself: from ``start`` up to ``end``, local time."""

    start: int
    end: int

    def holds(self, moment: datetime) -> bool:
        """Whether a local moment lies within; hours may pass midnight."""
        if self.start <= self.end:
            return self.start <= moment.hour < self.end
        return moment.hour >= self.start or moment.hour < self.end

    def over(self, moment: datetime) -> datetime:
        """When the quiet hours end that a local moment lies in."""
        end = moment.replace(hour=self.end, minute=0, second=0, microsecond=0)
        return end if end > moment else end + timedelta(days=1)


def is_on(state: State, person: int, choice: Choice) -> bool:
    """Whether a person has something switched on."""
    return bool(state.preference(person, choice, DEFAULTS[choice]))


def switch(state: State, person: int, choice: Choice) -> None:
    """Switch something on or off."""
    state.prefer(person, choice, not is_on(state, person, choice))


def quiet_of(state: State, person: int) -> Quiet | None:
    """The quiet hours of a person, None for none."""
    found = state.preference(person, _QUIET, None)
    return Quiet(*found) if found else None


def set_quiet(state: State, person: int, quiet: Quiet | None) -> None:
    """Choose the quiet hours of a person."""
    state.prefer(person, _QUIET, [quiet.start, quiet.end] if quiet else None)


def zone_name(state: State, person: int) -> str:
    """The name of the time zone a person chose, "" for none."""
    return str(state.preference(person, _ZONE, "") or "")


def zone_of(state: State, person: int) -> ZoneInfo | None:
    """The time zone a person chose; None for none, or for one that this machine does not know."""
    return zone(zone_name(state, person))


def set_zone(state: State, person: int, name: str) -> None:
    """Choose the time zone of a person."""
    state.prefer(person, _ZONE, name)


def zone(name: str) -> ZoneInfo | None:
    """The time zone with this name."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
