from __future__ import annotations

import io

from rich.text import Text

from cli.console import PlainConsole, hanging


def lines(label: str, text: str) -> list[str]:
    console = PlainConsole(file=io.StringIO(), width=20)
    with console.capture() as shown:
        console.print(hanging(Text(label), Text(text)))
    return [line.rstrip() for line in shown.get().splitlines()]


def test_a_long_head_goes_on_under_its_text() -> None:
    assert lines(" 1. ", "Gulls at Night and at Noon") == [" 1. Gulls at Night", "    and at Noon"]


def test_a_wide_number_is_whole() -> None:
    assert lines("[100] ", "Gulls") == ["[100] Gulls"]
