"""Bot API methods about how updates reach the bot, and about the bot's own server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from demo import webhook
from demo.emulator import Emulator
from demo.params import Params
from demo.updates import LIMIT, WEBHOOK_SET
from demo.webhook import Settings


class Described:
    """The result True together with a description of the answer."""

    def __init__(self, description: str) -> None:
        self.description = description


async def set_webhook(emulator: Emulator, params: Params) -> Described:
    """Bot API setWebhook; an empty url deletes it."""
    url = params.text("url")
    if not url:
        return await delete_webhook(emulator, params)
    webhook.check_url(url)
    secret = params.text("secret_token")
    webhook.check_secret(secret)
    wanted = params.number("max_connections", webhook.CONNECTIONS)
    connections = max(1, min(wanted, webhook.CONNECTIONS_LIMIT))
    emulator.updates.allow(params.json("allowed_updates"))
    _drop_pending(emulator, params)
    new = await emulator.webhook.set(Settings(url, secret, connections))
    emulator.poller.interrupt(WEBHOOK_SET)
    return Described("Webhook was set" if new else "Webhook is already set")


async def delete_webhook(emulator: Emulator, params: Params) -> Described:
    """Bot API deleteWebhook."""
    was_set = await emulator.webhook.remove()
    _drop_pending(emulator, params)
    return Described("Webhook was deleted" if was_set else "Webhook is already deleted")


def _drop_pending(emulator: Emulator, params: Params) -> None:
    if params.flag("drop_pending_updates"):
        emulator.updates.clear()


def get_webhook_info(emulator: Emulator, params: Params) -> dict[str, Any]:
    """Bot API getWebhookInfo."""
    return emulator.webhook.info()


async def get_updates(emulator: Emulator, params: Params) -> list[str]:
    """Bot API getUpdates; the updates are already JSON texts."""
    emulator.updates.allow(params.json("allowed_updates"))
    limit = params.number("limit", LIMIT)
    return await emulator.poll(params.number("offset"), limit, params.number("timeout"))


def log_out(emulator: Emulator, params: Params) -> Described:
    """Bot API logOut: every later call is refused."""
    emulator.logged_out = True
    return Described("Logged out")


def close(emulator: Emulator, params: Params) -> Described:
    """Bot API close."""
    return Described("Closed")


METHODS: dict[str, Callable[[Emulator, Params], object | Awaitable[object]]] = {
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": get_webhook_info,
    "getupdates": get_updates,
    "logout": log_out,
    "close": close,
}
