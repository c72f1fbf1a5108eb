"""Bot API methods about documents and photos."""

from __future__ import annotations

import struct
from pathlib import PurePosixPath

from demo import methods_messages, texts
from demo.emulator import Emulator
from demo.errors import bad_request
from demo.params import Params, Upload
from demo.world import Fields, File

STORE_BYTES = 64 * 1024 * 1024
DOWNLOAD_LIMIT = 20 * 1024 * 1024
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def send_document(emulator: Emulator, params: Params) -> Fields:
    """Bot API sendDocument: an upload, or the file_id of an earlier one."""
    caption = texts.fields("caption", texts.caption(params))
    file = _document(emulator, params)
    return methods_messages.send(emulator, params, {"document": described(file), **caption}).data


def send_photo(emulator: Emulator, params: Params) -> Fields:
    """Bot API sendPhoto: an uploaded PNG, or the file_id of an earlier one."""
    caption = texts.fields("caption", texts.caption(params))
    file = _uploaded(emulator, params, "photo")
    return methods_messages.send(emulator, params, {"photo": [pictured(file)], **caption}).data


def _document(emulator: Emulator, params: Params) -> File:
    return _uploaded(emulator, params, "document")


def _uploaded(emulator: Emulator, params: Params, kind: str) -> File:
    value = params.text(kind)
    upload = params.uploads.get(value.removeprefix("attach://") if value else kind)
    if upload:
        if kind == "photo" and not upload.content.startswith(PNG):
            raise bad_request("IMAGE_PROCESS_FAILED")
        return keep(emulator, upload)
    if value.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    if not value or value.startswith("attach://"):
        raise bad_request(f"there is no {kind} in the request")
    return _stored(emulator, value)


def _stored(emulator: Emulator, file_id: str) -> File:
    file = emulator.world.files.get(file_id)
    if file is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    return file


def keep(emulator: Emulator, upload: Upload) -> File:
    """Store an upload; the oldest files are forgotten beyond 64 MB. Raises 400 when empty."""
    if not upload.content:
        raise bad_request("file must be non-empty")
    files = emulator.world.files
    number = len(files) and int(next(reversed(files.values())).unique_id[2:])
    suffix = PurePosixPath(upload.name).suffix
    file_id = f"BQAC{emulator.chance.getrandbits(160):040x}"
    path = f"documents/file_{number + 1}{suffix}"
    file = File(file_id, f"AQ{number + 1}", path, upload.name, upload.mime_type, upload.content)
    files[file_id] = file
    while sum(len(f.content) for f in files.values()) > STORE_BYTES and len(files) > 1:
        del files[next(iter(files))]
    return file


def described(file: File) -> Fields:
    """A Document object."""
    return {
        "file_id": file.file_id,
        "file_unique_id": file.unique_id,
        "file_name": file.name,
        "mime_type": file.mime_type,
        "file_size": len(file.content),
    }


def pictured(file: File) -> Fields:
    """A PhotoSize object; Telegram makes smaller copies too, this one has none."""
    wide, high = struct.unpack(">II", file.content[16:24])
    if max(wide, high) > 20 * min(wide, high) or wide + high > 10_000:
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return {
        "file_id": file.file_id,
        "file_unique_id": file.unique_id,
        "width": wide,
        "height": high,
        "file_size": len(file.content),
    }


def get_file(emulator: Emulator, params: Params) -> Fields:
    """Bot API getFile."""
    file_id = params.text("file_id")
    if not file_id:
        raise bad_request("file_id not specified")
    file = emulator.world.files.get(file_id)
    if file is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if len(file.content) > DOWNLOAD_LIMIT:
        raise bad_request("file is too big")
    return {
        "file_id": file.file_id,
        "file_unique_id": file.unique_id,
        "file_size": len(file.content),
        "file_path": file.path,
    }


METHODS = {"senddocument": send_document, "sendphoto": send_photo, "getfile": get_file}
