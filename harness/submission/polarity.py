"""Statements reduced to what they are about and which way they point: content, negations, directions, comparisons.

The lists are closed and English (`polarity_words`). What they do not know stays content; a word that makes a statement
conditional, partial or uncertain is kept apart, because two statements that differ in one of those may both be true.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.submission.polarity_words import CONDITIONS, DIRECTION_OF, STOP
from harness.submission.roles import sentences

MIN_CONTENT = 2

_COMPARING = frozenset({"amount", "size", "speed", "merit", "length", "time", "force", "ease"})
_NEGATORS = frozenset({"not", "never", "no", "none"})
_UNCERTAIN = re.compile(
    r"\bnot (?:only|just|merely|simply|necessarily|always|all|every|both|until|solely|entirely|because|yet|so|that|if|"
    r"more|less|fewer|uncommon|unlike|unusual|impossible|statistically|significantly|to be|to mention|as)\b"
    r"|\bno (?:more|less|fewer|longer|later|earlier|sooner|doubt|matter|better|worse|exception|one knows)\b"
    r"|\bwhether or not\b|\bif not\b|\bor not\b|\bcannot be (?:ruled|excluded|overstated)|\bcannot but\b"
    r"|\bno (?:evidence|proof|reason|sign|indication|guarantee|claim)\b|\bnot (?:known|clear|certain|sure)\b"
    r"|\bnot (?:tested|measured|reported|studied|examined)\b"
    r"|\bnothing but\b|\bnone other\b|\?",
)
_CLAUSE = re.compile(
    r"(\s*[,;:()]\s+|\s+[–—-]\s+|\s+(?:but|while|whereas|although|though|because|since|that|which|who|where|and|"
    r"so that|even though)\s+)"
)
_SUBORDINATING = frozenset({"that", "which", "who", "where", "because", "since"})
_REPORTERS = frozenset({"survey", "experiment", "analysi", "figur", "tabl", "data", "evaluation", "evidenc"})
_PASSIVE = re.compile(r"\b(outperformed|exceeded|surpassed|underperformed)\s+by\b")
_COMPARED = re.compile(r"\b(?:than|compared (?:to|with)|relative to)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or clause.

    `content` are its words of meaning in a basic form, `directions` its (family, sign), one entry a word;
    `conditions` are the words that let two statements be true together; `numbers` stand as written. `left` and `right`
    are the content of the two sides of a comparison, empty without one. `certain` is false where a turn such as `not
    only` leaves open what is negated.
    """

    content: frozenset[str]
    negations: int
    directions: tuple[tuple[str, int], ...]
    conditions: frozenset[str]
    numbers: frozenset[str]
    left: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()
    certain: bool = True

    @property
    def signs(self) -> dict[str, set[int]]:
        """The directions of each family that occurs."""
        found: dict[str, set[int]] = {}
        for family, sign in self.directions:
            found.setdefault(family, set()).add(sign)
        return found


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its readings: the whole of it first, then its clauses where it has several."""

    text: str
    forms: tuple[Statement, ...]


@lru_cache(maxsize=4096)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text."""
    return tuple(Sentence(sentence, tuple(_of_sentence(sentence))) for sentence in sentences(_plain(text)))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = re.sub(r"[’‘]", "'", text)
    return re.sub(r"\s+", " ", re.sub(r"[*_`“”\"$|￼\\]", " ", text))


def _of_sentence(sentence: str) -> Iterator[Statement]:
    text = sentence.casefold()
    text = re.sub(r"\bcan't\b|\bcannot\b", "can not", text)
    text = re.sub(r"\bwon't\b", "will not", text)
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"\b(?:at all|after all|above all|all in all)\b", " ", text)
    text = re.sub(r"\b(?:fails?|failed|failing|unable) to\b", "not", text)
    whole = _statement(text)
    yield whole
    parts = _CLAUSE.split(text)  # clauses and, between them, what divides them
    for at in range(0, len(parts) if len(parts) > 1 else 0, 2):
        clause = _statement(parts[at])
        reported = at > 0 and parts[at - 1].strip() in _SUBORDINATING and not _only_reports(parts[at - 2])
        # a condition anywhere in the sentence may bear on each of its clauses
        yield replace(clause, conditions=whole.conditions, certain=whole.certain and not reported)


def _only_reports(clause: str) -> bool:
    """Whether a clause only says who says it (`We found`), so that what follows is stated and not merely thought of."""
    main = _statement(clause)
    plain = not main.negations and not main.directions and not main.conditions
    return plain and main.content <= _REPORTERS


def _statement(text: str) -> Statement:
    certain = _UNCERTAIN.search(text) is None
    numbers = frozenset(re.findall(r"\d+(?:[.,]\d+)*", text))
    compared = _COMPARED.search(text)
    passive = _PASSIVE.search(text)
    words = re.findall(r"[^\W\d_][\w']*", text)
    content = _content(words)
    directions = tuple(sorted(DIRECTION_OF[word] for word in words if word in DIRECTION_OF))
    left, right = _sides(text, compared, directions)
    if passive is not None:
        left, right = right, left
    return Statement(
        content=content,
        negations=sum(word in _NEGATORS for word in words),
        directions=directions,
        conditions=frozenset(word for word in words if word in CONDITIONS),
        numbers=numbers,
        left=left,
        right=right,
        certain=certain,
    )


def _content(words: list[str]) -> frozenset[str]:
    dropped = STOP | _NEGATORS | CONDITIONS
    return frozenset(
        basic(word)
        for word in words
        if word not in dropped and word not in DIRECTION_OF and word not in {"than", "compared", "relative"}
    )


def _sides(
    text: str, compared: re.Match[str] | None, directions: tuple[tuple[str, int], ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """What stands before and after the comparing word: `than`, or the verb of a contest."""
    families = Counter(family for family, _ in directions)
    contest = next(
        (match for match in re.finditer(r"[^\W\d_]+", text) if DIRECTION_OF.get(match.group(), ("",))[0] == "contest"),
        None,
    )
    if contest is not None and families["contest"] == 1:
        return _content(re.findall(r"[^\W\d_][\w']*", text[: contest.start()])), _content(
            re.findall(r"[^\W\d_][\w']*", text[contest.end() :])
        )
    if compared is None or sum(families[family] for family in _COMPARING) != 1:
        return frozenset(), frozenset()
    before, after = text[: compared.start()], text[compared.end() :]
    return _content(re.findall(r"[^\W\d_][\w']*", before)), _content(re.findall(r"[^\W\d_][\w']*", after))


def basic(word: str) -> str:
    """A word without its regular English inflection; both sides of a comparison are treated alike."""
    word = word.removesuffix("'s").strip("'")
    for suffix, kept, least in (
        ("ies", "y", 3),
        ("ing", "", 4),
        ("ed", "", 4),
        ("es", "", 4),
        ("s", "", 3),
        ("ly", "", 4),
    ):
        if word.endswith(suffix) and len(word) - len(suffix) + len(kept) >= least and not word.endswith("ss"):
            word = word[: -len(suffix)] + kept
            break
    return re.sub(r"(.)\1\Z", r"\1", word.rstrip("e")) if len(word) > 3 else word
