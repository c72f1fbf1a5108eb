"""Ephemeral: what was true for a moment only, judged from cues and dates (C3).

No line that states a standing rule, a person's health or something still ahead is ephemeral.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from curation.findings import Finding
from curation.notes import Note, before
from memory.changeset import Category

_FRESH = timedelta(days=10)
_SETTLED = timedelta(days=14)


def ephemeral(note: Note) -> Finding | None:
    """Why a line is ephemeral, or None; recent and possibly open matters are not certain."""
    if note.ahead or note.has("health", "change", "decision"):
        return None
    if note.has("standing"):
        return _told_today(note)
    for rule in _RULES:
        reason = rule(note)
        if reason and _bounded(note, rule):
            return None
        if reason:
            certain = _settled(note) and (rule is _today or not note.has("bounds"))
            return Finding(Category.EPHEMERAL, reason, _params(note), certain=certain)
    return _maybe(note)


def _bounded(note: Note, rule: Callable[[Note], str | None]) -> bool:
    """Whether conditions or limits make a rule of what would be a failure or a progress."""
    timeless = not note.past and not note.counted
    return rule is not _today and timeless and note.has("bounds")


def _told_today(note: Note) -> Finding | None:
    """ "Asked today about the rule": what a talk was about, not the rule itself."""
    opens = any(at <= 1 for at in note.hits.get("asked", ()))
    if not (opens and note.has("now")) or note.has("never"):
        return None
    return Finding(Category.EPHEMERAL, "ephemeral_now", _params(note))


def _params(note: Note) -> dict[str, str]:
    return {"date": max((m.last for m in note.past), default=note.voice.today).isoformat()}


def _settled(note: Note) -> bool:
    """False while a recent matter may still be open (a ticket, a parcel, a draft)."""
    newest = note.newest
    still = note.since and not note.has("healed", "returned")
    fresh = newest is None or still or note.voice.today - newest <= _FRESH
    return not (note.has("open") and fresh)


def in_log(note: Note) -> bool:
    """Whether a heading above calls its section a log, a diary, a scratch pad."""
    return any("log" in note.voice.title(h.title) for h in note.headings)


def _expired(note: Note) -> str | None:
    """A temporary state "until" a day that is past."""
    until = note.hits.get("until", ())
    over = any(before(m, note.tokens, until) for m in note.past)
    return "ephemeral_expired" if over and note.has("temporary") else None


def _today(note: Note) -> str | None:
    """What was so on one day; "now" after a change is the newest state instead."""
    places = set(note.hits.get("now", ()))
    if note.has("left", "nolonger", "succeeds", "instead", "takes"):
        places -= set(note.hits.get("present", ()))
    return "ephemeral_now" if places else None


def _failure(note: Note) -> str | None:
    """A failure that has a past day, was repaired, is being watched, or stands in a log."""
    mended = any(not _habitual(note, at) for at in note.hits.get("repair", ()))
    known = note.past or mended or note.has("progress", "swap") or in_log(note)
    return "ephemeral_failure" if note.has("failure") and known else None


def _habitual(note: Note, at: int) -> bool:
    """ "Are retried": what happens every time, not what happened once."""
    return at > 0 and note.tokens[at - 1].flat in note.voice.habitual


def _progress(note: Note) -> str | None:
    counted = note.counted and (note.has("doing", "progress") or in_log(note))
    return "ephemeral_progress" if counted or note.has("progress") else None


def _repair(note: Note) -> str | None:
    """Something that works again since a past day."""
    healed = note.has("healed", "swap") or not _lasting(note)
    return "ephemeral_failure" if note.has("repair") and note.past and healed else None


def _debug(note: Note) -> str | None:
    known = note.past or in_log(note) or note.has("failure", "repair")
    return "ephemeral_debug" if note.has("debug") and known else None


def _logged(note: Note) -> str | None:
    """A dated entry of a log, or one that tells what was asked and answered."""
    told = note.past or note.has("asked", "failure", "doing") or _tells(note)
    return "ephemeral_log" if in_log(note) and told and not _lasting(note) else None


def _tells(note: Note) -> bool:
    """Whether a line opens with a verb in the past."""
    first = note.tokens[0].flat if note.tokens else ""
    return len(first) > 4 and first.endswith(note.voice.past_endings)


def _lasting(note: Note) -> bool:
    """Whether a line may tell the newest state of something."""
    newest = note.has("moved", "left", "nolonger", "restored", "instead", "succeeds")
    return note.since or newest


def _event(note: Note) -> str | None:
    """A small event on a day that is over for two weeks."""
    days = [m for m in note.past if m.exact]
    over = days and note.voice.today - max(m.last for m in days) > _SETTLED
    passing = over and note.has("event") and not note.has("bounds")
    return "ephemeral_event" if passing and not _lasting(note) else None


def _run(note: Note) -> str | None:
    """A line that starts with a past day and counts or names one run of something."""
    starts = any(m.start < 2 for m in note.past)
    counted = starts and note.has("doing") and note.numbers
    return "ephemeral_log" if counted and not _lasting(note) else None


def _maybe(note: Note) -> Finding | None:
    """Weak signs: shown to a person, never taken as certain."""
    weak = note.counted or (note.has("failure", "debug") and not note.has("moved"))
    if not weak or note.has("bounds"):
        return None
    reason = "ephemeral_progress" if note.counted else "ephemeral_failure"
    return Finding(Category.EPHEMERAL, reason, _params(note), certain=False)


_RULES: tuple[Callable[[Note], str | None], ...] = (
    _expired,
    _today,
    _failure,
    _progress,
    _debug,
    _repair,
    _logged,
    _event,
    _run,
)
