"""Bare echo bots of two frameworks, the floor our bot is measured against.

usage: python -m benchmarks.echoes ptb|ptb-aiohttp|aiogram BASE_URL TOKEN PARALLEL
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any


def ptb(base: str, token: str, parallel: int, aiohttp: bool) -> None:
    """python-telegram-bot as documented, with its default or with our request class."""
    from telegram.ext import ApplicationBuilder, MessageHandler, filters

    from bot.transport import AiohttpRequest

    async def echo(update: Any, _context: Any) -> None:
        await update.message.reply_text(update.message.text)

    builder = ApplicationBuilder().token(token).base_url(base).concurrent_updates(parallel)
    if aiohttp:
        builder = builder.request(AiohttpRequest()).get_updates_request(AiohttpRequest(2))
    application = builder.build()
    application.add_handler(MessageHandler(filters.TEXT, echo))
    application.run_polling(timeout=10)


def aiogram(base: str, token: str) -> None:
    """aiogram as documented; it handles updates side by side."""
    from aiogram import Bot, Dispatcher
    from aiogram.client.session.aiohttp import AiohttpSession
    from aiogram.client.telegram import TelegramAPIServer
    from aiogram.types import Message

    dispatcher = Dispatcher()

    @dispatcher.message()
    async def echo(message: Message) -> None:
        await message.answer(message.text or "")

    server = TelegramAPIServer.from_base(base.removesuffix("/bot"))
    bot = Bot(token, session=AiohttpSession(api=server))
    asyncio.run(dispatcher.start_polling(bot, polling_timeout=10))


def main(kind: str, base: str, token: str, parallel: str) -> None:
    """Serve until ended."""
    if kind == "aiogram":
        aiogram(base, token)
    else:
        ptb(base, token, int(parallel), kind == "ptb-aiohttp")


if __name__ == "__main__":
    main(*sys.argv[1:])
