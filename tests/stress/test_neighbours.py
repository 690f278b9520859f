from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stress.neighbours import WORDS, Neighbours, neighbours, run

BOBS = 3
CHANGES = st.lists(st.tuples(st.integers(0, BOBS - 1), st.integers(0, 40)), min_size=1, max_size=5)
"""A paper of Bob's and how many locations it has from now on; none: he deletes it."""
QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbours]:
    """The examples share them: each begins with what the ones before left of Bob's papers, points deleted included."""
    with neighbours(tmp_path_factory.mktemp("neighbours")) as both:
        yield both


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(changes=CHANGES, query=QUERIES)
def test_what_bob_adds_and_deletes_changes_nothing_for_alice(
    users: Neighbours, changes: list[tuple[int, int]], query: str
) -> None:
    for number, locations in changes:
        if f"p-of-bob-{number}" in users.bobs_papers():
            users.bob_removes(number)
        if locations:
            users.bob_adds(number, locations)
    assert users.differences([query]) == []


def test_the_comparison_sees_a_right_to_one_paper_of_bob(users: Neighbours) -> None:
    if "p-of-bob-0" not in users.bobs_papers():
        users.bob_adds(0, 5)
    users.beside.store.access.grant("alice", "p-of-bob-0", "bob.pdf")
    with pytest.raises(AssertionError):
        assert users.differences(["gull"]) == []
    users.beside.store.access.revoke("alice", "p-of-bob-0")
    assert users.differences(["gull"]) == []


def test_many_locations_of_bob_change_nothing_for_alice(tmp_path: Path) -> None:
    assert run(tmp_path, locations=400, seed=3) == []
