"""What a message asks for, by its first words: keep, compact, select, answer, or nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from curation import admission
from curation.characters import composed, tightened
from locales import Grammar, Languages, flat

_COMMAND = re.compile(r"/(?P<name>[a-z]+)(?:@(?P<bot>\w+))?(?!\w)[\s:,]*", re.IGNORECASE)
_EDGES = " \t\r\n.,:;!?…–—-：，。！？、"
_OPENING = re.compile(r"[\s,.:;!…–—：，。！、-]*")
_DOMAIN = re.compile(r"[.@/_-]\w")
_NUMBERS = r"\d{1,3}(?:\s*[-–]\s*\d{1,3})?"
_MOST_NUMBERS = 500
_FILE = re.compile(r"[\w/-]+\.md")
_ADDRESS = re.compile(r"(?:^\s*|(?<=^/keep))@\w+[\s,:;!–—-]*", re.IGNORECASE)
_MOST_POLITE = 4
_LONGEST_TAIL = 200
_FARTHEST_WISH = 60
_LONGEST_WHOLE = 2500
_LONGEST_QUESTION = 300
_OPENED = "¿¡ "
_BREAK = re.compile(r"[?!？！。]|[.;]\s+(?=\S+\s+\S)")


@dataclass(frozen=True, slots=True)
class Keep:
    """Remember ``content``; it is "" when nothing followed the trigger (K3).

    ``language`` is the language of the trigger's words, "" for ``/keep`` and "keep".
    """

    content: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Remind:
    """Tell it at a moment (T9): ``said`` is the whole wish, ``content`` what follows its words."""

    content: str
    said: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Find:
    """A question about what is remembered (X2): ``content`` is what it is about."""

    content: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class CompactMemory:
    """Audit MEMORY.md (C1)."""


@dataclass(frozen=True, slots=True)
class CompactChannel:
    """Audit the memory of the chat, CHANNEL.md (G6)."""


@dataclass(frozen=True, slots=True)
class CompactKeep:
    """Compact keep.md (K10)."""


@dataclass(frozen=True, slots=True)
class TidyIndex:
    """Put the index of topics right (S5)."""


@dataclass(frozen=True, slots=True)
class Show:
    """Look at memory (X1); ``document`` is the file that was named, "" for all of it."""

    document: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """``keep 3 7`` or ``delete 2 5``: numbers of a proposal, ranges written out (D2)."""

    verb: Literal["keep", "delete"]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole message that says yes or no to a waiting dialog (D2)."""

    verb: Literal["apply", "cancel"]


@dataclass(frozen=True, slots=True)
class Nothing:
    """The message asks the bot for nothing it knows."""


Intent = (
    Keep
    | Remind
    | Find
    | CompactMemory
    | CompactChannel
    | CompactKeep
    | TidyIndex
    | Show
    | Selection
    | Answer
    | Nothing
)


_DOCUMENTS: dict[str, Intent] = {
    "channel": CompactChannel(),
    "index": TidyIndex(),
    "keep": CompactKeep(),
}
"""What ``/compact`` asks for by the document named behind it; MEMORY.md else."""


def recognise(
    text: str,
    group: bool,
    username: str,
    languages: Languages,
    addressed: bool = False,
) -> Intent:
    """The intent of a message of any configured language (K1, K10, C1, D2).

    ``username`` is the bot's own, without ``@``. In a group only commands, mentions of the bot
    and replies to it (``addressed``) count. ``Keep.content`` is cut from the NFC form of
    ``text`` and may hold line breaks.
    """
    text = tightened(composed(text)).strip()
    command = _COMMAND.match(text)
    if command:
        return _commanded(text, command, username, languages)
    said, mentioned = _without_mention(text, username)
    if group and not (addressed or mentioned):
        return Nothing()
    return _spoken(said, languages)


def blank(text: str, languages: Languages) -> str:
    """A message as the inbox may hold it: `admission.blank` of what is asked to be kept (W6).

    A rule may find a secret only where the text begins with it, and the words of a trigger hide
    that. What follows them is looked through alone, as `admission.clean` will, and found there.
    """
    command = _COMMAND.match(text)
    if command and command["name"].lower() != "keep":
        return text[: command.end()] + admission.blank(text[command.end() :], languages)
    intent = recognise(_ADDRESS.sub("", text, count=1), False, "", languages)
    if not isinstance(intent, Keep | Remind) or not intent.content:
        return admission.blank(text, languages)
    blanked = admission.blank(intent.content, languages)
    said = text.rstrip()
    if said.endswith(intent.content):
        start = len(said) - len(intent.content)
        return text[:start] + blanked + text[len(said) :]
    return admission.blank(text.replace(intent.content, blanked), languages)


