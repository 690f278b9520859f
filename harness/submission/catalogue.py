"""Facts of the catalogue: what a person sees on the spine of a paper, not what stands inside it.

Counts, titles, authors, years, venues and identifiers come from this run's paper searches, so a block that states only
those needs no marker. A block counts as such only when nothing is left of it after the known facts are taken out but
words of the closed list below, and when it names a paper or the library: any other word may be a claim about content.
What it states has to agree with the results: METADATA_NOT_IN_RESULT.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from corpus_gateway.wire import PaperCard
from harness.submission.quantities import quantities
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
_COUNT_OR_YEAR = re.compile(r"\d{1,5}")
_MIN_FACT_CHARACTERS = 3
_NAMED = re.compile(
    r"[“«„「『\"](?P<quoted>[^“”«»„「」『』\"]{3,200})[”»“」』\"]|\*{1,2}(?P<emphasised>[^*\n]{3,200})\*{1,2}"
)
_BY = re.compile(
    r"(?:\bby|\bvon|\(|,|;|\band|\bund|&)\s*(?:[A-ZÀ-Þ][\w.’'-]*\s?){1,3}(?=\s*(?:et al|,|;|\)|\.|and\b|und\b|&|\d|\Z))"
)


class CatalogueReading(StrEnum):
    """What a block without a marker is, held against the papers that this run's searches returned."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What this run's searches returned: the papers, and how many papers the results said there are."""

    papers: tuple[PaperCard, ...]
    counts: frozenset[int]
    facts: tuple[str, ...]

    @classmethod
    def of(cls, papers: Sequence[PaperCard], counts: frozenset[int] = frozenset()) -> Catalogue:
        """The catalogue of these papers; `counts` are the numbers of papers that replies told."""
        return cls(tuple(papers), counts, catalogue_facts(papers))

    def read(self, text: str) -> CatalogueReading:
        """Whether a text states only facts of the catalogue, and whether they are those of the results.

        A text that is nothing but known facts, numbers and words of the closed list agrees when each number is a year
        of a paper it names or a count of a result, and each name belongs to the paper beside it. One that beside
        these holds only quoted titles and names of authors states facts that no result has.
        """
        if not words(text):
            return CatalogueReading.OTHER
        if states_only_catalogue_facts(text, self.facts):
            agrees = self._numbers_agree(text) and self._names_agree(text)
            return CatalogueReading.AGREES if agrees else CatalogueReading.DISAGREES
        stripped, named = _NAMED.subn(" ", text)
        stripped, authors = _BY.subn(" ", stripped)
        about_papers = _PAPERS.search(_folded(stripped)) or (named and (authors or re.search(r"\d{4}", stripped)))
        shaped = (named or authors) and about_papers
        shaped = shaped and states_only_catalogue_facts(f"{stripped} paper", self.facts)
        return CatalogueReading.DISAGREES if shaped else CatalogueReading.OTHER

    def _numbers_agree(self, text: str) -> bool:
        named = self._named(text)
        years = {card.year for card in named or self.papers}
        rest = _without(text, (fact for card in self.papers for fact in _facts(card) if re.search(r"\d", fact)))
        counts = self._counts()
        return all(
            quantity.value in counts or quantity.value in years for quantity in quantities(rest) if not quantity.unit
        )

    def _counts(self) -> set[int]:
        groups = Counter(
            fact
            for card in self.papers
            for fact in {
                card.year,
                card.venue,
                *card.authors,
                *(author.split()[-1] for author in card.authors if author.split()),
            }
            if fact is not None
        )
        return {*self.counts, len(self.papers), *groups.values()}

    def _names_agree(self, text: str) -> bool:
        """Each author, venue, year and id belongs to the paper whose title stands next before it, or alone."""
        folded = _folded(text)
        titles = dict.fromkeys(_folded(card.title) for card in self.papers)
        places = sorted((at, title) for title in titles if (at := _place(folded, title)) >= 0)
        if not places:
            return True
        starts = [0, *(at for at, _ in places[1:]), len(folded)]
        return all(
            self._belongs(_without(folded[start:end], (title,)), title)
            for (_, title), (start, end) in zip(places, pairwise(starts), strict=True)
        )

    def _belongs(self, part: str, title: str) -> bool:
        """Whether the facts of a text are those of the papers that have this title."""
        cards = [card for card in self.papers if _folded(card.title) == title]
        own = [fact for card in cards for fact in _facts(card)]
        if any(_place(part, fact) >= 0 for fact in self._foreign(own)):
            return False
        years = {int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", _without(part, own))}
        known = {card.year for card in cards}
        return None in known or years <= {*known, *self._counts()}

    def _foreign(self, own: Sequence[str]) -> set[str]:
        known = [_folded(fact) for fact in own]
        others = {_folded(fact) for card in self.papers for fact in _facts(card) if fact != card.title}
        return {
            fact for fact in others if len(fact) >= _MIN_FACT_CHARACTERS and not any(fact in mine for mine in known)
        }

    def _named(self, text: str) -> list[PaperCard]:
        folded = _folded(text)
        return [card for card in self.papers if _place(folded, card.title) >= 0]


def catalogue_facts(papers: Iterable[PaperCard]) -> tuple[str, ...]:
    """What is known of the papers, in the form in which texts are compared, the longest first."""
    facts = {_folded(fact) for card in papers for fact in _facts(card)}
    return tuple(
        sorted((fact for fact in facts if len(fact) >= _MIN_FACT_CHARACTERS), key=lambda fact: (-len(fact), fact))
    )


def states_only_catalogue_facts(text: str, facts: Sequence[str]) -> bool:
    """Whether the text is nothing but numbers, words of the closed list and the given facts (see `catalogue_facts`)."""
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


def _place(folded: str, fact: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(_folded(fact))}(?!\w)", folded) if _folded(fact) else None
    return -1 if match is None else match.start()


def _without(text: str, facts: Iterable[str]) -> str:
    folded = _folded(text)
    for fact in sorted({_folded(fact) for fact in facts}, key=len, reverse=True):
        if fact:
            folded = re.sub(rf"(?<!\w){re.escape(fact)}(?!\w)", " ", folded)
    return folded


def _folded(text: str) -> str:
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return re.sub(r"[\s*_~>#|]+", " ", unicodedata.normalize("NFKC", unescaped).casefold()).strip()


def _is_catalogue_word(word: str) -> bool:
    return word in _VOCABULARY or any(form.fullmatch(word) is not None for form in (_COUNT_OR_YEAR, _CHINESE))
