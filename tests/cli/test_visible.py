from __future__ import annotations

import io
import json

from hypothesis import given
from hypothesis import strategies as st
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from cli.console import PlainConsole
from cli.visible import escaped_json, visible, well_formed

ANY_TEXT = st.text(st.characters(codec=None))
OBEYED = [*map(chr, range(9)), *map(chr, range(11, 32)), *map(chr, range(127, 160)), "\u202e", "\udcff"]


def test_controls_become_signs_and_plain_text_stays() -> None:
    assert visible("a\x1b]0;x\x07b\x7f\x9b2J\u202egnp") == "a␛]0;x␇b␡\ufffd2J\ufffdgnp"
    assert visible("Größe\tπ\n中文 שלום 😀") == "Größe\tπ\n中文 שלום 😀"


@given(ANY_TEXT)
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not set(shown) & set(OBEYED)


@given(ANY_TEXT)
def test_json_for_a_terminal_means_the_same(text: str) -> None:
    written = escaped_json(json.dumps({text: [text]}, ensure_ascii=False))
    written.encode("utf-8")
    assert not set(written) & set(OBEYED)
    assert json.loads(written) == {text: [text]}


@given(ANY_TEXT)
def test_an_argument_becomes_unicode_once(text: str) -> None:
    plain = well_formed(text)
    plain.encode("utf-8")
    assert well_formed(plain) == plain


def test_a_console_emits_no_sequence_but_its_own() -> None:
    evil = "x\x1b]0;pwned\x07\x1b[2J\x9b2J y [red]z[/red] [/]"
    table = Table(evil)
    table.add_row(Text(evil, style="bold"))
    written = io.StringIO()
    console = PlainConsole(file=written, force_terminal=True, width=200, markup=False, highlight=False)
    console.print(Text(evil, style="bold"), evil, table, Markdown(f"**{evil}**\n\n`{evil}`"))
    shown = written.getvalue()
    assert "\x1b[1m" in shown
    assert "\x1b]" not in shown
    assert "\x1b[2J" not in shown
    assert not set("\x07\x9b") & set(shown)
    assert "[red]z[/red] [/]" in shown
