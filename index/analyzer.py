"""The analyzer `scholar-v2`: from text to weighted terms, the same for documents and queries.

Text is cleaned (NFKC, format characters removed, words broken at line ends joined, spaced decimals and TeX indices
closed), cut into words by Unicode rules, and each word gives one or more terms:

* its stem, after case folding and with diacritics folded (`Studies` -> `studi`, `naïve` -> `naiv`), weight 1; words
  that English spells in two ways have one stem (`tumour` and `tumor`, `matrices` and `matrix`, `LLMs` and `LLM`);
* its exact form, marked by `=` (`=naïve`), so that the same spelling ranks before another inflection;
* a compound gives its closed form (`GPT-4` and `GPT4` -> `gpt4`, `cap-` + `tions` -> `caption`) and each of its pieces
  (0.5 and 0.75);
* a number is kept with its decimals (`0.05`) and once more with its unit or sign (`12.5%`, `37m`);
* Greek letters take their names (`β-catenin` and `beta-catenin` meet);
* Chinese, Japanese and Korean runs give overlapping pairs of characters and the characters themselves.

Weights count in queries alone; a document counts how often a term occurs. Stop words give no term, unless they are
written as an acronym (`WHO`, `IT`). The name of the analyzer is part of the index contract: change it with any rule.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import regex

from index.spelling import one_spelling, singular_acronym
from index.stemming import english_stem
from index.stopwords import STOP_WORDS

ANALYZER = "scholar-v2"

EXACT_WEIGHT = 0.1
CLOSED_WEIGHT = 0.5
"""A compound's closed form is rare, and what it says its pieces say again: it counts for half."""

PIECE_WEIGHT = 0.75
CJK_SINGLE_WEIGHT = 0.25

K3 = 1.2
"""Saturation of a term that a query repeats."""

KEPT_LENGTH = 20
"""Longest stretch whose analysis is kept; longer ones hardly come back, and an unspaced sentence has many terms."""

CJK_CHARACTERS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー々〆"
_LETTERS = rf"(?:(?![{CJK_CHARACTERS}])[\p{{L}}\p{{M}}\p{{N}}])+"
_JOINERS = r"[-_.'’@^&]"

_WORD = regex.compile(
    rf"(?P<doi>10\.\d{{4,9}}/[^\s\"<>]*[\p{{L}}\p{{N}}])"
    rf"|[{CJK_CHARACTERS}]+"
    r"|\b\p{L}[<>=≤≥]\d+(?:\.\d+)?"
    rf"|{_LETTERS}(?:(?:{_JOINERS}|(?<=\p{{N}}),(?=\p{{N}}{{3}}(?!\p{{N}}))){_LETTERS})*(?:\+\+|[#%](?![\p{{L}}\p{{N}}]))?"
)
_CJK_RUN = regex.compile(rf"[{CJK_CHARACTERS}]+")
_DOI = regex.compile(r"10\.\d{4,9}/")
_COMPARISON = regex.compile(r"(\p{L})[<>=≤≥](\d.*)")
_NUMBER = regex.compile(r"(\d+(?:\.\d+)*)(%|\p{L}[\p{L}\p{N}]*)?")
_SPLIT = regex.compile(_JOINERS)
_CLOSED = regex.compile(r"['’_]|(?<!\p{N})[-.]|[-.](?!\p{N})")
_POSSESSIVE = regex.compile(r"['’]s$", regex.IGNORECASE)
_STEMMABLE = regex.compile(r"[a-z]{3,}")

_SOFT_BREAK = regex.compile("\u00ad[^\\S\n]*\n\\s*")
_FORMAT = regex.compile(r"\p{Cf}+")
_LINE_END_HYPHEN = regex.compile(r"(?<=[\p{L}\p{N}])-[^\S\n]*\n\s*(?=[\p{L}\p{N}])")
_SPACED_DECIMAL = regex.compile(r"(?<![\d.]|\d )\d(?: ?\d)* \. \d(?: \d)*(?![\d.]| \d)")
_BARE_DECIMAL = regex.compile(r"(?<![\p{L}\p{N}.]|\d )\.(?=\d)")
_SPACED_COMPARISON = regex.compile(r" ?([<>=≤≥])(?<=\b\p{L} ?[<>=≤≥]) ?(?=\d)")
_TEX_SCRIPT = regex.compile(r"(?<=[\p{L}\p{N}]) ?([_^]) ?\{ ?([\p{L}\p{N}]+) ?\}")
_SUPERSCRIPT = regex.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹])")
_OPENING_ARTICLE = regex.compile(r"A(?=\s)(?<![\p{L}\p{N}),;] A)(?<!\wA|[-.'’]A)")
_HYPHENS = regex.compile("[‐‑–﹣－−]")
_MARKS_OF_TRADE = regex.compile("[™℠]")

