"""Errors of the two sides: what a bot is told, and what a person's page is told.

ApiError          answer of the Bot API with its code, text and parameters
PeopleError       a request of the people's side that makes no sense
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

Parameters = Mapping[str, int]


class ApiError(Exception):
    """A refused Bot API call; ``code`` is also the HTTP status of the answer."""

    def __init__(self, code: int, description: str, parameters: Parameters | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = dict(parameters or {})


class PeopleError(Exception):
    """A people's side call that cannot be carried out; the text is shown to whoever drives it."""


def bad_request(text: str, parameters: Parameters | None = None) -> ApiError:
    """A 400 with the prefix that Telegram puts before its core's texts."""
    return ApiError(HTTPStatus.BAD_REQUEST, f"Bad Request: {text}", parameters)


def forbidden(text: str) -> ApiError:
    """A 403: the bot may not write there."""
    return ApiError(HTTPStatus.FORBIDDEN, f"Forbidden: {text}")


def unauthorized(detail: str = "") -> ApiError:
    """A 401: a wrong token, or with ``detail`` a malformed one."""
    return ApiError(HTTPStatus.UNAUTHORIZED, "Unauthorized" + (f": {detail}" if detail else ""))


def not_found(detail: str = "") -> ApiError:
    """A 404, which the real server also uses for unknown methods."""
    return ApiError(HTTPStatus.NOT_FOUND, "Not Found" + (f": {detail}" if detail else ""))


def conflict(text: str) -> ApiError:
    """A 409: two ways of fetching updates collide."""
    return ApiError(HTTPStatus.CONFLICT, f"Conflict: {text}")


def too_many_requests(retry_after: int) -> ApiError:
    """A 429 with ``retry_after`` in seconds, which also becomes a header."""
    return ApiError(
        HTTPStatus.TOO_MANY_REQUESTS,
        f"Too Many Requests: retry after {retry_after}",
        {"retry_after": retry_after},
    )
