from __future__ import annotations

from pathlib import Path

import pytest

from reading_model.bibliography import read_bibliography
from reading_model.errors import BibliographyUnreadable


def test_the_form_of_a_file_is_seen_by_how_it_begins(tmp_path: Path) -> None:
    for name, text in (("a.txt", '\ufeff [{"id": "x", "title": "T"}]'), ("b.json", "@misc{x, title={T}}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (entry,) = read_bibliography(tmp_path / name)
        assert (entry.key, entry.title) == ("x", "T")


@pytest.mark.parametrize("content", [b"", b"no entries at all", b"[]", b"@misc{x, title={\xff}}", b"@misc{x", b"{"])
def test_a_broken_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(content)
    with pytest.raises(BibliographyUnreadable) as caught:
        read_bibliography(path)
    assert "refs.bib" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BibliographyUnreadable) as caught:
        read_bibliography(tmp_path / "refs.bib")
    assert caught.value.hint == "Check the path and its permissions."
