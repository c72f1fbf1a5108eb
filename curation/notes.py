"""An entry with everything the audit wants to know about it, computed once and at need.

A rule looks at notes, never at raw text; rules that compare notes use their keys.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import date
from functools import cached_property

from curation.ages import Moment
from curation.cues import Hits, Token, tokens, ungrouped
from curation.voice import Voice
from locales import Kind, flat
from memory.document import Document, Entry, EntryKind, Heading

_CODE = re.compile(r"(```|~~~).*?(?:\1|$)|`[^`]+`", re.DOTALL)
_BOX = re.compile(r"\[([ xX])\]\s+")
_MARKS = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}")
_LEADING = re.compile(r"[^:]{1,40}:\s")


@dataclass(frozen=True)
class Note:
    """An entry and its place; ``index`` counts entries, ``parent`` is the enclosing bullet's.

    ``frame`` is the past period that the nearest dated heading names; ``filed`` when that heading
    is a day and nothing else, so that the line is of that day.
    """

    index: int
    entry: Entry
    parent: int
    pinned: bool
    headings: tuple[Heading, ...]
    voice: Voice
    frame: Moment | None = None
    filed: bool = False

    @cached_property
    def done(self) -> bool | None:
        """True for a ticked box, False for an open one, None without a box."""
        box = _BOX.match(self.entry.text)
        return None if box is None else box[1] != " "

    @cached_property
    def text(self) -> str:
        """The entry without its box and emphasis marks; numbers without group blanks."""
        return ungrouped(_MARKS.sub("", _BOX.sub("", self.entry.text, count=1)))

    @cached_property
    def code(self) -> tuple[str, ...]:
        """The pieces in backticks or fences, marks included."""
        return tuple(m.group() for m in _CODE.finditer(self.entry.text))

    @cached_property
    def prose(self) -> str:
        """The text with code left out."""
        if self.entry.kind is EntryKind.FENCE:
            return ""
        return ungrouped(_MARKS.sub("", _CODE.sub(" ", _BOX.sub("", self.entry.text, count=1))))

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the prose."""
        return tokens(self.prose)

    @cached_property
    def hits(self) -> Hits:
        """The cues of the prose."""
        return self.voice.lexicon.read(self.tokens)

    def has(self, *cues: str) -> bool:
        """Whether one of the cues is there."""
        return any(cue in self.hits for cue in cues)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The dates of the prose."""
        return self.voice.calendar.moments(self.prose, self._reference)

    @property
    def _reference(self) -> date:
        """The day from which a month without its year is looked for."""
        frame = self.frame
        return frame.first + (frame.last - frame.first) / 2 if frame else self.voice.today

    @cached_property
    def past(self) -> tuple[Moment, ...]:
        """Moments that are over."""
        return tuple(m for m in self.moments if m.last < self.voice.today)

    @cached_property
    def told(self) -> bool:
        """Whether some verb of the line is in the past, by its ending."""
        endings = self.voice.past_endings
        return self.has("small") or any(
            len(token.flat) > _ENDED and token.flat.endswith(endings) for token in self.tokens
        )

    @cached_property
    def counted(self) -> bool:
        """Whether it counts "6 of 14"; a time or a day beside "of" counts nothing."""
        line = self.tokens
        return any(
            ":" not in line[at].flat and not self._dated(line[at : at + 4])
            for at in self.hits.get("fraction", ())
        )

    def _dated(self, run: Sequence[Token]) -> bool:
        return any(m.start <= t.start < m.stop for t in run for m in self.moments)

    @cached_property
    def ahead(self) -> bool:
        """Whether something lies ahead: a period that is not over and was not begun by "since"."""
        return any(m.last > self.voice.today and not self._begun(m) for m in self.moments)

    @cached_property
    def newest(self) -> date | None:
        """The last day that the line names and that has begun."""
        days = [m.first for m in self.moments if m.first <= self.voice.today]
        days += [self.frame.first] if self.frame and self.filed else []
        return max(days, default=None)

    @cached_property
    def since(self) -> bool:
        """Whether it says "since" a past day."""
        return any(before(m, self.tokens, self.hits.get("since", ())) for m in self.past)

    @cached_property
    def language(self) -> str:
        """The language of the line, or the first configured one."""
        return self.voice.language(self.entry.text)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """The content stems (words, names, numbers) with what they are, in order."""
        return self.voice.content(self.text, self.language)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The content stems that are not numbers, in order."""
        return tuple(stem for stem, kind in self.kinds.items() if kind is not Kind.NUMBER)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems that look like names."""
        return frozenset(stem for stem, kind in self.kinds.items() if kind is Kind.NAME)

    @cached_property
    def numbers(self) -> Counter[str]:
        """The numbers as written."""
        return Counter(t.flat for t in tokens(self.text) if t.number)

    @cached_property
    def denied(self) -> frozenset[str]:
        """The stems that the line denies."""
        return self.voice.denied(self.text, self.language)

    @cached_property
    def label(self) -> str:
        """What stands before the first colon, flat; "" without one."""
        match = _LEADING.match(self.text)
        return flat(match.group().rstrip(": ")) if match else ""

    @cached_property
    def subject(self) -> tuple[str, ...]:
        """The short content stems without units, empty words and words that say "changed"."""
        voice = self.voice
        places = self.hits.get("moved", ())
        turns = {voice.stem(self.tokens[at].surface, self.language) for at in places}
        idle = voice.empty | voice.generic | (voice.units - self.names) | turns
        kept = (short(word) for word in self.words if word not in idle and word not in self._months)
        return tuple(dict.fromkeys(kept))

    @cached_property
    def _months(self) -> frozenset[str]:
        """The stems of the months that the line's dates name."""
        if not self.moments:
            return frozenset()
        written = (self.prose[m.start : m.stop] for m in self.moments)
        named = (w.strip(".,") for part in written for w in part.split() if w[0].isalpha())
        voice = self.voice
        return frozenset(
            voice.stem(w, self.language) for w in named if voice.calendar.month(w, True)
        )

    @cached_property
    def marks(self) -> frozenset[str]:
        """Codes, versions and addresses: tokens with digits that are no plain small numbers."""
        return frozenset(
            token.flat
            for token in self.tokens
            if any(c.isdigit() for c in token.flat) and not token.flat.isdigit()
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The subject as a set."""
        return frozenset(self.subject)

    def twin(self, index: int, entry: Entry, parent: int, place: tuple[Heading, ...]) -> Note:
        """The same words at another place; what was read off them is kept."""
        twin = replace(self, index=index, entry=entry, parent=parent, headings=place)
        fields = {f.name for f in dataclass_fields(self)}
        twin.__dict__.update({k: v for k, v in self.__dict__.items() if k not in fields})
        return twin

    @property
    def line(self) -> int:
        """The 1-based number of the first line."""
        return self.entry.span.start + 1

    def _begun(self, moment: Moment) -> bool:
        return moment.first <= self.voice.today and not moment.exact and not self._until(moment)

    def _until(self, moment: Moment) -> bool:
        return before(moment, self.tokens, self.hits.get("until", ()))


Known = dict[tuple[str, EntryKind, bool, Moment | None, bool], Note]
_STEM = 6
_ENDED = 4


def before(moment: Moment, line: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether a word at one of ``places`` stands directly before the moment."""
    index = sum(token.start < moment.start for token in line) - 1
    return index in places or index - 1 in places


def short(stem: str) -> str:
    """A stem cut to what inflection and derivation leave alone."""
    return stem[:_STEM]


def read(document: Document, voice: Voice, known: Known | None = None) -> tuple[Note, ...]:
    """All entries of a document as notes; ``known`` carries what was read before."""
    known = {} if known is None else known
    headings = {h.line: h for h in document.headings}
    notes: list[Note] = []
    stack: list[Note] = []
    for index, entry in enumerate(document.entries):
        while stack and not _encloses(stack[-1].entry, entry):
            stack.pop()
        place = [headings[line] for line in (entry.section, entry.subsection) if line >= 0]
        pinned = any(h.pinned for h in place)
        parent = stack[-1].index if stack else -1
        frame, filed = _framed(place, voice)
        key = (entry.text, entry.kind, pinned, frame, filed)
        old = known.get(key) or Note(
            index, entry, parent, pinned, tuple(place), voice, frame, filed
        )
        note = known[key] = old.twin(index, entry, parent, tuple(place))
        notes.append(note)
        stack.append(note)
    return tuple(notes)


def _framed(place: Sequence[Heading], voice: Voice) -> tuple[Moment | None, bool]:
    """The past period that the nearest dated heading names, and whether it names only that."""
    for heading in reversed(place):
        named = voice.calendar.moments(heading.title, voice.today)
        if named:
            past = named[0] if named[0].last < voice.today else None
            return past, past is not None and journal(heading.title, named)
    return None, False


def journal(title: str, named: Sequence[Moment]) -> bool:
    """Whether a title is a date and nothing else: a page of a journal, not a project."""
    for moment in reversed(named):
        title = title[: moment.start] + title[moment.stop :]
    return bool(named) and not any(char.isalpha() for char in title)


def _encloses(outer: Entry, inner: Entry) -> bool:
    """Whether ``inner`` is nested below ``outer``: deeper, and in the same unbroken list."""
    same = (outer.section, outer.subsection) == (inner.section, inner.subsection)
    return same and outer.kind is EntryKind.BULLET and inner.indent > outer.indent
