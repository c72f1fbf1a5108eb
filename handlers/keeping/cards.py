"""Decisions on the parts of a card, by button or by words (D2-D5, K7, K8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curation import admission, engine
from curation.engine import Hints, Home
from handlers import callbacks, dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb
from handlers.compacting import compact
from handlers.context import Posts, Turn
from handlers.dialogs import Kind, Question
from handlers.graph import factoffers
from handlers.keeping import filing, keep, persona
from handlers.messages import outcome, render
from handlers.messages.outcome import Outcome, Ready
from handlers.messages.payloads import outcome_from_json, outcome_to_json
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from handlers.reminding import remind
from memory.dialogs import Dialog
from memory.folding import fold


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A pressed button of a card; the card is edited in place."""
    assert turn.press
    part, option = callbacks.place(turn.press.number)
    outcomes = parts(dialog)
    if part >= len(outcomes):
        return ()
    if turn.press.verb is Verb.CHANGE:
        return ask_wording(turn, dialog, part)
    if turn.press.verb is Verb.WHEN:
        return remind.ask_time(turn, dialog, part)
    after = decide(turn, outcomes[part], (turn.press.verb, option))
    outcomes[part] = outcomes[part] if after is None else after
    return update(turn, dialog, outcomes)


def parts(dialog: Dialog) -> list[Outcome]:
    """The outcomes a card was stored with."""
    return [outcome_from_json(part) for part in dialog.payload["parts"]]


def update(turn: Turn, dialog: Dialog, outcomes: Sequence[Outcome]) -> Posts:
    """Write what became ready, then store and show the card as it is now."""
    voice = turn.voice(dialog.payload["language"])
    settled, receipt = keep.settle(turn, outcomes)
    offer = ""
    if any(map(outcome.waits, settled)):
        stored = [outcome_to_json(one) for one in settled]
        payload = {**dialog.payload, "parts": stored, "listens": keep.listens(settled)}
        dialogs.amend(turn, dialog, payload)
    else:
        settled, offer = _offered(turn, dialog, settled, voice)
        dialogs.close(turn, dialog)
    first = compact.overflow(turn, voice, receipt) if receipt else ()
    card = render.card(settled, voice, offer or dialog.id)
    return (*first, *_shown(turn, offer or dialog.id, card, voice))


def _offered(
    turn: Turn, dialog: Dialog, settled: list[Outcome], voice: Voice
) -> factoffers.Offered:
    """What was kept with its offers; somebody else's words are no facts about the person (T5)."""
    before = (outcome.Foreign, outcome.Suspicious)
    if any(isinstance(one, before) for one in parts(dialog)):
        return settled, ""
    return factoffers.offered(turn, settled, voice)


def _shown(turn: Turn, dialog: str, reply: Reply, voice: Voice) -> Posts:
    """In place after a press; below the words when they were the answer."""
    if turn.press:
        return replaced(turn, reply, dialog)
    return answer(turn, reply, voice, dialog)


def decide(turn: Turn, one: Outcome, choice: tuple[Verb, int]) -> Outcome | None:
    """What a verb makes of one outcome; None when the verb does not fit it any more."""
    verb, option = choice
    if not outcome.waits(one):
        return None
    if verb in (Verb.CANCEL, Verb.SKIP):
        return dropped(one)
    if isinstance(one, outcome.Duplicate):
        return _chosen(turn, one, verb)
    if isinstance(one, outcome.NeedsReason):
        return Ready(one.entry, one.replaces) if verb is Verb.PLAIN else None
    if isinstance(one, outcome.Reminding):
        kept = verb is Verb.SAVE
        return _kept_instead(turn, one) if kept else remind.decide(turn, one, verb)
    if isinstance(one, outcome.BelongsIn):
        return _filed(turn, one, option) if verb is Verb.FILE else None
    if isinstance(one, outcome.Persona):
        return persona.put(turn, one) if verb is Verb.FILE else None
    if isinstance(one, outcome.Uncertain):
        return _settled(turn, one, verb)
    if isinstance(one, outcome.Foreign) and verb is Verb.SAVE:
        return keep.weigh(turn, one.entry, "", one.ask_reason)
    if verb in (Verb.TYPED, Verb.SAVE):
        return keep.weigh(turn, text_of(one), "")
    return None


