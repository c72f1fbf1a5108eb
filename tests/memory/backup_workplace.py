"""A memory to save: documents of several spaces as real files, and a state beside them."""

import contextlib
from datetime import UTC, datetime

from memory.backup import Source, save
from memory.files import PosixDisk
from memory.inbox import Incoming
from memory.layout import Layout
from memory.restoration import Target
from memory.state import FILE, State

NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
FILES = {
    "users/111/keep.md": b"- ring size 54\n",
    "users/111/memory/MEMORY.md": "## Tea\r\n- Oolong — čaj".encode(),
    "users/111/projects/garden.md": b"- beans\n",
    "users/111/log/memory-clean.log": b'2026-05-04 12:30 DELETED "x"\n',
    "channels/-1001/CHANNEL.md": b"\xff not text \xfe",
}
FOREIGN = {
    "users/111/diary.md": b"private\n",
    "users/111/.ssh/id": b"key\n",
    "users/111/projects/Not A Slug.md": b"\n",
    "users/anna/keep.md": b"- somebody\n",
    "readme.txt": b"hello\n",
}


class Memory:
    """Workspace, state and backups in one folder."""

    def __init__(self, folder, homes=(), patience=5.0):
        self.folder = folder
        self.workspace, self.backups = folder / "workspace", folder / "backups"
        self.layout = Layout(self.workspace, homes=dict(homes))
        self.disk = PosixDisk(
            folder / "state" / "locks", fsync=False, max_bytes=1 << 40, patience=patience
        )
        self.target = Target(self.layout, self.disk, folder / "state")

    def put(self, files):
        for name, data in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self

    def accept(self, *numbers):
        with contextlib.closing(State(self.folder / "state" / FILE)) as state:
            state.accept([Incoming(number, 1, b"{}") for number in numbers])

    def accepted(self):
        with contextlib.closing(State(self.folder / "state" / FILE)) as state:
            return [row.update_id for row in state.waiting()]

    def save(self, at=NOON, token="t"):
        with contextlib.closing(State(self.folder / "state" / FILE)) as state:
            return self.save_with(state, at, token)

    def save_with(self, state, at=NOON, token="t"):
        return save(Source(self.layout, self.disk, state), self.backups, at, token)


def contents(folder):
    """Every file below a folder by its name there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
