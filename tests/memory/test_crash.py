"""Killing a writer loses nothing that was acknowledged (W1); the whole run is `tests.memory.crash`."""

from tests.memory.crash import InPlaceDisk, crash


def test_kills_lose_nothing(tmp_path):
    """After each SIGKILL every acknowledged line stands in document and log, whole (W1)."""
    losses = crash(tmp_path, 12, seed=1)
    assert losses.clean, losses
    assert losses.acked >= 12


def test_the_harness_catches_writing_in_place(tmp_path):
    """The broken twin, which opens the document itself, is found torn or short."""
    losses = crash(tmp_path, 30, seed=1, disk=InPlaceDisk)
    assert losses.torn + losses.lost > 0, losses
