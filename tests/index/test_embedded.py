from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.encoder import FieldText, encode_document, encode_query
from index.engine import IndexPoint, PointPayload, ScoredPoint, SparseQuery, SparseVector
from index.errors import IndexInUse, IndexUnavailable
from tests.index.libraries import empty

CONTRACT = IndexContract.default(avgdl=4)


def point(paper: str, ref: str, text: str, **routing: object) -> IndexPoint:
    """A point of paper `paper`; its model version is `v-{paper}`."""
    given = {"kind": "passage", "element_types": ("passage", "paragraph"), "page": 1, "page_end": 1, **routing}
    payload = PointPayload(
        paper_id=paper,
        model_version=f"v-{paper}",
        location_ref=ref,
        section=None,
        text_sha256="0" * 64,
        contract=CONTRACT.text(),
        **given,  # type: ignore[arg-type]
    )
    number = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{paper}{ref}"))
    return IndexPoint(number, encode_document([FieldText(text, 1)], CONTRACT).vector, payload)


def query(
    text: str, *papers: str, limit: int = 10, corpus: tuple[str, ...] | None = None, **rest: object
) -> SparseQuery:
    vector = encode_query(text)
    assert vector
    return SparseQuery(
        vector=vector,
        model_versions=tuple(f"v-{paper}" for paper in papers),
        limit=limit,
        corpus=None if corpus is None else tuple(f"v-{paper}" for paper in corpus),
        **rest,  # type: ignore[arg-type]
    )


def refs(hits: list[ScoredPoint]) -> list[str]:
    return [hit.payload.location_ref for hit in hits]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("engine") / "locations"


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[EmbeddedQdrant]:
    made = EmbeddedQdrant(folder)
    yield made
    made.close()


@pytest.fixture
def index(opened: EmbeddedQdrant) -> EmbeddedQdrant:
    empty(opened)
    return opened


DOCUMENTS = {
    "a": ["windy hill near town", "windy windy lake", "quiet barn"],
    "b": ["windy road", "quiet lake shore boat", "hill hill hill windy boat"],
}


def fill(index: EmbeddedQdrant, *papers: str) -> None:
    for paper in papers:
        index.upsert([point(paper, f"{paper}{n}", text) for n, text in enumerate(DOCUMENTS[paper])])


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
def test_scores_are_bm25_over_the_corpus_of_the_query(index: EmbeddedQdrant, corpus: str, asked: str) -> None:
    fill(index, "a", "b")
    counted = [text for paper in corpus for text in DOCUMENTS[paper]]
    hits = index.search(query(asked, "a", corpus=tuple(corpus)))
    assert {hit.payload.location_ref: hit.score for hit in hits} == {
        f"a{n}": pytest.approx(bm25_by_hand(text, counted, asked), abs=6e-4)
        for n, text in enumerate(DOCUMENTS["a"])
        if set(text.split()) & set(asked.split())
    }


def test_other_papers_do_not_change_scores_within_a_scope(index: EmbeddedQdrant) -> None:
    fill(index, "a")
    alone = index.search(query("windy hill", "a", corpus=("a",)))
    fill(index, "b")
    assert index.search(query("windy hill", "a", corpus=("a",))) == alone
    assert index.search(query("windy hill", "a")) != alone
    index.delete_models(["v-b"])
    assert index.search(query("windy hill", "a")) == alone


def test_deleted_points_leave_no_trace_in_scores(index: EmbeddedQdrant) -> None:
    fill(index, "b", "a")
    fresh = index.search(query("windy hill", "a", corpus=("a",)))
    index.optimize()
    index.delete_models(["v-b"])
    assert index.search(query("windy hill", "a")) == fresh
    assert (index.count(), index.count("v-a"), index.count("v-b")) == (3, 3, 0)


def test_deleting_nothing_deletes_nothing(index: EmbeddedQdrant) -> None:
    fill(index, "a")
    index.delete_models([])
    assert index.count() == 3


def test_no_model_version_matches_nothing(index: EmbeddedQdrant) -> None:
    fill(index, "a")
    assert index.search(query("windy")) == []
    assert index.search(query("windy", "unknown")) == []


def test_an_empty_vector_or_limit_finds_nothing(index: EmbeddedQdrant) -> None:
    fill(index, "a")
    assert index.search(SparseQuery(SparseVector((), ()), ("v-a",), 5, None)) == []
    assert index.search(query("windy", "a", limit=0)) == []


def test_idf_over_no_model_is_refused(index: EmbeddedQdrant) -> None:
    with pytest.raises(ValueError, match="undefined"):
        index.search(query("windy", "a", corpus=()))


def test_bad_vectors_never_reach_the_engine() -> None:
    for indices, values in (((1, 1), (1.0, 1.0)), ((2, 1), (1.0, 1.0)), ((1,), (math.nan,)), ((1,), ())):
        with pytest.raises(ValueError, match="sparse vector"):
            SparseVector(indices, values)