def _settled(turn: Turn, one: outcome.Uncertain, verb: Verb) -> Outcome | None:
    """An uncertain entry with its mark, or as certain; what is known is looked for without it."""
    if verb not in (Verb.SAVE, Verb.PLAIN):
        return None
    found = keep.weigh(turn, one.entry, one.language, one.ask_reason)
    marked = verb is Verb.SAVE
    if marked and isinstance(found, Ready | outcome.Duplicate | outcome.NeedsReason):
        return replace(found, entry=one.marked)
    return found


def _kept_instead(turn: Turn, one: outcome.Reminding) -> Outcome:
    """What was to be told, judged as a keep: an appointment or a secret is none either (W6)."""
    text = one.text or one.entry
    judged = turn.services.engine.judge(text, Hints(turn.person.language[:2]))
    refused = next((p for p in judged.parts if isinstance(p.verdict, engine.Refuse)), None)
    only = judged.parts[0] if len(judged.parts) == 1 else None
    part = refused or (only if only and isinstance(only.verdict, engine.Keep) else None)
    if part is None:
        return keep.weigh(turn, keep.one_line(text), "")
    return keep.consider(turn, part, keep.Judged(judged.language))


def dropped(one: Outcome) -> Outcome:
    """What a part becomes that the person decides against."""
    if isinstance(one, outcome.Reminding):
        return outcome.Unreminded(one.text or one.entry)
    return outcome.Dropped(text_of(one))


def text_of(one: Outcome) -> str:
    """The text an outcome is about; empty where it is not kept on purpose."""
    if isinstance(one, outcome.Unfaithful | outcome.Suspicious):
        return one.text
    return "" if isinstance(one, outcome.Refused | outcome.Vague) else one.entry


def _chosen(turn: Turn, one: outcome.Duplicate, verb: Verb) -> Outcome | None:
    if verb not in (Verb.REPLACE, Verb.BOTH, Verb.SAVE):
        return None
    old = one.existing if verb is Verb.REPLACE else ""
    if one.code:
        return filing.file(turn, one.entry, one.code, old)
    if one.ask_reason:
        return outcome.NeedsReason(one.entry, replaces=old)
    return Ready(one.entry, old)


def _filed(turn: Turn, one: outcome.BelongsIn, option: int) -> Outcome | None:
    if option >= len(one.choices):
        return None
    code = one.choices[option]
    if code == "keep":
        return keep.weigh(turn, _with_subject(one), "")
    return filing.put(turn, one.entry, code)


def _with_subject(one: outcome.BelongsIn) -> str:
    """The entry as it can stand alone: with the topic or project that was named before it."""
    named = one.home in (Home.TOPIC, Home.PROJECT) and one.target
    if not named or fold(one.target) in fold(one.entry):
        return one.entry
    return f"{one.target}: {one.entry}"


_PRIMARY = {
    outcome.NeedsReason: Verb.PLAIN,
    outcome.BelongsIn: Verb.FILE,
    outcome.Unfaithful: Verb.TYPED,
    outcome.Foreign: Verb.SAVE,
    outcome.Reminding: Verb.REMIND,
    outcome.Persona: Verb.FILE,
    outcome.Uncertain: Verb.SAVE,
}
"""What "yes" means; text that reads like an instruction is not among it: its button insists."""


def agree(turn: Turn, dialog: Dialog) -> Posts:
    """``yes`` to a card: the first button of each part that has an unambiguous one (D2)."""
    outcomes = parts(dialog)
    open_ = [i for i, one in enumerate(outcomes) if outcome.waits(one)]
    verbs = {i: _yes(outcomes[i]) for i in open_}
    if None in verbs.values():
        voice = turn.voice(dialog.payload["language"])
        return answer(turn, render.say(voice, "dialog.use_buttons"), voice)
    for i, verb in verbs.items():
        assert verb
        outcomes[i] = decide(turn, outcomes[i], (verb, 0)) or outcomes[i]
    return update(turn, dialog, outcomes)


def _yes(one: Outcome) -> Verb | None:
    if isinstance(one, outcome.Duplicate):
        return Verb.SAVE if one.document != "keep" and not one.code else None
    if isinstance(one, outcome.BelongsIn) and (one.near or one.home is Home.SKILL_RULE):
        return None
    if remind.is_asking(one):
        return None
    return _PRIMARY.get(type(one))


