"""Choosing sentences: which of those read answer the question, by how much, and how much of it they cover.

A sentence scores by the share of the question's words that it holds, each weighted by its rarity among the sentences
read (IDF of BM25, Robertson and Zaragoza 2009). Words of its paper's title, its section and the sentence before it
count in part, because a sentence goes without repeating them. Neighbouring words of the question count more where they
are neighbours in the sentence too. Where something is counted, the number must stand at the noun that is counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.models.extractive.question import Question, Shape
from harness.models.extractive.sentences import sentence_ranges
from harness.models.extractive.transcript import ReadSpan
from harness.models.extractive.words import Token, tokens

MAX_SENTENCES = 3
MARGIN = 0.75
"""A further sentence that covers a word more is shown when it scores at least this share of the best one."""
CLOSE_MARGIN = 0.88
"""The same for a sentence that covers nothing more."""
DUPLICATE = 0.6
"""Jaccard similarity of content words from which two sentences say the same."""

_TITLE_SHARE = 0.6
_STEM_SHARE = 0.4
_SECTION_SHARE = 0.4
_BEFORE_SHARE = 0.6
_PAIR_BONUS = 0.25
_NUMBER_BONUS = 0.15
_SHAPE_BONUS = 0.12
_DEFINITION_BONUS = 0.4
_REFERENCE_PENALTY = 0.5
_CAPTION_PENALTY = 0.2
_LONG_CHARACTERS = 240
_LONG_PENALTY = 0.15
_MAX_EXPLAINED = 500
_WINDOW = 6
_GOES_BACK = re.compile(r"(?:It|This|These|They|Its|Such|That|Those|He|She|Here|Dies\w*|Es|Sie|这|它|其)\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """text[start:end] of a span, in comparable form."""

    span: ReadSpan
    start: int
    end: int
    words: tuple[Token, ...]
    before: tuple[Token, ...] = ()
    before_start: int | None = None
    after_end: int | None = None

    @property
    def text(self) -> str:
        """Its words exactly as they stand in the span."""
        return self.span.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence with its score.

    `support` is the weighted share of the question's words that the sentence holds, words of its surroundings counted
    in part; `direct` counts those in the sentence alone; `covered` are those words; `counted` says how closely a number
    stands at what is counted (1: just there).
    """

    sentence: Sentence
    score: float
    support: float
    covered: frozenset[str]
    counted: float = 0.0
    direct: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Sentences for the answer, best first; `support` and `direct` are those of the first one, 0 without any."""

    sentences: tuple[Scored, ...] = ()

    @property
    def support(self) -> float:
        """How much of the question the best sentence holds together with its surroundings."""
        return self.sentences[0].support if self.sentences else 0.0

    @property
    def direct(self) -> float:
        """How much of the question the best sentence holds by itself."""
        return self.sentences[0].direct if self.sentences else 0.0


def choose(question: Question, spans: Iterable[ReadSpan], excluded: frozenset[str] = frozenset()) -> Choice:
    """Choose from the spans read; `excluded` are sentences that must not be shown."""
    sentences = [item for span in spans for item in split(span, question.language)]
    weights = _weights(question, sentences)
    if not weights:
        return Choice()
    scored = [_scored(question, sentence, weights) for sentence in sentences if sentence.text not in excluded]
    scored = [item for item in scored if _is_about(item, question) and not _is_title(item.sentence)]
    if question.shape is Shape.COUNT:
        best = max((item.counted for item in scored), default=0.0)
        scored = [item for item in scored if item.counted >= best > 0]
    ranked = sorted((item for item in scored if item.covered), key=lambda item: -item.score)
    return Choice(tuple(_without_repetition(ranked)))


def split(span: ReadSpan, language: str) -> list[Sentence]:
    """The sentences of a span in order, each with the one before it."""
    found: list[Sentence] = []
    ranges = sentence_ranges(span.text)
    for at, (start, end) in enumerate(ranges):
        words = tuple(tokens(span.text[start:end], language))
        previous = found[-1] if found else None
        before = previous.words if previous is not None else ()
        after = ranges[at + 1 : at + 3]
        found.append(
            Sentence(
                span,
                start,
                end,
                words,
                before,
                before_start=previous.start if previous is not None else None,
                after_end=after[-1][1] if after else None,
            )
        )
    return found


def quoted_range(item: Scored, question: Question) -> tuple[int, int]:
    """What to quote: the sentence, with the one before where it goes back to that (`It ...`) and needs it."""
    sentence = item.sentence
    goes_back = _GOES_BACK.match(sentence.text) is not None
    own = {token.term for token in sentence.words}
    needed = any(token.term in question.terms and token.term not in own for token in sentence.before)
    if goes_back and needed and sentence.before_start is not None:
        return sentence.before_start, sentence.end
    unexplained = question.shape is Shape.REASON and _REASON.search(sentence.text) is None
    if unexplained and sentence.after_end is not None and sentence.after_end - sentence.start <= _MAX_EXPLAINED:
        return sentence.start, sentence.after_end
    return sentence.start, sentence.end


def _weights(question: Question, sentences: Sequence[Sentence]) -> dict[str, float]:
    bags = [{token.term for token in sentence.words} for sentence in sentences]
    count = len(bags)
    weights: dict[str, float] = {}
    for term, weight in question.terms.items():
        holding = sum(term in bag for bag in bags)
        weights[term] = weight * math.log(1 + (count - holding + 0.5) / (holding + 0.5))
    return weights


def _scored(question: Question, sentence: Sentence, weights: Mapping[str, float]) -> Scored:
    own = _own_shares(question, sentence)
    title = {token.term for token in tokens(sentence.span.title, question.language)}
    section = {token.term for token in tokens(sentence.span.section, question.language)}
    before = {token.term for token in sentence.before}
    shares = {term: _share(term, own, title, section, before) for term in weights}
    total = sum(weights.values()) or 1.0
    direct = sum(weight * own.get(term, 0.0) for term, weight in weights.items()) / total
    support = sum(weight * shares[term] for term, weight in weights.items()) / total
    score = support + _pair_bonus(question, sentence, weights, total)
    counted = _counted(question, sentence, before | section)
    score += _shape_bonus(question, sentence) + _NUMBER_BONUS * 2 * counted
    score -= _penalty(sentence)
    if question.shape not in {Shape.COUNT, Shape.NUMBER} and _CAPTION.match(sentence.text):
        score -= _CAPTION_PENALTY
    covered = frozenset(term for term, share in shares.items() if share > 0) if direct else frozenset[str]()
    return Scored(sentence, score, support, covered, counted, direct)


def _own_shares(question: Question, sentence: Sentence) -> dict[str, float]:
    """Share of each word: 1 where the question has it or an inflection of it, less for the same stem alone."""
    shares: dict[str, float] = {}
    for token in sentence.words:
        same = not token.form or token.form in question.forms or token.term not in question.terms
        shares[token.term] = max(1.0 if same else _STEM_SHARE, shares.get(token.term, 0.0))
    return shares


def _share(term: str, own: Mapping[str, float], title: set[str], section: set[str], before: set[str]) -> float:
    if term in own:
        return own[term]
    if term in title or term in before:
        return max(_TITLE_SHARE if term in title else 0.0, _BEFORE_SHARE if term in before else 0.0)
    return _SECTION_SHARE if term in section else 0.0


def _pair_bonus(question: Question, sentence: Sentence, weights: Mapping[str, float], total: float) -> float:
    content = [token.term for token in sentence.words if token.content]
    near = {(one, other) for at, one in enumerate(content) for other in content[at + 1 : at + 3]}
    held = sum(weights[one] + weights[other] for one, other in question.pairs if (one, other) in near)
    return _PAIR_BONUS * min(1.0, held / (2 * total))


def _counted(question: Question, sentence: Sentence, around: set[str]) -> float:
    """How closely a number that the question does not give stands at what is counted: 1 where it counts just that.

    The noun follows the number within a few words. Its modifiers stand between them; in part they may stand before the
    number, or in the sentence or heading before (`Authors. ... 12M nodes of this type`).
    """
    if question.shape is not Shape.COUNT:
        return 0.0
    noun, modifiers = question.counted[-1], set(question.counted[:-1])
    words = [token.term for token in sentence.words]
    best = 0.0
    for at, token in enumerate(sentence.words):
        if not token.number or token.term in question.numbers or noun not in words[at + 1 : at + 1 + _WINDOW]:
            continue
        end = words.index(noun, at + 1)
        if _counts_something_else(sentence.words[at + 1 : end], modifiers):
            continue
        between = words[at + 1 : end]
        earlier = {*words[:at], *around}
        held = sum(1.0 if term in between else _BEFORE_SHARE * (term in earlier) for term in modifiers)
        best = max(best, (1 + held) / (1 + len(modifiers)))
    return best


def _counts_something_else(between: Sequence[Token], modifiers: set[str]) -> bool:
    """Whether another noun stands at the number, as in `12 months of a patient`; `62 of these facts` counts facts."""
    others = any(token.content and token.term not in modifiers for token in between)
    return others and any(not token.content for token in between)


def gives_number(question: Question, sentence: Sentence) -> bool:
    """Whether the sentence holds a number that the question does not give and that is no label (`Fig. 1`)."""
    words = ("", *(token.term for token in sentence.words))
    return any(
        token.number and token.term not in question.numbers and before not in _LABELS
        for before, token in zip(words, sentence.words, strict=False)
    )


_LABELS = frozenset({"fig", "figur", "tabl", "tab", "section", "sec", "equat", "eq", "chapter", "ref", "abb", "tabell"})


def _shape_bonus(question: Question, sentence: Sentence) -> float:
    text = sentence.text
    match question.shape:
        case Shape.NUMBER:
            return _NUMBER_BONUS if gives_number(question, sentence) else 0.0
        case Shape.REASON:
            return _SHAPE_BONUS if _REASON.search(text) else 0.0
        case Shape.DEFINITION:
            if question.defined is not None and question.defined.search(text):
                return _DEFINITION_BONUS
            return _SHAPE_BONUS if _DEFINES.search(text) else 0.0
        case Shape.MANNER:
            return _SHAPE_BONUS if _MANNER.search(text) else 0.0
        case Shape.COUNT | Shape.OTHER:
            return 0.0


_MANNER = re.compile(
    r"\b(?:by \w+ing|using|involves?|consists? of|works? (?:by"
    r"|as)|we (?:propose|suggest|use|apply|add|introduce|represent)"
    r"|is (?:done|computed|trained|obtained|represented|encoded)|indem|durch)\b|通过|采用|利用",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|so that|due to|therefore|thus|hence|owing to|in order to|, so|weil|denn|da|daher"
    r"|parce que)\b|因为|由于|因此|所以",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:is an?|are|is the|refers? to|is defined as|denotes?|means|consists? of|we (?:propose|introduce"
    r"|present)|ist ein\w*|sind)\b|是|指",
    re.IGNORECASE,
)
_REFERENCE_SECTION = re.compile(
    r"\b(?:references|bibliography|literature cited|literatur|acknowledge?ments?|author contributions?"
    r"|funding|competing interests?|data availability|supplement\w*)\b|参考文献",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"(?:(?:In|See)\s+)?(?:Table|Tab\.|Figure|Fig\.|Abb\.|Tabelle)\s*\d|[图表]\s*\d", re.IGNORECASE)
_REFERENCE = re.compile(
    r"^\[?\d{1,3}[\].]|\b(?:pp\.|In Proceedings|arXiv preprint|doi:|https?://)|\(\d{4}[a-z]?\)\.\s", re.IGNORECASE
)


def _penalty(sentence: Sentence) -> float:
    text = sentence.text
    penalty = _REFERENCE_PENALTY if _REFERENCE_SECTION.search(sentence.span.section) else 0.0
    if _REFERENCE.search(text):
        penalty += _REFERENCE_PENALTY / 2
    penalty += _LONG_PENALTY * min(2.0, max(0.0, len(text) / _LONG_CHARACTERS - 1))
    if text.endswith(("?", "？")) or "@" in text:
        penalty += _REFERENCE_PENALTY
    return penalty


def _without_repetition(ranked: Sequence[Scored]) -> list[Scored]:
    chosen: list[Scored] = []
    covered: set[str] = set()
    for item in ranked:
        if len(chosen) == MAX_SENTENCES or (chosen and item.score < MARGIN * chosen[0].score):
            break
        if chosen and item.covered <= covered and item.score < CLOSE_MARGIN * chosen[0].score:
            continue
        if all(_similarity(item, other) < DUPLICATE for other in chosen):
            chosen.append(item)
            covered |= item.covered
    return chosen


def _is_about(item: Scored, question: Question) -> bool:
    """Whether a name that the question gives stands in the sentence, its title or heading, or where it goes back to."""
    if not question.names:
        return True
    sentence = item.sentence
    near = {token.term for token in (*sentence.words, *_surroundings(sentence, question.language))}
    if _GOES_BACK.match(sentence.text):
        near |= {token.term for token in sentence.before}
    return bool(near & question.names)


def _surroundings(sentence: Sentence, language: str) -> list[Token]:
    return [*tokens(sentence.span.title, language), *tokens(sentence.span.section, language)]


def _is_title(sentence: Sentence) -> bool:
    said = re.findall(r"[^\W_]+", sentence.text.casefold())
    return " ".join(said) in " ".join(re.findall(r"[^\W_]+", sentence.span.title.casefold()))


def _similarity(one: Scored, other: Scored) -> float:
    first = {token.term for token in one.sentence.words if token.content}
    second = {token.term for token in other.sentence.words if token.content}
    union = first | second
    return len(first & second) / len(union) if union else 1.0
