from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from reading_model.documents import Diagnostic
from reading_model.errors import PaperNotFound
from reading_model.models import Failure, IndexStatus, PaperMetadata
from reading_model.store import Artifact, NewPaper, ReadingStore
from reading_model.store.tables import metadata
from reading_model.store.transactions import reading
from tests.reading_model.store.conftest import model_of

NEW = NewPaper("p1", "f" * 64, "résumé 🧬.pdf", 5_000_000_000, "pdf/x.pdf")


def test_a_new_paper_is_listed_with_nothing_known(store: ReadingStore) -> None:
    before = datetime.now(UTC)
    assert store.papers.add(NEW)
    (record,) = store.papers.get()
    assert (record.paper_id, record.filename, record.size_bytes) == ("p1", NEW.filename, NEW.size_bytes)
    assert before - timedelta(seconds=1) <= record.added_at <= datetime.now(UTC)
    assert record.metadata == PaperMetadata()
    assert (record.model_version, record.failure, record.index_status) == (None, None, IndexStatus.PENDING)


def test_f17_the_same_paper_added_at_the_same_moment_is_one_paper(store: ReadingStore) -> None:
    with ThreadPoolExecutor(6) as pool:
        added = list(pool.map(store.papers.add, [replace(NEW, filename=f"{name}.pdf") for name in range(6)]))
    assert sorted(added) == [False] * 5 + [True]
    assert len(store.papers.get()) == 1


def test_papers_come_in_the_order_of_their_ids_and_unknown_ones_are_left_out(
    store: ReadingStore, add: Callable[[str], None]
) -> None:
    for paper_id in ("b", "é", "a", "B", "a "):
        add(paper_id)
    assert [record.paper_id for record in store.papers.get()] == ["B", "a", "a ", "b", "é"]
    assert [record.paper_id for record in store.papers.get(["b", "nope", "a", "b"])] == ["a", "b"]
    assert store.papers.get([]) == []


def test_many_ids_are_asked_for_in_few_statements(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p0999")
    statements: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    found = store.papers.get([f"p{number:04}" for number in range(1000)])
    assert [record.paper_id for record in found] == ["p0999"]
    assert sum("FROM papers" in statement for statement in statements) == 2


def test_metadata_is_kept_exactly(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    known = PaperMetadata(
        title="🧬 𝛽-catenin in 𠮷野家 — a study",
        authors=("Zoë O’Neil 👩🏽‍🔬", "Ada"),
        year=2024,
        venue="T" * 600,
        doi="10.1/X y ",
        arxiv_id="2101.00007v3",
        abstract="line\r\nline\0",
        sources={"title": "xmp"},
    )
    store.papers.set_metadata("p", known)
    assert store.papers.get(["p"])[0].metadata == known


def test_a_failed_paper_keeps_its_reason_and_is_listed_as_failed(
    store: ReadingStore, add: Callable[[str], None]
) -> None:
    add("p")
    failure = Failure("no_text", "none of the 2 pages has text")
    seen = (Diagnostic("no_text", "no usable text", 1),)
    store.papers.fail("p", failure, page_count=2, diagnostics=seen)
    (record,) = store.papers.get()
    assert (record.failure, record.page_count, record.diagnostics) == (failure, 2, seen)
    assert record.index_status is IndexStatus.FAILED


def test_a_failed_rebuild_leaves_the_serving_model_and_its_facts(
    store: ReadingStore, add: Callable[[str], None]
) -> None:
    add("p")
    model = model_of("p")
    store.models.save(model)
    store.models.activate("p", model.model_version, contract="c", point_count=1)
    store.papers.fail("p", Failure("parser_timeout", "too slow"))
    (record,) = store.papers.get()
    assert (record.model_version, record.page_count) == (model.model_version, 3)
    assert (record.index_status, record.diagnostics) == (IndexStatus.READY, model.diagnostics)
    assert record.failure == Failure("parser_timeout", "too slow")


def test_what_is_asked_of_an_unknown_paper_is_refused(store: ReadingStore) -> None:
    for ask in (
        lambda: store.papers.set_metadata("p", PaperMetadata()),
        lambda: store.papers.fail("p", Failure("x", "y")),
        lambda: store.papers.object_key("p"),
        lambda: store.papers.keep_artifact(_artifact("p", "1")),
    ):
        with pytest.raises(PaperNotFound):
            ask()


def test_deleting_a_paper_leaves_no_row_of_it_anywhere(store: ReadingStore, add: Callable[[str], None]) -> None:
    for paper_id in ("p", "q"):
        add(paper_id)
        store.models.save(model_of(paper_id))
        store.papers.keep_artifact(_artifact(paper_id, "1"))
        store.access.grant("1", paper_id, "x.pdf")
        store.access.publish(paper_id, "1")
    rows = _row_counts(store)
    store.papers.delete("p")
    left = _row_counts(store)
    assert all(count > 0 for table, count in left.items() if table not in {"retrieval_control", "index_builds"})
    assert {table: count // 2 for table, count in rows.items()} == left
    store.papers.delete("p")
    assert _row_counts(store) == left


def test_a_paper_goes_when_nobody_holds_it(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    store.access.grant("1", "p", "x.pdf")
    assert not store.papers.delete_unheld("p")
    store.access.revoke("1", "p")
    store.access.publish("p", "1")
    assert not store.papers.delete_unheld("p")
    store.access.unpublish("p")
    assert store.papers.delete_unheld("p")
    assert not store.papers.delete_unheld("p")


def test_objects_that_two_papers_share_belong_to_neither_alone(store: ReadingStore) -> None:
    store.papers.add(replace(NEW, paper_id="p", object_key="pdf/same.pdf"))
    store.papers.add(replace(NEW, paper_id="q", object_key="pdf/same.pdf"))
    store.papers.keep_artifact(_artifact("p", "1"))
    assert store.papers.object_key("p") == "pdf/same.pdf"
    assert store.papers.own_object_keys("p") == ["artifacts/1.json.gz"]
    store.papers.delete("q")
    assert store.papers.own_object_keys("p") == ["artifacts/1.json.gz", "pdf/same.pdf"]


def test_artifacts_are_kept_once_each(store: ReadingStore, add: Callable[[str], None]) -> None:
    add("p")
    one, other = _artifact("p", "1"), replace(_artifact("p", "2"), created_at=datetime(2030, 1, 1, tzinfo=UTC))
    for artifact in (other, one, one):
        store.papers.keep_artifact(artifact)
    assert store.papers.artifacts("p") == [one, other]


def _artifact(paper_id: str, sha256: str) -> Artifact:
    when = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    return Artifact(paper_id, sha256, "pdfium", "1", "", f"artifacts/{sha256}.json.gz", 10, when)


def _row_counts(store: ReadingStore) -> dict[str, int]:
    with reading(store.engine) as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }
