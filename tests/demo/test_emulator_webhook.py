"""Section "Webhook" of the Bot API: delivery, order, retries."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

SECRET = "s3cret"


class Hook:
    """A bot's own server: answers with what ``replies`` hold, then with 200."""

    def __init__(self):
        self.seen = []
        self.replies = []
        self.slow = {}

    async def take(self, request):
        """One delivery."""
        update = await request.json()
        self.seen.append((update, request.headers))
        await asyncio.sleep(self.slow.get(self.text(update), 0))
        if self.replies:
            return web.json_response(**self.replies.pop(0))
        return web.Response()

    @staticmethod
    def text(update):
        return update.get("message", {}).get("text", "tap")

    def texts(self):
        """Texts of the messages in the order they came."""
        return [self.text(update) for update, _ in self.seen]

    async def until(self, count, seconds=3):
        """Wait for that many deliveries."""
        for _ in range(int(seconds / 0.02)):
            if len(self.seen) >= count:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{len(self.seen)} of {count} deliveries")


@asynccontextmanager
async def hooked(side, **params):
    """A hook that is set as the webhook."""
    hook = Hook()
    app = web.Application()
    app.router.add_post("/hook", hook.take)
    async with TestServer(app) as site:
        hook.url = str(site.make_url("/hook"))
        await side.ok("setWebhook", url=hook.url, secret_token=SECRET, **params)
        yield hook
        await side.emulator.webhook.remove()


async def passes(side, hook, seconds, count):
    """Advance the clock step by step until the hook has seen ``count`` deliveries."""
    await asyncio.sleep(0.05)
    await side.people("clock", advance=seconds)
    await hook.until(count)


async def test_delivery_carries_the_secret(telegram):
    """Webhook: a POST of application/json with the secret token in its header."""
    async with hooked(telegram) as hook:
        await telegram.say("hi")
        await hook.until(1)
        headers = hook.seen[0][1]
        assert headers["X-Telegram-Bot-Api-Secret-Token"] == SECRET
        assert headers["Content-Type"] == "application/json"
        await asyncio.sleep(0.05)
        assert (await telegram.ok("getWebhookInfo"))["pending_update_count"] == 0


async def test_backlog_is_delivered_when_the_webhook_is_set(telegram):
    """Webhook: what waited for getUpdates goes to the webhook."""
    await telegram.say("earlier")
    async with hooked(telegram) as hook:
        await hook.until(1)
        assert hook.texts() == ["earlier"]


async def test_backlog_can_be_dropped(telegram):
    """Webhook: drop_pending_updates forgets what waited."""
    await telegram.say("earlier")
    async with hooked(telegram, drop_pending_updates=True) as hook:
        await telegram.say("later")
        await hook.until(1)
        assert hook.texts() == ["later"]


async def test_failures_are_retried_with_growing_pauses(telegram):
    """Webhook: retry at 1 s, doubling; the error is told by getWebhookInfo."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {}, "status": 500}] * 3
        await telegram.say("again")
        await hook.until(1)
        await passes(telegram, hook, 1.0, 2)
        await asyncio.sleep(0.05)
        await telegram.people("clock", advance=1.0)
        await asyncio.sleep(0.1)
        assert len(hook.seen) == 2
        info = await telegram.ok("getWebhookInfo")
        assert info["last_error_message"].startswith("Wrong response from the webhook: 500")
        assert info["pending_update_count"] == 1
        await passes(telegram, hook, 1.0, 3)
        await passes(telegram, hook, 4.0, 4)


async def test_retry_after_is_honoured(telegram):
    """Webhook: the hook's own Retry-After decides the pause."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {}, "status": 503, "headers": {"Retry-After": "100"}}]
        await telegram.say("later")
        await hook.until(1)
        await asyncio.sleep(0.05)
        await telegram.people("clock", advance=90)
        await asyncio.sleep(0.1)
        assert len(hook.seen) == 1
        await passes(telegram, hook, 11, 2)


