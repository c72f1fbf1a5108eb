"""Text with entities: HTML as bots send it, and what Telegram finds by itself.

Offsets and lengths of entities are UTF-16 code units; byte offsets in error texts are UTF-8 bytes
of the text as it was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from demo.errors import bad_request

Entity = dict[str, Any]

KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "u": "underline",
    "ins": "underline",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
    "pre": "pre",
    "code": "code",
    "blockquote": "blockquote",
    "a": "text_link",
}
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}

_MARK = re.compile(r"[<&]")
_CHARACTER = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot));?")
_NAME = re.compile(r"[^\s>]*")
_ATTRIBUTE = re.compile(r"""\s*([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[A-Za-z0-9._-]+))?""")
_TAG_END = re.compile(r"\s*/?\s*>")
_END_TAG = re.compile(r"</([^\s>]*)\s*>")
_FOUND = re.compile(
    r"(?P<url>\bhttps?://[^\s<>\"]+[^\s<>\".,;:!?)\]'])"
    r"|(?P<email>\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b)"
    r"|(?P<bot_command>(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/]))"
    r"|(?P<mention>(?<!\w)@[A-Za-z][A-Za-z0-9_]{2,31}\b)"
    r"|(?P<hashtag>(?<!\w)#\w*[^\W\d]\w*)"
)


def units(text: str) -> int:
    """Length of ``text`` in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text) + sum(letter > "\uffff" for letter in text)


@dataclass(slots=True)
class _Tag:
    name: str
    begin: int
    offset: int
    attributes: dict[str, str]


@dataclass(slots=True)
class _Reader:
    """One pass over HTML: plain text so far, its length in UTF-16 units, tags still open."""

    source: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    stack: list[_Tag] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    def fail(self, what: str, at: int) -> NoReturn:
        offset = len(self.source[:at].encode(errors="replace"))
        _refuse(what.replace("OFFSET", f"at byte offset {offset}"))

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += units(text)

    def read(self) -> None:
        position = 0
        while mark := _MARK.search(self.source, position):
            self.add(self.source[position : mark.start()])
            position = self.step(mark.start())
        self.add(self.source[position:])
        if self.stack:
            name = self.stack[-1].name
            _refuse(f'Can\'t find end tag corresponding to start tag "{name}"')

    def step(self, at: int) -> int:
        if self.source[at] == "&":
            return self.character(at)
        return self.close(at) if self.source.startswith("</", at) else self.open(at)

    def character(self, at: int) -> int:
        found = _CHARACTER.match(self.source, at)
        letter = _letter(found) if found else ""
        self.add(letter or "&")
        return found.end() if found and letter else at + 1

    def open(self, at: int) -> int:
        name = _NAME.match(self.source, at + 1)
        assert name is not None
        tag = _Tag(name[0].lower(), at, self.length, {})
        if name.end() == len(self.source):
            self.fail("Unclosed start tag OFFSET", at)
        if tag.name not in KINDS:
            self.fail(f'Unsupported start tag "{tag.name}" OFFSET', at)
        end = self.attributes(tag, name.end())
        if tag.name == "span" and tag.attributes.get("class") != "tg-spoiler":
            self.fail('Tag "span" must have class "tg-spoiler" OFFSET', at)
        self.stack.append(tag)
        return end

    def attributes(self, tag: _Tag, at: int) -> int:
        while not (end := _TAG_END.match(self.source, at)):
            attribute = _ATTRIBUTE.match(self.source, at)
            if not attribute:
                self.fail(f'Unclosed start tag "{tag.name}" OFFSET', tag.begin)
            value = attribute[2] or ""
            if value[:1] in {'"', "'"}:
                value = _unescaped(value[1:-1])
            tag.attributes[attribute[1].lower()] = value
            at = attribute.end()
        return end.end()

    def close(self, at: int) -> int:
        if not self.stack:
            self.fail("Unexpected end tag OFFSET", at)
        end = _END_TAG.match(self.source, at)
        if not end:
            self.fail("Unclosed end tag OFFSET", at)
        tag, name = self.stack[-1], end[1].lower()
        if name and name != tag.name:
            expected = f'expected "</{tag.name}>", found "</{name}>"'
            self.fail(f"Unmatched end tag OFFSET, {expected}", at)
        self.stack.pop()
        if self.length > tag.offset:
            self.close_entity(tag)
        return end.end()

    def close_entity(self, tag: _Tag) -> None:
        entity: Entity = {"offset": tag.offset, "length": self.length - tag.offset}
        entity |= _kind(tag, self.stack)
        if entity["type"] == "text_link" and not entity["url"]:
            entity["url"] = (
                "".join(self.pieces).encode("utf-16-le")[2 * tag.offset :].decode("utf-16-le")
            )
        if not _inside_same_pre(entity, self.entities):
            self.entities.append(entity)


