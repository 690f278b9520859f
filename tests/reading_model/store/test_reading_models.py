from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reading_model.errors import PaperNotFound, StoreError, ValueNotStorable
from reading_model.models import IndexStatus, PaperMetadata, RelationKind, Relationship
from reading_model.store import ReadingStore
from reading_model.store.reading_models import merged
from reading_model.store.tables import metadata, models, pages
from reading_model.store.transactions import reading, write
from tests.reading_model.store.conftest import model_of


@pytest.fixture
def p(add: Callable[[str], None]) -> str:
    add("p")
    return "p"


def test_a_model_comes_back_as_it_was_saved(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    assert store.models.save(model)
    assert store.models.load(p, model.model_version) == model
    assert store.models.pages(model.model_version) == list(model.pages)
    assert store.models.sections(model.model_version) == list(model.sections)
    assert store.models.relationships(model.model_version) == list(model.relationships)
    elements = {element.ordinal: element for element in model.elements}
    assert store.models.elements(model.model_version) == elements
    assert store.models.elements(model.model_version, [7, 3, 7, 999]) == {3: elements[3], 7: elements[7]}
    assert store.models.elements(model.model_version, []) == {}


def test_elements_of_several_models_come_with_one_statement(
    store: ReadingStore, p: str, add: Callable[[str], None]
) -> None:
    add("q")
    one, other = model_of(p), model_of("q")
    store.models.save(one)
    store.models.save(other)
    wanted = {one.model_version: [7, 3, 7, 999], other.model_version: [3], "rm_unknown": [1], "rm_none": []}
    statements: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    found = store.models.elements_of(wanted)
    assert found == {
        one.model_version: {3: one.elements[3], 7: one.elements[7]},
        other.model_version: {3: other.elements[3]},
        "rm_unknown": {},
        "rm_none": {},
    }
    assert sum(statement.startswith("SELECT") for statement in statements) == 1
    assert store.models.elements_of({}) == {}


def test_the_text_of_a_page_is_stored_with_its_location_alone(store: ReadingStore, p: str) -> None:
    store.models.save(model_of(p))
    with reading(store.engine) as connection:
        texts = connection.execute(sa.select(pages.c.number, pages.c.text).order_by(pages.c.number)).all()
    assert texts == [(1, None), (2, None), (3, "")]


def test_the_same_model_again_is_not_stored_twice(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    with ThreadPoolExecutor(4) as pool:
        saved = list(pool.map(store.models.save, [model] * 4))
    assert sorted(saved) == [False, False, False, True]
    assert store.models.versions(p) == [model.model_version]


def test_a_model_of_an_unknown_paper_is_refused(store: ReadingStore) -> None:
    with pytest.raises(PaperNotFound):
        store.models.save(model_of("nobody"))


def test_a_model_that_contradicts_itself_is_refused_whole(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    astray = replace(model.elements[-1], section=99)
    with pytest.raises(StoreError, match="contradicts itself"):
        store.models.save(replace(model, elements=(*model.elements[:-1], astray)))
    assert store.models.versions(p) == []


def test_a_lone_surrogate_anywhere_leaves_nothing_behind(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    last = replace(model.locations[-1], section_title="half \ud83e")
    with pytest.raises(ValueNotStorable, match="lone surrogate at character 5"):
        store.models.save(replace(model, locations=(*model.locations[:-1], last)))
    box = replace(model.elements[0], image="\udc00")
    with pytest.raises(ValueNotStorable):
        store.models.save(replace(model, elements=(box, *model.elements[1:])))
    with reading(store.engine) as connection:
        for table in metadata.sorted_tables:
            if table.name not in {"papers", "file_upload"}:
                assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0


def test_positions_that_are_no_numbers_are_refused(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    with pytest.raises(ValueNotStorable):
        store.models.save(replace(model, pages=(replace(model.pages[0], width=float("nan")), *model.pages[1:])))
    huge = Relationship(RelationKind.CITES, 1 << 70, 1)
    with pytest.raises(ValueNotStorable):
        store.models.save(replace(model, relationships=(huge,)))


def test_a_model_becomes_current_and_ready_in_one_step(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    store.models.save(model)
    assert store.models.current([p]) == {}
    store.models.activate(p, model.model_version, contract="bm25-1", point_count=5)
    current = store.models.current([p, "other"])[p]
    assert (current.model_version, current.index_status, current.index_contract) == (
        model.model_version,
        IndexStatus.READY,
        "bm25-1",
    )
    assert (current.point_count, current.page_count, current.parser) == (5, 3, "pdfium")
    (record,) = store.papers.get([p])
    assert (record.metadata, record.page_count, record.diagnostics) == (model.metadata, 3, model.diagnostics)
    assert record.searchable_count == store.locations.count(model.model_version) == current.searchable_count


def test_a_newer_model_takes_over_and_the_older_one_gives_up_its_points(store: ReadingStore, p: str) -> None:
    old, new = model_of(p, "a"), model_of(p, "b")
    for model in (old, new):
        store.models.save(model)
        store.models.activate(p, model.model_version, contract="c", point_count=5)
    assert store.models.current([p])[p].model_version == new.model_version
    assert store.models.versions(p) == [old.model_version, new.model_version]
    with reading(store.engine) as connection:
        row = connection.execute(sa.select(models).where(models.c.model_version == old.model_version)).one()
    assert (row.index_status, row.point_count, row.current_marker) == ("PENDING", 0, None)
    store.models.delete(old.model_version)
    assert store.models.versions(p) == [new.model_version]
    with pytest.raises(StoreError):
        store.models.load(p, old.model_version)


def test_the_database_itself_refuses_a_second_current_model(store: ReadingStore, p: str) -> None:
    for artifact in "ab":
        store.models.save(model_of(p, artifact))
    with pytest.raises(IntegrityError):
        write(store.engine, lambda connection: connection.execute(sa.update(models).values(current_marker=1)))
    with pytest.raises((IntegrityError, StoreError)):  # MariaDB reports a failed CHECK as an operational error
        write(
            store.engine,
            lambda connection: connection.execute(
                sa.update(models).where(models.c.model_version == model_of(p).model_version).values(current_marker=2)
            ),
        )


def test_activations_at_the_same_moment_leave_one_current_model(store: ReadingStore, p: str) -> None:
    versions = [model_of(p, artifact).model_version for artifact in "abcd"]
    for artifact in "abcd":
        store.models.save(model_of(p, artifact))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda version: store.models.activate(p, version, contract="c", point_count=1), versions * 2))
    with reading(store.engine) as connection:
        query = sa.select(models.c.index_status, models.c.current_marker).order_by(models.c.current_marker)
        states = sorted(connection.execute(query).all(), key=str)
    assert sorted(row.index_status for row in states) == ["PENDING"] * 3 + ["READY"]


def test_an_unknown_model_cannot_become_current(store: ReadingStore, p: str, add: Callable[[str], None]) -> None:
    add("q")
    model = model_of(p)
    store.models.save(model)
    with pytest.raises(StoreError):
        store.models.activate("q", model.model_version, contract="c", point_count=1)
    with pytest.raises(StoreError):
        store.models.activate(p, "rm_nothing", contract="c", point_count=1)
    assert store.models.current([p, "q"]) == {}


def test_what_a_user_gave_stays_when_a_model_becomes_current(store: ReadingStore, p: str) -> None:
    store.papers.set_metadata(p, PaperMetadata(title="Given", doi="10.1/x", sources={"title": "user", "doi": "xmp"}))
    model = model_of(p)
    store.models.save(model)
    store.models.activate(p, model.model_version, contract="c", point_count=1)
    known = store.papers.get([p])[0].metadata
    assert (known.title, known.doi, known.authors) == ("Given", None, model.metadata.authors)
    assert known.sources == {**model.metadata.sources, "title": "user"}


def test_the_metadata_of_a_model_are_known_before_it_is_current(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    store.models.save(model)
    store.papers.set_metadata(p, PaperMetadata(title="Given", sources={"title": "user"}))
    known = store.models.metadata(p, model.model_version)
    assert (known.title, known.authors) == ("Given", model.metadata.authors)
    for paper_id, version in ((p, "rm_nothing"), ("q", model.model_version)):
        with pytest.raises(StoreError):
            store.models.metadata(paper_id, version)


def test_merging_without_given_fields_takes_what_was_found() -> None:
    found = PaperMetadata(title="Found", year=2020, sources={"title": "xmp", "year": "xmp"})
    assert merged(found, PaperMetadata(title="Old", sources={"title": "first_page"})) == found


def test_the_index_status_changes_only_from_an_expected_one(store: ReadingStore, p: str) -> None:
    version = model_of(p).model_version
    store.models.save(model_of(p))
    pending, building, failed = IndexStatus.PENDING, IndexStatus.BUILDING, IndexStatus.FAILED
    assert store.models.set_index_status(version, building, expected=[pending, failed], owner="job-1")
    assert not store.models.set_index_status(version, building, expected=[pending, failed], owner="job-2")
    assert store.models.set_index_status(version, failed, expected=[building], error="disk full")
    with reading(store.engine) as connection:
        row = connection.execute(sa.select(models)).one()
    assert (row.index_status, row.index_owner, row.index_error) == ("FAILED", None, "disk full")
    assert not store.models.set_index_status("rm_nothing", building, expected=list(IndexStatus))


def test_one_of_many_takes_a_status(store: ReadingStore, p: str) -> None:
    version = model_of(p).model_version
    store.models.save(model_of(p))

    def take(owner: int) -> bool:
        return store.models.set_index_status(
            version, IndexStatus.BUILDING, expected=[IndexStatus.PENDING], owner=str(owner)
        )

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(take, range(6))) == [False] * 5 + [True]


def test_loading_a_model_takes_a_fixed_number_of_statements(store: ReadingStore, p: str) -> None:
    model = model_of(p)
    store.models.save(model)
    statements: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    store.models.load(p, model.model_version)
    assert sum(statement.startswith("SELECT") for statement in statements) == 7
