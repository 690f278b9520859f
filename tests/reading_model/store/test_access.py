from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from reading_model.errors import PaperNotFound
from reading_model.store import ReadingStore
from tests.reading_model.store.conftest import model_of


def test_a_user_sees_own_and_published_papers_sorted(store: ReadingStore, add: Callable[[str], None]) -> None:
    for paper_id in ("c", "a", "b", "hidden"):
        add(paper_id)
    assert store.access.grant("1", "c", "c.pdf")
    assert store.access.grant("2", "a", "a.pdf")
    store.access.publish("b", "2")
    store.access.publish("c", "2")
    assert store.access.accessible("1") == ["b", "c"]
    assert store.access.accessible("2") == ["a", "b", "c"]
    assert store.access.accessible("stranger") == ["b", "c"]
    assert store.access.published(["a", "b", "c"]) == {"b", "c"}


def test_users_are_told_apart_byte_by_byte(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    store.access.grant("user", "p", "x.pdf")
    assert store.access.accessible("User") == store.access.accessible("user ") == store.access.accessible("0") == []


def test_the_first_name_under_which_a_user_added_a_paper_stays(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    assert store.access.grant("1", "p", "first.pdf")
    assert not store.access.grant("1", "p", "again.pdf")
    assert store.access.grant("2", "p", "other name.pdf")
    assert (store.access.filename("1", "p"), store.access.filename("2", "p")) == ("first.pdf", "other name.pdf")
    assert store.access.filename("3", "p") is None
    assert store.access.filenames("2", ["p", "q"]) == {"p": "other name.pdf"}
    assert store.access.holders("p") == ["1", "2"]


def test_the_same_grant_at_the_same_moment_succeeds_once(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    with ThreadPoolExecutor(6) as pool:
        granted = list(pool.map(lambda number: store.access.grant("1", "p", f"{number}.pdf"), range(6)))
    assert sorted(granted) == [False] * 5 + [True]


def test_what_was_given_can_be_taken_back(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    store.access.grant("1", "p", "x.pdf")
    store.access.publish("p", "1")
    store.access.publish("p", "1")
    assert store.access.revoke("1", "p")
    assert not store.access.revoke("1", "p")
    assert store.access.is_published("p")
    store.access.unpublish("p")
    store.access.unpublish("p")
    assert not store.access.is_published("p")
    assert store.access.accessible("1") == []


def test_an_unknown_paper_cannot_be_held_or_published(store: ReadingStore) -> None:
    with pytest.raises(PaperNotFound):
        store.access.grant("1", "p", "x.pdf")
    with pytest.raises(PaperNotFound):
        store.access.publish("p", "1")
    assert store.access.accessible("1") == []


def test_a_user_sees_own_and_published_papers_by_the_own_name(store: ReadingStore, add: Callable[[str], None]) -> None:
    for name in ("own", "open", "other", "unnamed"):
        add(name)
    store.access.grant("1", "own", "mine.pdf")
    store.access.grant("2", "other", "theirs.pdf")
    store.access.grant("1", "unnamed", "unnamed.pdf")
    store.access.publish("open", "2")
    model = model_of("own")
    store.models.save(model)
    store.models.activate("own", model.model_version, contract="c", point_count=3)
    seen = store.access.visible("1", ["open", "own", "other", "missing"])
    assert {name: (paper.filename, paper.model) for name, paper in seen.items()} == {
        "own": ("mine.pdf", store.models.current(["own"])["own"]),
        "open": (store.papers.get(["open"])[0].filename, None),
    }
    assert seen["own"].title == store.papers.get(["own"])[0].metadata.title
    assert store.access.visible("1", []) == {}
