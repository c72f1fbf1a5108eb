"""A long message in several: cut between lines, never inside a tag or a character (B22); pure.

Telegram counts the text that is shown, in UTF-16 units. Tags that are open where a message is
cut are closed there and opened again in the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from handlers.messages.reply import LIMIT, TAGS, Post, Reply, as_text, units

_TOKEN = re.compile(rf"{TAGS.pattern}|&(?:#\d+|#x[\da-f]+|\w+);|.", re.DOTALL | re.IGNORECASE)

_BLANK = ("\n", " ")


def parted(post: Post) -> tuple[Post, ...]:
    """The post, or several that hold all of its text.

    The first one edits or answers; the buttons, the question and its dialog are on the last.
    """
    reply = post.reply
    if reply.picture or len(reply.html) <= LIMIT // 2 or units(as_text(reply.html)) <= LIMIT:
        return (post,)
    first, *others = (Reply(piece) for piece in pieces(reply.html))
    ends = [replace(post, reply=first, dialog="")]
    ends += [replace(post, reply=one, dialog="", edit=0, answering=0) for one in others]
    asking = replace(reply, html=ends[-1].reply.html)
    return (*ends[:-1], replace(ends[-1], reply=asking, dialog=post.dialog))


def pieces(html: str, limit: int = LIMIT) -> tuple[str, ...]:
    """HTML of which no part shows more than ``limit`` units; all parts together show all of it.

    The line break or blank at which it is cut is left out: Telegram trims both ends anyway.
    """
    tokens = [match[0] for match in _TOKEN.finditer(html)]
    cut = _Cut()
    found = []
    while len(tokens) > (end := _end(tokens, limit)):
        found.append(cut.closed(tokens[:end]))
        tokens = tokens[end + (tokens[end] in _BLANK) :]
    found.append(cut.closed(tokens))
    return tuple(piece for piece in found if as_text(piece).strip())


def _end(tokens: Sequence[str], limit: int) -> int:
    """How many tokens the next part takes: up to its last line break, else as many as fit."""
    fitting = _fitting(tokens, limit)
    if fitting == len(tokens):
        return fitting
    places = range(fitting, fitting // 2, -1)
    return next((i for blank in _BLANK for i in places if tokens[i] == blank), fitting)


def _fitting(tokens: Sequence[str], limit: int) -> int:
    room = limit
    for i, token in enumerate(tokens):
        room -= _width(token)
        if room < 0:
            return i
    return len(tokens)


def _width(token: str) -> int:
    return 0 if len(token) > 1 and token[0] == "<" else units(unescape(token))


@dataclass
class _Cut:
    """The tags that are open where the last part ended."""

    open: list[str] = field(default_factory=list)

    def closed(self, tokens: Sequence[str]) -> str:
        """The part with the tags that were open before it, and its own ones closed."""
        before = "".join(self.open)
        for token in tokens:
            self._follow(token)
        return before + "".join(tokens) + "".join(self._ends())

    def _follow(self, token: str) -> None:
        if token.startswith("</"):
            del self.open[-1:]
        elif len(token) > 1 and token[0] == "<":
            self.open.append(token)

    def _ends(self) -> Iterator[str]:
        for tag in reversed(self.open):
            name = tag[1:-1].split()[0]
            yield f"</{name}>"
