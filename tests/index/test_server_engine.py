from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from index.contract import IndexContract, idf_mode
from index.encoder import encode_query
from index.engine import SparseQuery
from index.errors import (
    CollectionMismatch,
    ContractMismatch,
    IdfScopeUnsupported,
    IndexUnavailable,
    PointsIncomplete,
    ServerRefused,
    ServerUnavailable,
)
from index.server_calls import Patience, ServerAddress
from index.server_engine import CollectionPlan, ServerEngine
from tests.index.conftest import OpenLibrary, on_server
from tests.index.libraries import Engines
from tests.index.points import CONTRACT, fill, point, query, refs
from tests.qdrant_facade import OLD_VERSION, Fault, QdrantFacade

OTHER = replace(CONTRACT, avgdl=5.0)
GLOBAL = replace(CONTRACT, idf=idf_mode("global"))


@pytest.fixture
def engine(facade: QdrantFacade) -> Iterator[ServerEngine]:
    with on_server(ServerAddress(facade.url)) as made:
        yield made


def prefix(engine: ServerEngine) -> str:
    return engine._plan.prefix


def test_a_new_library_gets_a_collection_and_an_alias(engine: ServerEngine, facade: QdrantFacade) -> None:
    assert (engine.target("locations"), engine.names()) == (None, ())
    index = engine.serving("locations", CONTRACT)
    assert index.count() == 0
    assert (engine.target("locations"), engine.names()) == ("locations_1", ("locations_1",))
    made = facade.of(f"{prefix(engine)}_locations")
    assert made.params["sparse_vectors"] == {
        "lexical_bm25_v1": {"index": {"on_disk": True, "datatype": "float32"}, "modifier": "idf"}
    }
    assert {name: schema["type"] for name, schema in made.payload_schema.items()} == {
        "model_version": "keyword",
        "element_types": "keyword",
        "page": "integer",
        "page_end": "integer",
    }
    assert made.payload_schema["model_version"]["is_tenant"] is True
    assert made.metadata == {"paperledger_contract": CONTRACT.text(), "paperledger_library": prefix(engine)}


@pytest.mark.parametrize(("consistency", "written"), [(None, 3), (2, 2)])
def test_a_collection_is_made_as_planned(facade: QdrantFacade, consistency: int | None, written: int) -> None:
    with on_server(ServerAddress(facade.url)) as engine:
        plan = CollectionPlan(prefix(engine), "l", shards=4, replicas=3, write_consistency=consistency, on_disk=False)
        planned = ServerEngine(ServerAddress(facade.url), plan)
        planned.create("locations_7", CONTRACT).close()
        planned.close()
        params = facade.of(f"{prefix(engine)}_locations_7").params
        assert params["shard_number"] == 4
        assert params["replication_factor"] == 3
        assert params["write_consistency_factor"] == written
        assert params["sparse_vectors"]["lexical_bm25_v1"]["index"]["on_disk"] is False


def test_a_second_collection_is_built_beside_and_switched_to(engine: ServerEngine) -> None:
    serving = engine.serving("locations", CONTRACT)
    serving.upsert([point("a", "old", "lake")])
    new = engine.create("locations_2", CONTRACT)
    new.upsert([point("a", "new", "lake")])
    assert refs(serving.search(query("lake", "a"))) == ["old"]
    engine.switch("locations", "locations_2")
    assert refs(serving.search(query("lake", "a"))) == ["new"]  # who serves by alias follows at once
    assert engine.target("locations") == "locations_2"
    engine.delete("locations_1")
    engine.delete("locations_1")
    assert engine.names() == ("locations_2",)


def test_after_a_switch_nothing_is_found_or_written_under_the_old_contract(engine: ServerEngine) -> None:
    serving = engine.serving("locations", CONTRACT)
    engine.create("locations_2", OTHER).close()
    engine.switch("locations", "locations_2")
    for act in (lambda: serving.search(query("lake", "a")), lambda: fill(serving, "a")):
        with pytest.raises(ContractMismatch) as caught:
            act()
        assert OTHER.text() in str(caught.value)
        assert CONTRACT.text() in str(caught.value)
    assert serving.count() == 0


