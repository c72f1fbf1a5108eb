"""What an input says about its own place: which topic, project, skills or name (T6-T13)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from curation.engine import Aspect, Home
from locales import Grammar, flat
from locales.keys import Kind, keys

_MOST_SKILLS = 2
_FEWEST_SENTENCES = 3
_FEWEST_WORDS = 3
_SHORTEST = 4
_NAME = re.compile(r"[\w-]+")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class Place:
    """A home other than keep.md.

    ``target`` is the name of the topic or project, the skills joined by blanks, or the bot's
    new name; "" when there is none. ``told`` is what is said for that place where that is not
    the whole input.
    """

    home: Home
    target: str = ""
    aspect: Aspect = Aspect.NONE
    told: str = ""


def addressed(text: str, grammar: Grammar) -> Place | None:
    """The topic or project that an input names before it tells something (T8, T13)."""
    for home, name in _TOLD:
        found = grammar.patterns(f"filing.{name}").match(flat(text))
        if found and found.lastindex:
            told = _turned(text[found.end() :], "filing.clitics", grammar)
            return Place(home, text[slice(*found.span(found.lastindex))], told=told)
    return None


_TOLD = ((Home.TOPIC, "topic_told"), (Home.PROJECT, "project_told"))


def labelled(text: str, grammar: Grammar) -> Place | None:
    """The topic whose progress several statements tell of, by the label before them (T13)."""
    found = grammar.patterns("filing.topic_label").match(flat(text))
    if not found or not found.lastindex:
        return None
    return Place(Home.TOPIC, text[slice(*found.span(found.lastindex))], told=text[found.end() :])


def subject(text: str, grammar: Grammar) -> str:
    """What several sentences are all about, "" when there is no one thing (T13).

    It is a common word, in its shortest form, that most of at least three sentences say; what
    is about a person by name is none.
    """
    said = [part for part in _SENTENCE.split(text) if len(part.split()) >= _FEWEST_WORDS]
    if len(said) < _FEWEST_SENTENCES:
        return ""
    found = [{key.stem: key for key in keys(part, grammar)} for part in said]
    counted = Counter(stem for each in found for stem in each)
    stem, times = max(counted.items(), key=lambda item: item[1], default=("", 0))
    forms = [each[stem] for each in found if stem in each]
    named = any(key.kind is Kind.NAME for key in forms) or times * 2 <= len(said)
    word = min((key.surface.lower() for key in forms), key=len, default="")
    return "" if named or len(word) < _SHORTEST else word


def shared(text: str, grammar: Grammar) -> Place:
    """A fact for a group, without the words that say for whom it is (T10)."""
    found = grammar.patterns("filing.group_told").match(flat(text))
    return Place(Home.GROUP, told=text[found.end() :] if found else "")


def persona(text: str, grammar: Grammar) -> Place:
    """The bot's new name, or what it shall be like (T11)."""
    for aspect, name in _VALUES:
        found = grammar.patterns(f"filing.{name}").search(flat(text))
        if found and found.lastindex:
            value = text[slice(*found.span(found.lastindex))].strip(" .,;!\"'„“”")
            if value[:1].isupper() or name != _CAPITAL:
                return Place(Home.SOUL, value, aspect)
    return Place(Home.SOUL, "", Aspect.PERSONA)


_CAPITAL = "soul_capital"
_VALUES = ((Aspect.NAME, "soul_name"), (Aspect.PERSONA, "soul_persona"), (Aspect.NAME, _CAPITAL))


def rule(text: str, grammar: Grammar) -> Place:
    """A rule for the agent: about its work, or about its manner towards the person (T6)."""
    onset = grammar.patterns("filing.onset").match(flat(text))
    work = grammar.patterns("filing.work_rule").search(flat(text))
    told = _turned(text[onset.end() :], "filing.clitics", grammar) if onset else ""
    return Place(Home.AGENT_RULE, "", Aspect.WORK if work else Aspect.MANNER, told)


def _turned(text: str, name: str, grammar: Grammar) -> str:
    """The text with its two first words, or groups of words, in the other order where need be."""
    found = grammar.patterns(name).match(flat(text))
    if not found or found.lastindex != 2:
        return text
    first, second = (text[slice(*found.span(n))].strip() for n in (1, 2))
    return f"{second} {first}{text[found.end() :]}"


def skilled(text: str, named: tuple[str, ...], grammar: Grammar) -> Place:
    """A rule that names skills: theirs, unless there are many or any task can break it (T6).

    Asked about the action, not the topic: what can be done with the skill unloaded is no rule
    of the skill's.
    """
    everywhere = grammar.patterns("filing.any_task").search(flat(text))
    if everywhere or len(named) > _MOST_SKILLS:
        return rule(text, grammar)
    return Place(Home.SKILL_RULE, " ".join("-".join(name.split()) for name in named))


def skills(text: str, grammar: Grammar) -> tuple[str, ...]:
    """The skills that a list names ("the notes, calendar and mail skills"), as typed."""
    found = grammar.patterns("filing.skills").search(flat(text))
    if not found or not found.lastindex:
        return ()
    listed = _NAME.findall(text[slice(*found.span(found.lastindex))])
    return tuple(name for name in listed if flat(name) not in grammar.words("filing.joining"))


def certain(text: str, grammar: Grammar) -> str:
    """An uncertain statement without the words that say so, "" for any other (T15)."""
    text = " ".join(text.split())
    plain, doubt = flat(text), grammar.patterns("filing.doubt")
    if not doubt.search(plain) or grammar.patterns("filing.not_doubt").search(plain):
        return ""
    kept, at = [], 0
    for found in doubt.finditer(plain):
        kept.append(text[at : found.start()])
        at = found.end()
    said = "".join([*kept, text[at:]]).strip()
    return _turned(said, "filing.inverted", grammar)


def to_confirm(grammar: Grammar) -> str:
    """The mark of an uncertain entry in its language, such as ``[to confirm]``."""
    return str(grammar.table("filing").get("to_confirm", ""))
