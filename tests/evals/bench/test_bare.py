from __future__ import annotations

import pytest

from evals.bench.bare import read_boxes, read_characters, read_text, read_through_api
from evals.bench.long_pdf import long_pdf


def test_both_yardsticks_meet_the_same_characters() -> None:
    data = long_pdf(2)
    assert read_boxes(data) == read_text(data) == read_characters(data) == read_through_api(data) > 2 * 1000


def test_a_file_that_is_no_pdf_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot open"):
        read_boxes(b"no pdf")
