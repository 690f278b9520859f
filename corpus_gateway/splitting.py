"""Citable spans of a text of which only the text is known, as a remote corpus or a test gives it.

Cut by the same rules as the spans of a reading model (`reading_model.spans`), but without pages and rectangles.
"""

from __future__ import annotations

from corpus_gateway.wire import ReadSpan
from reading_model.cutting import Cutter
from reading_model.identity import evidence_id_of
from reading_model.spans import SPAN_LIMIT


def split_text(
    text: str,
    *,
    paper_id: str,
    paper_version: str,
    location_ref: str,
    page: int,
    by_rows: bool = False,
    limit: int = SPAN_LIMIT,
) -> list[ReadSpan]:
    """Spans in order, without the blanks between them; each has `text == whole[start:end]` and its evidence id.

    At most `limit` code points each, cut at sentence ends, or between lines `by_rows`, as a table is; never inside a
    character. They carry no boxes. A text of blanks has no spans.
    """
    rows = [offset for offset, mark in enumerate(text) if mark == "\n"] if by_rows else None
    pieces = Cutter(text, rows).pieces(0, len(text), limit)
    return [
        ReadSpan(
            number=number,
            start=start,
            end=end,
            text=text[start:end],
            page=page,
            evidence_id=evidence_id_of(paper_id, paper_version, location_ref, start, end, text[start:end]),
        )
        for number, (start, end) in enumerate(pieces)
    ]
