"""A message as a value: what it says, its buttons, and where it goes.

`render` and its neighbours make a `Reply`, handlers give it a place as a `Post`,
and ``handlers/edge/sending.py`` is the only one that hands it to Telegram.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

_NAMES = "b|strong|i|em|s|strike|del|u|ins|tg-spoiler|span|tg-emoji|tg-time|pre|code|blockquote|a"
TAGS = re.compile(rf"</?(?:{_NAMES})(?:\s[^<>]*)?>")
"""The tags of Telegram's HTML; what else looks like one is text."""

LIMIT = 4096
"""What Telegram takes in one message, in UTF-16 units."""


@dataclass(frozen=True, slots=True)
class Button:
    """One inline button: ``text`` is plain, and either ``data`` or ``url`` is set."""

    text: str
    data: str = ""
    url: str = ""


Rows = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said: ``html`` in Telegram's subset, and rows of buttons.

    ``placeholder`` turns it into a question that opens the keyboard (force reply), and is
    what the empty input field shows; such a reply has no buttons. ``refused`` says that
    nothing of the input is stored; a command line ends with an error then. ``picture`` is a PNG
    of which ``html`` is the caption, at most 1,024 units long; it is always a new message.
    """

    html: str
    buttons: Rows = ()
    placeholder: str = ""
    refused: bool = False
    picture: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Post:
    """A reply with its place.

    ``edit`` is the message to change in place (0: a new one), ``answering`` the message it
    answers, ``dialog`` the question that is tied to the message once its id is known.
    ``otherwise`` is sent instead when the bot may not write to ``chat`` (G2); a ``quiet``
    post makes no sound.
    """

    reply: Reply
    chat: int
    topic: int = 0
    edit: int = 0
    answering: int = 0
    dialog: str = ""
    otherwise: Post | None = None
    quiet: bool = False


def as_text(html: str) -> str:
    """The whole text behind our HTML."""
    return unescape(TAGS.sub("", html))


def units(text: str) -> int:
    """The length Telegram counts: UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shortened(text: str, limit: int) -> str:
    """The text in at most ``limit`` UTF-16 units; what was cut is marked by an ellipsis."""
    if units(text) <= limit:
        return text
    data = text.encode("utf-16-le", "surrogatepass")[: (limit - 1) * 2]
    return data.decode("utf-16-le", "ignore").rstrip() + "…"
