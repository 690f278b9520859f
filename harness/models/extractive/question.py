"""What a question asks: its content words, what it counts, which papers it names, and whether it asks at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from harness.models.extractive.words import Token, tokens
from harness.submission.languages import language_of
from harness.submission.roles import is_greeting

FOLLOW_UP_WEIGHT = 0.5
LIGHT_WEIGHT = 0.3
_MIN_OWN_TERMS = 3


class Shape(StrEnum):
    """The kind of answer that is looked for."""

    COUNT = "count"
    NUMBER = "number"
    REASON = "reason"
    DEFINITION = "definition"
    MANNER = "manner"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PaperClue:
    """A paper that the question names: the argument of an identity search, and whether it can be nothing else."""

    field: str
    value: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question in comparable form.

    `terms` are its content words with their weights, in order; `pairs` are neighbours among them; `counted` are the
    words of what *how many* counts, the noun last; `numbers` are those that the question itself gives. `keywords` is
    the text to search with, `runs` are stretches of neighbouring content words as they are written. `names` are coined
    names (`BERT`, `GPT-3`): a sentence that has nothing to do with them is no answer. `defined` matches a sentence that
    defines what the question asks about. `forms` are its words without endings of inflection.
    """

    text: str
    language: str
    shape: Shape
    terms: dict[str, float]
    pairs: tuple[tuple[str, str], ...]
    counted: tuple[str, ...] = ()
    numbers: frozenset[str] = frozenset()
    keywords: str = ""
    runs: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()
    clues: tuple[PaperClue, ...] = ()
    greeting: bool = False
    catalogue: bool = False
    quoted: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    defined: re.Pattern[str] | None = None


_READ_CHARACTERS = 4_000


def understand(text: str, earlier: tuple[str, ...] = ()) -> Question:
    """Read a question; `earlier` are the person's questions before it, the newest last.

    A question that goes back to another (`and how many of them ...?`) takes over that one's words at half weight. Of
    every question the first 4,000 characters are read: the patterns here look back and forth in it, so their work grows
    with the square of its length.
    """
    text, earlier = text[:_READ_CHARACTERS], tuple(question[:_READ_CHARACTERS] for question in earlier)
    language = language_of(text)
    own = tokens(text, language)
    counted = _counted(text, language)
    terms = {token.term: LIGHT_WEIGHT if token.light else 1.0 for token in own if token.content}
    terms |= {term: 1.0 for term in counted if term in terms}
    if earlier and (len(terms) < _MIN_OWN_TERMS or _GOES_BACK.search(text)):
        for token in tokens(earlier[-1], language):
            if token.content:
                terms.setdefault(token.term, FOLLOW_UP_WEIGHT)
        keywords = f"{_keywords(text, language)} {_keywords(earlier[-1], language)}".strip()
    else:
        keywords = _keywords(text, language)
    return Question(
        text=text,
        language=language,
        shape=_shape(text, counted),
        terms=terms,
        pairs=_pairs(own),
        counted=counted,
        numbers=frozenset(token.term for token in own if token.number),
        keywords=keywords,
        runs=_runs(text, language),
        forms=frozenset(token.form for token in own),
        clues=_clues(text),
        greeting=is_greeting(text.strip()),
        catalogue=_CATALOGUE.search(text) is not None,
        quoted=tuple(_QUOTED.findall(text)),
        names=_names(text, language),
        defined=_definition_of(_keywords(text, language)) if _shape(text, counted) is Shape.DEFINITION else None,
    )


_GOES_BACK = re.compile(
    r"\b(?:it|its|they|them|their|those|these|that|this|the same|er|sie|dessen|deren|ils?|elles?)\b"
    r"|它|他们|这些|那些|该",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"\b(?:how many|what (?:is|was) the number of|number of|wie viele|combien de|combien d['’]|cuánt[ao]s"
    r"|quant[ei]|quant[ao]s)\s+"
    r"(?:of\s+(?:the|these|those|all|its|their)\s+|the\s+)?(?P<what>.+?)"
    r"(?=\s+(?:do|does|did|are|is|were|was|have|has|had|can|could|may|might|must|should|will|would|in|of"
    r"|on|at|for|from|with"
    r"|per|there|the|a|an|that|which|hat|haben|gibt|sind|waren|wurden|werden|enthält|y a|ont|sont|hay"
    r"|tiene|tienen|ci|ha|há|tem)\b"
    r"|[?.,;]|$)",
    re.IGNORECASE,
)
_HOW_MANY_CJK = re.compile(r"(?:多少|几)(?:个|篇|种|名|条|项)?(?P<what>[^？?，,。]{1,12})")
_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:much|far|long|large|big|high|low|fast|often|old|small)|(?:what"
    r"|which)\s+(?:\w+\s+){0,3}(?:percentage|percent|share|rate|"
    r"fraction|value|size|score|accuracy|recall|precision|length|ratio|speed|dose|temperature|year|date|f1"
    r"|average|mean|median))\b"
    r"|多大|多长|多高|百分之",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:why|warum|wieso|pourquoi|perch[eé]|por qu[eé])\b|为什么|为何|なぜ", re.IGNORECASE)
