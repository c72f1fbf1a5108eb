"""The file names of three agents' workspaces, so that a space can be one of them (product.md 2).

What a preset does not name keeps its default name (`memory.layout.DEFAULT_NAMES`), which no file
of that agent has.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memory.spaces import DocumentName

_NANOBOT = {
    DocumentName.AGENTS: "AGENTS.md",
    DocumentName.SOUL: "SOUL.md",
    DocumentName.USER: "USER.md",
    DocumentName.MEMORY: "memory/MEMORY.md",
    DocumentName.KEEP: "keep.md",
    DocumentName.LOG: "log/memory-clean.log",
}
_ISTOTA = {
    DocumentName.USER: "config/USER.md",
    DocumentName.OVERLAY: "config/skills/{slug}.md",
    DocumentName.ROOM: "config/rooms/{slug}.md",
    DocumentName.DATED: "memories/{slug}.md",
    DocumentName.CHANNEL: "CHANNEL.md",
    DocumentName.GROUP: "GROUP.md",
}
_XIAOPAW = {
    DocumentName.SOUL: "soul.md",
    DocumentName.USER: "user.md",
    DocumentName.AGENTS: "agent.md",
    DocumentName.INDEX: "memory.md",
    DocumentName.TOPIC: "memory_{slug}.md",
}

PRESETS: Mapping[str, Mapping[DocumentName, str]] = MappingProxyType(
    {"": {}, "nanobot": _NANOBOT, "istota": _ISTOTA, "xiaopaw": _XIAOPAW}
)
"""Names by agent; "" leaves all of them at their defaults.

``nanobot``: the root of its workspace. ``istota``: the bot's folder of one user. ``xiaopaw``: its
``/workspace``.
"""


def names_of(preset: str, own: Mapping[DocumentName, str]) -> Mapping[DocumentName, str]:
    """The names of a preset with a person's own ones above them.

    Raises:
        KeyError: there is no such preset.
    """
    return {**PRESETS[preset], **own}
