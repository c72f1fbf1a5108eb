"""Parameters of one call: query, form, multipart or JSON, all read the same way.

Forms carry every value as text, JSON may carry numbers and objects, and JSON-valued fields may be
text in both; the readers below accept each spelling, as the real server does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from demo.errors import bad_request


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came inside the request."""

    name: str
    content: bytes
    mime_type: str = "application/octet-stream"


@dataclass(slots=True)
class Params:
    """Values by name, and uploads by the name of their field."""

    values: dict[str, Any]
    uploads: dict[str, Upload] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The value as text, "" when absent; raises 400 for text that UTF-8 cannot hold."""
        value = self.values.get(name)
        if value is None:
            return ""
        text = value if isinstance(value, str) else _spelled(value)
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise bad_request("strings must be encoded in UTF-8")
        return text

    def number(self, name: str, default: int = 0) -> int:
        """The value as an integer; anything that is none counts as ``default``."""
        value = self.values.get(name)
        try:
            return default if value is None else int(value)
        except (TypeError, ValueError, OverflowError):
            return default

    def flag(self, name: str) -> bool:
        """True for true, "true", 1, "1", "yes"."""
        return str(self.values.get(name, "")).lower() in {"true", "1", "yes"}

    def json(self, name: str, what: str = "") -> Any:
        """A JSON-valued field, given as such or as text; None when absent; raises 400 if broken."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return json.loads(value)
        except ValueError as error:
            raise bad_request(f"can't parse {what or name} JSON object") from error


def _spelled(value: object) -> str:
    return json.dumps(value) if isinstance(value, dict | list | bool) else str(value)


def read(query: Mapping[str, str], content_type: str, body: bytes) -> Params:
    """Parameters of a request; the body wins over the query. Raises 400 when it cannot be read."""
    params = Params(dict(query))
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return params
    if kind == "application/json":
        params.values.update(_json_object(body))
    elif kind == "multipart/form-data":
        _read_multipart(params, content_type, body)
    else:
        params.values.update(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    return params


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError as error:
        raise bad_request("can't parse JSON object") from error
    if not isinstance(value, dict):
        raise bad_request("object expected as parameters")
    return value


def _read_multipart(params: Params, content_type: str, body: bytes) -> None:
    boundary = content_type.partition("boundary=")[2].partition(";")[0].strip().strip('"')
    for part in body.split(b"--" + boundary.encode()):
        head, blank, content = part.partition(b"\r\n\r\n")
        if blank:
            _read_part(params, head.decode(errors="replace"), content.removesuffix(b"\r\n"))


def _read_part(params: Params, head: str, content: bytes) -> None:
    name = _header_value(head, ' name="') or _header_value(head, ';name="')
    file_name = _header_value(head, 'filename="')
    if file_name:
        mime = next((x[13:].strip() for x in head.split("\r\n") if _is_type(x)), "")
        params.uploads[name] = Upload(file_name, content, mime or "application/octet-stream")
    else:
        params.values[name] = content.decode(errors="replace")


def _is_type(line: str) -> bool:
    return line[:13].lower() == "content-type:"


def _header_value(head: str, opening: str) -> str:
    return head.partition(opening)[2].partition('"')[0]