def _commanded(text: str, command: re.Match[str], username: str, languages: Languages) -> Intent:
    if (command["bot"] or username).lower() != username.lower():
        return Nothing()
    rest = text[command.end() :].strip()
    name = command["name"].lower()
    if name == "compact":
        named = (intent for start, intent in _DOCUMENTS.items() if flat(rest).startswith(start))
        return next(named, CompactMemory())
    if name == "remind":
        return Remind(rest, rest)
    if name != "keep":
        return Nothing()
    special = _whole("keep " + rest, languages) if rest else None
    return special or Keep(_content(rest, languages.grammars))


def _without_mention(text: str, username: str) -> tuple[str, bool]:
    mention = rf"@{re.escape(username)}(?!\w)"
    said, count = re.subn(rf"^{mention}[\s,:;!–—-]*|[\s,]*{mention}\W*$", "", text, flags=re.I)
    return said, bool(count)


def _spoken(text: str, languages: Languages) -> Intent:
    start, requested = _politeness(text, languages)
    said = text[start:]
    plain = flat(said)
    whole = _whole(text, languages) or _whole(said, languages)
    if whole:
        return whole
    if any(g.patterns("trigger.set_phrases").match(plain) for g in languages.grammars):
        return Nothing()
    if wish := _wish(said, plain, requested, languages) or _question(said, languages):
        return wish
    grammar, end = _trigger(plain, languages)
    if grammar is None and (placed := _placed(said, plain, languages)):
        return placed
    if _DOMAIN.match(plain, end):
        return Nothing()
    if grammar is None or (plain.endswith("?") and not requested and said[end : end + 1] != ":"):
        return Nothing()
    universal = plain[:end] in grammar.words("trigger.universal")
    return Keep(_content(said[end:], languages.grammars), "" if universal else grammar.code)


def _placed(said: str, plain: str, languages: Languages) -> Keep | None:
    """An order that names the place before the verb: "do projektu X si zapiš, že …" (T8, T13)."""
    for grammar in languages.grammars:
        if not plain.endswith("?") and grammar.patterns("trigger.placed").match(plain):
            return Keep(_untrailed(said, languages.grammars), grammar.code)
    return None


def _wish(said: str, plain: str, requested: bool, languages: Languages) -> Remind | None:
    """A wish to be reminded at the start, unless it asks what is known: "remind me who …".

    In a request the time may come before it: "can you tomorrow at nine remind me …".
    """
    for grammar in languages.grammars:
        wishes = grammar.phrases("dates.asks")
        found = wishes.search(plain, 0, _FARTHEST_WISH) if requested else wishes.match(plain)
        if found and not grammar.patterns("dates.not_asks").match(plain, found.start()):
            return Remind(said[found.end() :].strip(_EDGES), said, grammar.code)
    return None


def _question(said: str, languages: Languages) -> Find | Show | None:
    """A question about what is remembered, in one sentence; about the person it is all there is."""
    said = said.lstrip(_OPENED)
    plain = flat(said).rstrip(_EDGES)
    if len(plain) > _LONGEST_QUESTION or "\n" in plain:
        return None
    for grammar in languages.grammars:
        for asks in grammar.table("find").get("asks", ()):
            found = re.fullmatch(asks, plain)
            if found and not _BREAK.search(found[1]):
                content = _untrailed(said[found.start(1) : found.end(1)], languages.grammars)
                about_me = flat(content).strip(_EDGES) in grammar.words("find.me")
                return Show() if about_me else Find(content.strip(_EDGES), grammar.code)
    return None


def _politeness(text: str, languages: Languages) -> tuple[int, bool]:
    """Where the polite words at the start end, and whether they make a question a request."""
    plain, start, requested = flat(text), 0, False
    for _ in range(_MOST_POLITE):
        start = _after(_OPENING, plain, start)
        for grammar in languages.grammars:
            asked = _after(grammar.phrases("trigger.requests"), plain, start)
            requested |= asked > start
            start = _after(grammar.phrases("trigger.politeness"), plain, asked)
    return _after(_OPENING, plain, start), requested


