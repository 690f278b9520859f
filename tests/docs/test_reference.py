from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.build import FOLDER, pages
from tests.places import ROOT

PAGES = pages()
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "run ./run docs"


def test_every_command_and_error_of_the_product_has_its_place() -> None:
    commands, errors = PAGES["reference/commands.md"], PAGES["reference/errors.md"]
    for command in ("add", "papers list", "ask", "serve", "index verify", "db upgrade", "config show", "doctor"):
        assert f"\n## paperledger {command}\n" in commands
    for code in ("password_wrong", "no_text", "index_in_use", "corpus_unavailable", "library_not_found"):
        assert f"| `{code}` |" in errors


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")], ids=lambda p: p.name
)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"
