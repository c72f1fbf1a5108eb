"""BT21: hostile texts and files cost little, however they are built (B17).

Time is CPU time of the thread, since the machine may be busy. The rules are warm, as in a bot
that has been up for a minute: a text that takes long is taken twice more, since a pattern is
made when its first word is met. One text in ten is a salad of the words that rules look for.
"""

import re
import time

import locales
from curation import admission, triggers
from curation.engine import Hints, Keep
from curation.rules import Rules
from memory.document import Document
from memory.edits import append_entry, apply
from tests.battery.battery import Result, Test

LONGEST = 4096
WARMING = 10
FILES = 20
FILE_SIZE = 1_000_000
P99, MOST, MOST_OF_FILE = 0.030, 0.150, 0.250
LONG = P99 / 2
"""Seconds: of 99 in 100 texts that are no salads, of every text, of a file."""

NESTED = re.compile(r"(?:[^\s:]+\s?)+:")
MANY = 1000
"""With fewer texts there is no hundredth part to speak of."""

SIGNS = tuple("[]()`*_#|<>\\/@.,;:=-+'\"„“»%$€01a🙂á\n\t ") + (
    *("<!--", "-->", "- ", "  - ", "1. ", "1-1-", "://", "a@", "12/80 ", "kg ", "AB3", "A1 "),
    *("\u0301", "\u0316", "\u200b", "\u200d", "\u202e", "\u00ad", "\u034f", "\ufdfa", "\u1f82"),
    *("\ufe0f", "\u0345", "ǰ", "İ", "ſ", "K", "我", "می", "ש", "-----BEGIN ", "eyJ", "sk-"),
)
ENTRIES = tuple(f"bakery {n} on Long Street opens at {n % 12 + 1}" for n in range(150))


def vocabulary(languages):
    """Every word that some rule looks for: what makes rules work hardest."""
    lists = ("safety.secret", "safety.named", "safety.lists.code", "safety.lists.lock")
    lists += ("triage.function", "trigger.keep", "trigger.politeness", "rewrite.prepositions")
    words = {word for grammar in languages.guards for name in lists for word in grammar.words(name)}
    for grammar in languages.guards:
        for phrases in grammar.table("safety.classes").values():
            words.update(phrase.rstrip("*") for phrase in phrases)
    return sorted(words)


def hostile(chance, words):
    """One sign or word for ever, a few in turn, or a few at random."""
    length = int(LONGEST ** chance.uniform(0.5, 1))
    signs = chance.sample(SIGNS, chance.randint(1, 3))
    said = [word + " " for word in chance.sample(words, chance.randint(1, 4))]
    pool = chance.choice((signs[:1], said[:1], signs, said, signs + said))
    mixed = "".join(pool) * length if chance.random() < 0.5 else chance.choices(pool, k=length)
    return "".join(mixed)[:length]


def salad(chance, words):
    """Nothing but words that rules look for, no two alike."""
    return " ".join(chance.sample(words, int(600 ** chance.uniform(0.5, 1))))[:LONGEST]


class Pipeline:
    """What a message goes through before anything is written."""

    def __init__(self):
        self.languages = locales.load(["cs", "en"])
        self.rules = Rules(self.languages)

    def reads(self, text):
        """The way of ``keep <text>`` from the inbox to the comparison."""
        said = triggers.blank("keep " + text[: LONGEST - 5], self.languages)
        intent = triggers.recognise(said, False, "bot", self.languages)
        content = intent.content if isinstance(intent, triggers.Keep) else said
        admitted = admission.clean(content, self.languages)
        if isinstance(admitted, admission.Admitted):
            for part in self.rules.judge(admitted.text, Hints("en")).parts:
                if isinstance(part.verdict, Keep):
                    self.rules.compare(part.verdict.entry, ENTRIES)

    def forget(self):
        """Nothing is remembered of the texts before."""
        self.languages.scanned.clear()
        self.languages.judged.clear()


class Nested(Pipeline):
    """Looks for a trigger with a quantifier inside a quantifier first."""

    def reads(self, text):
        NESTED.match(text[:23])
        super().reads(text)


def files(chance):
    """A megabyte of what has slowed Markdown readers down, each in its own way."""
    pieces = ("[", "](", "<!--", "`", "**_", "> ", "- a\n", "# a\n", "a\u0301\u0316", "\u0300")
    for n in range(FILES):
        if n == 0:
            yield "- " + "x" * FILE_SIZE
        elif n == 1:
            yield "".join(" " * (2 * (i % 200)) + f"- item {i}\n" for i in range(5000))[:FILE_SIZE]
        elif n < len(pieces) + 2:
            yield (pieces[n - 2] * FILE_SIZE)[:FILE_SIZE]
        else:
            yield "".join(chance.choices((*pieces, "\n", "\r\n", "word ", "```\n"), k=250_000))


def seconds(work, *args):
    """CPU seconds of one call."""
    start = time.thread_time()
    work(*args)
    return time.thread_time() - start


def appended(data):
    """One entry more: read, plan, and the whole text again."""
    document = Document.parse(data)
    hunks = append_entry("a new entry")(document)
    return apply(document, hunks).to_bytes()


def taken(pipeline, text):
    """CPU seconds of a text; when the first time took long, the best of three."""
    first = seconds(pipeline.reads, text)
    if first <= LONG:
        return first
    again = []
    for _ in range(2):
        pipeline.forget()
        again.append(seconds(pipeline.reads, text))
    return min(first, *again)


def cost(run):
    """Time texts through the whole way, and files through a read and an append."""
    pipeline, chance = (Nested if run.broken else Pipeline)(), run.chance
    words = vocabulary(pipeline.languages)
    for _ in range(WARMING):
        Pipeline.reads(pipeline, hostile(chance, words))
    spent = sorted(taken(pipeline, hostile(chance, words)) for _ in range(run.n - run.n // 10))
    salads = sorted(taken(pipeline, salad(chance, words)) for _ in range(1 + run.n // 10))
    p99, most = spent[int(0.99 * (len(spent) - 1))], max(spent[-1], salads[-1])
    made = list(files(chance))[: FILES if run.n >= MANY else 3]
    slowest = max(min(seconds(appended, data.encode()) for _ in range(3)) for data in made)
    shown = {"p50": spent[len(spent) // 2], "p99": p99, "salad": salads[len(salads) // 2]}
    shown |= {"most": most, "file": slowest}
    result = Result({"texts": run.n} | {k: f"{1000 * v:.1f} ms" for k, v in shown.items()})
    result.expect(p99 <= P99 or run.n < MANY, f"p99 {p99:.3f} s")
    result.expect(most <= MOST, f"a text took {most:.3f} s")
    result.expect(slowest <= MOST_OF_FILE, f"a file took {slowest:.3f} s")
    return result


TESTS = (Test(21, "cost of hostile text", "q", n=2000, few=8, do=cost),)
