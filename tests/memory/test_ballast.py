"""The room held back for the moment when a disk is full; BT5 shows it on a real full disk."""

from memory.ballast import Ballast


def test_made_once_and_given_away_once(tmp_path):
    """d.5: it takes its whole size for its owner's eyes, and is gone after one release."""
    ballast = Ballast(tmp_path / "ballast", 4096)
    assert ballast.fill() and ballast.fill()
    status = (tmp_path / "ballast").stat()
    assert (status.st_size, status.st_mode & 0o777) == (4096, 0o600)
    assert (ballast.release(), ballast.release()) == (True, False)


def test_half_of_it_is_made_whole(tmp_path):
    """d.5: what a full disk cut short is filled again later."""
    (tmp_path / "ballast").write_bytes(b"short")
    assert Ballast(tmp_path / "ballast", 4096).fill()
    assert (tmp_path / "ballast").stat().st_size == 4096


def test_never_out_of_the_last_room(tmp_path):
    """d.5: where little is free, none of it is taken."""
    assert not Ballast(tmp_path / "ballast", 1 << 50).fill()
    assert not (tmp_path / "ballast").exists()


def test_no_folder(tmp_path):
    """d.5: a place that cannot be used is no error."""
    ballast = Ballast(tmp_path / "nowhere" / "ballast", 4096)
    assert (ballast.fill(), ballast.release()) == (False, False)


def test_a_link_is_not_followed(tmp_path):
    """B19: the file a planted link points to stays as it is."""
    (tmp_path / "victim").write_bytes(b"mine")
    (tmp_path / "ballast").symlink_to(tmp_path / "victim")
    Ballast(tmp_path / "ballast", 4096).fill()
    assert (tmp_path / "victim").read_bytes() == b"mine"
