"""The language of a question, as far as the few words that we add to an answer need it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Words of the source list: its title, and formats of one page and of a page range (`{first}`, `{last}`)."""

    title: str
    page: str
    pages: str


_WORDS = {
    "en": SourceWords("Sources", "p. {first}", "pp. {first}–{last}"),
    "zh": SourceWords("来源", "第 {first} 页", "第 {first}–{last} 页"),
    "ja": SourceWords("出典", "{first} ページ", "{first}–{last} ページ"),
    "ko": SourceWords("출처", "{first}쪽", "{first}–{last}쪽"),
    "de": SourceWords("Quellen", "S. {first}", "S. {first}–{last}"),
    "fr": SourceWords("Sources", "p. {first}", "p. {first}–{last}"),
    "es": SourceWords("Fuentes", "p. {first}", "pp. {first}–{last}"),
    "it": SourceWords("Fonti", "p. {first}", "pp. {first}–{last}"),
    "pt": SourceWords("Fontes", "p. {first}", "pp. {first}–{last}"),
    "ru": SourceWords("Источники", "с. {first}", "с. {first}–{last}"),
    "ar": SourceWords("المصادر", "ص. {first}", "ص. {first}–{last}"),
}

_FUNCTION_WORDS = {
    "en": (
        "the of and to in is are was what which how does do did many much who when where why for with by "
        "on from that this it"
    ),
    "de": (
        "der die das und ist sind wie viele was welche welcher welches nicht ein eine einen im zu mit von "
        "für auf wird werden wurde hat den dem des aus über warum wer"
    ),
    "fr": (
        "le la les des est sont quel quelle quels quelles combien que qui dans pour avec une un et du sur "
        "par comment pourquoi ce cette au aux"
    ),
    "es": (
        "el los las es son qué cuál cuáles cuántos cuántas cómo por para con una un y del en que se al "
        "cuándo dónde esta este"
    ),
    "it": (
        "il lo gli è sono quale quali quanti quante come per con una un e del della nel che di perché "
        "questo questa dei delle"
    ),
    "pt": ("o os as é são qual quais quantos quantas como por para com uma um e do da no na que em não dos das"),
}
_LATIN = {language: frozenset(text.split()) for language, text in _FUNCTION_WORDS.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[぀-ヿ]")),
    ("ko", re.compile(r"[가-힣]")),
    ("zh", re.compile(r"[㐀-鿿]")),
    ("ru", re.compile(r"[Ѐ-ӿ]")),
    ("ar", re.compile(r"[؀-ۿ]")),
)


def source_words(question: str) -> SourceWords:
    """The words for a question's language."""
    return _WORDS[language_of(question)]


def language_of(text: str) -> str:
    """ISO 639-1 code by script, by function words where the script is Latin; English when nothing else is likelier."""
    letters = sum(unicodedata.category(char).startswith("L") for char in text)
    for language, script in _SCRIPTS:
        count = len(script.findall(text))
        # kana decide for Japanese even beside many Han characters; one Greek or Cyrillic symbol decides nothing
        if count and (language == "ja" or count * 3 >= letters):
            return language
    counts = Counter(
        language
        for word in re.findall(r"[^\W\d_]+", text.casefold())
        for language, known in _LATIN.items()
        if word in known
    )
    best = max(_LATIN, key=lambda language: (counts[language], language == "en"))
    return best if counts[best] > counts["en"] else "en"


def number_language(text: str) -> str:
    """The language by which commas and points of numbers are read: English unless another one is plain.

    A Latin-script language is plain by two different function words, and more of them than of English.
    """
    language = language_of(text)
    if language not in _LATIN or language == "en":
        return language
    found = set(re.findall(r"[^\W\d_]{2,}", text.casefold()))  # a single letter may be a symbol
    own = len(found & _LATIN[language])
    return language if own >= _PLAIN and own > len(found & _LATIN["en"]) else "en"


_PLAIN = 2