_PUNCTUATION = ".,;:!?()[]\"'"
_GREEK_LETTER = regex.compile(r"(?<!\p{Greek})\p{Greek}(?!\p{Greek})")
_MICRO = regex.compile(r"μ(?=[a-z])")
_MARKS = regex.compile(r"([\p{Latin}\p{Greek}])\p{Mn}+")
_PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})


class Term(NamedTuple):
    """A term of a text and its weight in a query, greater than 0."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a stretch of text without white space gives: its terms, and how many of its words gave any.

    A term comes once for each word that it stands for; `weights` are those of the terms in a query, in their order.
    """

    terms: tuple[str, ...]
    weights: tuple[float, ...]
    length: int


def query_terms(text: str) -> dict[str, float]:
    """The distinct terms of a text with their query weights, in order of first occurrence.

    What a query says n times weighs n·(k3 + 1)/(n + k3) times what it says once (Robertson and Walker, 1994).
    """
    found: dict[str, float] = {}
    times: Counter[str] = Counter()
    for stretch in stretches(text):
        analysis = analyze(stretch)
        times.update(analysis.terms)
        for term, weight in zip(analysis.terms, analysis.weights, strict=True):
            found[term] = max(weight, found.get(term, 0.0))
    if len(found) == times.total():
        return found
    return {term: weight * times[term] * (K3 + 1) / (times[term] + K3) for term, weight in found.items()}


@lru_cache(maxsize=1 << 15)
def terms_within(piece: str) -> frozenset[str]:
    """The terms of a piece of uncleaned text: a word with its punctuation, or a word broken at a line end."""
    return frozenset(term for stretch in stretches(piece) for term in analyze(stretch).terms)


def stretches(text: str) -> list[str]:
    """The cleaned text cut at white space; no word goes over a cut."""
    return clean(text).split()


def analyze(stretch: str) -> Analysis:
    """The terms of a stretch as `stretches` gives it."""
    return _kept_analysis(stretch) if len(stretch) <= KEPT_LENGTH else _analysis(stretch)


@lru_cache(maxsize=1 << 16)
def _kept_analysis(stretch: str) -> Analysis:
    return _analysis(stretch)


def _analysis(stretch: str) -> Analysis:
    plain = stretch.strip(_PUNCTUATION)
    if plain.isascii() and plain.isalpha():
        words = [_simple(plain, 1.0)]
    else:
        words = [terms_of_word(match.group()) for match in _WORD.finditer(stretch)]
    return Analysis(
        terms=tuple(term.text for word in words for term in word),
        weights=tuple(term.weight for word in words for term in word),
        length=sum(1 for word in words if word),
    )


def clean(text: str) -> str:
    """The text as it is cut into words; cleaning a cleaned text changes nothing."""
    if not text.isascii():
        text = _SUPERSCRIPT.sub("^", text)
        text = _FORMAT.sub("", _SOFT_BREAK.sub("", text))
        text = unicodedata.normalize("NFKC", _MARKS_OF_TRADE.sub(" ", text))
        text = _HYPHENS.sub("-", text)
    if "\n" in text:
        text = _LINE_END_HYPHEN.sub("-", text)
    if " . " in text:
        text = _SPACED_DECIMAL.sub(lambda match: match.group().replace(" ", ""), text)
    if "{" in text:
        text = _TEX_SCRIPT.sub(r"\1\2", text)
    text = _BARE_DECIMAL.sub("0.", text)
    if any(sign in text for sign in "<>=≤≥"):
        text = _SPACED_COMPARISON.sub(r"\1", text)
    if text.count(" ") > 1 and text.upper() == text:
        return text.lower()  # a shouted heading or question holds no acronyms
    return _OPENING_ARTICLE.sub("a", text)


