"""What people do in their own clients: write, tap, edit, delete, forward, react."""

from __future__ import annotations

from demo import entities, load, methods_files, objects, posting, privacy
from demo.emulator import Emulator
from demo.errors import PeopleError
from demo.methods_messages import forwarded, react
from demo.params import Upload
from demo.posting import Post
from demo.world import Callback, Chat, Fields, Message, Person

CALLBACKS = 1_000
TEXT_LIMIT = 4_096
ANONYMOUS_ID = 1_087_968_824


def find_person(emulator: Emulator, person_id: int) -> Person:
    """A person who can act; raises PeopleError."""
    person = emulator.world.people.get(person_id)
    if person is None or person.deactivated:
        raise PeopleError(f"there is no person {person_id}")
    return person


def find_chat(emulator: Emulator, chat_id: int) -> Chat:
    """A chat that still lives under that id; raises PeopleError."""
    chat = emulator.world.chats.get(chat_id)
    if chat is None or chat.migrated_to:
        raise PeopleError(f"there is no chat {chat_id}")
    return chat


def joined(emulator: Emulator, person: Person, chat_id: int) -> Chat:
    """A chat that the person is in; raises PeopleError."""
    chat = find_chat(emulator, chat_id)
    if person.id not in chat.readers():
        raise PeopleError(f"{person.first_name} is not in chat {chat_id}")
    return chat


def find_message(chat: Chat, message_id: int) -> Message:
    """A message that stands in the chat; raises PeopleError."""
    message = chat.message(message_id)
    if message is None:
        raise PeopleError(f"there is no message {message_id} in chat {chat.id}")
    return message


def spoken(text: str) -> Fields:
    """Fields of a text that a person typed; raises PeopleError when it cannot be sent."""
    text = text.strip()
    if not text:
        raise PeopleError("there is no text")
    if len(text) > TEXT_LIMIT:
        raise PeopleError("the text is longer than 4096 characters")
    marks = list(entities.found(text))
    return {"text": text, "entities": marks} if marks else {"text": text}


def anonymous(person: Person, chat: Chat) -> Fields:
    """The sender of an administrator who stays anonymous; raises PeopleError."""
    if chat.private or not chat.members[person.id].rules:
        raise PeopleError("only administrators of a group can stay anonymous")
    account = {
        "id": ANONYMOUS_ID,
        "is_bot": True,
        "first_name": "Group",
        "username": "GroupAnonymousBot",
    }
    return {"from": account, "sender_chat": chat.api}


def write(emulator: Emulator, person: Person, chat: Chat, post: Post) -> Message:
    """Publish a person's message; writing in a private chat opens it. Raises PeopleError."""
    if chat.private and person.blocked:
        raise PeopleError(f"{person.first_name} has blocked the bot")
    topic = chat.topics.get(post.topic)
    if chat.forum and topic and topic.closed and not chat.members[person.id].rules:
        raise PeopleError("the topic is closed")
    if chat.private and not person.opened:
        person.opened = True
        emulator.announce_people()
    return posting.publish(emulator, chat, person.id, post)


def say(emulator: Emulator, person: Person, chat: Chat, post: Post) -> Fields:
    """A message; answers with its id."""
    return {"message_id": write(emulator, person, chat, post).id}


def tap(emulator: Emulator, person: Person, chat: Chat, message_id: int, data: str) -> Fields:
    """A press of an inline button, with whatever data; answers with the id of the callback."""
    if chat.private and person.blocked:
        raise PeopleError(f"{person.first_name} has blocked the bot")
    callback = _callback(emulator, person, chat, message_id)
    message = chat.message(message_id)
    value = {
        "id": callback.id,
        "from": objects.user(person),
        "message": message.data if message else objects.inaccessible(chat, message_id),
        "chat_instance": str(chat.id * 7_919),
        "data": data,
    }
    if chat.bot.inside:
        emulator.tell_from("callback_query", value, person.id)
    return {"callback_query_id": callback.id}


