"""Facts of the catalogue: what a person sees on the spine of a paper, not what stands inside it.

Counts, titles, authors, years, venues and identifiers come from this run's paper searches, so a block that states only
those needs no marker. A block counts as such only when nothing is left of it after the known facts are taken out but
words of the closed list below, and when it names a paper or the library: any other word, and any larger number, may be
a claim about content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from corpus_gateway.wire import PaperCard
from harness.submission.roles import words

_ENGLISH = (
    "a all also am an and are as at author authors available both by called contains doi each eight eighteen eleven "
    "entitled fifteen filename files first five following four fourteen from has have here holds i in is it its "
    "journal last latest list listed listing matching me named nine nineteen of on one or oldest newest paper papers "
    "published publication publications results right search second seven seventeen seventh six sixteen sixth ten that "
    "the their them there these third thirteen this three title titled titles to total twelve twenty two venue was "
    "were which with written year years you your collection library scope arxiv id et al now currently "
    "topic question relevant related"
)
_GERMAN = (
    "der die das den dem des ein eine einen und in im ist sind es gibt hat haben von vom aus artikel arbeiten arbeit "
    "aufsatz aufsätze autor autoren autorin titel jahr bibliothek insgesamt folgende folgenden enthält veröffentlicht "
    "erschienen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf diese dieser mit zur zum ihre ihrer"
)
_CHINESE = re.compile(
    r"[共有篇论文献库中的个份本是为以下这些作者标题题目年发表于期刊会议列表如一二三四五六七八九十百两您你我现在目前和及与、在该里总]+"
)
_VOCABULARY = frozenset((_ENGLISH + " " + _GERMAN).split())
_PAPERS = re.compile(
    r"\b(?:papers?|publications?|library|collection|artikel|arbeite?n?|aufs[aä]tze?|bibliothek)\b|论文|文献|篇|库"
)
_COUNT_OR_YEAR = re.compile(r"\d{1,4}")
_MIN_FACT_CHARACTERS = 3


def catalogue_facts(papers: Iterable[PaperCard]) -> tuple[str, ...]:
    """What is known of the papers, in the form in which texts are compared, the longest first."""
    facts = {_folded(fact) for card in papers for fact in _facts(card)}
    return tuple(
        sorted((fact for fact in facts if len(fact) >= _MIN_FACT_CHARACTERS), key=lambda fact: (-len(fact), fact))
    )


def states_only_catalogue_facts(text: str, facts: Sequence[str]) -> bool:
    """Whether the text is nothing but counts and the given facts (see `catalogue_facts`)."""
    rest = f" {_folded(text)} "
    named = _PAPERS.search(rest) is not None
    for fact in facts:
        if fact in rest:
            rest, count = re.subn(rf"(?<!\w){re.escape(fact)}(?!\w)", " ", rest)
            named = named or count > 0
    return named and all(_is_catalogue_word(word) for word in words(rest))


def _facts(card: PaperCard) -> list[str]:
    optional = [card.venue, card.doi, card.arxiv_id, card.filename]
    surnames = [author.split()[-1] for author in card.authors if author.split()]
    return [card.title, *card.authors, *surnames, *(fact for fact in optional if fact)]


def _folded(text: str) -> str:
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return re.sub(r"[\s*_~>#|]+", " ", unicodedata.normalize("NFKC", unescaped).casefold()).strip()


def _is_catalogue_word(word: str) -> bool:
    return word in _VOCABULARY or any(form.fullmatch(word) is not None for form in (_COUNT_OR_YEAR, _CHINESE))
