"""The library on real files: the sample papers, and the cases that name their own."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from corpus_gateway.errors import CorpusUnavailable, PaperNotReady
from corpus_gateway.library import AddOutcome, Library, Removal
from corpus_gateway.listing import LibraryPaper
from corpus_gateway.wire import (
    IdentityRequest,
    IdentityResult,
    LocationSearchRequest,
    PaperIdentity,
    PaperSearchRequest,
)
from reading_model.errors import PaperNotFound
from reading_model.identity import paper_id_of, sha256_hex
from reading_model.models import IndexStatus
from tests.corpus_gateway.installation import Installation, copy_installation, installation

SAMPLES = Path(__file__).parents[2] / "examples" / "papers"
LEDGER = SAMPLES / "evidence-ledger.pdf"
BM25 = SAMPLES / "sparse-bm25-scoped-idf.pdf"
CASES = Path(__file__).parents[3] / "shared" / "cases" / "inputs"


def paper_id_of_file(path: Path) -> str:
    return paper_id_of(sha256_hex(path.read_bytes()))


PAPER = paper_id_of_file(LEDGER)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed library in which user 1 has one paper."""
    folder = tmp_path_factory.mktemp("template") / "library"
    with installation(folder) as opened:
        assert [outcome.status for outcome in opened.library.add([LEDGER], "1")] == ["ready"]
    return folder


@pytest.fixture
def parts(template: Path, tmp_path: Path) -> Iterator[Installation]:
    """A library of its own in which user 1 has one paper, `PAPER`."""
    copy_installation(template, tmp_path / "library")
    with installation(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Installation]:
    with installation(tmp_path / "library") as opened:
        yield opened


def case_file(name: str) -> Path:
    path = CASES / name
    if not path.exists():
        pytest.skip("the case files are not beside this checkout")
    return path


def add(parts: Installation, *paths: Path, user: str = "1") -> list[AddOutcome]:
    return list(parts.library.add(paths, user))


def listed(parts: Installation, user: str = "1") -> list[LibraryPaper]:
    return parts.library.papers(user)


async def identified(parts: Installation, clues: PaperIdentity, *scope: str, user: str = "1") -> IdentityResult:
    request = IdentityRequest(user_id=user, scope_paper_ids=list(scope), identity=clues)
    return await parts.gateway.resolve_identity(request)


async def found_by_search(parts: Installation, paper_id: str, query: str, user: str = "1") -> bool:
    request = LocationSearchRequest(user_id=user, scope_paper_ids=[paper_id], paper_ids=[paper_id], query_text=query)
    return bool((await parts.gateway.search_locations(request)).locations)


async def test_an_added_paper_is_searchable_and_listed(parts: Installation) -> None:
    (paper,) = listed(parts)
    assert (paper.record.paper_id, paper.filename) == (PAPER, LEDGER.name)
    assert (paper.own, paper.published, paper.searchable) == (True, False, True)
    assert (paper.record.index_status, paper.record.page_count) == (IndexStatus.READY, 2)
    assert await found_by_search(parts, PAPER, "evidence ledger")
    assert parts.objects.get(parts.store.papers.object_key(PAPER)) == LEDGER.read_bytes()
    assert parts.indexer.verify().clean