def _after(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _trigger(plain: str, languages: Languages) -> tuple[Grammar | None, int]:
    """The language whose trigger phrase at the start is longest, and where it ends."""
    ends = [
        (found.end(), grammar)
        for grammar in languages.grammars
        if (found := grammar.phrases("trigger.keep").match(plain))
    ]
    best = max(ends, key=lambda pair: pair[0], default=(0, None))
    return best[1], best[0]


def _content(rest: str, grammars: tuple[Grammar, ...]) -> str:
    """What follows a trigger, without the punctuation, polite words and "that" before it."""
    plain, start = flat(rest), 0
    for _ in range(_MOST_POLITE):
        start = _after(_OPENING, rest, start)
        for grammar in grammars:
            start = _after(grammar.phrases("trigger.please"), plain, start)
    start = _after(_OPENING, rest, start)
    for grammar in grammars:
        connective = grammar.phrases("trigger.connectives").match(plain, start)
        if connective:
            return _untrailed(rest[connective.end() :].lstrip(" \t\r\n,:"), grammars)
    for grammar in grammars:
        start = _after(grammar.patterns("trigger.announced"), plain, start)
    return _untrailed(rest[start:], grammars) if start < len(rest) else ""


def _untrailed(content: str, grammars: tuple[Grammar, ...]) -> str:
    """``content`` without the polite words at its end; they are kept when they are all of it."""
    plain = flat(content)
    tail = max(0, len(plain) - _LONGEST_TAIL)
    trailing = (g.patterns("trigger.trailing").search(plain, tail) for g in grammars)
    ends = (found.start() for found in trailing if found)
    return content[: min(ends, default=len(content))].rstrip() or content.rstrip()


def _whole(said: str, languages: Languages) -> Intent | None:
    """An intent that needs the whole message: compaction, a selection, an answer."""
    plain = flat(said).strip(_EDGES) if len(said) <= _LONGEST_WHOLE else ""
    for grammar in languages.grammars:
        bare = _trailing_politeness(plain, grammar)
        if grammar.patterns("trigger.compact_keep").fullmatch(bare):
            return CompactKeep()
        if grammar.patterns("trigger.tidy_index").fullmatch(bare):
            return TidyIndex()
        if grammar.patterns("trigger.compact_channel").fullmatch(bare):
            return CompactChannel()
        if grammar.patterns("trigger.compact_memory").fullmatch(bare):
            return CompactMemory()
        found = _shown(bare, said, grammar) or _selected(bare, grammar) or _answered(bare, grammar)
        if found:
            return found
    return None


def _trailing_politeness(plain: str, grammar: Grammar) -> str:
    polite = grammar.phrases("trigger.please").pattern
    return re.sub(rf"(?:[\s,.!]*{polite})+$", "", plain).strip(_EDGES) or plain


def _shown(plain: str, said: str, grammar: Grammar) -> Show | None:
    """A file that is to be shown, as its name was written, or all of memory."""
    verb = grammar.patterns("trigger.show_document").match(plain)
    file = _FILE.fullmatch(plain, verb.end()) if verb else None
    if file is None:
        return Show() if grammar.patterns("trigger.show_memory").fullmatch(plain) else None
    start = flat(said).rindex(file[0])
    return Show(said[start : start + len(file[0])])


def _selected(plain: str, grammar: Grammar) -> Selection | None:
    joint = rf"(?:\s*[,;&+]\s*|\s+)(?:{grammar.phrases('answer.and').pattern}\s+)?"
    listed = (
        rf"{grammar.phrases('answer.items').pattern}?\s*(?P<list>{_NUMBERS}(?:{joint}{_NUMBERS})*)"
    )
    for verb in ("keep", "delete"):
        found = re.fullmatch(grammar.phrases(f"answer.{verb}").pattern + r"\s*" + listed, plain)
        numbers = _numbers(found["list"]) if found else ()
        if numbers:
            return Selection("keep" if verb == "keep" else "delete", numbers)
    return None


def _numbers(listed: str) -> tuple[int, ...]:
    """The numbers in order without repeats; () when a range runs backwards or is too long."""
    numbers: dict[int, None] = {}
    for first, last in re.findall(r"(\d+)(?:\s*[-–]\s*(\d+))?", listed):
        low, high = int(first), int(last or first)
        if high < low or len(numbers) + high - low >= _MOST_NUMBERS:
            return ()
        numbers.update(dict.fromkeys(range(low, high + 1)))
    return tuple(numbers)


def _answered(plain: str, grammar: Grammar) -> Answer | None:
    if grammar.phrases("answer.apply").fullmatch(plain):
        return Answer("apply")
    return Answer("cancel") if grammar.phrases("answer.cancel").fullmatch(plain) else None
