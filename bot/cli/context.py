"""`pomnenka context`: what an agent should load for a person and a chat, in order (M8, R4)."""

from __future__ import annotations

from typing import Any

import click

from bot.cli import scope
from bot.cli.scope import Session
from memory.context import Assembly, Part, Section, Wanted
from memory.untrusted import enclosed

TITLES = {
    Part.SOUL: "The agent itself",
    Part.USER: "User memory",
    Part.AGENTS: "Procedures of the agent",
    Part.FACTS: "Known facts",
    Part.GROUP: "Group memory",
    Part.CHANNEL: "Channel memory",
    Part.ROOM: "My notes about this room",
    Part.KEEP: "Kept",
    Part.MEMORY: "Long-term memory",
    Part.INDEX: "Index of topics",
    Part.DATED: "Day",
}
"""What stands above a section."""


@click.command()
@click.option("--dated", default=0, type=click.IntRange(0, 366), help="Days of dated files.")
@click.option(
    "--room-notes",
    is_flag=True,
    help="In a chat of several people, the person's own notes about it: only for a prompt that "
    "nobody there reads.",
)
@scope.options
def command(**options: Any) -> None:
    """Print what an agent should load before it answers, in order.

    In a chat of several people (--chat) that is the memory of the chat and of groups everybody
    there belongs to, and nothing personal. What several people write stands between markers.
    """

    def work(session: Session) -> None:
        core = session.core
        wanted = Wanted(core.clock().date(), options["dated"], options["room_notes"])
        assembly = Assembly(core.store, core.layout, core.state.facts)
        roster = core.state.members.at(core.clock())
        sections = assembly.sections(session.conversation, roster, wanted)
        texts = [shown(section, core.new_id()) for section in sections]
        values = [value(section, text) for section, text in zip(sections, texts, strict=True)]
        blocks = (f"=== {title(s)} ===\n{t}" for s, t in zip(sections, texts, strict=True))
        text = "\n".join(blocks).removesuffix("\n") or "Nothing to load."
        session.say({"sections": values}, text)

    scope.answering(options, work)


def title(section: Section) -> str:
    """What stands above a section: what it is, and which file."""
    owner = f"{section.space.code} " if section.is_shared else ""
    name = f"{owner}{section.name}"
    return f"{TITLES[section.part]}: {name}" if name else TITLES[section.part]


def shown(section: Section, fence: str) -> str:
    """The text of a section, between markers where several people write it (M3)."""
    if section.problem:
        return f"[could not be read: {section.problem}]\n"
    if section.is_shared:
        return enclosed(section.text, section.space.code, fence)
    more = f"[{section.left_out} older facts are left out]\n" if section.left_out else ""
    ended = section.text if section.text.endswith("\n") else section.text + "\n"
    return ended + more


def value(section: Section, text: str) -> dict[str, Any]:
    """A section for programs; its text is the one that is printed."""
    more: dict[str, Any] = {"untrusted": True} if section.is_shared else {}
    if section.problem:
        more["problem"] = section.problem
    if section.left_out:
        more["left_out"] = section.left_out
    source = {"source": section.name, "space": section.space.code}
    return {"part": str(section.part), "title": title(section), **source, "text": text, **more}
