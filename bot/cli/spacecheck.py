"""The spaces of a workspace, looked through for `pomnenka check` (R2, S2, S5, M5, M6)."""

from __future__ import annotations

from collections.abc import Iterator

from bot import inspection, wiring
from bot.cli import skills
from bot.cli.console import at_once
from bot.config import Settings
from bot.core import Core
from bot.inspection import Code, Finding, Level, Limits
from curation.governance import survey
from handlers.compacting import estate
from memory.errors import DocumentError
from memory.joining import REPORTED
from memory.ledger import What
from memory.spaces import DocumentName, DocumentRef, Space, SpaceKind
from memory.strays import strays


def look(core: Core) -> Iterator[Finding]:
    """Everything found in all spaces, documents first."""
    for space in core.layout.spaces():
        for ref in core.layout.documents(space):
            if ref.name is not DocumentName.LOG:
                yield from _document(core, ref)
        yield from _around(core, space)
    yield from _untold(core)


def limits(settings: Settings) -> Limits:
    """The configured lengths."""
    index = settings.index
    return Limits(index.warn, index.full, settings.keep.limit, settings.compact.hint_lines)


def _document(core: Core, ref: DocumentRef) -> Iterator[Finding]:
    path = str(core.layout.path(ref))
    if ref.name is DocumentName.OVERLAY:
        return
    try:
        found = core.store.read(ref)
    except DocumentError as error:
        yield Finding(Level.PROBLEM, Code.UNREADABLE, path, {"error": str(error)})
        return
    yield from inspection.weighed(ref.name, path, found.document, limits(core.settings))
    known = core.state.digest(ref) if ref.name in REPORTED else ""
    if known and known != found.digest:
        yield Finding(Level.HINT, Code.BYPASSED, path)


def _around(core: Core, space: Space) -> Iterator[Finding]:
    """Misplaced files; in a personal space the index with its topics, and the overlays."""
    folder = core.layout.folder(space)
    yield from inspection.misplaced(str(folder), strays(core.layout, space))
    if space.kind is not SpaceKind.PERSONAL:
        return
    services = wiring.services(core, at_once)
    index = DocumentRef(space, DocumentName.INDEX)
    try:
        found = survey(estate.gather(services, space), core.clock().date())
    except DocumentError:
        found = ()
    yield from inspection.repairs(str(core.layout.path(index)), found)
    overlay = core.layout.path(DocumentRef(space, DocumentName.OVERLAY, "x")).parent
    yield from inspection.overlaid(str(overlay), skills.examined(core, space))


def _untold(core: Core) -> Iterator[Finding]:
    """Changes by others that nobody has been told of yet (M6)."""
    for notice in core.state.notices():
        if notice.kind is not What.LOG:
            lines = {"added": len(notice.added), "removed": len(notice.removed)}
            yield Finding(Level.HINT, Code.BYPASSED, str(core.layout.path(notice.ref)), lines)