def terms_of_word(word: str) -> tuple[Term, ...]:
    """The terms of one word, distinct, in a fixed order; empty for a stop word. A run of CJK characters is one word."""
    if _CJK_RUN.fullmatch(word):
        return _cjk_terms(word)
    if _DOI.match(word):
        return (Term(word.casefold(), 1.0),)
    if comparison := _COMPARISON.fullmatch(word):
        letter, number = comparison.groups()
        return _distinct(Term(fold(word), 1.0), *_simple(letter, PIECE_WEIGHT), *_number_terms(number, PIECE_WEIGHT))
    word = _POSSESSIVE.sub("", word)
    if _NUMBER.fullmatch(word.replace(",", "")):
        return _number_terms(word.replace(",", ""), 1.0)
    pieces = [piece for piece in _SPLIT.split(word) if piece]
    if len(pieces) == 1:
        return _simple(word, 1.0)
    return _compound(word, pieces)


def fold(word: str) -> str:
    """A word without case, its Greek letters spelled by name: the exact form that `=` terms carry."""
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word.casefold())
    folded = _MICRO.sub("u", folded)
    return _GREEK_LETTER.sub(lambda match: _greek_name(match.group()), folded)


def without_marks(word: str) -> str:
    """A folded word with the diacritics of Latin and Greek letters removed; other scripts keep theirs."""
    if word.isascii():
        return word
    plain = _MARKS.sub(r"\1", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", plain).translate(_PLAIN_LETTERS)


def stem(word: str) -> str:
    """The Snowball English stem of a lower-case Latin word in one spelling; any other token as it is."""
    if not _STEMMABLE.fullmatch(word):
        return word
    return english_stem(one_spelling(word))


def _greek_name(letter: str) -> str:
    plain = without_marks(letter)
    name = unicodedata.name(plain, "").removeprefix("GREEK SMALL LETTER ").lower()
    return name.replace("lamda", "lambda") if name.isalpha() else letter


def _simple(word: str, weight: float) -> tuple[Term, ...]:
    exact = fold(word)
    plain = without_marks(exact)
    if plain in STOP_WORDS and not word.isupper():
        return ()
    acronym = singular_acronym(word)
    lemma = plain if acronym == word else without_marks(fold(acronym))
    return (Term(stem(lemma), weight), Term("=" + exact, weight * EXACT_WEIGHT))


def _compound(word: str, pieces: list[str]) -> tuple[Term, ...]:
    exact = _CLOSED.sub("", fold(word))
    closed = without_marks(exact)
    if closed in STOP_WORDS and not word.isupper():
        return ()
    whole = (Term(stem(closed), CLOSED_WEIGHT), Term("=" + exact, EXACT_WEIGHT))
    return _distinct(*whole, *(term for piece in pieces for term in _piece(piece)))


def _piece(piece: str) -> tuple[Term, ...]:
    if _NUMBER.fullmatch(piece):
        return _number_terms(piece, PIECE_WEIGHT)
    return _simple(piece, PIECE_WEIGHT)


def _number_terms(number: str, weight: float) -> tuple[Term, ...]:
    match = _NUMBER.fullmatch(number)
    assert match
    value, unit = match.groups()
    full = weight * (1.0 + EXACT_WEIGHT)  # a number has no inflections: its exact form is its only form
    if unit is None:
        return (Term(value, full),)
    unit_terms = () if unit == "%" else _simple(unit, weight * PIECE_WEIGHT)
    return _distinct(Term(without_marks(fold(number)), full), Term(value, full * PIECE_WEIGHT), *unit_terms)


def _cjk_terms(run: str) -> tuple[Term, ...]:
    if len(run) == 1:
        return (Term(run, 1.0),)
    pairs = (Term(run[i : i + 2], 1.0) for i in range(len(run) - 1))
    return _distinct(*pairs, *(Term(character, CJK_SINGLE_WEIGHT) for character in run))


def _distinct(*found: Term) -> tuple[Term, ...]:
    best: dict[str, Term] = {}
    for term in found:
        if term.text not in best or term.weight > best[term.text].weight:
            best[term.text] = term
    return tuple(best.values())
