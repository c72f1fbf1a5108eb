"""The lines of log/memory-clean.log (C5)."""

from datetime import datetime, timedelta, timezone

import pytest

from memory.logbook import Verb, log_line, restored, stamped


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        pytest.param(
            log_line(Verb.DELETED, ["tea"], category="detail", reason="too small"),
            'DELETED [detail] "tea" — too small',
            id="deleted",
        ),
        pytest.param(
            log_line(Verb.MERGED, ["a", "b"], new="a, b", reason="same thing"),
            'MERGED "a" + "b" → "a, b" — same thing',
            id="merged",
        ),
        pytest.param(
            log_line(Verb.SHORTENED, ["a b"], new="a"), 'SHORTENED "a b" → "a"', id="shortened"
        ),
        pytest.param(
            log_line(Verb.DELETED, ["## A\n- x\n- y"], category="stale-section", reason="old"),
            r'DELETED [stale-section] "## A\n- x\n- y" — old',
            id="several-lines",
        ),
        pytest.param(
            log_line(Verb.DELETED, ['say "hi"\\\r\n'], reason="a\nb"),
            r'DELETED "say \"hi\"\\\r\n" — a\nb',
            id="escaped",
        ),
        pytest.param(
            restored('DELETED [detail] "tea" — old'), 'RESTORED [detail] "tea" — old', id="restored"
        ),
    ],
)
def test_one_item_is_one_line(line, wanted):
    """Quotes and line ends are escaped, several texts joined by a plus (C5)."""
    assert line == wanted


def test_the_stamp_is_local_time():
    """The stamp shows the wall clock of the zone it was given, to the minute (C5)."""
    prague = timezone(timedelta(hours=2))
    assert stamped("X", datetime(2026, 5, 4, 0, 5, 59, tzinfo=prague)) == "2026-05-04 00:05 X"
