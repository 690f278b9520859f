"""What tells running text from the pieces of tables and drawings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reading_model.parsing.pdfium.lines import TextLine
from reading_model.text import is_cjk

MIN_WORDS = 7
MIN_IDEOGRAPHS = 22
_WORD = re.compile(r"[^\W\d_]{2,}")


def is_prose(line: TextLine, width: float) -> bool:
    """Whether a line fills most of `width` (points) with words."""
    if line.width < 0.72 * width:
        return False
    if len(_WORD.findall(line.text)) >= MIN_WORDS:
        return True
    return sum(map(is_cjk, line.text)) >= MIN_IDEOGRAPHS


def holds_prose(lines: Sequence[TextLine], width: float) -> bool:
    """Whether two lines that follow each other closely are prose."""
    before: TextLine | None = None
    for line in lines:
        if not is_prose(line, width):
            continue
        if before is not None and 0.5 * line.size < line.base - before.base < 1.9 * line.size:
            return True
        before = line
    return False