def test_the_order_of_ties_does_not_depend_on_writing(tmp_path: Path) -> None:
    texts = [(f"p{n % 7}", f"r{n:03}") for n in range(150)]
    expected = [ref for _, ref in sorted(texts)]
    for number, given in enumerate((texts, texts[::-1], texts[75:] + texts[:75])):
        index = EmbeddedQdrant(tmp_path / str(number))
        for start in range(0, 150, 50):
            index.upsert([point(paper, ref, "same words here") for paper, ref in given[start : start + 50]])
            if start == 50:
                index.optimize()
        papers = [f"p{n}" for n in range(7)]
        for limit in (1, 3, 20, 149, 150, 200):
            assert refs(index.search(query("words", *papers, limit=limit))) == expected[:limit]
        index.close()


def test_a_tie_at_the_cut_is_complete_beside_better_hits(index: EmbeddedQdrant) -> None:
    index.upsert([point("p", f"r{n:02}", "lake") for n in range(90, 9, -1)])
    index.upsert([point("p", "r99", "lake lake lake")])
    assert refs(index.search(query("lake", "p", limit=4))) == ["r99", "r10", "r11", "r12"]


def test_kinds_element_types_and_pages_filter(index: EmbeddedQdrant) -> None:
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


def test_points_come_back_as_they_were_written(index: EmbeddedQdrant) -> None:
    points = [
        point("p", "table", "lake", kind="table", element_types=("table",), page=2, page_end=3),
        point("p", "empty", "the"),
    ]
    index.upsert(points)
    assert dict(index.scroll()) == {written.id: written.payload for written in points}
    assert index.count("v-p") == 2


def test_scrolling_goes_over_pages(index: EmbeddedQdrant) -> None:
    written = [
        IndexPoint(str(uuid.UUID(int=n + 1)), SparseVector((n,), (1.0,)), point("p", str(n), "x").payload)
        for n in range(1100)
    ]
    index.upsert(written)
    assert {number for number, _ in index.scroll()} == {item.id for item in written}


def test_points_are_there_after_closing_and_opening(tmp_path: Path) -> None:
    index = EmbeddedQdrant(tmp_path / "locations")
    fill(index, "a")
    found = index.search(query("windy", "a"))
    index.close()
    index.close()
    with pytest.raises(IndexUnavailable, match="closed"):
        index.count()
    again = EmbeddedQdrant(tmp_path / "locations")
    assert again.search(query("windy", "a")) == found
    again.close()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edge_config.json").write_text("no configuration")
    with pytest.raises(IndexUnavailable, match="cannot be opened"):
        EmbeddedQdrant(tmp_path)


def test_a_point_without_a_proper_id_is_an_error_of_the_index(index: EmbeddedQdrant) -> None:
    with pytest.raises(IndexUnavailable, match="did not answer"):
        index.upsert([IndexPoint("no uuid", SparseVector((1,), (1.0,)), point("p", "r", "x").payload)])


def run_python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def test_a_second_process_is_told_who_owns_the_folder(index: EmbeddedQdrant, folder: Path) -> None:
    child = run_python(
        """
        import sys
        from pathlib import Path
        from index.embedded import EmbeddedQdrant
        from index.errors import IndexInUse
        try:
            EmbeddedQdrant(Path(sys.argv[1]))
        except IndexInUse as error:
            print(error.code, error.pid, error)
        """,
        str(folder),
    )
    printed, _ = child.communicate(timeout=60)
    assert printed.startswith(f"index_in_use {os.getpid()} ")
    assert f"in use by process {os.getpid()}" in printed


def test_this_process_cannot_open_it_twice_either(index: EmbeddedQdrant, folder: Path) -> None:
    folder.with_name("locations.pid").write_text("?")
    with pytest.raises(IndexInUse, match="another process") as caught:
        EmbeddedQdrant(folder)
    assert caught.value.pid is None


def test_a_killed_writer_loses_no_finished_batch(tmp_path: Path) -> None:
    child = run_python(
        """
        import sys
        from pathlib import Path
        from index.embedded import EmbeddedQdrant
        from tests.index.test_embedded import point
        index = EmbeddedQdrant(Path(sys.argv[1]))
        number = 0
        while True:
            index.upsert([point("p", f"r{n}", f"windy w{n}") for n in range(number, number + 100)])
            number += 100
            print(number, flush=True)
        """,
        str(tmp_path / "locations"),
    )
    assert child.stdout
    with child, child.stdout as printed:
        finished = [int(next(printed)) for _ in range(4)]
        child.send_signal(signal.SIGKILL)
        finished += [int(line) for line in printed]
    index = EmbeddedQdrant(tmp_path / "locations")
    assert index.count() >= finished[-1]
    assert index.count() % 100 == 0
    assert len(index.search(query("windy", "p", limit=50))) == 50
    index.close()
