"""The demo's Telegram without a network between."""

from demo import calls
from demo.entities import units
from demo.params import Params
from tests.handlers.fake_telegram import WithoutNetwork


class InProcess(WithoutNetwork):
    """The emulator without a network between; ``refused`` are its refusals, ``longest`` its
    longest message in UTF-16 units."""

    def __init__(self, emulator):
        self.emulator, self.refused, self.longest = emulator, [], 0

    async def do_request(self, url, method, request_data=None, **timeouts):
        values = dict(request_data.json_parameters) if request_data else {}
        answer = await calls.answer(self.emulator, url.rsplit("/", 1)[1], Params(values))
        if answer.status != 200:
            self.refused.append(answer.body)
        return answer.status, answer.body

    def shown(self, chat):
        """The texts of a chat, in order."""
        texts = [
            message.data["text"] for message in self.emulator.world.chats[chat].messages.values()
        ]
        self.longest = max([self.longest, *map(units, texts)])
        return texts
