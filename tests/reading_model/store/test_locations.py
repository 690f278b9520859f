from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from reading_model.models import SEARCHABLE_KINDS, LocationKind, LocationRecord, ReadingModel
from reading_model.store import ReadingStore
from reading_model.store.locations import batches
from tests.reading_model.store.conftest import model_of


@pytest.fixture
def saved(store: ReadingStore, add: Callable[[str], None]) -> list[ReadingModel]:
    models = [model_of("p", "a"), model_of("p", "b"), model_of("q", "a")]
    for paper_id in ("p", "q"):
        add(paper_id)
    for model in models:
        store.models.save(model)
    return sorted(models, key=lambda model: model.model_version)


def test_locations_of_any_version_are_found_by_reference(store: ReadingStore, saved: list[ReadingModel]) -> None:
    wanted = [location.ref for model in saved for location in model.locations]
    found = store.locations.by_refs([*wanted, "passage_ref_unknown", wanted[0]])
    assert found == {
        location.ref: LocationRecord(model.paper_id, model.model_version, "pdfium", location)
        for model in saved
        for location in model.locations
    }
    assert store.locations.by_refs([]) == {}


def test_a_stream_gives_the_searchable_locations_in_order(store: ReadingStore, saved: list[ReadingModel]) -> None:
    versions = [model.model_version for model in saved]
    expected = [
        (model.model_version, location.ordinal)
        for model in saved
        for location in model.locations
        if location.kind in SEARCHABLE_KINDS
    ]
    found = list(store.locations.of_models([*reversed(versions), versions[0]]))
    assert [(record.model_version, record.location.ordinal) for record in found] == expected
    assert list(store.locations.of_models([])) == []
    sections = list(store.locations.of_models(versions[:1], [LocationKind.SECTION]))
    assert {record.location.kind for record in sections} == {LocationKind.SECTION}
    assert len(sections) == store.locations.count(versions[0], [LocationKind.SECTION]) == len(saved[0].sections)
    assert store.locations.count("rm_nothing") == 0


def test_a_long_model_is_streamed_in_pieces_without_a_gap(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("long")
    model = model_of("long")
    sample = next(location for location in model.locations if location.kind is LocationKind.PASSAGE)
    many = tuple(replace(sample, ref=f"passage_ref_{number}", ordinal=number) for number in range(900))
    store.models.save(replace(model, locations=many))
    add("short")
    store.models.save(model_of("short"))
    statements: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    versions = sorted([model.model_version, model_of("short").model_version])
    found = [record.location.ordinal for record in store.locations.of_models(versions) if record.paper_id == "long"]
    assert found == list(range(900))
    assert sum("paper_locations.text" in statement for statement in statements) == 4


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 30)), st.integers(1, 40))
def test_groups_are_small_or_one_model(counts: dict[str, int], size: int) -> None:
    groups = list(batches(counts, size))
    assert [version for group in groups for version in group] == list(counts)
    assert all(len(group) == 1 or sum(counts[version] for version in group) < size for group in groups)