def test_a_serving_collection_cannot_be_deleted_nor_a_missing_one_serve(engine: ServerEngine) -> None:
    engine.serving("locations", CONTRACT)
    with pytest.raises(ValueError, match="serves"):
        engine.delete("locations_1")
    with pytest.raises(IndexUnavailable, match="404"):
        engine.switch("locations", "locations_2")
    assert engine.target("locations") == "locations_1"


def test_a_creation_that_was_interrupted_is_completed(engine: ServerEngine, facade: QdrantFacade) -> None:
    full = f"{prefix(engine)}_locations_1"
    facade.faults.append(Fault("status", on=f"PUT /collections/{full}/index", status=400))
    with pytest.raises(ServerRefused):
        engine.serving("locations", CONTRACT)
    assert facade.of(full).payload_schema == {}
    index = engine.serving("locations", CONTRACT)
    fill(index, "a")
    assert len(facade.of(full).payload_schema) == 4
    assert refs(index.search(query("windy", "a"))) == ["a1", "a0"]


def test_a_creation_whose_answer_was_lost_is_found(engine: ServerEngine, facade: QdrantFacade) -> None:
    full = f"{prefix(engine)}_locations_1"

    def lost(name: str, body: object) -> bool:
        del facade.create  # type: ignore[attr-defined]
        facade.create(name, body)  # type: ignore[arg-type]
        return facade.create(name, body)  # type: ignore[arg-type]

    facade.create = lost  # type: ignore[method-assign, assignment]
    assert engine.serving("locations", CONTRACT).count() == 0
    assert facade.of(full).metadata


def test_a_refused_creation_is_an_error(engine: ServerEngine, facade: QdrantFacade) -> None:
    full = f"{prefix(engine)}_locations_1"
    facade.faults.append(Fault("status", on=f"PUT /collections/{full}", status=409))
    with pytest.raises(ServerRefused, match="409"):
        engine.serving("locations", CONTRACT)
    facade.faults.append(Fault("status", on=f"GET /collections/{full}", status=400))
    with pytest.raises(ServerRefused, match="400"):
        engine.serving("locations", CONTRACT)


def test_several_processes_may_begin_at_once(facade: QdrantFacade) -> None:
    with on_server(ServerAddress(facade.url)) as engine:
        begin = threading.Barrier(4)

        def open_one(number: int) -> int:
            other = ServerEngine(ServerAddress(facade.url), engine._plan)
            begin.wait()
            index = other.serving("locations", CONTRACT)
            index.upsert([point("a", f"r{number}", "lake")])
            other.close()
            return number

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(open_one, range(4))) == [0, 1, 2, 3]
        assert engine.serving("locations", CONTRACT).count() == 4
        assert engine.names() == ("locations_1",)


def test_a_collection_under_another_contract_is_not_taken_over(engine: ServerEngine) -> None:
    engine.create("locations_1", OTHER).close()
    with pytest.raises(ContractMismatch) as caught:
        engine.serving("locations", CONTRACT)
    assert engine.target("locations") is None
    assert OTHER.text() in str(caught.value)


def test_libraries_on_one_server_leave_each_other_alone(engine: ServerEngine, facade: QdrantFacade) -> None:
    mine = engine.serving("locations", CONTRACT)
    fill(mine, "a")
    with on_server(ServerAddress(facade.url)) as other:
        theirs = other.serving("locations", CONTRACT)
        fill(theirs, "b")
        assert {payload.paper_id for _, payload in mine.scroll()} == {"a"}
        assert other.names() == ("locations_1",)
        # the same prefix, or one that begins like another's
        thief = ServerEngine(ServerAddress(facade.url), CollectionPlan(prefix(engine), "another library"))
        with pytest.raises(CollectionMismatch, match="points of the library another library"):
            thief.serving("locations", CONTRACT)
        shorter = ServerEngine(ServerAddress(facade.url), CollectionPlan(prefix(engine).rsplit("_")[0], "another"))
        for stranger in (thief, shorter):
            assert stranger.names() == ()
            stranger.close()
        engine.create("locations_2", CONTRACT).close()
        stranger = ServerEngine(ServerAddress(facade.url), CollectionPlan(prefix(engine), "another library"))
        stranger.delete("locations_2")
        stranger.close()
        assert engine.names() == ("locations_1", "locations_2")


