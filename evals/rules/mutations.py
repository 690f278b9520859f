# ruff: noqa: E501, FBT003 - the kinds are a table, a row a kind
"""Mutations of valid submissions. Each kind says by construction whether its outcome must be refused.

A mutation that must be refused makes something false that was true: the id is none of the ledger, the number stands in
no span, the words were never written. A benign one changes only what does not matter. Nothing here asks the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from evals.rules.specimens import FACTORS, PAPERS, Fact, Specimen, specimen
from harness.submission.draft import DerivedInput, DerivedValue

Mutate = Callable[[Specimen, Random], Specimen]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mutation: its name, what it needs of the specimen, and whether its outcome must be refused."""

    name: str
    mutate: Mutate
    must_be_refused: bool
    kinds: tuple[str, ...] = ()
    verbatim: bool = False

    def make(self, random: Random) -> Specimen:
        """A mutated specimen."""
        return self.mutate(specimen(random, verbatim=self.verbatim, kinds=self.kinds), random)


_MARKER = re.compile(r"\s?\[\[ev_[0-9a-f]+\]\]")
_ZERO_WIDTH = ("\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad")


def _any(mutated: Specimen, random: Random) -> int:
    return random.randrange(len(mutated.blocks))


def _at(mutated: Specimen, kind: str) -> int:
    return next(at for at, fact in enumerate(mutated.facts) if fact.kind == kind)


def _replaced_marker(form: Callable[[str], str]) -> Mutate:
    """The marker of one block in another form; `form` is given the id."""

    def mutate(base: Specimen, random: Random) -> Specimen:
        at = _any(base, random)
        return base.with_block(at, base.blocks[at].replace(f"[[{base.ids[at]}]]", form(base.ids[at])))

    return mutate


def _added(text: Callable[[Specimen, Random], str]) -> Mutate:
    def mutate(base: Specimen, random: Random) -> Specimen:
        return base.with_added(text(base, random))

    return mutate


def _inside(text: Callable[[Specimen, int], str]) -> Mutate:
    """Words put before one block, inside it."""

    def mutate(base: Specimen, random: Random) -> Specimen:
        at = _any(base, random)
        return base.with_block(at, f"{text(base, at)} {base.blocks[at]}")

    return mutate


def _stated(statement: Callable[[Fact, Random], str], kind: str) -> Mutate:
    """Another statement beside the marker of the block of one kind of fact."""

    def mutate(base: Specimen, random: Random) -> Specimen:
        at = _at(base, kind)
        return base.with_block(at, f"{statement(base.facts[at], random)} [[{base.ids[at]}]].")

    return mutate


