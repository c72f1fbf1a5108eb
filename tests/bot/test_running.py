"""One bot a state."""

import multiprocessing
import os

import pytest

from bot.running import AlreadyRunningError, alone, last_start


def test_a_second_one_is_refused(tmp_path):
    """R8: who is in the way is told, and the place is free again afterwards."""
    with alone(tmp_path / "state"):
        with pytest.raises(AlreadyRunningError) as caught, alone(tmp_path / "state"):
            pass
        assert str(os.getpid()) in str(caught.value)
    with alone(tmp_path / "state"):
        pass


def hold_and_die(folder):
    with alone(folder):
        os.kill(os.getpid(), 9)


def test_a_kill_leaves_no_lock(tmp_path):
    """R8, W1: after kill -9 the next one starts; the system gave the lock back."""
    child = multiprocessing.get_context("spawn").Process(target=hold_and_die, args=(tmp_path,))
    child.start()
    child.join()
    assert child.exitcode == -9
    with alone(tmp_path):
        pass


def test_the_lock_is_ours_only(tmp_path):
    """B26: the anchor is 0600 and never a link's target."""
    with alone(tmp_path / "state"):
        assert (tmp_path / "state/running.lock").stat().st_mode & 0o777 == 0o600
    (tmp_path / "other").mkdir()
    (tmp_path / "other/running.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic"), alone(tmp_path / "other"):
        pass
    assert not (tmp_path / "victim").exists()


def test_the_last_start(tmp_path):
    """W8: when a bot last started on a state, for who asks where the backups are."""
    assert last_start(tmp_path) is None
    with alone(tmp_path):
        assert abs(last_start(tmp_path) - (tmp_path / "running.lock").stat().st_mtime) < 1
