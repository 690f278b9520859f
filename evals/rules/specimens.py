"""Submissions that are valid by construction: facts that we write as spans, and true statements of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from corpus_gateway.wire import PaperCard
from harness.ledger import EvidenceEntry, EvidenceLedger
from harness.submission import judge
from harness.submission.draft import AcceptedAnswer, DerivedValue, Draft

TOOL_NAMES = frozenset({"search_paper_candidates", "read_locations", "submit_research_answer"})

METHODS = ("HarbourNet", "GullFormer", "TernRank", "TideSort", "KelpTree", "Lanternfish", "BrineSearch", "PierGraph")
CORPORA = ("Saltmarsh", "Driftwood", "Tideline", "Estuary", "Seagrass", "Breakwater")
MEASURES = ("recall", "precision", "coverage", "throughput", "robustness")
FACTORS = ("longer training", "label smoothing", "a wider beam", "query expansion", "pruning the index")
THINGS = ("external labels", "a language model", "user feedback", "hand-written rules", "page layout")
_FACTS = 4
_WORDS = {12: "twelve", 16: "sixteen", 18: "eighteen", 24: "twenty-four", 36: "thirty-six", 48: "forty-eight"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One span and what is said of it.

    `statements` are true in other words, `number` and `unit` as the first statement writes them; `opposite` says the
    contrary of the span, for facts that have one.
    """

    kind: str
    span: str
    statements: tuple[str, ...]
    number: str = ""
    unit: str = ""
    opposite: str = ""


@dataclass(frozen=True, slots=True)
class Specimen:
    """A draft with everything that the rules look at; one block a fact, each with the marker of the fact's span."""

    facts: tuple[Fact, ...]
    ids: tuple[str, ...]
    blocks: tuple[str, ...]
    verbatim: bool
    outcome: str = "answered"
    derived: tuple[DerivedValue, ...] = ()
    fields: dict[str, str] | None = None
    question: str = "What does the survey of the coast find?"
    title: str = "A Survey of the Northern Coast"
    papers: tuple[PaperCard, ...] = ()
    separator: str = field(default="\n\n")

    @property
    def markdown(self) -> str:
        """The draft's text."""
        return self.separator.join(self.blocks)

    def with_block(self, at: int, text: str) -> Specimen:
        """The specimen with one block replaced."""
        return replace(self, blocks=(*self.blocks[:at], text, *self.blocks[at + 1 :]))

    def with_added(self, text: str) -> Specimen:
        """The specimen with a block at its end."""
        return replace(self, blocks=(*self.blocks, text))


def accepted(specimen: Specimen) -> bool:
    """Whether the rules accept a specimen."""
    ledger = EvidenceLedger()
    for order, (fact, evidence_id) in enumerate(zip(specimen.facts, specimen.ids, strict=True), start=1):
        ledger.add(entry(evidence_id, fact.span, order, specimen.title))
    draft = Draft(
        outcome=specimen.outcome,
        markdown=specimen.markdown,
        fields=specimen.fields,
        derived_values=list(specimen.derived),
    )
    verdict = judge(
        draft,
        ledger,
        tool_names=TOOL_NAMES,
        question=specimen.question,
        papers=specimen.papers or PAPERS,
        result_counts=frozenset({len(PAPERS)}),
        located_papers=frozenset({"a" * 32, "b" * 32}),
    )
    return isinstance(verdict, AcceptedAnswer)


PAPERS = (
    PaperCard(paper_id="a" * 32, title="A Survey of the Northern Coast", authors=["Ada Byron"], year=2019),
    PaperCard(paper_id="b" * 32, title="Currents and Their Sediments", authors=["Jo Fox", "Wu Lin"], year=2021),
)


def entry(evidence_id: str, text: str, order: int, title: str) -> EvidenceEntry:
    """A ledger entry of a span; only its id, text and title matter to the rules."""
    return EvidenceEntry(
        evidence_id=evidence_id,
        paper_id="a" * 32,
        title=title,
        model_version="rm_0123456789abcdef",
        location_ref=f"passage_ref_{order:020x}",
        kind="passage",
        section="Results",
        page=order,
        page_end=order,
        start=0,
        end=len(text),
        boxes=(),
        text=text,
        parser="pdfium",
        parser_version="1",
        origin="this_turn",
        query=None,
        order=order,
    )


def specimen(random: Random, *, verbatim: bool = False, kinds: tuple[str, ...] = ()) -> Specimen:
    """A valid submission of four facts of different kinds, `kinds` among them, in random order.

    Verbatim ones quote the spans, the others say them in other words.
    """
    wanted = [name for name in FACT_KINDS if name in kinds]
    others = [name for name in FACT_KINDS if name not in kinds]
    wanted += random.sample(others, _FACTS - len(wanted))
    random.shuffle(wanted)
    facts = [FACT_KINDS[name](random) for name in wanted]
    ids = tuple(f"ev_{random.getrandbits(64):016x}" for _ in facts)
    told = [f"“{fact.span.rstrip('.')}”" if verbatim else random.choice(fact.statements) for fact in facts]
    blocks = tuple(f"{text.rstrip('.')} [[{evidence_id}]]." for text, evidence_id in zip(told, ids, strict=True))
    return Specimen(tuple(facts), ids, blocks, verbatim)


def _two(random: Random, names: tuple[str, ...]) -> tuple[str, str]:
    first, second = random.sample(names, 2)
    return first, second


