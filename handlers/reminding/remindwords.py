"""What is said about reminders, and their buttons; pure (T9, T3)."""

from __future__ import annotations

from datetime import datetime

from handlers.callbacks import Verb
from handlers.messages import outcome as o
from handlers.messages import render
from handlers.messages.render import Target
from handlers.messages.reply import Button, Rows
from handlers.messages.voice import Voice
from locales import dates


def moment(at: str, voice: Voice) -> str:
    """A moment in ISO form, written out with its weekday in the person's language."""
    return dates.shown(datetime.fromisoformat(at), voice.language)


@render.sentence.register
def _(outcome: o.Reminding, voice: Voice) -> str:
    head = voice("remind.calendar") + "\n" if outcome.calendar else ""
    if not outcome.text:
        return voice("remind.what")
    if not outcome.at:
        return head + voice(f"remind.ask.{outcome.problem}", text=outcome.text)
    said = "remind.card" if outcome.exact else "remind.card.day"
    card = head + voice(said, text=outcome.text, when=moment(outcome.at, voice))
    return card + left_out(outcome.beside, voice)


def left_out(beside: str, voice: Voice) -> str:
    """A line that says which words of an answer were not taken; "" when there are none."""
    return "\n\n" + voice("remind.beside", text=beside) if beside else ""


@render.sentence.register
def _(outcome: o.Reminded, voice: Voice) -> str:
    return voice("remind.set", text=outcome.entry, when=moment(outcome.at, voice))


@render.sentence.register
def _(outcome: o.Unreminded, voice: Voice) -> str:
    return voice("remind.dropped", text=outcome.entry)


@render.buttons.register
def _(outcome: o.Reminding, voice: Voice, target: Target) -> Rows:
    def button(verb: Verb, label: str) -> Button:
        return Button(voice.plain(label), target.data(verb))

    cancel = button(Verb.CANCEL, "button.cancel")
    elsewhere = () if outcome.calendar else (button(Verb.SAVE, "remind.keep"),)
    if not outcome.text:
        return ((cancel,),)
    if not outcome.at:
        return ((*elsewhere, cancel),)
    timing = (button(Verb.REMIND, "remind.yes"), button(Verb.WHEN, "remind.change"))
    return (timing, (*elsewhere, cancel))
