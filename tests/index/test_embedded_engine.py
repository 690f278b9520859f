from __future__ import annotations

from pathlib import Path

import pytest

from index.contract import IndexContract
from index.embedded import EmbeddedQdrant
from index.embedded_engine import EmbeddedEngine
from index.errors import CollectionMismatch, ContractMismatch, IndexInUse, IndexUnavailable
from tests.index.points import point, query, refs

CONTRACT = IndexContract.default(avgdl=4)
OTHER = IndexContract.default(avgdl=5)


def test_a_new_library_serves_an_empty_collection_of_the_alias_own_name(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    assert (engine.target("locations"), engine.names()) == (None, ())
    index = engine.serving("locations", CONTRACT)
    assert index.count() == 0
    assert (engine.target("locations"), engine.names()) == ("locations", ("locations",))
    index.close()


def test_a_second_collection_is_built_beside_and_switched_to(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    old = engine.serving("locations", CONTRACT)
    old.upsert([point("a", "old", "lake")])
    new = engine.create("locations-2", OTHER)
    new.upsert([point("a", "new", "lake")])
    assert refs(old.search(query("lake", "a"))) == ["old"]
    new.close()
    engine.switch("locations", "locations-2")
    assert refs(old.search(query("lake", "a"))) == ["old"]  # who has it open stays with it
    old.close()
    served = EmbeddedEngine(tmp_path).serving("locations", OTHER)
    assert refs(served.search(query("lake", "a"))) == ["new"]
    served.close()
    engine.delete("locations")
    engine.delete("locations")
    assert engine.names() == ("locations-2",)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "locations-2",
        "locations-2.contract",
        "locations-2.pid",
        "locations.alias",
    ]


def test_a_collection_under_another_contract_is_refused_with_both_sides(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.serving("locations", CONTRACT).close()
    with pytest.raises(ContractMismatch) as caught:
        engine.serving("locations", OTHER)
    assert CONTRACT.text() in str(caught.value)
    assert OTHER.text() in str(caught.value)


def test_a_folder_from_before_the_contract_was_written_beside_it_takes_one(tmp_path: Path) -> None:
    EmbeddedQdrant(tmp_path / "locations").close()
    EmbeddedEngine(tmp_path).serving("locations", CONTRACT).close()
    with pytest.raises(ContractMismatch):
        EmbeddedEngine(tmp_path).serving("locations", OTHER)


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ('{"vectors":{},"sparse_vectors":{"other":{"modifier":"idf"}}}', "sparse vector 'other' with modifier idf"),
        ('{"sparse_vectors":{"lexical_bm25_v1":{}}}', "sparse vector 'lexical_bm25_v1' with modifier none"),
        ('{"vectors":{"dense":{"size":3}}}', "dense vector 'dense'"),
        ("{}", "no vector"),
    ],
)
def test_another_form_is_refused_with_both_sides(tmp_path: Path, config: str, found: str) -> None:
    engine = EmbeddedEngine(tmp_path)
    (tmp_path / "locations").mkdir()
    (tmp_path / "locations" / "edge_config.json").write_text(config)
    with pytest.raises(CollectionMismatch) as caught:
        engine.serving("locations", CONTRACT)
    assert f"has {found}, this program needs sparse vector 'lexical_bm25_v1' with modifier idf" in str(caught.value)


def test_what_the_engine_cannot_read_is_left_to_the_engine(tmp_path: Path) -> None:
    (tmp_path / "locations").mkdir()
    (tmp_path / "locations" / "edge_config.json").write_text("no configuration")
    with pytest.raises(IndexUnavailable, match="cannot be opened"):
        EmbeddedEngine(tmp_path).serving("locations", CONTRACT)


def test_a_serving_collection_cannot_be_deleted_nor_a_missing_one_serve(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    index = engine.serving("locations", CONTRACT)
    with pytest.raises(IndexInUse):
        engine.serving("locations", CONTRACT)
    index.close()
    with pytest.raises(ValueError, match="serves"):
        engine.delete("locations")
    with pytest.raises(IndexUnavailable, match="no index"):
        engine.switch("locations", "locations-2")
    engine.create("locations-2", CONTRACT).close()
    engine.switch("locations", "locations-2")
    with pytest.raises(ValueError, match="serves"):
        engine.delete("locations-2")
    engine.close()
