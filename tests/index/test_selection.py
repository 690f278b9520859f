from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from index.selection import Candidate, select


def candidate(paper: str, ref: str, score: float = 1.0, text: str | None = None) -> Candidate:
    words = text or f"words of {paper} {ref}"
    return Candidate(paper, ref, score, words, words)


def refs(chosen: list[Candidate]) -> list[str]:
    return [item.location_ref for item in chosen]


def test_the_order_of_the_candidates_is_kept() -> None:
    given_ = [candidate("p", f"r{n}") for n in range(6)]
    assert refs(select(given_, papers=1, top_k=4)) == ["r0", "r1", "r2", "r3"]


def test_the_same_text_twice_in_one_paper_is_shown_once() -> None:
    repeated = "the header of every page of this paper, with its long running title"
    chosen = [candidate("p", "r0", text=repeated), candidate("p", "r1", text=repeated), candidate("p", "r2")]
    assert refs(select(chosen, papers=1, top_k=8)) == ["r0", "r2"]


def test_nearly_the_same_text_is_folded_and_a_different_one_is_not() -> None:
    base = " ".join(f"word{n}" for n in range(40))
    near, other = base + " more", base + " " + " ".join(f"new{n}" for n in range(10))
    chosen = [candidate("p", "r0", text=base), candidate("p", "r1", text=near), candidate("p", "r2", text=other)]
    assert refs(select(chosen, papers=1, top_k=8)) == ["r0", "r2"]


def test_the_same_text_in_another_paper_is_another_place() -> None:
    chosen = [candidate("p", "r0", text="one text"), candidate("q", "r1", text="one text")]
    assert refs(select(chosen, papers=2, top_k=8)) == ["r0", "r1"]


def test_each_of_a_few_papers_has_its_best_place() -> None:
    given_ = [*(candidate("p", f"p{n}", 9) for n in range(8)), candidate("q", "q0", 2), candidate("q", "q1", 1)]
    assert refs(select(given_, papers=2, top_k=8)) == [*(f"p{n}" for n in range(7)), "q0"]


def test_a_place_is_taken_only_from_a_paper_that_keeps_another() -> None:
    given_ = [
        candidate("p", "p0"),
        candidate("p", "p1"),
        candidate("p", "p2"),
        candidate("q", "q0"),
        candidate("r", "r0"),
    ]
    assert refs(select(given_, papers=2, top_k=4)) == ["p0", "p1", "q0", "r0"]


def test_among_many_papers_the_score_alone_counts() -> None:
    given_ = [*(candidate("p", f"p{n}", 9) for n in range(4)), candidate("q", "q0", 2)]
    assert refs(select(given_, papers=30, top_k=4)) == ["p0", "p1", "p2", "p3"]


@given(st.lists(st.sampled_from("pqr"), max_size=30), st.integers(1, 12), st.integers(1, 40))
def test_selection_keeps_order_and_size_and_repeats_nothing(owners: list[str], top_k: int, papers: int) -> None:
    candidates = [candidate(owner, f"r{n:02}") for n, owner in enumerate(owners)]
    chosen = refs(select(candidates, papers=max(papers, len(set(owners))), top_k=top_k))
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(top_k, len(owners))


@given(st.lists(st.sampled_from("pqr"), max_size=30), st.integers(1, 12), st.integers(1, 12))
def test_a_shorter_list_begins_a_longer_one_when_no_paper_needs_a_place(
    owners: list[str], one: int, other: int
) -> None:
    candidates = [candidate(owner, f"r{n:02}") for n, owner in enumerate(owners)]
    short, long = sorted((one, other))
    assert refs(select(candidates, papers=30, top_k=long))[:short] == refs(select(candidates, papers=30, top_k=short))
