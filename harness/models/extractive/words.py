"""From text to comparable words: tokens in order, content words, numbers.

Words are NFKC and case-folded, then stemmed for the question's language; runs of Han, kana and Hangul give overlapping
pairs of characters, since these scripts write no spaces.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from harness.models.extractive.stemming import stem
from harness.models.extractive.vocabulary import LIGHT_WORDS, NUMBER_WORDS, STOP_WORDS

_CJK = "぀-ヿ㐀-鿿가-힣"
_TOKEN = re.compile(rf"[{_CJK}]+|\d+(?:[.,]\d+)*(?:[%‰]|[A-Za-z]{{1,2}}\b)?|(?:(?![{_CJK}])[^\W\d_])[^\W{_CJK}_]*")
_CJK_FILLER = re.compile(
    "多少|能否|什么时候|何时|什么|怎么|如何|为什么|为何|哪些|哪个|哪种|是否|可以|以及|关于|这个|那个|论文|文章|请问|[的了是在有吗呢和与对于中个及被把就都而几或]"
    "|です|ます|した|する|から|まで|とは|なに|[はがをにのでとも]"
)
_NUMBER = re.compile(r"\d[\d.,]*(?:[%‰]|[a-z]{1,2})?")
_INFLECTION = re.compile(r"(?:ies|es|s|ed|ing|e|y)$")
_SHORT = 3
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: its stem, whether it carries content, and whether it is a number.

    `form` is the word without an ending of inflection: `optimizer` and `optimal` share a stem, but not this.
    """

    term: str
    content: bool
    number: bool
    light: bool = False
    form: str = ""


def tokens(text: str, language: str) -> list[Token]:
    """The words of a text in order."""
    found: list[Token] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        word = match.group().casefold()
        if re.match(f"[{_CJK}]", word):
            found.extend(_pairs(word))
        elif _NUMBER.fullmatch(word):
            found.append(Token(word.rstrip(".,").replace(",", ""), content=True, number=_YEAR.fullmatch(word) is None))
        else:
            content = word not in STOP_WORDS.get(language, STOP_WORDS["en"]) and len(word) > 1
            found.append(Token(stem(word, language), content, word in NUMBER_WORDS, word in LIGHT_WORDS, _form(word)))
    return found


def _form(word: str) -> str:
    bare = _INFLECTION.sub("", word) if len(word) > _SHORT else word
    return bare[:-1] if len(bare) > _SHORT and bare[-1] == bare[-2] else bare


def _pairs(run: str) -> list[Token]:
    found: list[Token] = []
    for part in _CJK_FILLER.sub(" ", run).split():
        pieces = [part[at : at + 2] for at in range(max(1, len(part) - 1))]
        found.extend(Token(piece, content=True, number=False) for piece in pieces)
    return found
