"""Where locks and SQLite are not safe: read from the table of mounts."""

from pathlib import PurePosixPath

import pytest

from bot.filesystems import Mount, mount_of, objections

TABLE = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
40 27 0:40 / /home rw,relatime shared:2 master:1 - nfs4 server:/home rw,vers=4.2
41 40 8:1 / /home/me/local rw,relatime - xfs /dev/sdb1 rw
42 27 0:42 / /mnt/two\040words rw,relatime - fuse.sshfs me@host: rw
43 27 0:43 / /media rw - ext4 /dev/sdc rw
44 43 0:44 / /media rw - cifs //nas/share rw
45 27 0:45 / /host rw - 9p drvfs rw
46 27 0:46 / /dev/shm rw - tmpfs tmpfs rw
47 27 0:47 / /sys/fs/fuse/connections rw - fusectl fusectl rw
a line that is none
"""
OVERLAY = "1 0 0:1 / / rw - overlay overlay rw,lowerdir=/a\n"
GVISOR = "1 0 0:1 / / rw - 9p none rw\n"


@pytest.mark.parametrize(
    ("path", "table", "kind", "is_remote"),
    [
        ("/srv/memory", TABLE, "ext4", False),
        ("/home/me/memory", TABLE, "nfs4", True),
        ("/homework", TABLE, "ext4", False),
        ("/home/me/local/memory", TABLE, "xfs", False),
        ("/mnt/two words/memory", TABLE, "fuse.sshfs", True),
        ("/mnt/two", TABLE, "ext4", False),
        ("/media/memory", TABLE, "cifs", True),
        ("/host/memory", TABLE, "9p", True),
        ("/dev/shm", TABLE, "tmpfs", False),
        ("/sys/fs/fuse/connections", TABLE, "fusectl", False),
        ("/srv/memory", OVERLAY, "overlay", False),
        ("/srv/memory", GVISOR, "9p", True),
    ],
)
def test_the_mount_of_a_path(path, table, kind, is_remote):
    """d.2: the longest mount above a path counts, of equal ones the last."""
    mount = mount_of(PurePosixPath(path), table)
    assert (mount.kind, mount.is_remote) == (kind, is_remote)


def test_no_table():
    """d.2: where nothing can be told nothing is said."""
    assert mount_of(PurePosixPath("/srv"), "") is None


def test_objections(tmp_path):
    """d.2: folders that do not exist yet are looked at too, and links are followed."""
    (tmp_path / "mounts").write_text(f"1 0 0:1 / {tmp_path}/far rw - nfs x rw\n" + OVERLAY)
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far")
    folders = [tmp_path / "near", tmp_path / "far/not/yet", tmp_path / "link/x"]
    found = objections(folders, tmp_path / "mounts")
    assert [each.folder for each in found] == folders[1:]
    assert f"nfs at {tmp_path}/far" in str(found[0])
    assert objections(folders, tmp_path / "none") == ()


def test_the_root_is_told_apart():
    """d.2: a machine that lies on such a file system as a whole has no better place to offer."""
    assert mount_of(PurePosixPath("/srv"), GVISOR).is_root
    assert not Mount(PurePosixPath("/srv"), "nfs").is_root
