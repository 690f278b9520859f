from __future__ import annotations

from pathlib import Path

from tests.e2e.command_line import paperledger
from tests.places import ROOT

PAPERS = ROOT / "examples" / "papers"
LEDGER = PAPERS / "evidence-ledger.pdf"
BIB = r"""
@article{ledger, title = {The {L}edger of M{\"u}ller}, author = {M{\"u}ller, J{\"o}rg and {The Team}}, year = {1999},
  journal = {Letters}, file = {elsewhere/evidence-ledger.pdf}}
@misc{sparse, title = {Scoped term statistics for {BM25} in a sparse vector index}, doi = {10.1000/given}}
@misc{absent, title = {A paper that is not there}}
"""


def test_facts_from_a_bibliography_win_and_what_matches_nothing_is_named(tmp_path: Path) -> None:
    refs, library = tmp_path / "refs.bib", tmp_path / "library"
    refs.write_text(BIB, encoding="utf-8")
    damaged = tmp_path / "absent.pdf"
    damaged.write_bytes(b"%PDF-1.7 nothing")
    ran = paperledger("add", PAPERS, damaged, "--bib", refs, "--library", library, "--jobs", "2", "--json")
    assert (ran.code, ran.json["counts"]) == (1, {"ready": 3, "skipped": 0, "failed": 1})
    assert ran.json["bibliography"] == {
        "entries_without_file": [],
        "files_without_entry": [str(PAPERS / "columns-and-reading-order.pdf")],
    }
    papers = {p["filename"]: p for p in paperledger("papers", "--json", "--library", library).json["papers"]}
    ledger = papers["evidence-ledger.pdf"]
    assert (ledger["title"], ledger["authors"], ledger["year"]) == (
        "The Ledger of Müller",
        ["Jörg Müller", "The Team"],
        1999,
    )
    assert {ledger["sources"][name] for name in ("title", "authors", "year", "venue")} == {"user"}
    sparse = papers["sparse-bm25-scoped-idf.pdf"]
    assert (sparse["doi"], sparse["sources"]["doi"], bool(sparse["authors"])) == ("10.1000/given", "user", True)
    assert paperledger("index", "verify", "--library", library).code == 0

    # what the library writes is a bibliography that it reads again, for papers that are there already
    venue = "Letters"
    for form in ("bibtex", "csl"):
        listed = paperledger("papers", "--format", form, "--library", library)
        again = tmp_path / f"again.{form}"
        again.write_text(listed.out.replace(venue, venue := f"Letters in {form}"), encoding="utf-8")
        ran = paperledger("add", PAPERS, "--bib", again, "--library", library, "--json")
        assert (ran.code, ran.json["counts"]["skipped"]) == (0, 3)
        assert ran.json["bibliography"] == {"entries_without_file": [], "files_without_entry": []}
        shown = paperledger("papers", "show", ledger["paper_id"], "--library", library, "--json").json
        assert (shown["venue"], shown["title"]) == (venue, "The Ledger of Müller")
    listed = paperledger("papers", "--format", "ris", "--library", library)
    assert "TY  - JOUR\nTI  - The Ledger of Müller\n" in listed.out
    assert paperledger("index", "verify", "--library", library).code == 0


def test_a_broken_bibliography_stops_the_command_before_anything_is_added(tmp_path: Path) -> None:
    refs, library = tmp_path / "refs.bib", tmp_path / "library"
    refs.write_text("@misc{a, title = {never closed", encoding="utf-8")
    ran = paperledger("add", LEDGER, "--bib", refs, "--library", library, "--json")
    assert (ran.code, ran.json["error"]) == (2, "bibliography_unreadable")
    assert not library.exists()


def test_for_people_what_matches_nothing_stands_below_the_table(tmp_path: Path) -> None:
    refs = tmp_path / "refs.bib"
    refs.write_text("@misc{absent, title = {Not there}}", encoding="utf-8")
    ran = paperledger("add", LEDGER, "--bib", refs, "--library", tmp_path / "library")
    assert ran.code == 0
    assert "no file for the entry absent: Not there" in ran.out
    assert "no entry for the file evidence-ledger.pdf" in ran.out
