"""Message catalogues, read from ``*.po`` into memory; nothing is compiled to disk (L1)."""

from __future__ import annotations

from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


class Catalogue:
    """The sentences of one language, found by symbolic ids such as ``keep.kept``."""

    def __init__(self, code: str, folder: Path) -> None:
        """Read every ``.po`` file of ``folder``, ``messages.po`` and one for each large subject.

        A folder without any gives a catalogue without messages.

        Raises:
            ValueError: two files have one id.
        """
        self.code = code
        self._ids: frozenset[str] = frozenset()
        self._translations = GNUTranslations()
        for path in sorted(folder.glob("*.po")):
            self._read(path)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all translated messages."""
        return self._ids

    def text(self, id: str, n: int | None = None, **params: object) -> str:
        """The message ``id`` with ``{name}`` fields filled from ``params``.

        With ``n`` the plural form that fits it is taken, and ``{n}`` is that number.
        Raises KeyError for an id that the catalogue does not have, or a field not given.
        """
        if id not in self._ids:
            raise KeyError(id)
        if n is None:
            return self._translations.gettext(id).format(**params)
        return self._translations.ngettext(id, id, n).format(n=n, **params)

    def _read(self, path: Path) -> None:
        with path.open("rb") as source:
            catalog = read_po(source, locale=self.code)
        ids = frozenset(
            message.id if isinstance(message.id, str) else message.id[0]
            for message in catalog
            if message.id and message.string and not message.fuzzy
        )
        if ids & self._ids:
            raise ValueError(f"{path}: {min(ids & self._ids)} is defined twice")
        self._ids |= ids
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        translations = GNUTranslations(compiled)
        translations.add_fallback(self._translations)
        self._translations = translations
