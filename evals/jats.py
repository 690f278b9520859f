"""Is a paper's text all there, in order? `python -m evals.jats PDF ...` compares with the publisher's XML beside it.

The letters and digits of the body's paragraphs in `NAME.jats.xml` have to be found in the blocks of `NAME.pdf`, in the
XML's order, in runs of at least 40: shorter runs could stand anywhere.
JATS: https://jats.nlm.nih.gov/archiving/tag-library/1.3/
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from reading_model.documents import BlockType, ParsedDocument
from reading_model.parsing.pdfium.parser import parse

RUN = 40
LEAST = 0.97
_APART = frozenset({"table-wrap", "fig", "fig-group", "table-wrap-group", "disp-formula", "boxed-text", "fn"})
_RUNNING = frozenset(
    {BlockType.PARAGRAPH, BlockType.LIST, BlockType.FORMULA, BlockType.CODE, BlockType.HEADING, BlockType.FOOTNOTE}
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many letters and digits of the XML were found, of how many, and the stretches that were not."""

    found: int
    total: int
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.found / self.total if self.total else 1.0


def letters(text: str) -> str:
    """Letters and digits alone, in compatible forms and without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if sign.isalnum())


def body_text(xml: bytes) -> str:
    """The letters and digits of the paragraphs of a JATS body, without what floats or is set apart."""
    root = ET.fromstring(xml)  # noqa: S314 - the publisher's file beside the paper, given by who runs the check
    return "".join(letters(text) for body in root.iter("body") for text in _paragraphs(body))


def _paragraphs(element: ET.Element) -> Iterator[str]:
    for child in element:
        if child.tag == "p":
            yield "".join(_inner(child))
        elif child.tag not in _APART:
            yield from _paragraphs(child)


def _inner(element: ET.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in _APART:
            yield from _inner(child)
        yield child.tail or ""


def coverage(expected: str, document: ParsedDocument) -> Coverage:
    """How much of `expected` (letters and digits) the running text of a document holds in order."""
    held = "".join(letters(block.text) for block in document.blocks if block.type in _RUNNING)
    found = place = cursor = 0
    missing: list[str] = []
    lost = 0
    while place < len(expected):
        run = expected[place : place + RUN]
        at = held.find(run, cursor) if len(run) == RUN else -1
        if at < 0:
            place += 1
            continue
        length = RUN
        while held[at + length : at + length + 1] == expected[place + length : place + length + 1] != "":
            length += 1
        if place > lost:
            missing.append(expected[lost:place])
        found += length
        place += length
        cursor, lost = at + length, place
    if lost < len(expected):
        missing.append(expected[lost:])
    return Coverage(found, len(expected), tuple(missing))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the share found of each paper and what is missing; 1 when a share is below the limit."""
    options = argparse.ArgumentParser(prog="python -m evals.jats", description=__doc__)
    options.add_argument("files", nargs="+", type=Path)
    files: list[Path] = options.parse_args(arguments).files
    shares: list[float] = []
    for file in files:
        expected = body_text(file.with_suffix(".jats.xml").read_bytes())
        result = coverage(expected, parse(file.read_bytes()))
        shares.append(result.share)
        sys.stdout.write(f"{file.name}: {result.found:,} of {result.total:,} letters and digits ({result.share:.1%})\n")
        for stretch in result.missing:
            sys.stdout.write(f"  missing: {stretch[:100]}\n")
    return int(any(share < LEAST for share in shares))


if __name__ == "__main__":
    sys.exit(main())
