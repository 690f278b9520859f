"""The embedded engine and a server give the same hits, in the same order, with the same scores."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.embedded import EmbeddedQdrant
from index.encoder import encode_query
from index.engine import IndexPoint, SparseIndex, SparseQuery, SparseVector
from index.server_calls import ServerAddress
from tests.index.conftest import on_server, real_server
from tests.index.libraries import empty
from tests.index.points import CONTRACT, point, query, refs

TEXTS = [
    "windy hill near the town",
    "windy windy lake",
    "quiet barn",
    "hill hill hill windy boat",
    "GPT-4 and COVID-19 at p<0.05",
    "基于深度学习的蛋白质结构预测",
    "蛋白质結構の予測 と Größe der naïve β-catenin",
    "ﬁeld of windy eﬀects",
    "the of and",
    "",
    "lake shore boat " * 40,
]

QUESTIONS = [
    "windy",
    "windy hill boat lake",
    "hill hill hill",
    "COVID-19",
    "gpt 4",
    "蛋白质",
    "結構 予測",
    "beta-catenin naive",
    "field effects",
    "nothing matches this word zebra",
]


@dataclass
class Pair:
    """The same points in both engines."""

    embedded: SparseIndex
    server: SparseIndex

    def upsert(self, *points: IndexPoint) -> None:
        self.embedded.upsert(points)
        self.server.upsert(points)

    def delete(self, *models: str) -> None:
        self.embedded.delete_models(models)
        self.server.delete_models(models)

    def agree(self, asked: SparseQuery) -> list[str]:
        """The refs that both give; fails when one differs in anything."""
        expected = self.embedded.search(asked)
        assert self.server.search(asked) == expected
        return refs(expected)

    def agree_on_everything(self, models: list[str]) -> int:
        """Ask every question in every way; the number of hits."""
        hits = 0
        scopes = [tuple(models), tuple(models[:1]), tuple(models[1:3])]
        for text, scope, limit in itertools.product(QUESTIONS, scopes, (1, 5, 40)):
            vector = encode_query(text)
            asked = SparseQuery(vector, scope, limit, corpus=tuple(models))
            hits += len(self.agree(asked))
            hits += len(self.agree(replace(asked, corpus=None)))
            hits += len(self.agree(replace(asked, corpus=scope or None)))
        assert dict(self.server.scroll()) == dict(self.embedded.scroll())
        assert [self.server.count(model) for model in models] == [self.embedded.count(model) for model in models]
        return hits


@pytest.fixture(scope="module", params=["facade", "server"])
def opened_pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    if request.param == "facade":
        address = ServerAddress(request.getfixturevalue("running_facade").url)
    else:
        address = real_server()
    embedded = EmbeddedQdrant(tmp_path_factory.mktemp("engine") / "locations")
    with on_server(address) as engine:
        yield Pair(embedded, engine.serving("locations", CONTRACT))
    embedded.close()


@pytest.fixture
def pair(opened_pair: Pair) -> Pair:
    empty(opened_pair.embedded)
    empty(opened_pair.server)
    return opened_pair


def of_model(model: str, ref: str, text: str, **routing: object) -> IndexPoint:
    made = point(model, ref, text, **routing)
    return replace(made, payload=replace(made.payload, model_version=model))


def corpus(models: list[str]) -> list[IndexPoint]:
    return [of_model(model, f"{model}-{n:02}", text) for model in models for n, text in enumerate(TEXTS)]


def test_every_question_has_the_same_answer_through_a_librarys_life(pair: Pair) -> None:
    models = ["m1", "m2", "m3", "m4"]
    assert pair.agree_on_everything(models) == 0
    pair.upsert(*corpus(models))
    assert pair.agree_on_everything(models) > 500
    pair.delete("m2")
    pair.agree_on_everything(models)
    pair.upsert(*corpus(["m2"])[::-1])
    pair.upsert(*(of_model("m3", f"m3-{n:02}", text) for n, text in enumerate(reversed(TEXTS))))  # written over
    pair.agree_on_everything(models)
    pair.delete("m1", "m4", "never there")
    pair.agree_on_everything(models)
    pair.delete("m2", "m3")
    assert pair.agree_on_everything(models) == 0


def test_ties_are_cut_at_the_same_place(pair: Pair) -> None:
    written = [of_model(f"p{n % 7}", f"r{n:03}", "same words here") for n in range(150)]
    random.Random(1).shuffle(written)
    pair.upsert(*written)
    papers = tuple(f"p{n}" for n in range(7))
    whole = pair.agree(replace(query("words", limit=200), model_versions=papers))
    assert whole == [f"r{n:03}" for first in range(7) for n in range(first, 150, 7)]
    for limit in (1, 3, 20, 21, 22, 149, 150):
        assert pair.agree(replace(query("words", limit=limit), model_versions=papers)) == whole[:limit]


def test_two_models_of_a_paper_stay_apart(pair: Pair) -> None:
    pair.upsert(of_model("old", "a", "windy lake"), of_model("new", "b", "windy lake lake"), of_model("x", "c", "lake"))
    assert pair.agree(SparseQuery(encode_query("windy"), ("old",), 5, corpus=("old", "x"))) == ["a"]
    assert pair.agree(SparseQuery(encode_query("windy"), ("new",), 5, corpus=("new", "x"))) == ["b"]


@pytest.mark.parametrize("element_types", [(), ("table",), ("passage", "formula"), ("figure",)])
@pytest.mark.parametrize("pages", [(None, None), (3, None), (None, 3), (3, 4), (9, 2)])
def test_filters_let_the_same_points_through(
    pair: Pair, element_types: tuple[str, ...], pages: tuple[int | None, int | None]
) -> None:
    kinds = [("table", ("table",)), ("passage", ("passage", "formula")), ("passage", ("passage",))]
    pair.upsert(
        *(
            of_model("m", f"r{page}{number}", "lake", kind=kind, element_types=types, page=page, page_end=page + 1)
            for page in range(1, 6)
            for number, (kind, types) in enumerate(kinds)
        )
    )
    first, last = pages
    asked = SparseQuery(
        encode_query("lake"), ("m",), 30, None, element_types=element_types, page_from=first, page_to=last
    )
    found = pair.agree(asked)
    assert bool(found) == (element_types != ("figure",) and pages != (9, 2))


VOCABULARY = ["windy", "lake", "hill", "蛋白质", "GPT-4", "naïve", "β", "the"]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("delete"), st.sampled_from("abc"), st.just(0), st.just("")),
        st.tuples(st.just("upsert"), st.sampled_from("abc"), st.integers(0, 5), WORDS),
    ),
    max_size=30,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, text=WORDS, scope=st.sets(st.sampled_from("abc")), limit=st.integers(1, 6))
def test_any_history_and_any_query(
    opened_pair: Pair, changes: list[tuple[str, str, int, str]], text: str, scope: set[str], limit: int
) -> None:
    empty(opened_pair.embedded)
    empty(opened_pair.server)
    for change, model, number, words in changes:
        if change == "delete":
            opened_pair.delete(model)
        else:
            opened_pair.upsert(of_model(model, f"{model}{number}", words))
    for corpus_of in (None, ("a", "b", "c"), tuple(sorted(scope)) or None):
        asked = encode_query(text) or SparseVector((), ())
        opened_pair.agree(SparseQuery(asked, tuple(sorted(scope)), limit, corpus_of))


@given(
    indices=st.lists(st.integers(0, 2**31 - 1), unique=True, min_size=1, max_size=8),
    weight=st.floats(0.125, 1000, width=32),
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_term_and_weight_travels_whole(opened_pair: Pair, indices: list[int], weight: float) -> None:
    vector = SparseVector(tuple(sorted(indices)), (weight,) * len(indices))
    written = replace(of_model("m", "r", ""), vector=vector)
    opened_pair.upsert(written)
    assert opened_pair.agree(SparseQuery(vector, ("m",), 1, ("m",))) == ["r"]
