"""Updates as opaque bytes, in order per queue, each taken in once (W4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Incoming:
    """One update: ``queue`` is what orders it (a chat), ``body`` is opaque."""

    update_id: int
    queue: int
    body: bytes
