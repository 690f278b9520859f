"""Papers made up from a seed: the same on every machine, shaped like real ones in what costs time.

Words are pseudo-words of syllables whose frequencies follow Zipf's law (frequency ~ 1 / (rank + 2.7), Mandelbrot's
form); two words in five of a paper come from a vocabulary of its own topic. A paragraph has the length of one
passage, and each line its box and the edges of its characters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random

from reading_model.documents import (
    Block,
    BlockType,
    Line,
    PageBox,
    ParsedDocument,
    ParsedMetadata,
    ParsedPage,
    Provenance,
    Rect,
    Sourced,
)
from reading_model.identity import sha256_hex

VOCABULARY_SIZE = 20_000
PARAGRAPHS_PER_SECTION = 12
PARAGRAPHS_PER_PAGE = 3
PARAGRAPH_CHARACTERS = 2100
"""About 450 tokens of a language model."""

_SHIFT = 2.7
_TOPIC_WORDS = 300
_TOPIC_SHARE = 0.4
_LINE_CHARACTERS = 85
_LEFT, _TOP, _LEADING, _ADVANCE = 60.0, 60.0, 8.0, 5.2
_ONSETS = ("b", "br", "d", "f", "g", "gl", "k", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "tr", "v", "z", "h")
_VOWELS = ("a", "e", "i", "o", "u", "ia", "eo")
_CODAS = ("", "", "n", "r", "s", "l", "m", "t")


class Vocabulary:
    """Distinct pseudo-words by falling frequency."""

    def __init__(self, seed: int, size: int = VOCABULARY_SIZE) -> None:
        random = Random(seed)  # noqa: S311 - reproducible text is what it is for
        words: dict[str, None] = {}
        while len(words) < size:
            syllables = 1 + (len(words) > 200) + (len(words) > 4000)
            words["".join(_syllable(random) for _ in range(syllables + random.randrange(2)))] = None
        self.words = list(words)
        self.weights = list(itertools.accumulate(1 / (rank + _SHIFT) for rank in range(size)))

    def topic(self, random: Random) -> list[str]:
        """The words of one paper's own topic, none of the commonest."""
        return random.sample(self.words[200:], _TOPIC_WORDS)


def synthetic_papers(count: int, *, paragraphs: int, seed: int) -> Iterator[ParsedDocument]:
    """`count` papers of so many paragraphs each."""
    vocabulary = Vocabulary(seed)
    for number in range(count):
        yield _paper(vocabulary, number, paragraphs, Random(f"{seed}/{number}"))  # noqa: S311 - reproducible


def query_from(text: str, random: Random) -> str:
    """A question's words: three to seven of the longer words of a text, in another order."""
    words = sorted({word.strip(".").lower() for word in text.split() if len(word) > 5})
    return " ".join(random.sample(words, min(len(words), random.randint(3, 7))))


def paper_title(topic: Sequence[str], random: Random) -> str:
    """Six words of the paper's topic."""
    return " ".join(random.sample(topic, 6)).capitalize()


def sentence(vocabulary: Vocabulary, topic: Sequence[str], random: Random) -> str:
    """Twelve to twenty-eight words, two in five of them of the topic."""
    common = random.choices(vocabulary.words, cum_weights=vocabulary.weights, k=random.randint(12, 28))
    words = [random.choice(topic) if random.random() < _TOPIC_SHARE else word for word in common]
    return " ".join(words).capitalize() + "."


def _paper(vocabulary: Vocabulary, number: int, paragraphs: int, random: Random) -> ParsedDocument:
    topic = vocabulary.topic(random)
    title = paper_title(topic, random)
    texts: list[tuple[BlockType, str]] = [(BlockType.TITLE, title)]
    for paragraph in range(paragraphs):
        if paragraph % PARAGRAPHS_PER_SECTION == 0:
            section = paragraph // PARAGRAPHS_PER_SECTION + 1
            texts.append((BlockType.HEADING, f"{section} {' '.join(random.sample(topic, 3)).capitalize()}"))
        texts.append((BlockType.PARAGRAPH, _paragraph(vocabulary, topic, random)))
    pages = paragraphs // PARAGRAPHS_PER_PAGE + 1
    return ParsedDocument(
        source_sha256=sha256_hex(f"synthetic paper {number} of {title}"),
        pages=tuple(ParsedPage(page, 612.0, 792.0) for page in range(1, pages + 1)),
        blocks=tuple(_blocks(texts)),
        provenance=Provenance("synthetic", "1"),
        metadata=ParsedMetadata(
            title=Sourced(title, "first_page"), year=Sourced(str(1990 + number % 35), "first_page")
        ),
    )


def _paragraph(vocabulary: Vocabulary, topic: Sequence[str], random: Random) -> str:
    sentences: list[str] = []
    length = 0
    while length < PARAGRAPH_CHARACTERS:
        sentences.append(sentence(vocabulary, topic, random))
        length += len(sentences[-1]) + 1
    return " ".join(sentences)


def _blocks(texts: Sequence[tuple[BlockType, str]]) -> Iterator[Block]:
    paragraph = 0
    line_on_page: dict[int, int] = {}
    for ordinal, (kind, text) in enumerate(texts):
        page = paragraph // PARAGRAPHS_PER_PAGE + 1
        paragraph += kind is BlockType.PARAGRAPH
        lines = tuple(_lines(text, page, line_on_page.get(page, 0)))
        line_on_page[page] = line_on_page.get(page, 0) + len(lines)
        right = max(line.rect.x1 for line in lines)
        box = PageBox(page, Rect(_LEFT, lines[0].rect.y0, right, lines[-1].rect.y1))
        level = 1 if kind is BlockType.HEADING else None
        yield Block(ordinal=ordinal, type=kind, text=text, page=page, lines=lines, boxes=(box,), level=level)


def _lines(text: str, page: int, first: int) -> Iterator[Line]:
    start = 0
    for number in itertools.count(first):
        end = len(text)
        if end - start > _LINE_CHARACTERS:
            end = text.rindex(" ", start, start + _LINE_CHARACTERS)
        top = _TOP + _LEADING * number
        edges = tuple(_LEFT + _ADVANCE * position for position in range(end - start + 1))
        yield Line(start, end, page, Rect(_LEFT, top, edges[-1], top + _LEADING), edges)
        if end == len(text):
            return
        start = end + 1


def _syllable(random: Random) -> str:
    return random.choice(_ONSETS) + random.choice(_VOWELS) + random.choice(_CODAS)