def decline(turn: Turn, dialog: Dialog) -> Posts:
    """``cancel`` to a card: every open part is dropped."""
    after = [dropped(one) if outcome.waits(one) else one for one in parts(dialog)]
    return update(turn, dialog, after)


def reason(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """The next message is what the first part that waits for one lacks: its why, its time (K7)."""
    outcomes = parts(dialog)
    part = next(i for i, one in enumerate(outcomes) if keep.listens((one,)))
    one = outcomes[part]
    if isinstance(one, outcome.Reminding):
        return _completed(turn, dialog, part, text)
    assert isinstance(one, outcome.NeedsReason)
    voice = turn.voice(dialog.payload["language"])
    refusal = forbidden(turn, text)
    if refusal:
        return answer(turn, render.say(voice, refusal), voice)
    spoken = turn.services.languages.detect(one.entry, voice.language)
    language = one.language or spoken or voice.language
    entry = turn.services.engine.with_reason(one.entry, keep.one_line(text), language)
    outcomes[part] = Ready(entry, one.replaces)
    return update(turn, dialog, outcomes)


def _completed(turn: Turn, dialog: Dialog, part: int, text: str) -> Posts:
    """The message has the time or the matter of a reminder, or it is asked for again (T9)."""
    outcomes = parts(dialog)
    one = outcomes[part]
    assert isinstance(one, outcome.Reminding)
    after = remind.answered(turn, one, text)
    if isinstance(after, str):
        voice = turn.voice(dialog.payload["language"])
        return answer(turn, render.say(voice, after), voice)
    outcomes[part] = after
    return update(turn, dialog, outcomes)


def forbidden(turn: Turn, text: str) -> str:
    """The id of the sentence that says why text may not be stored, "" when it may (W6)."""
    if not any(char.isalnum() for char in text):
        return _blanked(text) or f"unclear.{engine.Unclear.EMPTY}"
    admitted = admission.clean(text, turn.services.languages)
    if isinstance(admitted, admission.Rejected):
        return f"admission.{admitted.why}"
    if admitted.veiled:
        return f"admission.{admission.Why.BIDI}"
    judged = turn.services.engine.judge(admitted.text, Hints(turn.person.language[:2]))
    whys = [p.verdict.why for p in judged.parts if isinstance(p.verdict, engine.Refuse)]
    serious = [why for why in whys if why in GUARDED]
    return f"refused.{serious[0]}" if serious else ""


def _blanked(text: str) -> str:
    """What was refused when the inbox blanked all of a text, "" when it holds no mark."""
    marks = {
        admission.SECRET_MARK: engine.Refusal.SECRET,
        admission.HEALTH_MARK: engine.Refusal.HEALTH_VALUE,
    }
    return next((f"refused.{why}" for mark, why in marks.items() if mark in text), "")


GUARDED = frozenset(
    {
        engine.Refusal.SECRET,
        engine.Refusal.HEALTH_VALUE,
        engine.Refusal.CALENDAR_DATE,
        engine.Refusal.INJECTION,
    }
)
"""Refusals that guard every way in, not only a first keep (W6)."""


def ask_wording(turn: Turn, dialog: Dialog, part: int) -> Posts:
    """Ask for the text as it should stand; the next message is taken for it (K6)."""
    voice = turn.voice(dialog.payload["language"])
    payload = {"card": dialog.id, "part": part, "language": voice.language}
    asked = dialogs.open_dialog(turn, Question(Kind.EDIT, payload, listens=True))
    return answer(
        turn, render.ask(voice, "edit.ask", entry=text_of(parts(dialog)[part])), voice, asked.id
    )


def reword(turn: Turn, dialog: Dialog, part: int, text: str) -> Posts:
    """The wording a person gave for one part of a card; it is guarded like any other way in."""
    outcomes = parts(dialog)
    if not outcome.waits(outcomes[part]):
        voice = turn.voice(dialog.payload["language"])
        return answer(turn, render.say(voice, "dialog.answered"), voice)
    outcomes[part] = keep.weigh(turn, keep.one_line(text), "")
    return update(turn, dialog, outcomes)
