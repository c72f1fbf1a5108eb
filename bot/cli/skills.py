"""`pomnenka skills`: the per-skill overlays of an agent, and whether each one loads (M5)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import click

from bot.cli import settings as reading
from bot.cli.console import json_option, owner, user_option
from bot.config import Settings
from bot.core import Core, open_core
from memory import overlays
from memory.errors import DocumentError
from memory.overlays import Overlay, Reason, Skills
from memory.spaces import DocumentName, DocumentRef, Space, personal

WHY = {
    Reason.BAD_NAME: "no skill can have this name",
    Reason.WRONG_CASE: "the name must be in lower case, .md included",
    Reason.UNKNOWN_SKILL: "there is no such skill",
    Reason.DISABLED: "the skill is switched off",
    Reason.TAKES_NONE: "this skill takes no overlay",
    Reason.OVER_CAP: "it is over 32 KB",
    Reason.EMPTY: "there is nothing in it but frontmatter or blank lines",
    Reason.SYMLINK: "it is a link, or lies behind one",
    Reason.NOT_A_FILE: "it is not a regular file",
    Reason.NOT_UTF8: "it is not UTF-8 text",
    Reason.UNREADABLE: "it cannot be read",
}
"""Each reason as a sentence for an operator."""


@click.group()
def command() -> None:
    """The overlays in config/skills/: an agent appends them to its skills. Never written here."""


@command.command("overlays")
@user_option
@json_option
@reading.config_option
def list_overlays(user: int, as_json: bool, path: Path | None) -> None:
    """What is customized, and does each one load."""
    settings = reading.read(path)
    with closing(open_core(settings)) as core:
        found = examined(core, personal(owner(settings, user)))
    if as_json:
        click.echo(_json({"overlays": [values(one) for one in found]}))
        return
    for one in found:
        click.echo("\n  ".join(sentences(one)))
    if not found:
        click.echo("There is no overlay.")


@command.command("overlay")
@click.argument("name")
@user_option
@json_option
@reading.config_option
def show_overlay(name: str, user: int, as_json: bool, path: Path | None) -> None:
    """Print one overlay."""
    settings = reading.read(path)
    with closing(open_core(settings)) as core:
        found = examined(core, personal(owner(settings, user)))
        one = next((o for o in found if name in (o.skill, o.file)), None)
        if one is None:
            _refuse("unknown_overlay", as_json, [o.skill for o in found])
        text = _text(core, personal(owner(settings, user)), one)
    if text is None:
        _refuse(str(one.reason), as_json)
    if as_json:
        click.echo(_json({**values(one), "text": text}))
        return
    click.echo(text, nl=not text.endswith("\n"))
    for line in sentences(one)[not one.reason :]:
        click.echo(line, err=True)


def examined(core: Core, space: Space) -> tuple[Overlay, ...]:
    """The overlays of a space, judged by what is known of the agent's skills."""
    skills = known(core.settings, overlays.installed(core.layout, space))
    return overlays.examine(core.layout, space, skills, core.store.read)


def known(settings: Settings, installed: Iterable[str]) -> Skills:
    """The skills of the configuration and those that lie in the workspace."""
    own = settings.skills
    return Skills(frozenset([*own.known, *installed]), frozenset(own.disabled))


def values(one: Overlay) -> dict[str, Any]:
    """An overlay as JSON."""
    return {
        "skill": one.skill,
        "file": one.file,
        "binds": one.binds,
        "reason": str(one.reason) if one.reason else None,
        "verified": one.verified,
        "bytes": one.size,
        "near_cap": one.near_cap,
        "heading_lines": list(one.headings),
    }


def sentences(one: Overlay) -> list[str]:
    """What is to be said of an overlay: first whether it loads."""
    if one.reason:
        said = [f"{one.file}: does not load, {WHY[one.reason]}"]
    else:
        said = [f"{one.file}: loads{'' if one.verified else ' if there is such a skill'}"]
    if one.near_cap:
        said.append(f"{one.size} bytes of {overlays.CAP}: above that it stops loading")
    if one.headings:
        where = ", ".join(map(str, one.headings))
        said.append(f"a heading above ### leaves the block it is put into, in line {where}")
    return said


def _text(core: Core, space: Space, one: Overlay) -> str | None:
    """What an overlay says, None for one that cannot be read."""
    ref = DocumentRef(space, DocumentName.OVERLAY, one.skill)
    if one.reason in (Reason.BAD_NAME, Reason.WRONG_CASE):
        return None
    try:
        return "".join(core.store.read(ref).document.raw)
    except DocumentError:
        return None


def _refuse(error: str, as_json: bool, available: Iterable[str] = ()) -> NoReturn:
    """Say on one line why nothing is printed, and end with 1."""
    names = list(available)
    if as_json:
        click.echo(json.dumps({"status": "error", "error": error, "available": names}))
    else:
        click.echo(f"{error}; there are: {', '.join(names)}" if names else error, err=True)
    raise click.exceptions.Exit(reading.ERROR)


def _json(found: dict[str, Any]) -> str:
    return json.dumps({"status": "ok", **found}, ensure_ascii=False)
