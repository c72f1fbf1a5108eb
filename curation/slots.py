"""Whether a newer line takes the place of an older one: the same slot with another value (C3).

A slot is a subject with an attribute. A shared name alone is no slot: the newer line must say
that just this state is over, or give just this attribute another value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from curation.notes import Note, short
from curation.partings import Parting
from curation.topics import DAYS, HOURS, NAMED, Topic


@dataclass(frozen=True)
class Pair:
    """An older line and the newer one that may replace it.

    ``cover`` is the share of the older line's words (rare ones count more) in the newer line.
    """

    older: Topic
    newer: Topic
    cover: float

    @cached_property
    def shared(self) -> frozenset[str]:
        """The words both have."""
        return self.older.known & self.newer.known

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The words both have that are no names."""
        return self.shared - self.older.proper - self.newer.proper

    @cached_property
    def near(self) -> bool:
        """Whether they stand under one heading, or the newer names the older one's heading."""
        return self.together or bool(self.older.context & self.newer.known)

    @cached_property
    def together(self) -> bool:
        """Whether they stand under one heading."""
        return self.older.place == self.newer.place

    @cached_property
    def next(self) -> bool:
        """Whether the newer line follows the older one directly or after one more line."""
        return self.together and 0 < self.newer.note.index - self.older.note.index <= 2

    @cached_property
    def anchored(self) -> bool:
        """Whether the newer line is about the older one's subject."""
        older = self.older
        leads = bool(older.words) and older.words[0] in self.newer.known
        listed = self.together and any(m.start < 2 for m in older.note.moments)
        return leads or bool(older.names & self.shared) or (self.near and not listed)

    @cached_property
    def lead(self) -> int:
        """How many leading words they have in common."""
        both = zip(self.older.words, self.newer.words, strict=False)
        return next((i for i, (a, b) in enumerate(both) if a != b), len(self.older.words))

    @cached_property
    def lead_shared(self) -> bool:
        """Whether the newer line has one of the older one's first words, or its code."""
        first = self.older.note.tokens[0].flat if self.older.note.tokens else ""
        return bool(set(self.older.words[:2]) & self.newer.known) or (
            first in self.older.marks & self.newer.marks
        )

    @cached_property
    def dated(self) -> bool:
        """Whether the newer line tells of a change on a day that is past."""
        return self.told and self.newer.note.has("moved", "left")

    @cached_property
    def told(self) -> bool:
        """Whether the newer line names a past day or period with its year, or a day."""
        note = self.newer.note
        return note.since or note.filed or any(m.dated or m.exact for m in note.past)

    @cached_property
    def differs(self) -> bool:
        """Whether a value of one kind is another one now."""
        values = self.newer.values
        olds = self.older.values
        if any(k in values and not v & values[k] for k, v in olds.items()):
            return True
        if olds.get(DAYS, frozenset()) - values.get(DAYS, olds.get(DAYS, frozenset())):
            return True
        then = frozenset().union(*(v for k, v in olds.items() if not k.startswith(NAMED)))
        now = values.get("to", frozenset())
        return bool(now and then) and len(then) <= 2 and not then & now

    @cached_property
    def guarded(self) -> bool:
        """Whether the older line is a rule, or a preference."""
        return self.older.note.has("standing")


def replaces(pair: Pair) -> bool | None:
    """True certain, False perhaps, None: the older line is not replaced."""
    if pair.older.note.has("health"):
        return None
    rules = (_over,) if pair.older.note.ahead else _RULES
    verdicts = [rule(pair) for rule in rules]
    return next((v for v in verdicts if v), False if False in verdicts else None)


def _over(pair: Pair) -> bool | None:
    """What the newer line says is over is what the older line is about."""
    verdicts = [_parted(pair, parting) for parting in pair.newer.partings]
    return next((v for v in verdicts if v), False if False in verdicts else None)


def _parted(pair: Pair, parting: Parting) -> bool | None:
    older, phrase = pair.older, parting.phrase
    hits = phrase & older.things
    missing = phrase - older.things - older.context
    if not hits or missing & (older.capital | pair.newer.marks):
        return None
    named = bool(hits & (older.proper | older.marks))
    if parting.denied and hits <= older.proper:
        return None
    if len(missing) > ((parting.whole and named) or (parting.denied and len(hits) > 1)):
        return None
    return _slot_ended(pair, hits, parting)


def _slot_ended(pair: Pair, hits: frozenset[str], parting: Parting) -> bool | None:
    """Whether the rest of the older line is about that too, or there is hardly a rest."""
    thing = len(hits) > 1 and hits == parting.phrase and not hits & pair.older.proper
    if (pair.shared - hits) or (thing and pair.near):
        firm = bool(pair.attributes) or thing or pair.told
        return firm and not (pair.guarded and pair.cover < 0.6)
    if pair.guarded:
        return None
    if _bare_value(pair, hits):
        return True if pair.told else None
    return _hardly_more(pair, hits) if pair.near else None


def _bare_value(pair: Pair, hits: frozenset[str]) -> bool:
    """Whether the older line is only a label with this value, or only a version."""
    older = pair.older
    label = {short(stem) for stem in older.note.voice.stems(older.note.label)}
    labelled = bool(label and hits - label) and older.known - label <= hits
    simple = len(older.words) == 2 and hits == {older.words[1]}
    return labelled or simple or (not older.note.subject and hits <= older.marks)


