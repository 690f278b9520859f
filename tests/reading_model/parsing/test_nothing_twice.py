"""No letter of a page comes out twice, and hardly one is lost."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.reading_model.parsing.shared import PAPERS, needs_data, parsed

pytestmark = [pytest.mark.data, needs_data]


def letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


@pytest.mark.parametrize("path", sorted(PAPERS.glob("*.pdf")), ids=lambda path: path.stem)
def test_the_blocks_hold_the_letters_of_the_page_text_once(path: Path) -> None:
    with pypdfium2.PdfDocument(path) as pdf:
        printed = 0
        for page in pdf:
            text = page.get_textpage()
            printed += letters(text.get_text_range())
            text.close()
            page.close()
    held = sum(letters(block.text) for block in parsed(path).blocks)
    assert 0.98 * printed <= held <= 1.05 * printed
