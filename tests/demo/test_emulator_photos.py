"""Photos: sent as PNG, described by their size, seen on the page, refused as Telegram refuses."""

import struct
import zlib

import pytest
from aiohttp import FormData

ALICE = 111


def png(wide, high):
    """A PNG of that size, one colour."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
    rows = zlib.compress(b"".join(b"\0" + bytes(wide) for _ in range(high)))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


async def sent(telegram, content, **fields):
    form = FormData()
    for name, value in {"chat_id": str(ALICE), **fields}.items():
        form.add_field(name, value)
    form.add_field("photo", content, filename="a.png", content_type="image/png")
    async with telegram.http.post(f"{telegram.url}/bot123456:TEST/sendPhoto", data=form) as got:
        return await got.json()


async def test_a_photo_is_described_and_can_be_looked_at(telegram):
    """F4: the message has a PhotoSize with the picture's size; the page gets the very bytes."""
    answer = await sent(telegram, png(108, 135), caption="<b>time</b>", parse_mode="HTML")
    message = answer["result"]
    (size,) = message["photo"]
    assert (message["caption"], size["width"], size["height"]) == ("time", 108, 135)
    async with telegram.http.get(f"{telegram.url}/people/photo/{size['file_unique_id']}") as got:
        assert (got.status, await got.read()) == (200, png(108, 135))
    where = {"chat_id": ALICE, "message_id": message["message_id"]}
    assert (await telegram.ok("editMessageCaption", **where, caption="less"))["caption"] == "less"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"GIF89a", "IMAGE_PROCESS_FAILED"),
        (png(2, 50), "PHOTO_INVALID_DIMENSIONS"),
    ],
    ids=["no picture", "too thin"],
)
async def test_what_telegram_does_not_take(telegram, content, why):
    """F4: neither what is no picture nor one that is too thin."""
    answer = await sent(telegram, content)
    assert answer["description"] == f"Bad Request: {why}"


async def test_a_caption_has_its_limit(telegram):
    """F4: 1,024 units."""
    answer = await sent(telegram, png(10, 10), caption="x" * 1025)
    assert not answer["ok"]


async def test_documents_are_no_pictures(telegram):
    """The page gets pictures only by the address of pictures."""
    async with telegram.http.get(f"{telegram.url}/people/photo/AQ99") as got:
        assert got.status == 404
