"""Detail: a line that is only a command, flags, a code reference, a path, a query or values (C3).

Shape decides, not words: what share is code, how many flags, paths or measured values there are,
and how few content words surround them. A line with a standing rule is never a detail.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from curation.findings import Finding
from curation.notes import Note
from locales import flat
from memory.changeset import Category
from memory.document import EntryKind

_FLAG = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*(?:[= ]\S+)?")
_LONG_FLAG = re.compile(r"(?<!\S)--[a-z][\w-]+")
_CODE_REF = re.compile(r"(?<![\w/])[\w./-]*\w\.[A-Za-z]{1,5}:\d+(?!\d)")
_CODE_FILE = re.compile(
    r"(?<!\w)[\w./-]+\.(?:py|js|ts|tsx|go|rs|rb|java|lua|c|h|cpp|cs|php|sh|ya?ml|toml|json|ini|conf|cfg|sql|kt|swift|css|html)(?!\w)"
)
_PATH = re.compile(r"(?<![\w:/.])(?:~|\.{0,2})(?:/[\w.@+-]+){2,}/?|(?<![\w/])/(?:tmp|run)/\S+")
_THROWAWAY = re.compile(
    r"^/(?:tmp|run|var/log|var/run|var/lock|var/tmp)/|\.(?:py|sh|pl|rb|log|lock|pid|sock|db|sqlite3?|tmp|bak|dump|sql|gz)$"
)
_ASSIGNED = re.compile(
    r"(?<![\w.])[A-Za-z][\w.-]*\s?[=:]\s?(?:\"[^\"]*\"|'[^']*'|-?[\w.+-]*\d[\w.:+-]*|true|false|on|off|none|null|restart|single)(?![\w])"
)
_QUERY = re.compile(
    r"\bselect\b.+\bfrom\b|\bupdate\b.+\bset\b|\bdelete\s+from\b|\w+\([^)]*\{[^}]*=|\{[\w.]+\s*=~?\s*\"|\bwhere\b.+[=<>]|\?[\w-]+=[\w%.-]+&\w",
    re.IGNORECASE,
)
_SQL = re.compile(r"\bSELECT\b.+\bFROM\b|\bUPDATE\b.+\bSET\b|\bDELETE FROM\b")
_ID = re.compile(r"(?<![\w.,:/-])(?:#?\d{4,}|[0-9a-f]{7,40}|[A-Z]{1,5}-\d{2,})(?![\w.:/-]*\w)")
_HEX = re.compile(r"(?<![\w.,:/-])(?=[0-9a-f]*\d)[0-9a-f]{4,}(?![\w.:/-]*\w)")
_ARROW = re.compile(r"\s(?:→|->|>|»|›|⇒)\s")
_MEASURE = re.compile(
    r"(?<![\w.,:/-])\d+(?:[.,:]\d+)?(?:\s?[-–/×x]\s?\d+(?:[.,]\d+)?)*\s?(?P<unit>%|°\s?[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?)"
)
_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_VALUE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_READ_OFF = re.compile(r"(?<![\w.,/-])(?:\d{3,}|\d+[.,]\d+)(?![\w.,]*\w)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DECIMAL = re.compile(r"(?<![\w.,/-])\d+[.,]\d+(?![\w.,])")
_SHELL = re.compile(r"[|;&]{1,2}\s|\$\(|\s>{1,2}\s")


def detail(note: Note) -> Finding | None:
    """The first shape of detail that a line has, or None."""
    if note.ahead or note.done is not None or note.has("health"):
        return None
    for rule in (_code_reference, _bare_command) if _ruled(note) else _RULES:
        found = rule(note)
        if found:
            return found
    return None


def _ruled(note: Note) -> bool:
    """Whether the prose holds a standing rule; what only introduces code is no rule."""
    return note.has("standing", "bounds") and note.entry.kind is not EntryKind.FENCE


def _found(reason: str, certain: bool) -> Finding:
    return Finding(Category.DETAIL, reason, certain=certain)


def _words(note: Note) -> int:
    """How many content words stand outside code, paths and values."""
    bare = _PATH.sub(" ", note.prose)
    return sum(len(w) > 2 and not _DIGIT.search(w) for w in _WORD.findall(bare))


def _command(note: Note) -> Finding | None:
    """A fence, a command in backticks, or a bare line with flags."""
    if any(piece.startswith(("```", "~~~")) for piece in note.code):
        return _found("detail_command", _words(note) <= 7)
    runs = [piece for piece in note.code if _runs(piece.strip("`"))]
    if runs:
        long = len(" ".join(runs)) > 2 * len(note.prose)
        return _found("detail_command", long or _words(note) <= 4)
    bare = (
        "-" in note.entry.text
        and not note.code
        and len(_FLAG.findall(note.entry.text)) >= 2
        and _flagged(note)
    )
    return _found("detail_command", True) if bare else None


def _bare_command(note: Note) -> Finding | None:
    """A command with next to nothing around it, unless that forbids it."""
    flags = _FLAG.findall(note.entry.text)
    if not note.code and len(flags) >= 2 and len(_FLAG.sub(" ", note.prose).split()) <= 6:
        return _found("detail_command", True)
    found = _command(note)
    only = found and found.certain and _words(note) <= 3
    return found if only and not note.has("never") else None


def _flagged(note: Note) -> bool:
    flags = len(_FLAG.findall(note.entry.text))
    return flags * 4 >= len(note.entry.text.split()) or bool(_LONG_FLAG.search(note.entry.text))


def _runs(code: str) -> bool:
    """Whether a piece of code is something to run: a word with flags, a pipe, or arguments."""
    if " " not in code.strip():
        return False
    return bool(_FLAG.search(code) or _SHELL.search(code) or len(code.split()) >= 3)


def _settings(note: Note) -> Finding | None:
    """Two or more assignments in code or beside the name of a file."""
    text = note.entry.text
    assigned = [m for piece in note.code for m in _ASSIGNED.findall(piece.strip("`"))]
    beside = _CODE_FILE.search(text)
    if len(assigned) >= 2 or (assigned and beside):
        return _found("detail_settings", _words(note) <= 6)
    return None


def _code_reference(note: Note) -> Finding | None:
    """A file with a line number."""
    named = _CODE_REF.search(note.entry.text) or (
        note.has("codeline") and _CODE_FILE.search(note.entry.text)
    )
    return _found("detail_code", True) if named else None


def _paths(note: Note) -> Finding | None:
    """Paths of scripts, locks, logs and databases; not of data that lives somewhere."""
    paths = [m.group().rstrip(".,;`)") for m in _PATH.finditer(note.entry.text)]
    passing = [path for path in paths if _THROWAWAY.search(path)]
    if not passing:
        return None
    words = _words(note)
    return _found("detail_path", words <= 7 and (len(paths) >= 2 or note.has("path")))


def _query(note: Note) -> Finding | None:
    """A database or metrics query, or a list of ids."""
    if any(_QUERY.search(piece) for piece in note.code) or _SQL.search(note.entry.text):
        return _found("detail_query", True)
    if note.code and note.has("identifiers") and _words(note) <= 5:
        return _found("detail_query", True)
    short_ids = _HEX.findall(note.text) if note.has("identifiers") else []
    if len(short_ids) >= 3:
        return _found("detail_query", True)
    ids = _ID.findall(note.text)
    if len(ids) >= 3 and _words(note) <= 6:
        return _found("detail_query", note.has("identifiers") or len(ids) >= 4)
    return None


def _buttons(note: Note) -> Finding | None:
    """Menu items joined by arrows, or a row of button presses."""
    arrows = len(_ARROW.findall(note.prose))
    presses = len(note.hits.get("press", ()))
    if arrows >= 2:
        return _found("detail_buttons", presses >= 1 or bool(_MEASURE.search(note.prose)))
    if note.label and presses >= 2 and note.prose.count(",") >= 3:
        return _found("detail_buttons", True)
    return _found("detail_buttons", True) if presses >= 4 else None


def _measured(note: Note) -> Finding | None:
    """Mostly values with units: several rates, or values that a cue calls measured."""
    if not _DIGIT.search(note.prose):
        return None
    sampled = _sampled(note)
    if sampled:
        return sampled
    units = [u for m in _MEASURE.finditer(note.prose) if (u := flat(m["unit"])) in _units(note)]
    rates = [u for u in units if u in note.voice.rates]
    values = len(_NUMBER.findall(note.prose))
    dense = values * 2 >= _words(note) - len(units)
    if not dense or len(units) < 2:
        return None
    if len(rates) >= 2 or (note.has("measured") and len(units) >= 2):
        return _found(
            "detail_measure",
            note.has("measured") and (len(units) >= 3 or bool(rates) or bool(note.past)),
        )
    return _found("detail_measure", False) if len(units) >= 4 else None


def _sampled(note: Note) -> Finding | None:
    """Values with the day they were taken, a series of them, or a small table of numbers."""
    words, values = _words(note), _values(note)
    days = [m for m in note.past if m.exact]
    lasting = note.since or note.has("moved", "left", "bounds")
    if len(days) >= 2 and values >= 2 and words <= 4:
        return _found("detail_measure", True)
    taken = bool(days) or note.filed
    if taken and not lasting and values >= 4 and words <= 3:
        return _found("detail_measure", True)
    units = sum(flat(m["unit"]) in _units(note) for m in _MEASURE.finditer(note.prose))
    if taken and not lasting and units >= 2 and words <= 6 + units:
        return _found("detail_measure", True)
    measured = note.has("measured") and (note.past or note.filed)
    read_off = words <= 4 and bool(_READ_OFF.search(_undated(note)))
    if measured and (units or note.counted or read_off) and words <= 7:
        return _found("detail_measure", True)
    table = len(_DECIMAL.findall(note.prose)) >= 5 and words <= 3
    return _found("detail_measure", True) if table else None


def _values(note: Note) -> int:
    """How many numbers stand outside the dates."""
    return len(_VALUE.findall(_undated(note)))


def _undated(note: Note) -> str:
    """The prose with its dates blanked."""
    text = note.prose
    for m in note.moments:
        text = text[: m.start] + " " * (m.stop - m.start) + text[m.stop :]
    return text


def _units(note: Note) -> frozenset[str]:
    return note.voice.units


def _ports(note: Note) -> Finding | None:
    """A list of ports: may be recorded nowhere else, so never certain."""
    many = note.has("ports") and len(note.numbers) >= 3
    return _found("detail_ports", False) if many else None


_RULES: tuple[Callable[[Note], Finding | None], ...] = (
    _command,
    _code_reference,
    _settings,
    _query,
    _paths,
    _buttons,
    _measured,
    _ports,
)
