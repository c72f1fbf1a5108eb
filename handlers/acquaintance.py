"""Whose Telegram speaks what, for words that answer no update (L1)."""

from __future__ import annotations

from handlers.context import Person
from memory.state import State

_KEY = "telegram_language"
_MOST = 10_000


class Acquaintances:
    """Everybody who is let in, with the language of their Telegram; stored when it changes."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._languages: dict[int, str] = {}

    def meet(self, person: Person) -> None:
        """Remember what an update says of a person."""
        spoken = person.language
        if not spoken or self._languages.get(person.id) == spoken:
            return
        if self._state.preference(person.id, _KEY, "") != spoken:
            self._state.prefer(person.id, _KEY, spoken)
        if len(self._languages) >= _MOST:
            self._languages.clear()
        self._languages[person.id] = spoken


def recall(state: State, id: int) -> Person:
    """A person of whom only the id is known now, with the language of the last update."""
    return Person(id, language=state.preference(id, _KEY, ""))
