"""Errors as sentences with a reference number; what the person wrote is in the answer (W3)."""

from __future__ import annotations

import logging
import traceback
from pathlib import PurePath

from curation import admission
from handlers import places
from handlers.answers import answer
from handlers.context import Posts, Turn, spoken_languages
from handlers.messages.reply import Reply, shortened
from handlers.messages.voice import Voice
from memory.errors import (
    Busy,
    DocumentError,
    PomnenkaError,
    StateError,
    StorageReadOnly,
    Unfinished,
    Unreadable,
    WriteFailed,
)
from memory.spaces import DocumentRef

log = logging.getLogger("pomnenka.handlers")

_TEXT = 1500


def apology(turn: Turn, error: Exception, reference: str) -> Posts:
    """The answer to a turn that failed; the reference stands in the program's log too."""
    facts = {"reference": reference, "cause": type(error).__name__, **_cause(error), **where(error)}
    log.error("turn failed", extra={"facts": facts})
    voice = _voice(turn)
    said = voice(sentence(error), document=_document(error, voice), reference=reference)
    return answer(turn, Reply(_with_text(turn, said, voice)), voice)


def sentence(error: Exception) -> str:
    """The id of the sentence for an error; each may use ``document`` and ``reference``."""
    match error:
        case Unreadable():
            return f"error.unreadable.{error.cause}"
        case Busy():
            return "error.busy"
        case Unfinished():
            return "error.unfinished"
        case StorageReadOnly():
            return "error.read_only"
        case WriteFailed():
            return "error.write"
        case StateError():
            return "error.state"
    return "error.unexpected"


def _cause(error: Exception) -> dict[str, str]:
    return {"detail": error.cause} if isinstance(error, Unreadable | WriteFailed) else {}


def where(error: Exception) -> dict[str, str]:
    """The line of code that failed: a place without any text of a person (W5)."""
    frames = traceback.extract_tb(error.__traceback__)
    return {"where": f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}"} if frames else {}


def _document(error: Exception, voice: Voice) -> str:
    if not isinstance(error, DocumentError):
        return ""
    document = error.document
    if not isinstance(document, DocumentRef):
        return document
    return places.shown(places.code(document.name, document.slug), voice.names)


def _voice(turn: Turn) -> Voice:
    """The interface language, without the stored choice when the state cannot be read."""
    try:
        return turn.voice()
    except PomnenkaError:
        languages = turn.services.languages
        code = spoken_languages(languages)[0]
        return Voice(code, languages.catalogue(code), turn.services.layout.names)


def _with_text(turn: Turn, said: str, voice: Voice) -> str:
    if not turn.said.text:
        return said
    safe = admission.blank(turn.said.text, turn.services.languages)
    printable = safe.encode("utf-8", "replace").decode()
    return said + "\n\n" + voice("error.your_text", text=shortened(printable, _TEXT))
