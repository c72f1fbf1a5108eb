"""The clock of the machine, whose hours are also right after a change of summer time (T9)."""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from bot.core import local_clock

ROOT = Path(__file__).parent.parent.parent
TELL = "from bot.core import local_clock as l; n = l('')(); print(getattr(n.tzinfo, 'key', ''))"


def test_a_configured_zone():
    """R3: the zone of the configuration is that of the clock."""
    assert local_clock("Europe/Prague")().tzinfo.key == "Europe/Prague"


@pytest.mark.parametrize(
    ("zone", "key"),
    [("Europe/Prague", "Europe/Prague"), (":Asia/Tokyo", "Asia/Tokyo"), ("<+03>-3", "")],
)
def test_the_machines_zone(zone, key):
    """T9: the machine's zone is known by its name where it has one, so that it knows summer time."""
    command = [sys.executable, "-c", TELL]
    told = subprocess.run(command, env={**os.environ, "TZ": zone}, capture_output=True, cwd=ROOT)
    assert told.stdout.decode().strip() == key


def test_no_configured_zone():
    """R3: without one the clock tells the machine's time, and always with an offset."""
    told = local_clock("")()
    assert abs(told - datetime.now().astimezone()).total_seconds() < 5
