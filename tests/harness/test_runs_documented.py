"""`docs/runs.md` names every tool, fault, limit and reason that a run knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.errors import ReasonCode
from harness.tools.toolbox import TOOL_NAMES
from harness.turn import RunLimits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "runs.md").read_text(encoding="utf-8")
SOURCES = [*(ROOT / "harness" / "tools").glob("*.py"), *(ROOT / "harness" / "models").glob("*.py")]
CODE = re.compile(r"\bcode=\"([A-Za-z_]+)\"")
FAULTS = {code for source in SOURCES for code in CODE.findall(source.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", [*TOOL_NAMES, *sorted(FAULTS), *(code.value for code in ReasonCode)])
def test_each_name_of_a_run_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_each_limit_stands_with_its_default() -> None:
    for name, value in RunLimits().as_dict().items():
        if name != "max_completion_tokens":
            assert f"`{name}`" in PAGE
            assert f"{value:,}" in PAGE


def test_the_faults_were_found() -> None:
    assert len(FAULTS) > 12
