"""Headings set in a face of their own: fonts whose names say nothing, told by how rarely they are used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from reading_model.parsing.pdfium.draft import PageLayout
from reading_model.parsing.pdfium.page_content import Font

RARE = 0.06  # of the document's characters
_SAYS_NOTHING = re.compile(r"(?=.*\d)[0-9a-f]{8}$|gothic|hei\b|heiti|-hei", re.IGNORECASE)


def mark_display_type(layouts: Sequence[PageLayout]) -> None:
    """Mark lines in such a font as bold. Subset names of publishers hide weights, Gothic is the bold of Mincho."""
    used: Counter[Font] = Counter()
    for layout in layouts:
        for line in layout.lines:
            used.update(line.fonts)
    total = used.total()
    body = max(used, key=lambda font: used[font], default=None)
    display = {
        font
        for font, count in used.items()
        if font is not body and count < RARE * total and not font.italic and _SAYS_NOTHING.search(font.name)
    }
    if not display:
        return
    for layout in layouts:
        for line in layout.lines:
            if all(font in display for font in line.fonts):
                line.bold = True
