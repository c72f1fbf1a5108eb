"""The configured languages together, and the guards of every language there is a folder for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from locales.catalogue import Catalogue
from locales.detect import Detector
from locales.grammar import Grammar
from locales.keys import Key, keys

_FOLDER = Path(__file__).parent


class Languages:
    """The languages a bot speaks; made by :func:`load`.

    ``scanned`` and ``judged`` are small caches that admission keeps: what texts hold, by their
    digests, so that no text stays in memory for it.
    """

    def __init__(self, codes: Sequence[str], folder: Path = _FOLDER) -> None:
        """Read the folders below ``folder``; raises ValueError for a code without one."""
        self._all = {path.parent.name: path.parent for path in folder.glob("*/safety.toml")}
        missing = [code for code in codes if not (folder / code).is_dir()]
        if missing or not codes:
            raise ValueError(f"no language folder for {missing or 'no code at all'}")
        self.codes = tuple(codes)
        self.scanned: dict[bytes, Any] = {}
        self.judged: dict[bytes, Any] = {}
        self._folder = folder
        self._grammars = {code: Grammar(code, folder / code) for code in self.codes}
        self._catalogues: dict[str, Catalogue] = {}

    def grammar(self, code: str) -> Grammar:
        """The grammar of a configured language; the first one's for an unknown code."""
        return self._grammars.get(code) or self._grammars[self.codes[0]]

    @property
    def grammars(self) -> tuple[Grammar, ...]:
        """The grammars of the configured languages, in their order."""
        return tuple(self._grammars.values())

    @cached_property
    def guards(self) -> tuple[Grammar, ...]:
        """The grammars of **all** languages with safety words, configured or not (W6)."""
        return tuple(
            self._grammars.get(code) or Grammar(code, folder)
            for code, folder in sorted(self._all.items())
        )

    def catalogue(self, code: str) -> Catalogue:
        """The messages of a language; read at first use."""
        if code not in self._catalogues:
            self._catalogues[code] = Catalogue(code, self._folder / code)
        return self._catalogues[code]

    def detect(self, text: str, hints: Mapping[str, float] | str = "") -> str:
        """The code of the language of ``text``, "" when unknown; see ``Detector.detect``."""
        return self._detector.detect(text, hints)

    def key(self, text: str, code: str) -> tuple[Key, ...]:
        """The comparable keys of ``text`` in a language; see ``locales.keys.keys``."""
        return keys(text, self.grammar(code))

    @cached_property
    def _detector(self) -> Detector:
        return Detector(self.grammars)


def load(codes: Sequence[str]) -> Languages:
    """The languages with these codes, the first being the default.

    Dictionaries and detection profiles are read at first use. Raises ValueError for a code
    that has no folder.
    """
    return Languages(codes)
