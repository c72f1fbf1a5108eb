"""From an update to its answer: parse, let pass, work in a thread, send (R2)."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import Any

from telegram import Bot, CallbackQuery, ChatMemberUpdated, Message, Update
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    CallbackContext,
    CallbackQueryHandler,
    ChatMemberHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from handlers import access, acquaintance, callbacks, commands, dialogs, errors, waiting
from handlers.access import Stance
from handlers.acquaintance import Acquaintances
from handlers.callbacks import JOURNAL
from handlers.chats import groups, notices
from handlers.context import Handler, Place, Policy, Posts, Services, Turn
from handlers.dialogs import Gone
from handlers.edge import sending, updates
from handlers.edge.outbox import Outbox
from handlers.edge.presence import AT_ONCE, Presence
from handlers.keeping import edited, revise
from memory.dialogs import Dialog
from memory.errors import PomnenkaError

log = logging.getLogger("pomnenka.handlers")

Context = CallbackContext[Any, Any, Any, Any]


def context_types() -> ContextTypes[Any, Any, Any, Any]:
    """What python-telegram-bot hands to handlers; all our state is elsewhere."""
    return ContextTypes()


def register(
    application: Application[Any, Any, Any, Any, Any, Any],
    services: Services,
    policy: Policy,
    outbox: Outbox,
) -> None:
    """Wire the conversations into an application; their posts go to the outbox."""
    conversation = Conversation(services, policy, outbox)
    kinds = filters.UpdateType
    application.add_handler(MessageHandler(kinds.MESSAGE, conversation.message))
    application.add_handler(MessageHandler(kinds.EDITED_MESSAGE, conversation.edited))
    application.add_handler(CallbackQueryHandler(conversation.press))
    everybody = ChatMemberHandler.ANY_CHAT_MEMBER
    application.add_handler(ChatMemberHandler(conversation.membership, everybody))
    application.add_error_handler(conversation.failed)


async def nudge(username: str, services: Services, policy: Policy, outbox: Outbox) -> None:
    """Remind everybody, quietly and once a day, of questions older than a day (D6)."""
    before = services.clock() - waiting.REST
    for asker in await services.run(services.state.askers, before):
        try:
            person = await services.run(acquaintance.recall, services.state, asker)
            turn = Turn(services, policy, person, Place(asker), username)
            outbox.put(await services.run(waiting.nudge, turn), person=asker)
        except PomnenkaError as error:
            log.error("no reminder", extra={"facts": {"cause": type(error).__name__}})


async def report(username: str, services: Services, policy: Policy, outbox: Outbox) -> None:
    """Tell what happened to documents outside of any conversation, each once (M6)."""
    for notice in await services.run(services.state.notices):
        for place in await services.run(notices.readers, notice, services.state.members):
            person = await services.run(acquaintance.recall, services.state, place.chat)
            turn = notices.concerning(Turn(services, policy, person, place, username), notice)
            whose = place.chat if place.private else 0
            outbox.put(await services.run(notices.tell, turn, notice), person=whose)
        await outbox.stored()
        await services.run(services.state.told, notice.seq)


class Conversation:
    """Everything a person says or presses, answered."""

    def __init__(self, services: Services, policy: Policy, outbox: Outbox) -> None:
        self._services, self._policy, self._outbox = services, policy, outbox
        self._acquaintances = Acquaintances(services.state)
        self._presence = Presence(services)

    async def message(self, update: Update, context: Context) -> None:
        """A new message: one hop into a worker thread, then its answer is put into the outbox."""
        message = update.message
        if message is None:
            return
        if migration := updates.migration(message):
            await self._outbox.migrate(*migration)
            return
        turn = self._turn(message, context)
        as_chat = updates.as_chat(message)
        if not turn.place.private:
            if await self._presence.heard(message):
                await self._announce(turn, context.bot, update)
                return
            if turn.said.addressed and self._stance(turn, as_chat) is Stance.WELCOME:
                await self._presence.ask(turn.place.chat, context.bot)
        await self._answer(turn, self._handler(turn, as_chat), update)

    async def membership(self, update: Update, context: Context) -> None:
        """Somebody entered or left a chat, or the bot was let in, promoted, kicked or blocked."""
        own, other = update.my_chat_member, update.chat_member
        if own:
            await self._moved(own, context.bot, update)
        elif other:
            turn = self._changed(other, context.bot, update)
            chat, passed = updates.chat(other.chat), (updates.passage(other),)
            if await self._presence.passed(chat, passed, context.bot):
                await self._announce(turn, context.bot, update)

    async def _moved(self, changed: ChatMemberUpdated, bot: Bot, update: Update) -> None:
        """The bot's own place changed: a kicked or blocked one writes nothing by itself (G3)."""
        chat, inside = changed.chat.id, updates.passage(changed).inside
        await self._services.run(self._services.state.members.reach, chat, inside)
        turn = self._changed(changed, bot, update)
        if not (updates.is_group(changed) and inside) or updates.was_inside(changed):
            return
        if self._stance(turn, False) is Stance.WELCOME or self._policy.everyone:
            rights = updates.rights(changed.new_chat_member, bot.can_read_all_group_messages)
            await self._answer(turn, partial(groups.hello, rights=rights), update)

    def _changed(self, changed: ChatMemberUpdated, bot: Bot, update: Update) -> Turn:
        return Turn(
            self._services,
            self._policy,
            updates.person(changed.from_user),
            updates.changed_place(changed),
            bot.username,
            request=str(update.update_id),
        )

    async def _announce(self, turn: Turn, bot: Bot, update: Update) -> None:
        """The audience of a chat grew (G3)."""
        await self._presence.ask(turn.place.chat, bot, AT_ONCE)
        await self._answer(turn, groups.grown, update)

    async def edited(self, update: Update, context: Context) -> None:
        """An edit applies nothing; whoever edits what was kept is told so, once."""
        message = update.edited_message
        if message is None:
            return
        turn = replace(self._turn(message, context), request=str(update.update_id))
        if self._stance(turn, updates.as_chat(message)) is Stance.WELCOME:
            await self._answer(turn, edited.remark, update)

    def _turn(self, message: Message, context: Context) -> Turn:
        return Turn(
            self._services,
            self._policy,
            updates.person(message.from_user),
            updates.place(message),
            context.bot.username,
            updates.said(message, context.bot.bot),
            request=updates.request(message),
        )

    def _handler(self, turn: Turn, as_chat: bool) -> Handler:
        handlers: dict[Stance, Handler] = {
            Stance.WELCOME: commands.converse,
            Stance.STRANGER: access.turn_away,
            Stance.NOBODY: access.nobody,
        }
        return handlers[self._stance(turn, as_chat)]

    def _stance(self, turn: Turn, as_chat: bool) -> Stance:
        return access.stance(turn.person.id, as_chat, self._policy)

    async def _answer(self, turn: Turn, handler: Handler, update: Update) -> None:
        posts = await self._services.run(self._safely, turn, handler)
        self._outbox.put(posts, update.update_id, turn.person.id)

    def _safely(self, turn: Turn, handler: Handler) -> Posts:
        """The handler's posts, or a sentence when the core could not do its work."""
        try:
            if self._stance(turn, False) is Stance.WELCOME:
                self._acquaintances.meet(turn.person)
            return handler(turn)
        except PomnenkaError as error:
            return errors.apology(turn, error, self._reference())

    def _reference(self) -> str:
        return self._services.new_id()[:6]

    async def press(self, update: Update, context: Context) -> None:
        """A pressed button: rights first, then the spinner, then the work (D3, D4)."""
        query = update.callback_query
        if query is None:
            return
        turn = self._pressed(query, context)
        if not turn.place.private:
            await self._presence.ask(turn.place.chat, context.bot, AT_ONCE)
        found = await self._services.run(self._found, turn)
        if isinstance(found, Gone):
            await self._refuse(turn, query, found)
            return
        await sending.answer_press(query)
        await self._answer(turn, _pressing(found), update)

    def _pressed(self, query: CallbackQuery, context: Context) -> Turn:
        return Turn(
            self._services,
            self._policy,
            updates.person(query.from_user),
            updates.pressed_place(query),
            context.bot.username,
            press=callbacks.decode(query.data or ""),
            request=f"{query.id}:{query.data}",
        )

    def _failed_turn(self, update: object, context: Context) -> Turn | None:
        if isinstance(update, Update) and update.message:
            return self._turn(update.message, context)
        if isinstance(update, Update) and update.callback_query:
            return self._pressed(update.callback_query, context)
        return None

    def _found(self, turn: Turn) -> Dialog | Gone | None:
        """The question behind a press, None for a button that lives from the journal.

        A question knows its chat, an operation where it was asked for: what is pressed elsewhere
        is forged (D3).
        """
        if self._stance(turn, False) is not Stance.WELCOME:
            return Gone.NOT_YOURS
        if turn.press is None:
            return Gone.UNKNOWN
        return dialogs.in_journal(turn) if turn.press.verb in JOURNAL else dialogs.pressed(turn)

    async def _refuse(self, turn: Turn, query: CallbackQuery, gone: Gone) -> None:
        voice = await self._services.run(turn.voice)
        await sending.answer_press(query, voice.plain(f"dialog.{gone}"))
        over = gone in (Gone.EXPIRED, Gone.UNKNOWN)
        answered = gone is Gone.ANSWERED
        if over or (answered and await self._services.run(dialogs.left_behind, turn)):
            self._outbox.strip(turn.place.chat, turn.place.message)

    async def failed(self, update: object, context: Context) -> None:
        """What nobody expected: a reference number for the person and for the log."""
        error = context.error or RuntimeError()
        turn = self._failed_turn(update, context)
        if turn is None or isinstance(error, TelegramError):
            cause = {"cause": type(error).__name__, **errors.where(error)}
            facts = {"reference": self._reference(), **cause}
            log.error("update failed", extra={"facts": facts})
            return
        posts = await self._services.run(errors.apology, turn, error, self._reference())
        number = update.update_id if isinstance(update, Update) else 0
        self._outbox.put(posts, number, turn.person.id)


def _pressing(dialog: Dialog | None) -> Handler:
    if dialog is None:
        return revise.press
    return lambda turn: commands.press(turn, dialog)