def _share(random: Random) -> Fact:
    method, corpus = random.choice(METHODS), random.choice(CORPORA)
    share = f"{random.randint(410, 989) / 10}"
    return Fact(
        "share",
        f"{method} reaches an accuracy of {share}% on the {corpus} corpus, averaged over all queries.",
        (
            f"On {corpus}, the accuracy of {method} is {share}%",
            f"{method} has {share} percent accuracy on {corpus}",
            f"An accuracy of {share} % is reported for {method} ({corpus})",
            f"The mean accuracy on {corpus}: {share} per cent for {method}",
        ),
        share,
        "%",
    )


def _count(random: Random) -> Fact:
    corpus = random.choice(CORPORA)
    number = random.randint(10_000, 999_999)
    return Fact(
        "count",
        f"The {corpus} collection comprises {number:,} letters that were digitised by volunteers.",
        (
            f"{corpus} holds {number:,} letters",
            f"Volunteers digitised {number} letters for {corpus}",
            f"The number of letters in {corpus} is {number:,}".replace(",", " "),
            f"In total, {corpus} has {number:,} letters".replace(",", "'"),
        ),
        f"{number:,}",
    )


def _latency(random: Random) -> Fact:
    method, time = random.choice(METHODS), f"{random.randint(101, 999) / 10}"
    return Fact(
        "latency",
        f"A query to {method} takes {time} ms on average when the cache is cold.",
        (
            f"With a cold cache, {method} answers in {time} ms",
            f"{method} needs {time} milliseconds for a query (cold cache)",
            f"The mean time of a query to {method} is {time}ms",
        ),
        time,
        "ms",
    )


def _scale(random: Random) -> Fact:
    method, number = random.choice(METHODS), random.randint(110, 989)
    return Fact(
        "scale",
        f"The encoder of {method} was trained on {number} million sentences.",
        (
            f"{number}M sentences were used to train the encoder of {method}",
            f"The training data of {method} are {number},000,000 sentences",
            f"{method} saw {number} million sentences in training",
        ),
        f"{number}M",
    )


def _words(random: Random) -> Fact:
    method = random.choice(METHODS)
    number, word = random.choice(sorted(_WORDS.items()))
    return Fact(
        "words",
        f"The decoder of {method} consists of {word} layers.",
        (
            f"{method} has a decoder of {number} layers",
            f"There are {word} layers in the decoder of {method}",
            f"{method} uses a {number}-layer decoder",
        ),
        str(number),
    )


def _power(random: Random) -> Fact:
    method, number = random.choice(METHODS), f"{random.randint(11, 99) / 10}"
    return Fact(
        "power",
        f"The learning rate of {method} is set to {number} × 10⁻⁴ throughout.",
        (
            f"{method} is trained at a constant rate of {number}e-4",
            f"A learning rate of ${number} \\times 10^{{-4}}$ is used for {method}",
            f"{method} keeps its learning rate at {number} x 10^-4",
        ),
        f"{number}e-4",
    )


def _negative(random: Random) -> Fact:
    corpus, number = random.choice(CORPORA), f"{random.randint(11, 99) / 10}"
    return Fact(
        "negative",
        f"Relative to last year, traffic on {corpus} changed by −{number} %.",
        (
            f"Traffic on {corpus} changed by -{number}% against last year",
            f"Traffic on {corpus} fell by {number} percent within a year",
        ),
        f"-{number}",
        "%",
    )


def _direction(random: Random) -> Fact:
    factor, measure, method = random.choice(FACTORS), random.choice(MEASURES), random.choice(METHODS)
    up = random.random() < 0.5
    word, other, same = ("increased", "decreased", "raised") if up else ("decreased", "increased", "lowered")
    return Fact(
        "direction",
        f"We found that {factor} {word} the {measure} of {method}.",
        (
            f"According to the paper, {factor} {same} the {measure} of {method}",
            f"The {measure} of {method} {word} with {factor}",
            f"With {factor}, the {measure} of {method} {word}",
        ),
        opposite=f"{factor.capitalize()} {other} the {measure} of {method}",
    )


def _negation(random: Random) -> Fact:
    method, thing = random.choice(METHODS), random.choice(THINGS)
    return Fact(
        "negation",
        f"In this setting, {method} does not rely on {thing}.",
        (
            f"{method} does without {thing} in this setting",
            f"{method} does not need to rely on {thing}",
            f"It is reported that {method} never relied on {thing}",
        ),
        opposite=f"In this setting, {method} does rely on {thing}",
    )


def _comparison(random: Random) -> Fact:
    (first, second), corpus = _two(random, METHODS), random.choice(CORPORA)
    return Fact(
        "comparison",
        f"On the {corpus} corpus, {first} is faster than {second}.",
        (
            f"{second} is slower than {first} on {corpus}",
            f"{first} is the faster one on {corpus}, {second} comes second",
            f"On {corpus}, {first} beats {second} in speed",
        ),
        opposite=f"On the {corpus} corpus, {second} is faster than {first}",
    )


FACT_KINDS: dict[str, Callable[[Random], Fact]] = {
    "share": _share,
    "count": _count,
    "latency": _latency,
    "scale": _scale,
    "words": _words,
    "power": _power,
    "negative": _negative,
    "direction": _direction,
    "negation": _negation,
    "comparison": _comparison,
}
