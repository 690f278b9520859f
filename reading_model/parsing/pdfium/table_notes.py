"""Notes of a table: the lines right under it that say what its marks, values or sources are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from reading_model.parsing.pdfium.captions import Caption
from reading_model.parsing.pdfium.graphics import Rule
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.marks import is_raised

REACH = 1.8  # em between a table and its first note
PITCH = 1.6  # em between the lines of notes
SMALLER = 0.92  # of the body size
MARGIN = 6.0  # points by which a note may stand out of its table
SHORT_RULE = 0.5  # of the table's width: a shorter rule heads the page's footnotes
_WORD = re.compile(
    r"(?:notes?|sources?|legend|abbreviations?|anmerkung(?:en)?|quellen?)\s*[.:：]|(?:notes|sources)$"
    r"|[（(]?(?:注释?|註|备注|出典|数据来源|资料来源|備考)\s*[:：]",
    re.IGNORECASE,
)
_SIGN = re.compile(r"(?:[*\u2217†‡§¶#‖]+|\([a-z*†‡]\))\s?(?=\S*[^\W_])")
_MARK = re.compile(r"(?:\d{1,2}|[a-z]{1,2}|[*\u2217†‡§¶#‖]+)$")
TURN = re.compile(r"\(?(?:table |figure )?continue[sd] on (?:the )?next page\)?\.?$", re.IGNORECASE)
"""What stands under a table that goes on; it is no note and says nothing of the paper."""
_ENDS = (".", "。", "!", "?")


def table_notes(
    body: Sequence[TextLine],
    extent: tuple[float, float, float],
    caption: Caption | None,
    lines: Sequence[TextLine],
    rules: Sequence[Rule],
    body_size: float,
) -> list[list[TextLine]]:
    """The lines of each note of a table, from top to bottom; `lines` are the page's free ones.

    `body` are the table's own lines, `extent` its left end, right end and bottom. A note says that it is one, begins
    with a mark that is raised or a sign, or is set smaller than the text under a table whose caption stands above.
    """
    x0, x1, bottom = extent
    own = median(line.size for line in body)
    below = sorted(
        (line for line in lines if line.base > bottom and x0 - MARGIN <= line.x0 and line.x1 <= x1 + MARGIN),
        key=lambda line: (round(line.base), line.x0),
    )
    captioned_above = caption is not None and caption.bottom < bottom
    notes: list[list[TextLine]] = []
    for line in below:
        if not notes:
            small = captioned_above and line.size < SMALLER * body_size and line.size <= own + 0.2 and not line.bold
            if not -2 < line.top - bottom < REACH * line.size or _is_parted(bottom, line, rules, x1 - x0):
                break
            if TURN.match(line.text) or not (small or _opens(line, body)):
                break
            notes.append([line])
            continue
        last = notes[-1][-1]
        if abs(line.base - last.base) < 0.3 * line.size:
            notes[-1].append(line)
            continue
        if line.size > notes[0][0].size + 0.6 or line.base - last.base > PITCH * max(line.size, last.size):
            break
        if _is_parted(last.base, line, rules, x1 - x0):
            break
        if _opens(line, body) or _ends(notes[-1], below):
            notes.append([line])
        else:
            notes[-1].append(line)
    return notes


def _opens(line: TextLine, body: Sequence[TextLine]) -> bool:
    """Whether a line begins a note. A raised figure counts only where the table has it too."""
    if _WORD.match(line.text) or _SIGN.match(line.text):
        return True
    first = line.words[0]
    if not is_raised(first, line) or not _MARK.match(first.text):
        return False
    return not first.text.isdigit() or any(
        word.text == first.text and is_raised(word, other) for other in body for word in other.words
    )


def _is_parted(upper: float, line: TextLine, rules: Sequence[Rule], width: float) -> bool:
    """Whether the short rule of the page's footnotes lies between."""
    return any(upper + 2 < rule.y < line.base and rule.width < SHORT_RULE * width for rule in rules)


def _ends(note: Sequence[TextLine], lines: Sequence[TextLine]) -> bool:
    """Whether the note so far ends with a sentence before the margin."""
    right = max(line.x1 for line in lines)
    return note[-1].text.endswith(_ENDS) and note[-1].x1 < right - 3 * note[-1].size
