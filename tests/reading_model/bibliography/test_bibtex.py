from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_model.bibliography import BibliographyEntry, read_bibtex, write_bibtex
from reading_model.errors import BibliographyUnreadable
from reading_model.models import PaperMetadata
from tests.reading_model.bibliography.values import papers

KEPT = r"""
% a comment with @ in it
@string{jml = "Journal of {M}achine Learning"}
@comment{jabref-meta: databaseType:bibtex;}
@article{first, title = {The {\'E}tude of {BERT} and $\alpha$-models,
    50% longer \& wider}, author = "M{\"u}ller, J{\"o}rg and van der Berg, Ann and {OpenAI Team}
    and Erd\H{o}s, P. and Davis, Jr., Sammy and Jane M. Doe and others",
  journal = jml # { (Special)}, year = 2020, month = jan, DOI = {https://doi.org/10.1000/abc_def},
  file = {:papers/x\_y.pdf:PDF;Full Text:C\:\\dir\\paper.pdf:application/pdf}}
@INPROCEEDINGS(second, title = "Paren {Entry}", author = {Jane Doe}, booktitle = {Proc.~of X}, date = {2021-05-03},
  eprint = {2001.01234v2}, archivePrefix = {arXiv}, abstract = {One.

  Two
  lines.})
@misc{first, title = {A key that comes twice}, url = {https://arxiv.org/abs/1706.03762}}
@misc{third, title = {By its DOI}, doi = {10.48550/arXiv.2101.00001}}
@misc{fourth, title = {Elsewhere}, eprint = {123}, eprinttype = {pubmed}}
"""


def test_a_bibliography_as_people_keep_it_is_read_whole() -> None:
    entries = read_bibtex(KEPT)
    assert entries[0] == BibliographyEntry(
        key="first",
        title="The Étude of BERT and α-models, 50% longer & wider",
        authors=("Jörg Müller", "Ann van der Berg", "OpenAI Team", "P. Erdős", "Sammy Davis Jr.", "Jane M. Doe"),
        year=2020,
        venue="Journal of Machine Learning (Special)",
        doi="10.1000/abc_def",
        files=("papers/x_y.pdf", "C:/dir/paper.pdf"),
    )
    assert entries[1] == BibliographyEntry(
        key="second",
        title="Paren Entry",
        authors=("Jane Doe",),
        year=2021,
        venue="Proc. of X",
        arxiv_id="2001.01234v2",
        abstract="One.\n\nTwo lines.",
    )
    assert [entry.arxiv_id for entry in entries[2:]] == ["1706.03762", "2101.00001", None]


@pytest.mark.parametrize(
    ("written", "read"), [("A &lt; B", "A < B"), (r"A \&lt; B", "A &lt; B"), ("R&D", "R&D"), ("A &gt B", "A &gt B")]
)
def test_references_of_html_are_decoded_unless_their_sign_is_escaped(written: str, read: str) -> None:
    assert read_bibtex(f"@misc{{a, title = {{{written}}}}}")[0].title == read


def test_names_may_begin_with_an_accent_and_hold_the_word_and() -> None:
    field = r"Jane Doe and \'{E}mile Zola AND {Simon and Schuster} and \v{S}koda, Jan and others"
    (entry,) = read_bibtex(f"@misc{{a, author = {{{field}}}}}")
    assert entry.authors == ("Jane Doe", "Émile Zola", "Simon and Schuster", "Jan Škoda")


def test_what_an_entry_gives_is_only_what_it_knows() -> None:
    assert read_bibtex("@misc{a, title = {T}, year = {n.d.}}")[0].given() == {"title": "T"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("@misc{a, title = {x}}\n@misc{b, title = {broken\n@misc{c, title = {x}}", "line 2"),
        ("\n\n@misc{a, title = {never closed", "line 3"),
        ("@misc{a, title = {x}, title = {y}}", "line 1"),
    ],
)
def test_a_broken_entry_is_named_by_its_line(text: str, line: str) -> None:
    with pytest.raises(BibliographyUnreadable) as caught:
        read_bibtex(text)
    assert line in str(caught.value)
    assert caught.value.code == "bibliography_unreadable"


def test_a_string_that_names_itself_ends() -> None:
    assert read_bibtex("@string{a = a}\n@misc{x, title = a}")[0].title == "a"


@given(st.text(max_size=200))
def test_any_text_gives_entries_or_the_error(text: str) -> None:
    with suppress(BibliographyUnreadable):
        read_bibtex("@misc{a, title = {" + text)


@settings(max_examples=50)
@given(papers())
def test_what_is_written_is_read_again(paper: PaperMetadata) -> None:
    (entry,) = read_bibtex(write_bibtex([(paper, "a file: 1;2.pdf")]))
    names = ("title", "authors", "year", "venue", "doi", "arxiv_id", "abstract")
    assert {name: getattr(entry, name) for name in names} == {name: getattr(paper, name) for name in names}
    assert entry.files == ("a file: 1;2.pdf",)


def test_keys_are_distinct_and_plain() -> None:
    paper = PaperMetadata(title="On the Naïve Model", authors=("Jörg Müller",), year=2020)
    keys = [
        entry.key for entry in read_bibtex(write_bibtex([(paper, "a.pdf"), (paper, "b.pdf"), (PaperMetadata(), "c")]))
    ]
    assert keys == ["muller2020naive", "muller2020naive-2", "paper"]
