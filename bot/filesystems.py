"""What kind of file system a folder lies on: locks and SQLite need a local one (d.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MOUNTS = Path("/proc/self/mountinfo")

_NETWORK = frozenset(
    "9p afs beegfs ceph cifs coda davfs drvfs fuse fuseblk gfs2 glusterfs gpfs lustre ncpfs nfs"
    " nfs4 ocfs2 orangefs prl_fs pvfs2 smb2 smb3 smbfs vboxsf virtiofs".split()
)
_ESCAPE = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a file system is mounted, and its kind as the system calls it."""

    point: PurePosixPath
    kind: str

    @property
    def is_remote(self) -> bool:
        """Whether it is a network file system, or one of another program (FUSE)."""
        return self.kind in _NETWORK or self.kind.startswith("fuse.")

    @property
    def is_root(self) -> bool:
        """Whether everything lies there: then this machine has no other disk to move to."""
        return self.point == PurePosixPath("/")


def mount_of(path: PurePosixPath, table: str) -> Mount | None:
    """The mount a path lies on: the longest one above it, the last of equal ones.

    Args:
        path: absolute, without links.
        table: the text of ``/proc/self/mountinfo``.
    """
    mounts = [mount for mount in map(_mount, table.splitlines()) if mount]
    above = [mount for mount in mounts if path.is_relative_to(mount.point)]
    return max(reversed(above), key=lambda mount: len(mount.point.parts), default=None)


def _mount(line: str) -> Mount | None:
    fields, found, rest = line.partition(" - ")
    parts = fields.split(" ")
    if not found or len(parts) < 5 or not rest:
        return None
    point = _ESCAPE.sub(lambda match: chr(int(match[1], 8)), parts[4])
    return Mount(PurePosixPath(point), rest.split(" ")[0])


@dataclass(frozen=True, slots=True)
class Objection:
    """A folder that lies where locks and SQLite are not safe."""

    folder: Path
    mount: Mount

    def __str__(self) -> str:
        return (
            f"{self.folder} lies on a network file system or FUSE ({self.mount.kind} at"
            f" {self.mount.point}), where locks and SQLite are not safe"
        )


def objections(folders: Iterable[Path], mounts: Path = MOUNTS) -> tuple[Objection, ...]:
    """The folders that lie on a remote file system; none where that cannot be told."""
    try:
        table = mounts.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ()
    found = ((folder, mount_of(PurePosixPath(folder.resolve()), table)) for folder in folders)
    return tuple(Objection(folder, mount) for folder, mount in found if mount and mount.is_remote)
