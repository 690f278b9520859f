"""The regression gate of retrieval: frozen queries always, a slice of the training claims where the data is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.main import main
from evals.errors import EvaluationDataMalformed
from evals.retrieval.beir import BeirSet, load_beir
from evals.retrieval.frozen import QUERIES, FrozenQuery, FrozenResult, ask_frozen, frozen_table, load_frozen
from evals.retrieval.measures import score_rankings
from evals.retrieval.product import product_search
from index.contract import IndexContract
from tests.places import DATA, SAMPLE_PAPERS, needs_data

SAMPLES = QUERIES / "sample-papers.yaml"
SHARED = QUERIES / "shared-papers.yaml"


def test_the_sample_papers_are_searched_as_well_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["eval", "frozen", "--papers", str(SAMPLE_PAPERS), "--queries", str(SAMPLES), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [entry for entry in found["ranks"] if not (entry["rank"] and entry["rank"] <= entry["within"])] == []
    assert code == 0
    assert found["held"] == found["queries"] == 8


@pytest.mark.data
@needs_data()
def test_the_queries_written_beforehand_find_their_sentences_among_the_first_three() -> None:
    results = ask_frozen(load_frozen(SHARED), DATA / "papers")
    assert [result.query.id for result in results if not result.holds] == []
    first = dict.fromkeys(("zh", "ja", "zh+en", "ja+en"), 0)
    for result in results:
        if result.query.language in first:
            assert result.query.within == 3
            first[result.query.language] += 1
    assert first == {"zh": 5, "ja": 5, "zh+en": 1, "ja+en": 1}


@pytest.mark.data
@needs_data()
def test_a_slice_of_the_training_claims_is_ranked_as_well_as_before() -> None:
    """100 claims over their documents and every fourth other one; 0.795 and 0.930 when this was written."""
    data = slice_of(load_beir(DATA / "ir" / "scifact", "train"), claims=100, every=4)
    with product_search(data.documents, IndexContract.default()) as search:
        rankings = {query: search.ranking(text, 100) for query, text in data.queries.items()}
    scores = score_rankings(rankings, data.judgments)
    ndcg, recall = scores.mean("nDCG@10"), scores.mean("R@100")
    assert ndcg is not None
    assert recall is not None
    assert ndcg >= 0.79
    assert recall >= 0.92


def slice_of(data: BeirSet, *, claims: int, every: int) -> BeirSet:
    chosen = list(data.queries)[:claims]
    judgments = {query: data.judgments[query] for query in chosen}
    judged = {document for grades in judgments.values() for document in grades}
    kept = tuple(
        document for place, document in enumerate(data.documents) if document.id in judged or place % every == 0
    )
    return replace(data, documents=kept, queries={query: data.queries[query] for query in chosen}, judgments=judgments)


def test_a_query_that_is_found_too_late_ends_the_command_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = tmp_path / "queries.yaml"
    text = "- {id: late, language: en, query: tesseract, paper: evidence-ledger.pdf, page: 2, within: 1,\n"
    queries.write_text(text + "   quote: A run may make at most 6 submissions.}\n", encoding="utf-8")
    assert main(["eval", "frozen", "--papers", str(SAMPLE_PAPERS), "--queries", str(queries)]) == 1
    shown = capsys.readouterr().out
    assert "not held" in shown
    assert "0 of 1 hold, MRR 0.000" in shown


def test_a_quotation_that_its_page_does_not_hold_is_an_error(tmp_path: Path) -> None:
    query = load_frozen(SAMPLES)[0].model_copy(update={"page": 2})
    with pytest.raises(EvaluationDataMalformed, match="no place on page 2 holds the quotation"):
        ask_frozen([query], SAMPLE_PAPERS)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("id: tie-order", "id: offsets", "comes a second time"),
        ("within: 2", "within: 21", "within"),
        ("within: 2", "witin: 2", "5.within"),
    ],
)
def test_a_bad_entry_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    file = tmp_path / "queries.yaml"
    text = SAMPLES.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EvaluationDataMalformed, match=problem):
        load_frozen(file)


def test_the_table_gives_rank_and_what_is_held() -> None:
    query = FrozenQuery(id="a", language="en", query="q", paper="p", page=1, quote="x", within=2)
    lines = frozen_table([FrozenResult(query, 2), FrozenResult(query, 4)]).splitlines()
    assert lines[2:4] == ["| a | en | 2 | 2 |  |", "| a | en | 4 | 2 | not held |"]
    assert lines[-1] == "1 of 2 hold, MRR 0.375"
