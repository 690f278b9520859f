"""Every case that is within reach of what is built has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import CASES

TESTED = (
    *(
        "F01",
        "F02",
        "F03",
        "F04",
        "F05",
        "F06",
        "F07",
        "F08",
        "F09",
        "F10",
        "F11",
        "F12",
        "F13",
        "F14",
        "F15",
        "F16",
        "F17",
        "F18",
        "F19",
        "F20",
    ),
    *("F21", "F22", "F23", "F24", "F25", "F26", "F27", "F28", "F29", "F30", "F31", "F32", "F35", "F36", "F37"),
)
LATER = {
    **dict.fromkeys(("F33", "F34"), "PDF tools"),
}


@pytest.fixture(scope="module")
def named() -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("test_*.py"))
    mine = Path(__file__).read_text(encoding="utf-8")
    return {
        name.upper() for text in sources if text != mine for name in re.findall(r"(?:\b|_)([fF]\d\d)(?=\b|_)", text)
    }


@pytest.mark.parametrize("case", TESTED)
def test_a_test_names_the_case(case: str, named: set[str]) -> None:
    assert case in named


def test_no_case_is_forgotten() -> None:
    if not CASES.is_dir():
        pytest.skip("the shared cases are not beside this checkout")
    ids = re.findall(r"(?m)^ *- id: (F\d+)$", (CASES / "cases.yaml").read_text(encoding="utf-8"))
    assert sorted(ids) == sorted({*TESTED, *LATER})
