"""The HTTP client below python-telegram-bot: aiohttp behind its public request interface."""

from __future__ import annotations

from typing import Any

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

CONNECT_SECONDS = 5.0
READ_SECONDS = 10.0

_Timeout = float | None | Any


class AiohttpRequest(BaseRequest):
    """One pool of connections; a third of the default client's CPU an update.

    Args:
        connections: how many may be open at once.
    """

    def __init__(self, connections: int = 256) -> None:
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds to wait for an answer unless a call says otherwise."""
        return READ_SECONDS

    async def initialize(self) -> None:
        """Open the pool; harmless when it is open."""
        if self._session is None or self._session.closed:
            connector = aiohttp.TCPConnector(limit=self._connections)
            self._session = aiohttp.ClientSession(connector=connector)

    async def shutdown(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: _Timeout = BaseRequest.DEFAULT_NONE,
        write_timeout: _Timeout = BaseRequest.DEFAULT_NONE,
        connect_timeout: _Timeout = BaseRequest.DEFAULT_NONE,
        pool_timeout: _Timeout = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Send one request.

        Returns:
            The HTTP status and the body.

        Raises:
            TimedOut: no answer in time. NetworkError: the connection failed; the message names
            the failure's type only, since its text may hold the address with the token.
        """
        assert self._session is not None
        timeout = aiohttp.ClientTimeout(
            sock_read=_seconds(read_timeout, READ_SECONDS),
            sock_connect=_seconds(connect_timeout, CONNECT_SECONDS),
        )
        try:
            async with self._session.request(
                method, url, timeout=timeout, **_body(request_data)
            ) as answer:
                return answer.status, await answer.read()
        except TimeoutError as error:
            raise TimedOut from error
        except aiohttp.ClientError as error:
            raise NetworkError(type(error).__name__) from None


def _seconds(value: _Timeout, default: float) -> float | None:
    return default if value is BaseRequest.DEFAULT_NONE else value


def _body(data: RequestData | None) -> dict[str, Any]:
    if data is None:
        return {}
    if not data.contains_files:
        return {"json": data.json_parameters}
    form = aiohttp.FormData(data.json_parameters)
    for name, (file_name, content, mime) in data.multipart_data.items():
        form.add_field(name, content, filename=file_name, content_type=mime)
    return {"data": form}
