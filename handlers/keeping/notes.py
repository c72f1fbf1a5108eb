"""/note and /project: straight to notes.md or to a project's file, guarded like a keep (R7)."""

from __future__ import annotations

import re
from dataclasses import replace

from curation import engine
from curation.engine import Hints, Home, Judgement, Route
from handlers import dialogs, places
from handlers.answers import answer
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.keeping import cards, filing, keep
from handlers.keeping.keep import Content
from handlers.messages import outcome, render
from memory.dialogs import Dialog
from memory.spaces import DocumentName, slug_of

_NAMED = re.compile(r"\s*([^:：\n]{1,60}?)\s*[:：\n]\s*(.*)", re.DOTALL)
_MOST_LISTED = 50


def note(turn: Turn) -> Posts:
    """``/note text``: one line more in notes.md (T7)."""
    return _written(turn, _said(turn, turn.said.argument), str(DocumentName.NOTES))


def project(turn: Turn) -> Posts:
    """``/project name: text``: one line more in a project's file; alone, the projects (T8)."""
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    argument = turn.said.argument
    if not argument:
        return _listed(turn, known)
    name, text = _parted(argument, known)
    if not slug_of(name):
        voice = turn.voice()
        return answer(turn, render.say(voice, "project.usage"), voice)
    if refusal := cards.forbidden(turn, name):
        voice = turn.voice()
        return answer(turn, replace(render.say(voice, refusal), refused=True), voice)
    content = _said(turn, text)
    if slug_of(name) in known or not content.text:
        return _written(turn, content, places.project(slug_of(name)), name)
    return _asked(turn, content, name)


def _said(turn: Turn, text: str) -> Content:
    """What was said, else the message replied to (K2)."""
    said = turn.said
    if text.strip() or not said.quoted:
        return Content(text)
    return Content(said.quoted, foreign=said.quoted_foreign)


def _parted(argument: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The name and the text: up to a colon, else the longest beginning that is a project."""
    match = _NAMED.fullmatch(argument)
    if match:
        return match[1], match[2]
    words = argument.split()
    lengths = (n for n in range(len(words), 0, -1) if slug_of(" ".join(words[:n])) in known)
    end = next(lengths, len(words))
    return " ".join(words[:end]), " ".join(words[end:])


def _listed(turn: Turn, known: tuple[str, ...]) -> Posts:
    voice = turn.voice()
    if not known:
        return answer(turn, render.say(voice, "project.none"), voice)
    names = "\n".join(known[:_MOST_LISTED])
    return answer(turn, render.say(voice, "project.list", len(known), names=names), voice)


def heard(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """The next message is the text that a bare ``/note`` or ``/project name`` asked for."""
    dialogs.close(turn, dialog)
    code, name = dialog.payload["code"], dialog.payload.get("name", "")
    known = turn.services.layout.slugs(turn.space, DocumentName.PROJECT)
    if name and slug_of(name) not in known:
        return _asked(turn, Content(text), name)
    return _written(turn, Content(text), code, name)


def _written(turn: Turn, content: Content, code: str, name: str = "") -> Posts:
    """Filed and said; what is missing is asked for, what is foreign or known already shown."""
    voice = turn.voice(turn.heard(content.text))
    if not content.text.strip():
        return _question(turn, code, name)
    if refusal := _refusal(turn, content):
        return answer(turn, replace(render.say(voice, refusal), refused=True), voice)
    entry = _entry(turn, content.text)
    if content.foreign:
        home = Home.PROJECT if name else Home.NOTE
        shown = outcome.BelongsIn(home, entry, name, (code, str(DocumentName.KEEP)), bool(name))
        return keep.show(turn, [shown], voice)
    filed = filing.put(turn, entry, code)
    if filed is None:
        return answer(turn, render.say(voice, "move.no_place"), voice)
    return keep.show(turn, [filed], voice)


def _asked(turn: Turn, content: Content, name: str) -> Posts:
    """A card for a project that is not there yet: a new one, one nearly called so, or keep.md."""
    voice = turn.voice(turn.heard(content.text))
    if refusal := _refusal(turn, content) or cards.forbidden(turn, name):
        return answer(turn, replace(render.say(voice, refusal), refused=True), voice)
    entry = _entry(turn, content.text)
    shown = filing.offer(turn, Route(Home.PROJECT, entry, name), entry)
    return keep.show(turn, [shown], voice)


def _question(turn: Turn, code: str, name: str) -> Posts:
    voice = turn.voice()
    payload = {"code": code, "name": name}
    asked = dialogs.open_dialog(turn, Question(Kind.CONTENT, payload, listens=True))
    id = "project.ask" if name else "note.ask"
    return answer(turn, render.ask(voice, id, target=name), voice, asked.id)


def _refusal(turn: Turn, content: Content) -> str:
    """The id of the sentence that says why it may not be stored, as for a keep (W6, T1-T5)."""
    if serious := cards.forbidden(turn, content.text):
        return serious
    for part in _judged(turn, content.text).parts:
        if isinstance(part.verdict, engine.Refuse):
            return f"refused.{part.verdict.why}"
    return ""


def _judged(turn: Turn, text: str) -> Judgement:
    return turn.services.engine.judge(text, Hints(turn.person.language[:2]))


def _entry(turn: Turn, text: str) -> str:
    """The terse line of one thought; several thoughts, or a lossy line, stay as typed."""
    parts = _judged(turn, text).parts
    verdict = parts[0].verdict
    if len(parts) == 1 and isinstance(verdict, engine.Keep | engine.Route) and not verdict.losses:
        return verdict.entry
    return keep.one_line(text)
