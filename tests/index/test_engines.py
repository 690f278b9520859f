"""What every engine does, on each of them: the embedded one, the facade, and a real server where one is given."""

from __future__ import annotations

import math
import uuid
from collections import Counter

import pytest

from index.engine import IndexPoint, SparseIndex, SparseQuery, SparseVector
from tests.index.points import DOCUMENTS, fill, point, query, refs


def bm25_by_hand(text: str, documents: list[str], asked: str) -> float:
    """Textbook BM25 of words that are their own stems; each counts 1, and 0.1 for its exact form."""
    bags = [Counter(document.split()) for document in documents]
    bag = Counter(text.split())
    score = 0.0
    for word in asked.split():
        holding = sum(word in other for other in bags)
        idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        norm = 1.2 * (0.25 + 0.75 * bag.total() / 4)
        score += 1.1 * idf * bag[word] * 2.2 / (bag[word] + norm)
    return score


@pytest.mark.parametrize("corpus", ["ab", "a"])
@pytest.mark.parametrize("asked", ["hill", "lake hill boat"])
def test_scores_are_bm25_over_the_corpus_of_the_query(index: SparseIndex, corpus: str, asked: str) -> None:
    fill(index, "a", "b")
    counted = [text for paper in corpus for text in DOCUMENTS[paper]]
    hits = index.search(query(asked, "a", corpus=tuple(corpus)))
    assert {hit.payload.location_ref: hit.score for hit in hits} == {
        f"a{n}": pytest.approx(bm25_by_hand(text, counted, asked), abs=6e-4)
        for n, text in enumerate(DOCUMENTS["a"])
        if set(text.split()) & set(asked.split())
    }


def test_other_papers_do_not_change_scores_within_a_scope(index: SparseIndex) -> None:
    fill(index, "a")
    alone = index.search(query("windy hill", "a", corpus=("a",)))
    fill(index, "b")
    assert index.search(query("windy hill", "a", corpus=("a",))) == alone
    assert index.search(query("windy hill", "a")) != alone
    index.delete_models(["v-b"])
    assert index.search(query("windy hill", "a")) == alone


def test_deleting_nothing_deletes_nothing(index: SparseIndex) -> None:
    fill(index, "a")
    index.delete_models([])
    assert index.count() == 3


def test_no_model_version_matches_nothing(index: SparseIndex) -> None:
    fill(index, "a")
    assert index.search(query("windy")) == []
    assert index.search(query("windy", "unknown")) == []


def test_an_empty_vector_or_limit_finds_nothing(index: SparseIndex) -> None:
    fill(index, "a")
    assert index.search(SparseQuery(SparseVector((), ()), ("v-a",), 5, None)) == []
    assert index.search(query("windy", "a", limit=0)) == []


def test_idf_over_no_model_is_refused(index: SparseIndex) -> None:
    with pytest.raises(ValueError, match="undefined"):
        index.search(query("windy", "a", corpus=()))


def test_bad_vectors_never_reach_the_engine() -> None:
    for indices, values in (((1, 1), (1.0, 1.0)), ((2, 1), (1.0, 1.0)), ((1,), (math.nan,)), ((1,), ())):
        with pytest.raises(ValueError, match="sparse vector"):
            SparseVector(indices, values)


def test_a_tie_at_the_cut_is_complete_beside_better_hits(index: SparseIndex) -> None:
    index.upsert([point("p", f"r{n:02}", "lake") for n in range(90, 9, -1)])
    index.upsert([point("p", "r99", "lake lake lake")])
    assert refs(index.search(query("lake", "p", limit=4))) == ["r99", "r10", "r11", "r12"]


def test_kinds_element_types_and_pages_filter(index: SparseIndex) -> None:
    index.upsert(
        [
            point("p", "table", "lake", kind="table", element_types=("table",), page=2, page_end=3),
            point("p", "formula", "lake", element_types=("passage", "formula"), page=4, page_end=4),
            point("p", "plain", "lake", page=6, page_end=6),
        ]
    )

    def found(**rest: object) -> set[str]:
        return set(refs(index.search(query("lake", "p", **rest))))  # type: ignore[arg-type]

    assert found(element_types=("table",)) == {"table"}
    assert found(element_types=("passage",)) == {"formula", "plain"}
    assert found(element_types=("table", "formula")) == {"table", "formula"}
    assert found(page_from=3, page_to=4) == {"table", "formula"}
    assert found(page_from=5) == {"plain"}
    assert found(page_to=2) == {"table"}
    assert found(element_types=("figure",)) == set()


def test_points_come_back_as_they_were_written(index: SparseIndex) -> None:
    points = [
        point("p", "table", "lake", kind="table", element_types=("table",), page=2, page_end=3),
        point("p", "empty", "the"),
    ]
    index.upsert(points)
    assert dict(index.scroll()) == {written.id: written.payload for written in points}
    assert index.count("v-p") == 2


def test_scrolling_goes_over_pages(index: SparseIndex) -> None:
    written = [
        IndexPoint(str(uuid.UUID(int=n + 1)), SparseVector((n,), (1.0,)), point("p", str(n), "x").payload)
        for n in range(1100)
    ]
    index.upsert(written)
    assert {number for number, _ in index.scroll()} == {item.id for item in written}


def test_deleted_points_leave_no_trace_in_scores(index: SparseIndex) -> None:
    fill(index, "b", "a")
    fresh = index.search(query("windy hill", "a", corpus=("a",)))
    index.delete_models(["v-b"])
    assert index.search(query("windy hill", "a")) == fresh
    assert (index.count(), index.count("v-a"), index.count("v-b")) == (3, 3, 0)
