"""A chat of several people on the stage: who is inside, who presses there, what is in its files."""

from functools import partial

from memory.spaces import DocumentName, DocumentRef, channel, group
from memory.state import State
from tests.handlers.fake_telegram import BOT
from tests.handlers.handlers_stage import ALICE, GROUP, PETR, Stage

HANA = {"id": 333, "is_bot": False, "first_name": "Hana", "language_code": "cs"}
ROBOT = {"id": 900, "is_bot": True, "first_name": "Robot"}
FAMILY = {"family": frozenset({111, 222})}
TOKEN = "@pomnenka_bot "


class GroupStage(Stage):
    """The group Zahrádka with Alice (its creator) and Petr, both of the group family."""

    def __init__(self, folder, engine, languages, **options):
        state = partial(State, groups=FAMILY)
        super().__init__(folder, engine, languages, state=state, **options)
        self.inside((ALICE, "creator"), (PETR, "member"))

    def inside(self, *members):
        """Who is in the group from now on, as Telegram knows it."""
        self.telegram.inside[GROUP["id"]] = list(members)

    async def here(self, text, by=ALICE, **fields):
        """Somebody speaks to the bot in the group."""
        return await self.say(TOKEN + text, by=by, chat=GROUP, **fields | mentioned(text))

    async def tap(self, label, by=ALICE, **fields):
        """Somebody presses the newest button of that label in the group."""
        message, data = self.data(label)
        shown = {"message_id": message, "date": 1, "chat": GROUP, "from": BOT, "text": "x"}
        query = {"id": f"q{next(self._updates)}", "from": by, "chat_instance": "c"}
        query |= {"message": shown | fields, "data": data}
        await self.feed({"callback_query": query})

    async def enters(self, user, by=ALICE):
        """The service message of somebody who enters."""
        self.telegram.inside[GROUP["id"]].append((user, "member"))
        await self.service(by, new_chat_members=[user])

    async def leaves(self, user, by=None):
        """The service message of somebody who leaves."""
        members = self.telegram.inside[GROUP["id"]]
        self.telegram.inside[GROUP["id"]] = [m for m in members if m[0]["id"] != user["id"]]
        await self.service(by or user, left_chat_member=user)

    async def service(self, by, **fields):
        message = {"message_id": next(self._updates), "date": 1, "chat": GROUP, "from": by}
        await self.feed({"message": message | fields})

    async def bot_is(self, status, before="left", by=ALICE, chat=GROUP, number=None):
        """The bot's own membership changes."""
        old, new = ({"user": BOT, "status": s, **_rights(s)} for s in (before, status))
        changed = {"chat": chat, "from": by, "date": 1}
        changed |= {"old_chat_member": old, "new_chat_member": new}
        await self.feed({"my_chat_member": changed}, number)

    def channel(self, topic=0):
        """CHANNEL.md of the group or of a topic."""
        return self.shared(DocumentRef(channel(GROUP["id"], topic), DocumentName.CHANNEL))

    def group(self, id="family"):
        """GROUP.md of a group."""
        return self.shared(DocumentRef(group(id), DocumentName.GROUP))

    def shared(self, ref):
        path = self.layout.path(ref)
        return path.read_text(encoding="utf-8") if path.exists() else None

    def put_channel(self, text, topic=0):
        path = self.layout.path(DocumentRef(channel(GROUP["id"], topic), DocumentName.CHANNEL))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def said_in(self, chat=GROUP["id"]):
        """What the bot said in a chat, in order, edits in their place."""
        return [
            text
            for (where, _), (text, _) in sorted(self.telegram.messages.items())
            if where == chat
        ]


def mentioned(text):
    """The entity of the mention that `here` puts before the text."""
    return {"entities": [{"type": "mention", "offset": 0, "length": len(TOKEN) - 1}]}


def _rights(status):
    from tests.handlers.fake_telegram import ADMIN_RIGHTS

    if status == "kicked":
        return {"until_date": 0}
    if status != "administrator":
        return {}
    return dict.fromkeys(ADMIN_RIGHTS, False) | {"is_anonymous": False}