def _wrong_id(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    unread = f"ev_{random.getrandbits(64):016x}f"
    return base.with_block(at, base.blocks[at].replace(base.ids[at], unread))


def _no_marker(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    return base.with_block(at, _MARKER.sub("", base.blocks[at]))


def _moved_marker(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    to = (at + 1) % len(base.blocks)
    moved = base.with_block(at, _MARKER.sub("", base.blocks[at]))
    return moved.with_block(to, f"{moved.blocks[to].rstrip('.')} [[{base.ids[at]}]].")


def _exchanged_markers(base: Specimen, random: Random) -> Specimen:
    """A number beside the marker of a span that holds no number at all."""
    at = _at(base, random.choice(("share", "latency")))
    other = _at(base, "negation")
    return base.with_block(at, base.blocks[at].replace(base.ids[at], base.ids[other]))


def _held_digits(base: Specimen) -> str:
    return re.sub(r"[^\d.]", " ", " ".join(fact.span.replace(",", "") for fact in base.facts))


def _other_number(number: str, random: Random) -> str:
    """The number with one digit changed, never the first to zero; the same separators and decimals."""
    places = [at for at, sign in enumerate(number) if sign.isdigit()]
    at = random.choice(places)
    digits = [digit for digit in "123456789" if digit != number[at]]
    return number[:at] + random.choice(digits) + number[at + 1 :]


def _changed_number(base: Specimen, random: Random, write: Callable[[str], str] = str) -> Specimen:
    at = _at(base, "share")
    fact = base.facts[at]
    changed = _other_number(fact.number, random)
    while changed in _held_digits(base).split():
        changed = _other_number(fact.number, random)
    return base.with_block(at, base.blocks[at].replace(fact.number, write(changed)))


def _off_by_one(fact: Fact, random: Random) -> str:
    number = int(fact.number.replace(",", ""))
    return f"The collection holds {number + random.choice((-1, 1)):,} letters"


def _foreign_number(base: Specimen, _: Random) -> Specimen:
    """The share of one span in the block of another."""
    share, latency = base.facts[_at(base, "share")], base.facts[_at(base, "latency")]
    at = _at(base, "latency")
    if share.number == latency.number:
        return _wrong_id(base, Random(at))  # noqa: S311 - reproducible on purpose
    return base.with_block(at, f"A query takes {share.number} ms with a cold cache [[{base.ids[at]}]].")


def _unit(unit: str) -> Mutate:
    return _stated(lambda fact, _: f"A query takes {fact.number} {unit} with a cold cache", "latency")


def _quote_edited(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    start, end = base.blocks[at].index("“") + 1, base.blocks[at].index("”")
    quoted = base.blocks[at][start:end].split(" ")
    place = random.randrange(len(quoted))
    quoted[place] = random.choice(("seldom", "porcelain", "westward", "hundredfold"))
    return base.with_block(at, base.blocks[at][:start] + " ".join(quoted) + base.blocks[at][end:])


def _quote_number(base: Specimen, random: Random) -> Specimen:
    return _changed_number(base, random)


def _quote_order(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    start, end = base.blocks[at].index("“") + 1, base.blocks[at].index("”")
    words = base.blocks[at][start:end].split(" ")
    first = next(place for place in range(len(words) - 1) if words[place] != words[place + 1])
    words[first], words[first + 1] = words[first + 1], words[first]
    return base.with_block(at, base.blocks[at][:start] + " ".join(words) + base.blocks[at][end:])


def _quote_of_other_span(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    other = (at + 1) % len(base.facts)
    return base.with_block(at, f"“{base.facts[other].span.rstrip('.')}” [[{base.ids[at]}]].")


def _opposite_of(kind: str) -> Mutate:
    return _stated(lambda fact, _: fact.opposite, kind)


def _derived(value: Callable[[int, int], str], formula: str, *, inputs: bool = True, shift: int = 0) -> Mutate:
    """A computed number over the counts of one span; `shift` moves the input off what the span holds."""

    def mutate(base: Specimen, random: Random) -> Specimen:
        at = _at(base, "count")
        number = int(base.facts[at].number.replace(",", ""))
        parts = random.randint(3, 9)
        stated = value(number, parts)
        given = [DerivedInput(name="n", value=f"{number + shift}", evidence_id=base.ids[at])] if inputs else []
        computed = DerivedValue(value=stated, formula=formula.format(parts=parts), inputs=given)
        told = f"Each of the groups would hold {stated} letters [[{base.ids[at]}]]."
        return replace(base.with_added(told), derived=(computed,))

    return mutate


def _with(**changes: object) -> Mutate:
    return lambda base, _: replace(base, **changes)  # pyright: ignore[reportArgumentType] - fields by name


def _short_too_long(base: Specimen, random: Random) -> Specimen:
    text = "The papers do not say. " * random.randint(53, 80)
    return replace(base, outcome=random.choice(("abstained", "needs_clarification")), blocks=(text,))


def _whole(form: Callable[[str], str], separator: str) -> Mutate:
    return lambda base, _: replace(base, blocks=tuple(map(form, base.blocks)), separator=separator)


def _as_table(base: Specimen, _: Random) -> Specimen:
    rows = tuple(f"| {at} | {block} |" for at, block in zip("abcd", base.blocks, strict=True))
    return replace(base, blocks=("| finding | text |\n|---|---|", *rows), separator="\n")


def _zero_width(text: str, random: Random) -> str:
    at = random.randrange(3, len(text) - 1)
    return text[:at] + random.choice(_ZERO_WIDTH) + text[at:]


def _zero_width_marker(base: Specimen, random: Random) -> Specimen:
    at = _any(base, random)
    hidden = _zero_width(base.ids[at], random)
    return base.with_block(at, base.blocks[at].replace(base.ids[at], hidden))


def _zero_width_number(number: str) -> str:
    return f"{number[:1]}\u200b{number[1:]}"


def _full_width(number: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isdigit() else sign for sign in number)


def _reversed(base: Specimen, _: Random) -> Specimen:
    return replace(base, blocks=base.blocks[::-1])


def _quoted_mark(opening: str, closing: str) -> Mutate:
    return _whole(lambda block: block.replace("“", opening).replace("”", closing), "\n\n")


def _invented_paper(_: Specimen, random: Random) -> str:
    return f"One paper is “{random.choice(FACTORS).title()} Revisited” ({random.choice(('Lee', 'Marsh'))}, 2020)."


def _wrong_year(_: Specimen, random: Random) -> str:
    card = random.choice(PAPERS)
    return f"“{card.title}” was published in {(card.year or 0) + random.choice((-3, 1, 4))}."


_REFUSED: tuple[Kind, ...] = (
    Kind("marker: id that was never read", _wrong_id, True),
    Kind("marker: a location in its place", _replaced_marker(lambda _: "[[loc_7]]"), True),
    Kind("marker: taken away", _no_marker, True),
    Kind("marker: moved to the next block", _moved_marker, True),
    Kind("marker: of a span without the number", _exchanged_markers, True, ("share", "latency", "negation")),
    Kind("marker: one bracket", _replaced_marker(lambda i: f"[{i}]"), True),
    Kind("marker: not closed", _replaced_marker(lambda i: f"[[{i}"), True),
    Kind("marker: look-alike brackets", _replaced_marker(lambda i: f"⟦{i}⟧"), True),
    Kind("marker: tortoise brackets", _replaced_marker(lambda i: f"〔{i}〕"), True),
    Kind("marker: empty", _replaced_marker(lambda _: "[[]]"), True),
    Kind("marker: in a code span", _replaced_marker(lambda i: f"`[[{i}]]`"), True),
    Kind("marker: in a comment", _replaced_marker(lambda i: f"<!-- [[{i}]] -->"), True),
    Kind("marker: in a formula", _replaced_marker(lambda i: f"$x [[{i}]]$"), True),
    Kind("marker: in the address of a link", _replaced_marker(lambda i: f"[here]([[{i}]])"), True),
    Kind("number: one digit changed", _changed_number, True, ("share",)),
    Kind("number: changed, full-width", lambda b, r: _changed_number(b, r, _full_width), True, ("share",)),
    Kind("number: changed, a character of no width in it", lambda b, r: _changed_number(b, r, _zero_width_number), True, ("share",)),
    Kind("number: off by one", _stated(_off_by_one, "count"), True, ("count",)),
    Kind("number: of another span", _foreign_number, True, ("share", "latency")),
    Kind("number: thousands for decimals", _stated(lambda f, _: f"The collection holds {f.number.replace(',', '.')} letters", "count"), True, ("count",)),
    Kind("number: another word", _stated(lambda _, r: f"The decoder has {r.choice(('eleven', 'twenty-one', 'fifty'))} layers", "words"), True, ("words",)),
    Kind("number: other counted things", _stated(lambda f, _: f"The decoder has {f.number} heads", "words"), True, ("words",)),
    Kind("number: sign taken away", _stated(lambda f, _: f"Traffic grew by {f.number.lstrip('-')}%", "negative"), True, ("negative",)),
    Kind("number: sign added", _stated(lambda f, _: f"The accuracy is -{f.number}%", "share"), True, ("share",)),
    Kind("number: another power", _stated(lambda f, _: f"The learning rate is {f.number[:-1]}5", "power"), True, ("power",)),
    Kind("unit: seconds", _unit("s"), True, ("latency",)),
    Kind("unit: microseconds", _unit("μs"), True, ("latency",)),
    Kind("unit: points for percent", _stated(lambda f, _: f"The accuracy is {f.number} percentage points", "share"), True, ("share",)),
    Kind("unit: none for percent", _stated(lambda f, _: f"The accuracy is {f.number} overall", "share"), True, ("share",)),
    Kind("scale: billion for million", _stated(lambda f, _: f"It saw {f.number.rstrip('M')} billion sentences", "scale"), True, ("scale",)),
    Kind("scale: left out", _stated(lambda f, _: f"It saw {f.number.rstrip('M')} sentences", "scale"), True, ("scale",)),
    Kind("quotation: a word changed", _quote_edited, True, verbatim=True),
    Kind("quotation: a digit changed", _quote_number, True, ("share",), verbatim=True),
    Kind("quotation: two words exchanged", _quote_order, True, verbatim=True),
    Kind("quotation: from another span", _quote_of_other_span, True, verbatim=True),
    Kind("claim: negation turned round", _opposite_of("negation"), True, ("negation",)),
    Kind("claim: direction turned round", _opposite_of("direction"), True, ("direction",)),
    Kind("claim: comparison turned round", _opposite_of("comparison"), True, ("comparison",)),
    Kind("claim: added without a marker", _added(lambda _, __: "The survey also covers the southern coast."), True),
    Kind("claim: as a heading", _added(lambda _, __: "## The survey also covers the southern coast."), True),
    Kind("claim: as a row of a table", _added(lambda _, __: "| a | b |\n|---|---|\n| coast | calm in June |"), True),
    Kind("claim: as a bold label", _added(lambda _, __: "**Pruning never improves the index**"), True),
    Kind("claim: as code", _added(lambda _, __: "```\nThe survey also covers the southern coast.\nIt was calm in June.\n```"), True),
    Kind("claim: as a question", _added(lambda _, __: "Did you know that the southern coast was calm?"), True),
    Kind("sources: a list of its own", _added(lambda _, __: "## Sources\n\n- A Survey of the Northern Coast"), True),
    Kind("sources: in another language", _added(lambda _, __: "参考文献：A Survey of the Northern Coast"), True),
    Kind("sources: a footnote", _added(lambda _, __: "[^1]: A Survey of the Northern Coast"), True),
    Kind("citation: a number", _inside(lambda _, __: "As shown before [3],"), True),
    Kind("citation: a number in look-alike brackets", _inside(lambda _, __: "As shown before【3】,"), True),
    Kind("internal: name of a tool", _inside(lambda _, __: "By read_locations:"), True),
    Kind("internal: hidden reasoning", _added(lambda _, __: "<think>Better not to say so.</think>"), True),
    Kind("internal: reference of a location", _inside(lambda _, __: "See passage_ref_0123456789abcdef0123."), True),
    Kind("metadata: another count", _added(lambda _, r: f"There are {r.randint(3, 90)} papers in your library."), True),
    Kind("metadata: another year", _added(_wrong_year), True),
    Kind("metadata: another author", _added(lambda _, __: f"“{PAPERS[0].title}” was written by Jo Fox."), True),
    Kind("metadata: an invented paper", _added(_invented_paper), True),
    Kind("coverage: a paper that was not read", _inside(lambda _, __: f"As {PAPERS[1].title} confirms,"), True),
    Kind("computed: off by one digit", _derived(lambda n, p: f"{n * p + 1}", "n * {parts}"), True, ("count",)),
    Kind("computed: division by zero", _derived(lambda n, p: f"{n * p}", "n * {parts} / (n - n)"), True, ("count",)),
    Kind("computed: absurd exponent", _derived(lambda n, p: f"{n * p}", "n ^ n ^ n"), True, ("count",)),
    Kind("computed: input that the span does not hold", _derived(lambda n, p: f"{(n + 1) * p}", "n * {parts}", shift=1), True, ("count",)),
    Kind("computed: no formula", _derived(lambda n, p: f"{n * p}", "n times {parts}"), True, ("count",)),
    Kind("computed: without inputs", _derived(lambda _, p: f"{60 * p}0", "60 * {parts} * 10", inputs=False), True, ("count",)),
    Kind("computed: input without effect", _derived(lambda _, p: f"{1000 * p + 24}", "n - n + 1000 * {parts} + 24"), True, ("count",)),
    Kind("form: unknown outcome", _with(outcome="done"), True),
    Kind("form: empty", _with(blocks=(" \n",)), True),
    Kind("form: too long", _added(lambda b, _: f"{'x ' * 8_000} [[{b.ids[0]}]]"), True),
    Kind("form: long abstention", _short_too_long, True),
    Kind("form: marker in a field", lambda b, _: replace(b, fields={"share": f"[[{b.ids[0]}]]"}), True),
)  # fmt: skip

_BENIGN: tuple[Kind, ...] = (
    Kind("marker: lenticular brackets", _replaced_marker(lambda i: f"【【{i}】】"), False),
    Kind("marker: full-width brackets", _replaced_marker(lambda i: f"［［{i}］］"), False),
    Kind("marker: escaped", _replaced_marker(lambda i: f"\\[\\[{i}\\]\\]"), False),
    Kind("marker: upper case", _replaced_marker(lambda i: f"[[ {i.upper()} ]]"), False),
    Kind("marker: a character of no width in it", _zero_width_marker, False),
    Kind("marker: twice", _replaced_marker(lambda i: f"[[{i}; {i}]]"), False),
    Kind("number: full-width digits", lambda b, _: b.with_block(_at(b, "share"), b.blocks[_at(b, "share")].replace(b.facts[_at(b, "share")].number, _full_width(b.facts[_at(b, "share")].number))), False, ("share",)),
    Kind("number: in other words", _stated(lambda f, r: r.choice(f.statements), "words"), False, ("words",)),
    Kind("quotation: other marks", _quoted_mark("«", "»"), False, verbatim=True),
    Kind("quotation: straight marks", _quoted_mark('"', '"'), False, verbatim=True),
    Kind("form: blocks in reverse order", _reversed, False),
    Kind("form: as a list", _whole(lambda block: f"- {block}", "\n"), False),
    Kind("form: as a numbered list", _whole(lambda block: f"1. {block}", "\n"), False),
    Kind("form: as quotes", _whole(lambda block: f"> {block}", "\n\n"), False),
    Kind("form: as a table", _as_table, False),
    Kind("form: headings and a lead-in", lambda b, _: replace(b, blocks=("## Findings", "**In short:**", *b.blocks)), False),
    Kind("form: a greeting and an offer", lambda b, _: replace(b, blocks=("Hello!", *b.blocks, "Would you like more detail?")), False),
    Kind("form: code with a marker beside it", _added(lambda _, __: "```python\nx = cell[[ev_0]]\n```"), False),
    Kind("metadata: the count of the search", _added(lambda _, __: "There are 2 papers in your library."), False),
    Kind("metadata: year and author", _added(lambda _, __: f"“{PAPERS[1].title}” ({PAPERS[1].authors[0]}, {PAPERS[1].year})"), False),
    Kind("reference: a table and a section", _inside(lambda _, __: "As Table 7 and Section 4.2 of the survey say,"), False),
    Kind("computed: a product", _derived(lambda n, p: f"{n * p:,}", "n * {parts}"), False, ("count",)),
)  # fmt: skip

KINDS: tuple[Kind, ...] = (*_REFUSED, *_BENIGN)
