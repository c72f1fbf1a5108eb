"""An engine that answers what a test wrote down, so that conversations are tested for themselves."""

from curation.engine import Judgement, Keep, Kind, Match, Part, Proposal, Relation


class ScriptedEngine:
    """``verdicts`` by input (one, or a list of parts); ``relations`` by entry; else plain facts."""

    def __init__(self):
        self.verdicts, self.relations, self.proposals = {}, {}, {}
        self.judged = []

    def judge(self, text, hints):
        self.judged.append((text, hints))
        found = self.verdicts.get(text, Keep(text, Kind.FACT))
        parts = found if isinstance(found, list) else [Part(text, found)]
        return Judgement(tuple(parts), hints.language)

    def with_reason(self, entry, reason, language):
        return f"{entry} — {'protože' if language == 'cs' else 'because'} {reason}"

    def compare(self, entry, existing):
        for index, known in enumerate(existing):
            if known == entry:
                return Match(Relation.EXACT, index)
            if (entry, known) in self.relations:
                return Match(self.relations[entry, known], index)
        return Match(Relation.DIFFERENT)

    def audit(self, document, companions, today):
        self.companions = companions
        return self._proposed("memory", document)

    def shrink(self, document, target, today):
        return self._proposed("keep", document)

    def _proposed(self, name, document):
        make = self.proposals.get(name, lambda document: ())
        return Proposal(document.digest, tuple(make(document)))
