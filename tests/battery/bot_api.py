"""A lean Bot API on loopback: it forgets what is confirmed, and brings updates to a webhook.

It keeps to what the intake relies on: ids below an offset are gone for good, an offset that the
queue does not know starts from the oldest, a webhook's update comes again until it is answered
with 200, and the next one of a chat waits for it.
"""

import asyncio
import json
from collections import defaultdict, deque
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

TOKEN = "123456:TEST"
ME = {"id": 123456, "is_bot": True, "first_name": "Pomněnka", "username": "pomnenka_bot"}
BATCH, CONNECTIONS = 100, 40
RETRY_SECONDS = 0.02


def message(number, chat, text, kind="message"):
    """An update of a private chat; its message has the update's number."""
    person = {"id": chat, "is_bot": False, "first_name": "Ada", "language_code": "en"}
    said = {"message_id": number % 1_000_000, "date": 1, "from": person, "text": text}
    return {"update_id": number, kind: {**said, "chat": {"id": chat, "type": "private"}}}


def chat_of(update):
    """The chat an update of `message` happened in."""
    return next(value["chat"]["id"] for value in update.values() if isinstance(value, dict))


class BotApi:
    """Updates that wait to be taken by polling or are brought to the webhook; and what was sent.

    ``sent`` counts messages of the bot, ``said`` has their chats and texts; ``hook`` is what
    setWebhook said.
    """

    def __init__(self):
        self.queue, self.hook, self.said = deque(), None, []
        self.sent, self.changed, self.menus = 0, asyncio.Event(), {}

    def add(self, updates):
        """Let updates wait."""
        self.queue.extend(updates)
        self._notify()

    def _notify(self):
        self.changed.set()
        self.changed = asyncio.Event()

    async def answer(self, request):
        """One call of a method."""
        method = request.path.rpartition("/")[2].lower()
        body = await request.read()
        values = {**request.query, **(json.loads(body) if body else {})}
        result = getattr(self, f"_{method}", self._anything)(values)
        if asyncio.iscoroutine(result):
            result = await result
        return web.json_response({"ok": True, "result": result})

    def _anything(self, values):
        return True

    def _getme(self, values):
        return ME

    def _getmycommands(self, values):
        return self.menus.get((str(values.get("scope")), values.get("language_code")), [])

    def _setmycommands(self, values):
        commands = values["commands"]
        place = str(values.get("scope")), values.get("language_code")
        self.menus[place] = json.loads(commands) if isinstance(commands, str) else commands
        return True

    def _setwebhook(self, values):
        self.hook = values["url"], values["secret_token"]
        self._notify()
        return True

    def _sendmessage(self, values):
        self.sent += 1
        self.said.append((int(values["chat_id"]), values["text"]))
        self._notify()
        chat = {"id": int(values["chat_id"]), "type": "private"}
        return {"message_id": 1_000_000 + self.sent, "date": 1, "chat": chat, "text": "x"}

    _editmessagetext = _sendmessage

    async def _getupdates(self, values):
        self._confirm(int(values.get("offset", 0)))
        if not self.queue:
            waits = min(float(values.get("timeout", 0)), 5)
            await _within(self.changed.wait(), waits)
        return [*self.queue][:BATCH]

    def _confirm(self, offset):
        """Forget what stands before the offset; one the queue does not know forgets nothing."""
        if offset - 1 in {update["update_id"] for update in self.queue}:
            while self.queue.popleft()["update_id"] != offset - 1:
                pass

    async def bring(self, updates):
        """Post updates to the webhook, chats side by side, each one until it is answered by 200."""
        chats = defaultdict(list)
        for update in updates:
            chats[chat_of(update)].append(update)
        connector = aiohttp.TCPConnector(limit=CONNECTIONS)
        async with aiohttp.ClientSession(connector=connector) as http:
            await asyncio.gather(*(self._bring(http, lane) for lane in chats.values()))

    async def _bring(self, http, lane):
        for update in lane:
            while not await self._brought(http, update):
                await asyncio.sleep(RETRY_SECONDS)

    async def _brought(self, http, update):
        if self.hook is None:
            return False
        url, secret = self.hook
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret}
        try:
            async with http.post(url, json=update, headers=headers) as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False


async def _within(waited, seconds):
    try:
        await asyncio.wait_for(waited, seconds)
    except TimeoutError:
        return False
    return True


@asynccontextmanager
async def bot_api(api=None):
    """A Bot API at its ``url`` (with the slash, before ``bot<token>``)."""
    api = api or BotApi()
    runner = web.ServerRunner(web.Server(api.answer, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    api.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        yield api
    finally:
        await runner.cleanup()
