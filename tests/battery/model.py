"""A pure model of documents as lists of unique lines, and the search for an order of operations."""

from dataclasses import dataclass, field

FOREVER = float("inf")


@dataclass(frozen=True)
class Piece:
    """One item of an operation: a block of lines that goes out, and what comes in for it.

    ``end`` puts the new lines at the end of the document. A piece without ``out`` that is not
    for the end puts lines back wherever the store finds their place.
    """

    key: str
    out: tuple
    into: tuple
    log: str = ""
    end: bool = False

    def outcomes(self, lines, anywhere=False):
        """Every list of lines that this piece may make of one; none when it does not apply."""
        if self.out:
            at = lines.index(self.out[0]) if self.out[0] in lines else -1
            if at >= 0 and lines[at : at + len(self.out)] == self.out:
                yield lines[:at] + self.into + lines[at + len(self.out) :]
            return
        places = range(len(lines) + 1) if anywhere or not self.end else (len(lines),)
        for at in reversed(places):
            yield lines[:at] + self.into + lines[at:]


@dataclass(frozen=True)
class Call:
    """What a client asked for."""

    kind: str
    document: str
    pieces: tuple

    def words(self):
        pieces = [[p.key, p.out, p.into, p.log, p.end] for p in self.pieces]
        return {"kind": self.kind, "document": self.document, "pieces": pieces}

    @classmethod
    def read(cls, words):
        pieces = (Piece(k, tuple(o), tuple(i), log, end) for k, o, i, log, end in words["pieces"])
        return cls(words["kind"], words["document"], tuple(pieces))


@dataclass
class Event:
    """A call, and what the client was told; nothing when it was killed first."""

    call: Call
    began: int
    ended: float = FOREVER
    refused: str = ""
    changed: bool = False
    applied: tuple = ()
    lines: tuple | None = None

    def answer(self, words):
        self.ended, self.refused = words["at"], words.get("refused", "")
        self.changed, self.applied = words.get("changed", False), tuple(words.get("applied", ()))
        self.lines = tuple(words["lines"]) if "lines" in words else None

    @property
    def open(self):
        return self.ended == FOREVER

    def explained(self, before):
        """Whether the answer is what the model gives on these lines."""
        if not self.changed:
            return self.lines is None or self.lines == before
        pieces = [p for p in self.call.pieces if p.key in self.applied]
        return _leads(before, pieces, self.lines)

    def results(self, before):
        """What an open call may have made of these lines: all that applies of it, with its keys."""
        found, keys = [before], []
        for piece in self.call.pieces:
            made = [after for lines in found for after in piece.outcomes(lines, anywhere=True)]
            if made:
                found = made
                keys.append(piece.key)
        return [(lines, tuple(keys)) for lines in found if lines != before]


def _leads(lines, pieces, wanted):
    """Whether the pieces, each once, make the wanted lines; exact ones are tried first."""
    exact = [p for p in pieces if p.out or p.end]
    for piece in exact:
        made = next(piece.outcomes(lines), None)
        if made is None:
            return False
        lines = made
    for piece in (p for p in pieces if not (p.out or p.end)):
        at = wanted.index(piece.into[0]) if piece.into[0] in wanted else -1
        if at < 0 or wanted[at : at + len(piece.into)] != piece.into:
            return False
        wanted = wanted[:at] + wanted[at + len(piece.into) :]
    return lines == wanted


@dataclass
class Explanation:
    """The open events that must have happened, with the keys of the items that were applied, and
    sentences about answers that nothing explains."""

    happened: list
    stuck: list


@dataclass
class _Search:
    """Where a search stands: how far each client is, which open calls are left, the documents."""

    clients: list
    places: list
    loose: list
    documents: dict
    happened: list = field(default_factory=list)

    def run_on(self):
        """Take every answer as long as one only is explained; gives those to choose from.

        What an undo brings back has been there before, so several answers may fit.
        """
        while True:
            ready = [i for i in self.heads() if self._ready(i)]
            quiet = [i for i in ready if not self._next(i).changed]
            if not quiet and len(ready) != 1:
                return ready
            self.take((quiet or ready)[0])

    def heads(self):
        """The clients whose next answer may come now: no other one ended before it began."""
        left = [i for i, events in enumerate(self.clients) if self.places[i] < len(events)]
        first = min((self._next(i).ended for i in left), default=FOREVER)
        return [i for i in left if self._next(i).began <= first]

    def _next(self, client):
        return self.clients[client][self.places[client]]

    def _ready(self, client):
        event = self._next(client)
        return event.open or event.explained(self.documents[event.call.document])

    def take(self, client):
        """Let the next answer of a client be the next in the order; gives the search itself."""
        event = self._next(client)
        if event.open:
            self.loose.append(event)
        elif event.changed:
            self.documents[event.call.document] = event.lines
        self.places[client] += 1
        return self

    def copy(self, **other):
        known = {
            "places": list(self.places),
            "loose": list(self.loose),
            "documents": dict(self.documents),
            "happened": list(self.happened),
        }
        return _Search(self.clients, **(known | other))

    def wanted(self, final):
        """The lines that some answer to come, or the end, speaks of."""
        lines = {line for end in final.values() for line in end}
        for i in self.heads():
            event = self._next(i)
            lines.update(event.lines or ())
            lines.update(line for piece in event.call.pieces for line in piece.out)
        lines.update(line for e in self.loose for p in e.call.pieces for line in p.out)
        return lines

    def missing(self, final):
        """The lines that stand now and that some answer to come, or the end, does not have."""
        ends = [event.lines for event in map(self._next, self.heads()) if event.lines is not None]
        ends += final.values()
        now = {line for lines in self.documents.values() for line in lines}
        return {line for line in now if any(line not in end for end in ends)}

    def branches(self, final):
        """The same search with one loose call done, for each one that could help."""
        wanted, missing = self.wanted(final), self.missing(final)
        for event in self.loose:
            pieces = event.call.pieces
            into, out = ({x for p in pieces for x in getattr(p, side)} for side in ("into", "out"))
            if not (into & wanted or out & missing):
                continue
            name = event.call.document
            for lines, keys in event.results(self.documents[name]):
                rest = [other for other in self.loose if other is not event]
                documents = self.documents | {name: lines}
                yield self.copy(
                    loose=rest, documents=documents, happened=[*self.happened, (event, keys)]
                )

    def done(self, final):
        ended = all(p == len(e) for p, e in zip(self.places, self.clients, strict=True))
        return ended and self.documents == final


def explain(clients, begin, final):
    """Look for an order in which every answer is what the model gives, and the end is ``final``."""
    best, tries = _Search(clients, [0] * len(clients), [], dict(begin)), 0
    stack = [best]
    while stack and tries < 200_000:
        search, tries = stack.pop(), tries + 1
        choices = search.run_on()
        if search.done(final):
            return Explanation(search.happened, [])
        if sum(search.places) > sum(best.places):
            best = search
        stack.extend(search.branches(final))
        stack.extend(search.copy().take(client) for client in choices)
    return Explanation([], _stuck(best, final))


def _stuck(search, final):
    """Why the furthest search did not get on."""
    if not any(True for _ in search.heads()):
        wrong = [name for name in final if search.documents[name] != final[name]]
        return [f"the end is not what the answers lead to: {', '.join(map(str, wrong))}"]
    heads = (search._next(i) for i in search.heads())
    return [f"nothing explains the answer to {e.call.kind} in {e.call.document}" for e in heads]
