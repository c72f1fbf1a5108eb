"""Dialogues as Markdown: what stands in a ```chat block, as steps.

    Alice: keep X                 somebody says something in the private chat with the bot
    Alice in the group: keep X    … in the group
    Alice replies: because …      … as a reply to the bot's last message there
    Alice presses Undo            presses a button of the last message that has it
    Bot: Kept: X                  the bot's next message; further lines are indented by two blanks
    Bot edits: Undone             … or an edit in place
    Bot to Hana: …                a message in another chat than the last one spoken in
    Bot: [picture] X              … which is a picture with this caption
    [Undo] [Edit]                 one row of the keyboard that the message above must have
    The bot restarts              a new process over the same disk
    Somebody writes PATH: …       another program puts this text there; lines indented by two blanks
    Alice edits: keep Y           changes what was said last
    Hana leaves the group         … or joins the group
    Alice adds the bot            … or removes the bot, or promotes the bot: in the group

Before it, ```file PATH blocks are written to the workspace (```file PATH 200 days: so long ago);
after it, they must be there so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"^```(chat|file)(?: (\S+))?(?: (\d+) days)?\n(.*?)^```$", re.M | re.S)
_SAYS = re.compile(r"(\w+)( in the group)?( replies)?: (.*)", re.S)
_PRESSES = re.compile(r"(\w+)( in the group)? presses (.+)")
_WRITES = re.compile(r"Somebody writes (\S+):(?:\n(.*))?", re.S)
_EDITS = re.compile(r"(\w+) edits: (.*)", re.S)
_MOVES = re.compile(r"(\w+) (joins|leaves|adds|removes|promotes) the (?:group|bot)")
_BOT = re.compile(r"Bot( edits)?(?: to (\w+|the group))?: (.*)", re.S)


@dataclass(frozen=True, slots=True)
class Says:
    """A person's message."""

    who: str
    text: str
    group: bool = False
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Presses:
    """A person's press on a button with this label."""

    who: str
    label: str
    group: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """What the bot must do: send or edit a message with this text and keyboard."""

    text: str
    edits: bool = False
    chat: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Restart:
    """The bot is ended and started again."""


@dataclass(frozen=True, slots=True)
class Writes:
    """Another program writes a whole file of the workspace."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Edits:
    """A person edits their last message."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Moves:
    """A person enters or leaves the group, or does something to the bot there."""

    who: str
    verb: str


Step = Says | Presses | Bot | Restart | Writes | Edits | Moves


@dataclass(frozen=True, slots=True)
class Script:
    """One transcript: files before, steps, files after."""

    before: dict[str, str]
    steps: tuple[Step, ...]
    after: dict[str, str] = field(default_factory=dict)
    days: dict[str, int] = field(default_factory=dict)


def parse(markdown: str) -> Script:
    """The script in a Markdown page; all ```chat blocks are one dialogue."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    days: dict[str, int] = {}
    steps: list[Step] = []
    for kind, path, old, body in _FENCE.findall(markdown):
        if kind == "chat":
            steps += map(_step, _pieces(body))
        else:
            (after if steps else before)[path] = body
            days |= {path: int(old)} if old else {}
    return Script(before, tuple(steps), after, days)


def _pieces(body: str) -> list[list[str]]:
    """Each step's lines: an indented line or a keyboard row goes with the one above."""
    pieces: list[list[str]] = []
    for line in body.splitlines():
        if line.startswith(("  ", "[")) or not line.strip():
            pieces[-1].append(line)
        else:
            pieces.append([line])
    return pieces


def _step(lines: list[str]) -> Step:
    rows = tuple(_row(line) for line in lines if line.startswith("["))
    said = [lines[0], *(line.removeprefix("  ") for line in lines[1:] if not line.startswith("["))]
    text = "\n".join(said).rstrip("\n")
    if text == "The bot restarts":
        return Restart()
    if match := _BOT.fullmatch(text):
        return Bot(match[3], bool(match[1]), match[2] or "", rows)
    if match := _PRESSES.fullmatch(text):
        return Presses(match[1], match[3], bool(match[2]))
    if match := _WRITES.fullmatch(text):
        return Writes(match[1], f"{match[2]}\n" if match[2] else "")
    if match := _MOVES.fullmatch(text):
        return Moves(match[1], match[2])
    if match := _EDITS.fullmatch(text):
        return Edits(match[1], match[2])
    match = _SAYS.fullmatch(text)
    assert match, f"not a step: {text!r}"
    return Says(match[1], match[4], bool(match[2]), bool(match[3]))


def _row(line: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\[((?:[^\[\]]|\[[^\]]*\])+)\]", line))


def shown(step: Bot) -> str:
    """A bot's step as it stands in a transcript."""
    who = "Bot" + (" edits" if step.edits else "") + (f" to {step.chat}" if step.chat else "")
    first, *rest = step.text.split("\n")
    lines = [f"{who}: {first}", *(f"  {line}" if line else "" for line in rest)]
    return "\n".join([*lines, *(" ".join(f"[{label}]" for label in row) for row in step.rows)])


def rewritten(path: Path, played: list[str]) -> None:
    """Put what really happened into the page's chat blocks, for a person to read and judge."""
    page = path.read_text(encoding="utf-8")
    blocks = iter(played)
    changed = _FENCE.sub(
        lambda m: f"```chat\n{next(blocks)}\n```" if m[1] == "chat" else m[0], page
    )
    path.write_text(changed, encoding="utf-8")