def _refuse(what: str) -> NoReturn:
    raise bad_request(f"can't parse entities: {what}")


def _letter(found: re.Match[str]) -> str:
    if found[3]:
        return NAMED[found[3]]
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _unescaped(text: str) -> str:
    return _CHARACTER.sub(lambda found: _letter(found) or found[0], text)


def _kind(tag: _Tag, outer: Sequence[_Tag]) -> Entity:
    kind, attributes = KINDS[tag.name], tag.attributes
    if kind == "blockquote" and "expandable" in attributes:
        return {"type": "expandable_blockquote"}
    if kind == "text_link":
        return {"type": kind, "url": attributes.get("href", "")}
    if kind == "custom_emoji":
        return {"type": kind, "custom_emoji_id": attributes.get("emoji-id", "")}
    if kind == "date_time":
        unix = attributes.get("unix", "")
        return {"type": kind, "unix_time": int(unix) if unix.isdecimal() else 0}
    if tag.name == "code" and outer and outer[-1].name == "pre":
        language = attributes.get("class", "").removeprefix("language-")
        return {"type": "pre"} | ({"language": language} if language else {})
    return {"type": kind}


def _inside_same_pre(entity: Entity, done: Sequence[Entity]) -> bool:
    """True for a <pre> whose whole content is the <code> that was just turned into pre."""
    return (
        entity["type"] == "pre"
        and bool(done)
        and done[-1]["type"] == "pre"
        and (done[-1]["offset"], done[-1]["length"]) == (entity["offset"], entity["length"])
    )


def from_html(source: str) -> tuple[str, list[Entity]]:
    """Plain text and entities of bot HTML; raises 400 "can't parse entities: …"."""
    reader = _Reader(source)
    reader.read()
    order = sorted(reader.entities, key=lambda e: (e["offset"], -e["length"]))
    return "".join(reader.pieces), order


def found(text: str) -> Iterator[Entity]:
    """Links, mail addresses, commands, mentions and hashtags that Telegram marks by itself."""
    if not any(sign in text for sign in "/@#"):
        return
    for match in _FOUND.finditer(text):
        yield {
            "offset": units(text[: match.start()]),
            "length": units(match[0]),
            "type": match.lastgroup,
        }


def trimmed(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """Without blanks at the end, nor before the first entity; entities moved and cut to fit."""
    kept = text.rstrip()
    limit = min((e["offset"] for e in entities), default=len(kept))
    lead = min(len(kept) - len(kept.lstrip()), limit)
    kept = kept[lead:]
    if lead == 0 and len(kept) == len(text):
        return text, list(entities)
    end = units(kept)
    moved = ({**e, "offset": e["offset"] - lead} for e in entities)
    cut = ({**e, "length": min(e["length"], end - e["offset"])} for e in moved)
    return kept, [e for e in cut if e["length"] > 0]


def with_found(text: str, entities: list[Entity]) -> list[Entity]:
    """Given entities plus the found ones that do not touch code or links."""
    closed = [e for e in entities if e["type"] in {"code", "pre", "text_link", "text_mention"}]
    extra = [e for e in found(text) if not any(_overlap(e, other) for other in closed)]
    known = {(e["type"], e["offset"]) for e in entities}
    extra = [e for e in extra if (e["type"], e["offset"]) not in known]
    if not extra:
        return entities
    return sorted(entities + extra, key=lambda e: (e["offset"], -e["length"]))


def _overlap(one: Entity, two: Entity) -> bool:
    return bool(
        one["offset"] < two["offset"] + two["length"]
        and two["offset"] < one["offset"] + one["length"]
    )