async def test_expired_updates_are_dropped(telegram):
    """Webhook: an update past its 24 h is not delivered any more."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {}, "status": 500}]
        await telegram.say("old")
        await hook.until(1)
        await asyncio.sleep(0.05)
        await telegram.people("clock", advance=25 * 3600)
        await telegram.say("new")
        await hook.until(2)
        assert hook.texts() == ["old", "new"]


async def test_gone_for_23_hours_removes_the_webhook(telegram):
    """Webhook: 410 for 23 h ends it, and updates wait for getUpdates again."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {}, "status": 410}] * 9
        await telegram.say("anybody?")
        await hook.until(1)
        await passes(telegram, hook, 23 * 3600 - 60, 2)
        assert telegram.emulator.webhook.settings
        await passes(telegram, hook, 120, 3)
        await asyncio.sleep(0.05)
        assert telegram.emulator.webhook.settings is None
    assert (await telegram.ok("getWebhookInfo"))["url"] == ""
    assert len(telegram.pending()) == 1


async def test_order_is_kept_per_chat_and_callbacks_overtake(telegram):
    """Webhook: messages in order per chat, callbacks per user, so those can overtake."""
    message = await telegram.send()
    async with hooked(telegram) as hook:
        hook.slow = {"one": 0.3}
        await telegram.say("one")
        await telegram.say("two")
        await telegram.tap(message["message_id"])
        await telegram.say("petr", person=222)
        await hook.until(4)
    assert hook.texts().index("two") == 3
    assert set(hook.texts()[1:3]) == {"tap", "petr"}


async def test_a_reply_with_a_method_is_executed(telegram):
    """Webhook: JSON with "method" in the answer is carried out."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {"method": "sendMessage", "chat_id": 111, "text": "by answer"}}]
        await telegram.say("hi")
        await hook.until(1)
        await asyncio.sleep(0.05)
    texts = [m["text"] for m in (await telegram.state())["messages"]["111"]]
    assert texts == ["hi", "by answer"]


async def test_deliver_twice(telegram):
    """Faults: an update can be made to come twice."""
    await telegram.people("faults", deliver_twice=1)
    async with hooked(telegram) as hook:
        await telegram.say("double")
        await telegram.say("single")
        await hook.until(3)
        assert hook.texts() == ["double", "double", "single"]


async def test_set_twice_within_a_second(telegram):
    """Webhook: setWebhook twice within 1 s is a 429 with retry_after 1, also as a header."""
    await telegram.ok("setWebhook", url="http://127.0.0.1:9/a")
    url = f"{telegram.url}/bot123456:TEST/setWebhook"
    async with telegram.http.post(url, json={"url": "http://127.0.0.1:9/b"}) as got:
        answer = await got.json()
        assert (got.status, got.headers["Retry-After"]) == (429, "1")
    assert answer["description"] == "Too Many Requests: retry after 1"
    assert answer["parameters"] == {"retry_after": 1}


@pytest.mark.parametrize(
    ("params", "refusal"),
    [
        ({"url": "http://example.org/"}, "An HTTPS URL must be provided for webhook"),
        ({"url": "nonsense"}, "invalid webhook URL specified"),
        ({"url": "https://x.org", "secret_token": "a b"}, "unallowed characters"),
        ({"url": "https://x.org", "secret_token": "a" * 257}, "secret token is too long"),
    ],
    ids=["plain-http", "no-url", "secret-characters", "secret-length"],
)
async def test_refused_settings(telegram, params, refusal):
    """Webhook: https only (except to this machine, our deviation) and a well-formed secret."""
    assert refusal in await telegram.refused("setWebhook", **params)


async def test_removal_gives_updates_back(telegram):
    """Webhook: after deleteWebhook undelivered updates wait for getUpdates."""
    async with hooked(telegram) as hook:
        hook.replies = [{"data": {}, "status": 500}]
        await telegram.say("kept")
        await hook.until(1)
        answer = await telegram.call("deleteWebhook")
        assert answer["description"] == "Webhook was deleted"
    assert [u["message"]["text"] for u in await telegram.ok("getUpdates")] == ["kept"]
