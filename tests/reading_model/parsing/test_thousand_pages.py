from __future__ import annotations

import pytest

from reading_model.parsing import ParseLimits, parse_file
from tests.places import CASES, needs_data

NEEDLE = "needle-0777"


@pytest.mark.data
@needs_data()
def test_f34_a_thousand_pages_are_read_whole_in_time_and_within_the_memory_of_a_small_machine() -> None:
    limits = ParseLimits(seconds=120, memory_mb=700)
    document = parse_file(CASES / "inputs" / "f34-thousand-pages.pdf", limits=limits)
    assert len(document.pages) == 1000
    assert [block.page for block in document.blocks if NEEDLE in block.text] == [777]
