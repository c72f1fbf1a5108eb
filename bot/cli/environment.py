"""What an agent's runner fixes in the environment: who speaks, and where (R5, B8)."""

from __future__ import annotations

import os
import re

from memory.scope import Conversation

VARIABLES = {"user": "POMNENKA_USER", "chat": "POMNENKA_CHAT", "topic": "POMNENKA_TOPIC"}
"""What fixes the conversation of an agent, by what it fixes."""

FIXED = "The scope is fixed by the environment and cannot be changed by an option."
"""What is said to whom asks for another one."""

_INTEGER = re.compile(r"-?[0-9]{1,19}")


def conversation() -> Conversation | None:
    """The conversation that is fixed; None where no user is set.

    Raises:
        ValueError: a variable holds no number, so that nobody knows whose memory is meant.
    """
    said = {name: os.environ.get(variable, "") for name, variable in VARIABLES.items()}
    if not said["user"]:
        return None
    if not all(_INTEGER.fullmatch(value) for value in said.values() if value):
        raise ValueError(FIXED)
    fixed = Conversation(**{name: int(value or 0) for name, value in said.items()})
    if not fixed.user:
        raise ValueError(FIXED)
    return fixed