def _hardly_more(pair: Pair, hits: frozenset[str]) -> bool | None:
    """Whether the older line says of this thing only what ended with it."""
    older = pair.older
    rest = sum(stem not in hits for stem in older.words if stem not in older.days)
    if hits & frozenset(older.words[:1]):
        allowed = 4 if pair.newer.note.has("takes") else 2
    else:
        allowed = 4 if _valued(older, hits) else 1
    return True if (pair.next or pair.told) and rest <= allowed else None


def _valued(older: Topic, hits: frozenset[str]) -> bool:
    """Whether something stands where a value does: at the end, or after the label."""
    label = len(older.note.label.split()) if older.note.label else len(older.words)
    return bool(hits & {*older.words[-2:], *older.words[label : label + 1]} or hits - older.known)


def _relabelled(pair: Pair) -> bool | None:
    """The same label before the colon, and a change behind it."""
    label = pair.older.note.label
    if not label or label != pair.newer.note.label or not pair.together:
        return None
    if not (pair.dated or (pair.next and pair.newer.note.has("moved", "left"))):
        return None
    return True if len(pair.shared) > len(label.split()) - 1 else None


def _succeeded(pair: Pair) -> bool | None:
    """A short line gives a role to a name, and the newer one gives it to another name."""
    older, newer = pair.older, pair.newer
    role = older.known - older.proper
    others = older.proper - newer.known
    swapped = bool(others) and bool((newer.names & newer.known) - older.known - role)
    if not (role and role <= newer.known and swapped and len(older.words) <= 4 and pair.near):
        return None
    return True if _role_taken(newer, role) else None


def _role_taken(newer: Topic, role: frozenset[str]) -> bool:
    """Whether the words of taking stand at the role: "took the treasurer's", "new treasurer"."""
    note = newer.note
    for at in note.hits.get("takes", ()):
        after = (t for t in note.tokens[at + 1 : at + 4] if t.flat not in note.voice.articles)
        before = note.tokens[max(0, at - 1) : at] if not _adjective(note, at) else ()
        if any(newer.stem(token) in role for token in (*islice(after, 2), *before)):
            return True
    return note.since and role == newer.known - newer.names


def _adjective(note: Note, at: int) -> bool:
    return note.tokens[at].flat in note.voice.articles


def _changed(pair: Pair) -> bool | None:
    """The same subject and attribute with another value or another sign."""
    if _moved_on(pair):
        return True
    if not (pair.anchored and pair.shared):
        return None
    known = bool(pair.attributes) or pair.cover >= 0.75 or _whole_label(pair)
    fresh = pair.differs or bool(pair.older.note.moments)
    sure = pair.dated or (pair.told and pair.cover >= 0.75 and fresh)
    if pair.differs and known and pair.cover >= (0.4 if pair.near else 0.5):
        firm = sure and (len(pair.shared) >= 2 or pair.near or pair.cover >= 0.5)
        return firm or (None if pair.cover < 0.6 else False)
    if pair.cover >= 0.7 and _flipped(pair):
        return sure
    return _reworded(pair, sure)


def _moved_on(pair: Pair) -> bool:
    """The next line moves a day or an hour, and one of the two says no more than that."""
    if not (pair.next and pair.dated and pair.differs):
        return False
    older, newer = pair.older, pair.newer
    bare = not older.known - older.days - newer.known
    timed = any(kind in older.values and kind in newer.values for kind in (DAYS, HOURS))
    return bare or (timed and bool(pair.shared) and newer.known - newer.days <= older.known)


def _whole_label(pair: Pair) -> bool:
    """Whether the older line is a name and a value only."""
    words = pair.older.words
    return len(words) <= 1 or bool(pair.older.marks and len(words) <= 2)


def _flipped(pair: Pair) -> bool:
    """Whether one line denies what the other says."""
    odd = pair.older.note.denied ^ pair.newer.note.denied
    return any(not stem or short(stem) in pair.shared for stem in odd)


def _reworded(pair: Pair, sure: bool) -> bool | None:
    """Much the same words; near neighbours need fewer."""
    shared = len(pair.shared)
    if not pair.attributes or (pair.older.note.has("standing") and pair.cover < 0.75):
        return None
    if shared >= 2 and pair.cover >= 0.6 and (pair.told or pair.differs):
        return sure and (pair.cover >= 0.75 or pair.near)
    close = (pair.lead >= 2 and shared >= 3) or (pair.together and shared >= 3)
    beside = pair.next and pair.differs and (shared >= 2 or (pair.lead and pair.newer.note.since))
    if pair.dated and ((close and pair.cover >= 0.4) or beside):
        return True if pair.cover >= 0.3 else None
    return None


def _resumed(pair: Pair) -> bool | None:
    """A passing state (lent, waiting, broken) that the newer line ends: it is back, or mended."""
    older, newer = pair.older, pair.newer
    passing = older.note.has("temporary", "progress", "failure", "open") and not pair.guarded
    lasting = older.note.has("change", "takes", "left")
    mended = newer.note.has("returned", "restored", "healed", "swap", "repair")
    alike = pair.cover >= 0.35 or (pair.next and len(pair.shared) >= 2)
    if lasting or not (passing and mended and pair.lead_shared and alike):
        return None
    return pair.told or pair.next


_RULES = (_over, _relabelled, _succeeded, _changed, _resumed)
