"""Small ext4 disks in files, mounted through loop devices: they can be full, and lose power.

What the file system has not written to its disk is not in the file either, so a copy of the file
is what a power cut leaves. The journal is written only when somebody asks for it.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_TOOLS = ("mkfs.ext4", "mount", "umount")
_MAKE = ("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0")
_OPTIONS = "loop,commit=600,noatime,nodiscard"


def lacks():
    """What this machine has not got for it, "" when nothing is missing."""
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists():
        return "needs root and loop devices"
    missing = [tool for tool in _TOOLS if not shutil.which(tool)]
    return f"needs {', '.join(missing)}" if missing else _refused_mount()


def _refused_mount():
    """Whether a container forbids what root may do elsewhere; tried once."""
    if not _tried:
        _tried.append(_try())
    return _tried[0]


_tried = []


def _try():
    with tempfile.TemporaryDirectory(prefix="battery-") as folder:
        try:
            with Image(Path(folder), "try", 8):
                return ""
        except subprocess.CalledProcessError:
            return "needs the right to mount loop devices"


class Image:
    """One disk: a file, and the folder it is mounted on while the context lasts."""

    def __init__(self, folder, name, megabytes):
        self.file, self.folder = folder / f"{name}.img", folder / name
        self.folder.mkdir()
        with self.file.open("wb") as file:
            file.truncate(megabytes << 20)
        _run(*_MAKE, self.file)

    def __enter__(self):
        _run("mount", "-o", _OPTIONS, self.file, self.folder)
        return self

    def __exit__(self, *error):
        with contextlib.suppress(subprocess.CalledProcessError):
            _run("umount", self.folder)
            return
        _run("umount", "--lazy", self.folder)

    def copied(self):
        """A copy of the file as it is now."""
        copy = self.file.with_suffix(".cut")
        _run("cp", "--sparse=always", self.file, copy)
        return copy

    def lose_power(self, copy):
        """Go on with the copy, as after a power cut at the moment it was made."""
        self.__exit__()
        copy.replace(self.file)
        self.__enter__()


def _run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)
