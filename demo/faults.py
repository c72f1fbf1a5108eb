"""Faults on demand: slow, refused, cut off or unanswered calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from demo.errors import ApiError, PeopleError, too_many_requests

ANY_METHOD = "*"


@dataclass(slots=True)
class Fault:
    """What happens to the next ``times`` calls of a method.

    ``delay`` (seconds) comes first; then the connection is closed if ``cut``, or the call is
    refused with ``error``. With ``after`` the call is carried out and only its answer is lost.
    """

    method: str
    times: int
    delay: float = 0.0
    cut: bool = False
    after: bool = False
    error: ApiError | None = None


class Faults:
    """The faults that still wait for a call."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Queue a fault behind those of the same method."""
        self._waiting.append(fault)

    def clear(self) -> None:
        """Everything works again."""
        self._waiting.clear()

    def take(self, method: str) -> Fault | None:
        """The fault for this call of ``method`` (lower case), used up once."""
        if not self._waiting:
            return None
        fault = next((f for f in self._waiting if f.method in {method, ANY_METHOD}), None)
        if fault:
            fault.times -= 1
            if fault.times <= 0:
                self._waiting.remove(fault)
        return fault


def read(body: Mapping[str, Any]) -> Fault:
    """A fault from the JSON of POST /faults; raises PeopleError without a method."""
    method = str(body.get("method", "")).lower()
    if not method:
        raise PeopleError("a fault needs a method")
    after = bool(body.get("after"))
    return Fault(
        method,
        int(body.get("times", 1)),
        float(body.get("delay", 0)),
        bool(body.get("cut")) or after,
        after,
        _error(body),
    )


def _error(body: Mapping[str, Any]) -> ApiError | None:
    if retry_after := body.get("retry_after"):
        return too_many_requests(int(retry_after))
    status = int(body.get("status", 0))
    if not status:
        return None
    return ApiError(status, str(body.get("description") or HTTPStatus(status).phrase))