def _callback(emulator: Emulator, person: Person, chat: Chat, message_id: int) -> Callback:
    world = emulator.world
    number = str(world.chance.getrandbits(62))
    callback = Callback(number, person.id, chat.id, message_id, world.clock.now())
    world.callbacks[number] = callback
    if len(world.callbacks) > CALLBACKS:
        del world.callbacks[next(iter(world.callbacks))]
    return callback


def edit(emulator: Emulator, person: Person, message: Message, text: str) -> Fields:
    """A person changes the text of an own message."""
    if message.by != person.id:
        raise PeopleError("only the author can edit a message")
    new = captioned(text) if "document" in message.data else spoken(text)
    kept = {k: v for k, v in message.data.items() if not k.endswith(("text", "entities"))}
    message.data = kept | new | {"edit_date": emulator.world.now()}
    posting.changed(emulator, message)
    chat = emulator.world.chats[message.chat]
    if privacy.visible(chat, message, emulator.world.account):
        emulator.tell("edited_message", message.data, chat)
    return {"message_id": message.id}


def delete(emulator: Emulator, person: Person, message: Message) -> None:
    """A person removes a message for everybody; bots are never told."""
    chat = emulator.world.chats[message.chat]
    if message.by != person.id and not chat.private and not chat.members[person.id].rules:
        raise PeopleError("only the author and administrators can delete a message")
    posting.removed(emulator, message)


def forward(
    emulator: Emulator, person: Person, message: Message, chat: Chat, hidden: bool
) -> Fields:
    """A person forwards a message; with ``hidden`` its author's account is not told."""
    post = Post(forwarded(message, hidden))
    return {"message_id": write(emulator, person, chat, post).id}


def document(emulator: Emulator, upload: Upload, caption: str) -> Fields:
    """Fields of a message with a document and an optional caption."""
    fields: Fields = {"document": methods_files.described(methods_files.keep(emulator, upload))}
    return fields | captioned(caption) if caption.strip() else fields


def captioned(text: str) -> Fields:
    """Fields of a caption that a person typed; raises PeopleError when it cannot be sent."""
    said = spoken(text)
    names = {"text": "caption", "entities": "caption_entities"}
    return {names[name]: value for name, value in said.items()}


def set_reaction(emulator: Emulator, person: Person, message: Message, emoji: str) -> None:
    """A person's reaction; "" takes it away. Administrators' bots may ask to be told."""
    old = message.reactions.get(person.id)
    react(message, person.id, [emoji] if emoji else [])
    posting.changed(emulator, message)
    chat = emulator.world.chats[message.chat]
    if not chat.private and chat.bot.rules:
        emulator.tell("message_reaction", _reaction(emulator, person, message, old), chat)


def _reaction(emulator: Emulator, person: Person, message: Message, old: str | None) -> Fields:
    new = message.reactions.get(person.id)
    return {
        "chat": message.data["chat"],
        "message_id": message.id,
        "user": objects.user(person),
        "date": emulator.world.now(),
        "old_reaction": _emoji_list(old),
        "new_reaction": _emoji_list(new),
    }


def _emoji_list(emoji: str | None) -> list[Fields]:
    return [{"type": "emoji", "emoji": emoji}] if emoji else []


def begin_load(emulator: Emulator, plan: load.Plan) -> None:
    """Make the synthetic people of a plan and let them begin."""
    world = emulator.world
    for chat_id in [c for c in world.chats if load.is_synthetic(c)]:
        del world.chats[chat_id], world.people[chat_id]
    for number in range(load.FIRST_CHAT, load.FIRST_CHAT + plan.chats):
        world.add_person(Person(number, "Load", f"load_{number}", "en"), load.HISTORY)

    def speak(chat_id: int, text: str) -> None:
        posting.publish(emulator, world.chats[chat_id], chat_id, Post(spoken(text)))

    emulator.load = load.Load(plan, speak)
    emulator.load.start()