def test_an_older_server_is_refused_unless_global_idf_was_chosen(engine: ServerEngine, facade: QdrantFacade) -> None:
    facade.version = "1.18.3"
    with pytest.raises(IdfScopeUnsupported) as caught:
        engine.serving("locations", CONTRACT)
    assert "has version 1.18.3, which counts IDF over all points" in str(caught.value)
    assert "idf=scope" in str(caught.value)
    assert "1.19" in str(caught.value)
    assert "PAPERLEDGER_QDRANT_IDF=global" in caught.value.hint
    assert engine.names() == ()
    index = engine.serving("locations", GLOBAL)
    fill(index, "a", "b")
    scoped = SparseQuery(encode_query("windy hill"), ("v-a",), 5, corpus=("v-a",))
    assert index.search(scoped) == index.search(replace(scoped, corpus=("v-a", "v-b")))


def test_a_library_with_global_idf_is_another_contract(engine: ServerEngine) -> None:
    engine.serving("locations", GLOBAL).close()
    with pytest.raises(ContractMismatch) as caught:
        engine.serving("locations", CONTRACT)
    assert "idf=global" in str(caught.value)
    assert "idf=scope" in str(caught.value)


@pytest.mark.parametrize("version", [OLD_VERSION, "1.15.9", "0.11.1", "dev"])
def test_a_server_that_keeps_no_metadata_is_refused(engine: ServerEngine, facade: QdrantFacade, version: str) -> None:
    facade.version = version
    with pytest.raises(CollectionMismatch) as caught:
        engine.serving("locations", GLOBAL)
    assert f"has version {version}, this program needs version 1.16 or newer" in str(caught.value)


@pytest.mark.parametrize("version", ["1.19.0", "1.19.2-dev", "1.20.0", "2.0.1", "1.100.0"])
def test_newer_servers_are_taken(engine: ServerEngine, facade: QdrantFacade, version: str) -> None:
    facade.version = version
    engine.serving("locations", CONTRACT).close()


def test_an_alias_of_a_collection_that_went_away_is_named(engine: ServerEngine, facade: QdrantFacade) -> None:
    engine.serving("locations", CONTRACT).close()
    facade.faults.append(Fault("status", on=f"GET /collections/{prefix(engine)}_locations", status=404))
    with pytest.raises(IndexUnavailable, match=f"has no collection {prefix(engine)}_locations"):
        engine.serving("locations", CONTRACT)


def test_more_shards_are_a_contract_of_their_own() -> None:
    several = IndexContract.default(idf=idf_mode("scope", 4))
    assert "idf=scope/4-shards" in several.text()
    assert IndexContract.parse(several.text()) == several
    assert several.scoped_idf
    assert not GLOBAL.scoped_idf
    assert idf_mode("global", 1) == "global"
    assert len(replace(several, avgdl=240.6381754236385, idf=idf_mode("global", 1000)).for_cards().text()) <= 255


def test_with_a_grpc_port_that_port_is_spoken_to(facade: QdrantFacade) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    address = ServerAddress(facade.url, grpc_port=free)
    engine = ServerEngine(address, CollectionPlan("p", "l"), Patience(attempts=1))
    with pytest.raises(ServerUnavailable, match="did not tell its version: UNAVAILABLE"):
        engine.version()
    assert facade.requests == []
    engine.close()


def test_a_write_that_the_server_only_half_kept_leaves_the_old_model_serving(
    facade: QdrantFacade, tmp_path: Path, open_library: OpenLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_server(ServerAddress(facade.url)) as engine:
        library = open_library(tmp_path, Engines(engine))
        first = library.put("a", ["windy hill", "quiet lake"])
        second = library.save("a", ["windy hill", "quiet lake", "grey gull"], parse="2")
        kept = facade.upsert
        monkeypatch.setattr(facade, "upsert", lambda name, body: kept(name, {"points": body["points"][:-1]}))
        with pytest.raises(PointsIncomplete, match="3 points of"):
            library.indexer.index_model("a", second)
        monkeypatch.undo()
        assert library.current() == {"a": first}
        assert library.found("windy lake") == ["a", "a"]
        library.indexer.index_model("a", second)
        assert library.found("gull") == ["a"]
        assert library.indexer.verify().clean
        library.close()