_WHAT_IS = re.compile(
    r"^\s*(?:what (?:is|are|does)|define|was (?:ist|sind)|qu['’]est-ce|qué (?:es|son))\b|是什么|什么是", re.IGNORECASE
)
_HOW = re.compile(r"^\s*(?:how|wie|comment|cómo|come)\b|如何|怎么|怎样", re.IGNORECASE)
_CATALOGUE = re.compile(
    r"\b(?:how many (?:papers|articles|documents)\s*(?:are there|do (?:i|you|we) have|are (?:in|available)"
    r"|(?:in|does) (?:the|my|this|your) (?:library|collection|scope))"
    r"|(?:list|show|name) (?:all |me )?(?:the |my )?(?:available )?papers(?:\s+in (?:the|my) (?:library"
    r"|scope))?\s*[.?!]?$"
    r"|(?:which|what) papers (?:are (?:there|available|in)|do (?:i|you|we) have))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"„«「《]([^“”\"„«»「」《》]{4,300})[”\"“»」》]")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>”]*[^\s\"<>.,;:?!)”]")
_ARXIV = re.compile(r"\barxiv[:\s]*(?P<id>\d{4}\.\d{4,5}(?:v\d+)?)", re.IGNORECASE)
_FILE = re.compile(r"[\w.+-]+\.pdf\b", re.IGNORECASE)
_NAMES_A_PAPER = re.compile(
    r"\b(?:papers?|articles?|titled?|entitled|called|named|artikel|aufsatz|titel)\b|论文|文章|题为", re.IGNORECASE
)


def _shape(text: str, counted: tuple[str, ...]) -> Shape:
    if counted:
        return Shape.COUNT
    if _ASKS_NUMBER.search(text):
        return Shape.NUMBER
    if _WHY.search(text):
        return Shape.REASON
    if _WHAT_IS.search(text):
        return Shape.DEFINITION
    return Shape.MANNER if _HOW.search(text) else Shape.OTHER


def _counted(text: str, language: str) -> tuple[str, ...]:
    match = _HOW_MANY.search(text) or _HOW_MANY_CJK.search(text)
    if match is None:
        return ()
    return tuple(token.term for token in _counted_tokens(match["what"], language))


def _counted_tokens(what: str, language: str) -> list[Token]:
    return [token for token in tokens(what, language) if token.content and not token.number]


def _pairs(own: list[Token]) -> tuple[tuple[str, str], ...]:
    content = [token.term for token in own if token.content]
    return tuple(dict.fromkeys(pairwise(content)))


def _keywords(text: str, language: str) -> str:
    written = [
        word for word in re.findall(r"[^\s?？!.,;:，。；：“”\"()]+(?:[.,]\d+)*", text) if _has_content(word, language)
    ]
    return " ".join(written) or text.strip()


def _runs(text: str, language: str) -> tuple[str, ...]:
    runs: list[list[str]] = [[]]
    for word in re.findall(r"\S+", text):
        plain = word.strip('?？!.,;:“”"()')
        if _has_content(plain, language):
            runs[-1].append(plain)
        if not _has_content(plain, language) or plain != word:
            runs.append([])
    return tuple(dict.fromkeys(" ".join(run) for run in runs if len(run) > 1))


def _names(text: str, language: str) -> frozenset[str]:
    """Terms of words with a capital or a digit inside, unless the whole question is written in capitals."""
    if text.upper() == text:
        return frozenset()
    coined = [word for word in re.findall(r"[^\s?!.,;:()“”\"]+", text) if re.search(r"[^\W\d_][^\W\d_]*[A-Z]", word)]
    return frozenset(token.term for word in coined for token in tokens(word, language) if token.content)


def _definition_of(name: str) -> re.Pattern[str]:
    """Sentences that say what a name is: `X is a`, `we propose X`, `X, a`."""
    plain = re.escape(name)
    return re.compile(
        rf"^(?:the\s+|an?\s+|eine?r?\s+)?{plain}(?:\s*\([^)]*\))?\s+(?:is|are|ist|sind|denotes|means|refers"
        rf"|stands|heißt)\s+"
        rf"(?:an?|the|one|defined|to|for|eine?|der|die|das)\b"
        rf"|\b(?:propose|introduce|present|describe|call|name)\w*\s+(?:the\s+|an?\s+)?{plain}\b"
        rf"|\b{plain},\s+(?-i:an?)\b"
        rf"|{plain}(?:是|指)",
        re.IGNORECASE,
    )


def _has_content(word: str, language: str) -> bool:
    return any(token.content for token in tokens(word, language))


def _clues(text: str) -> tuple[PaperClue, ...]:
    found = [PaperClue("doi", match.group(), certain=True) for match in _DOI.finditer(text)]
    found += [PaperClue("arxiv_id", match["id"], certain=True) for match in _ARXIV.finditer(text)]
    found += [PaperClue("filename", match.group(), certain=True) for match in _FILE.finditer(text)]
    certain = _NAMES_A_PAPER.search(text) is not None
    found += [PaperClue("title", title.strip(" ,.?!"), certain) for title in _QUOTED.findall(text)]
    return tuple(found[:3])
