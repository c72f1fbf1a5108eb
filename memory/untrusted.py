"""Text that several people can write, marked as what it is: information, never instructions (M3).

The markers carry a fence, a random word of which the text cannot know; it is handed in, fresh
for each rendering. What imitates a marker is broken up, and what cannot be seen is shown by its
number, so that nothing in the text ends the block or hides in it (B15).
"""

from __future__ import annotations

import re

_MARK = re.compile("[<\u2039\u276e\u3008\uff1c]{2,}")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)


def enclosed(text: str, source: str, fence: str) -> str:
    """A text between its markers, one line each; ends in a line feed.

    Args:
        text: the text as it stands in a document.
        source: whose it is, such as ``groups/family``.
        fence: a fresh random word of letters and digits.
    """
    shown = _MARK.sub(_parted, _HIDDEN.sub(_numbered, text.replace("\r\n", "\n")))
    body = shown.replace(fence, "[...]") if fence else shown
    ended = body if body.endswith("\n") or not body else body + "\n"
    return f"<<<UNTRUSTED {source} {fence}>>>\n{ended}<<<END {fence}>>>\n"


def _parted(match: re.Match[str]) -> str:
    return " ".join(match[0])


def _numbered(match: re.Match[str]) -> str:
    return f"[U+{ord(match[0]):04X}]"