def test_outcomes_come_one_by_one_and_a_bad_file_fails_alone(empty: Installation, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_text("<html>no PDF</html>")
    outcomes: dict[str, AddOutcome] = {}
    for outcome in empty.library.add([LEDGER, broken, BM25], "1"):
        outcomes[outcome.path.name] = outcome
        ready = {item.paper_id for item in outcomes.values() if item.status == "ready"}
        assert {paper.record.paper_id for paper in listed(empty) if paper.searchable} == ready
    assert {name: item.status for name, item in outcomes.items()} == {
        LEDGER.name: "ready",
        "broken.pdf": "failed",
        BM25.name: "ready",
    }
    failure = outcomes["broken.pdf"].failure
    assert failure is not None
    assert failure.code == "not_a_pdf"
    assert outcomes[LEDGER.name].pages == 2


def test_the_same_file_again_is_skipped(parts: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "other name.pdf"
    copy.write_bytes(LEDGER.read_bytes())
    assert [outcome.status for outcome in add(parts, LEDGER, copy)] == ["skipped", "skipped"]
    assert [paper.filename for paper in listed(parts)] == [LEDGER.name]


async def test_f17_a_second_user_gets_the_paper_that_is_there(parts: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "other name.pdf"
    copy.write_bytes(LEDGER.read_bytes())
    (second,) = add(parts, copy, user="2")
    assert (second.status, second.paper_id) == ("ready", PAPER)
    assert [paper.filename for paper in listed(parts, "1")] == [LEDGER.name]
    assert [paper.filename for paper in listed(parts, "2")] == ["other name.pdf"]
    assert await found_by_search(parts, PAPER, "ledger", user="2")
    assert not await found_by_search(parts, PAPER, "ledger", user="3")


async def test_a_filename_is_the_one_by_which_the_user_knows_the_paper(parts: Installation, tmp_path: Path) -> None:
    copy = tmp_path / "other name.pdf"
    copy.write_bytes(LEDGER.read_bytes())
    add(parts, copy, user="2")
    found = {
        (user, name): (await identified(parts, PaperIdentity(filename=name), PAPER, user=user)).status
        for user in ("1", "2")
        for name in (LEDGER.name, "other name.pdf")
    }
    assert found == {
        ("1", LEDGER.name): "resolved",
        ("1", "other name.pdf"): "not_found",
        ("2", LEDGER.name): "not_found",
        ("2", "other name.pdf"): "resolved",
    }
    both = PaperIdentity(filename="other name.pdf", year=1900)
    assert (await identified(parts, both, PAPER, user="2")).status == "not_found"


@pytest.mark.data
async def test_f17_the_same_bytes_at_the_same_moment_make_one_paper(empty: Installation, tmp_path: Path) -> None:
    source = case_file("f17-first.pdf")
    other = tmp_path / "other name.pdf"
    other.write_bytes(source.read_bytes())
    uploads = {"user-a": source, "user-b": other}
    outcomes: dict[str, list[AddOutcome]] = {}
    start = threading.Barrier(len(uploads))

    def upload(user: str) -> None:
        start.wait()
        outcomes[user] = add(empty, uploads[user], user=user)

    threads = [threading.Thread(target=upload, args=(user,)) for user in uploads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    paper_id = paper_id_of_file(source)
    assert {user: [(item.status, item.paper_id) for item in items] for user, items in outcomes.items()} == {
        "user-a": [("ready", paper_id)],
        "user-b": [("ready", paper_id)],
    }
    assert [record.paper_id for record in empty.store.papers.get()] == [paper_id]
    (version,) = empty.store.models.versions(paper_id)
    current = empty.store.models.current([paper_id])[paper_id]
    assert current.model_version == version
    assert empty.locations.count(version) == empty.store.locations.count(version) == current.point_count > 0
    assert empty.locations.count() == current.point_count
    assert [paper.filename for user in uploads for paper in listed(empty, user)] == [source.name, other.name]

    assert [outcome.status for outcome in add(empty, source, user="user-a")] == ["skipped"]
    (resaved,) = add(empty, case_file("f17-resaved.pdf"), user="user-a")
    scope = [paper.record.paper_id for paper in listed(empty, "user-a")]
    clue = PaperIdentity(title="Sparse Lookup for Small Libraries")
    result = await identified(empty, clue, *scope, user="user-a")
    assert result.status == "ambiguous"
    assert {card.paper_id for card in result.matches} == {paper_id, resaved.paper_id}


@pytest.mark.data
async def test_f12_a_scan_without_text_is_kept_as_failed_and_found_by_nobody(empty: Installation) -> None:
    (outcome,) = add(empty, case_file("f12-image-only.pdf"))
    assert (outcome.status, outcome.failure.code if outcome.failure else None) == ("failed", "no_text")
    assert outcome.paper_id
    (paper,) = listed(empty)
    assert (paper.searchable, paper.record.index_status) == (False, IndexStatus.FAILED)
    assert paper.record.failure
    assert paper.record.failure.code == "no_text"
    assert paper.record.page_count == 2
    assert empty.locations.count() == 0
    request = LocationSearchRequest(
        user_id="1", scope_paper_ids=[outcome.paper_id], paper_ids=[outcome.paper_id], query_text="yield"
    )
    result = await empty.gateway.search_locations(request)
    assert (result.locations, result.unsearchable_papers) == ([], [outcome.paper_id])
    with pytest.raises(PaperNotReady):
        empty.library.publish(outcome.paper_id, by="root")


@pytest.mark.parametrize("left", [IndexStatus.PENDING, IndexStatus.REBUILDING])
async def test_a_paper_left_half_way_is_completed_when_it_is_added_again(
    parts: Installation, left: IndexStatus
) -> None:
    version = parts.store.models.current([PAPER])[PAPER].model_version
    parts.locations.delete_models([version])
    parts.store.models.activate(PAPER, version, contract=parts.contract.text(), point_count=0)
    parts.store.models.set_index_status(version, left, expected=tuple(IndexStatus))
    assert not listed(parts)[0].searchable
    assert [again.status for again in add(parts, LEDGER)] == ["ready"]
    assert listed(parts)[0].searchable
    assert await found_by_search(parts, PAPER, "ledger")
    assert parts.indexer.verify().clean


def test_removing_from_one_library_leaves_the_other(parts: Installation) -> None:
    add(parts, LEDGER, user="2")
    assert not parts.library.remove("1", PAPER).deleted
    assert listed(parts, "1") == []
    assert [paper.searchable for paper in listed(parts, "2")] == [True]


@pytest.mark.parametrize("keep_objects", [False, True])
def test_removing_from_the_last_library_leaves_nothing_but_what_is_kept(
    parts: Installation, keep_objects: bool
) -> None:
    key = parts.store.papers.object_key(PAPER)
    assert parts.library.remove("1", PAPER, keep_objects=keep_objects) == Removal(PAPER, deleted=True)
    assert listed(parts) == []
    assert parts.store.papers.get() == []
    assert (parts.locations.count(), parts.cards.count()) == (0, 0)
    assert parts.objects.exists(key) is keep_objects
    assert parts.indexer.verify().clean


def test_a_removed_paper_can_be_added_again(parts: Installation) -> None:
    parts.library.remove("1", PAPER)
    assert [(again.status, again.paper_id) for again in add(parts, LEDGER)] == [("ready", PAPER)]
    assert [paper.searchable for paper in listed(parts)] == [True]


def test_a_paper_removed_while_somebody_adds_it_is_taken_in_again(parts: Installation) -> None:
    def files() -> Iterator[Path]:
        yield LEDGER
        parts.library.remove("1", PAPER)

    outcomes = list(parts.library.add(files(), "2"))
    assert [(outcome.status, outcome.paper_id) for outcome in outcomes] == [("ready", PAPER)]
    assert [paper.searchable for paper in listed(parts, "2")] == [True]
    assert parts.indexer.verify().clean


class TakenUpMeanwhile:
    """An indexer during whose work another process gives the paper to user 2."""

    def __init__(self, parts: Installation) -> None:
        self._parts = parts
        self.index_model = parts.indexer.index_model
        self.refresh_card = parts.indexer.refresh_card

    def remove_points(self, paper_id: str, model_versions: Sequence[str]) -> None:
        self._parts.indexer.remove_points(paper_id, model_versions)
        self._parts.store.access.grant("2", paper_id, "mine now.pdf")


def test_a_paper_that_another_process_takes_up_meanwhile_stays_searchable(parts: Installation) -> None:
    library = Library(parts.store, parts.objects, TakenUpMeanwhile(parts), contract=parts.contract.text)
    assert library.remove("1", PAPER) == Removal(PAPER, deleted=False)
    assert listed(parts, "1") == []
    assert [paper.searchable for paper in listed(parts, "2")] == [True]
    assert parts.objects.exists(parts.store.papers.object_key(PAPER))
    assert parts.indexer.verify().clean


@pytest.mark.parametrize(("user", "paper_id"), [("1", "p404"), ("2", PAPER)])
def test_what_is_not_in_the_library_cannot_be_removed(parts: Installation, user: str, paper_id: str) -> None:
    with pytest.raises(PaperNotFound):
        parts.library.remove(user, paper_id)
    assert len(listed(parts, "1")) == 1


def test_a_published_paper_outlives_its_last_library(parts: Installation) -> None:
    parts.library.publish(PAPER, by="root")
    (seen,) = listed(parts, "2")
    assert (seen.own, seen.published, seen.searchable) == (False, True, True)
    assert not parts.library.remove("1", PAPER).deleted
    assert len(listed(parts, "2")) == 1
    assert parts.library.unpublish(PAPER).deleted
    assert parts.store.papers.get() == []
    assert parts.locations.count() == 0


def test_unpublishing_leaves_the_paper_to_its_holders(parts: Installation) -> None:
    parts.library.publish(PAPER, by="root")
    assert not parts.library.unpublish(PAPER).deleted
    assert len(listed(parts, "1")) == 1
    assert listed(parts, "2") == []
    with pytest.raises(PaperNotFound):
        parts.library.unpublish(PAPER)


def test_an_unknown_paper_is_not_published(parts: Installation) -> None:
    with pytest.raises(PaperNotFound):
        parts.library.publish("p404", by="root")


async def test_edited_metadata_are_shown_and_found(parts: Installation) -> None:
    edited = parts.library.edit("1", PAPER, {"title": "Gulls at Dawn", "year": 1999, "venue": None})
    metadata = edited.record.metadata
    assert (metadata.title, metadata.year, metadata.venue) == ("Gulls at Dawn", 1999, None)
    assert metadata.sources["title"] == "user"
    assert (await identified(parts, PaperIdentity(title="gulls at dawn"), PAPER)).status == "resolved"
    listing = PaperSearchRequest(user_id="1", scope_paper_ids=[PAPER], query_text="gulls")
    assert (await parts.gateway.search_papers(listing)).matched_count == 1
    assert parts.indexer.verify().clean


@pytest.mark.parametrize("fields", [{"colour": "red"}, {"sources": {}}])
def test_there_are_no_other_fields_to_edit(parts: Installation, fields: dict[str, object]) -> None:
    before = parts.library.paper("1", PAPER)
    with pytest.raises(TypeError):
        parts.library.edit("1", PAPER, fields)
    assert parts.library.paper("1", PAPER) == before


def test_somebody_elses_paper_is_neither_shown_nor_edited(parts: Installation) -> None:
    with pytest.raises(PaperNotFound):
        parts.library.edit("2", PAPER, {"title": "Mine now"})
    with pytest.raises(PaperNotFound):
        parts.library.paper("2", PAPER)
    parts.library.publish(PAPER, by="root")
    with pytest.raises(PaperNotFound):
        parts.library.edit("2", PAPER, {"title": "Mine now"})
    assert parts.library.paper("2", PAPER).record.metadata.title != "Mine now"


@pytest.mark.parametrize(
    "act",
    [lambda parts: add(parts, BM25), lambda parts: parts.library.remove("1", PAPER)],
    ids=["add", "remove"],
)
def test_an_index_that_does_not_answer_is_an_error_of_the_gateway(
    parts: Installation, act: Callable[[Installation], object]
) -> None:
    parts.locations.close()
    with pytest.raises(CorpusUnavailable):
        act(parts)
    assert PAPER in [paper.record.paper_id for paper in listed(parts)]


async def test_health_names_the_part_that_fails(parts: Installation) -> None:
    assert (await parts.gateway.health()).parts == {"store": "ok", "index": "ok"}
    parts.locations.close()
    report = await parts.gateway.health()
    assert not report.ok
    assert report.parts["store"] == "ok"
    assert "closed" in report.parts["index"]
    request = LocationSearchRequest(user_id="1", scope_paper_ids=[PAPER], paper_ids=[PAPER], query_text="ledger")
    with pytest.raises(CorpusUnavailable):
        await parts.gateway.search_locations(request)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every file name is Unicode")
def test_a_file_name_that_is_no_unicode_is_shown_as_far_as_it_can_be(empty: Installation, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9.pdf")
    odd.write_bytes(LEDGER.read_bytes())
    assert [outcome.status for outcome in empty.library.add([odd, BM25], "1")] == ["ready", "ready"]
    assert empty.library.paper("1", PAPER).filename == "caf\ufffd.pdf"
