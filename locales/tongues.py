"""Names of languages from CLDR."""

from __future__ import annotations

from functools import cache

from babel import Locale

from locales.grammar import flat


@cache
def language_names(code: str) -> frozenset[str]:
    """What the languages of the world are called in a language, flat."""
    return frozenset(flat(name) for name in Locale(code).languages.values())
