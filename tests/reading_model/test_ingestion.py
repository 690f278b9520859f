from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Lock

import pytest
import sqlalchemy as sa

from reading_model.artifacts import unpack
from reading_model.errors import StoreUnavailable, ValueNotStorable
from reading_model.identity import paper_id_of, sha256_hex
from reading_model.ingestion import IngestOutcome, discover, ingest
from reading_model.models import IndexStatus, PaperMetadata
from reading_model.objects import LocalObjects
from reading_model.parsing import ParseLimits
from reading_model.parsing.sources import Source, read_source
from reading_model.store import NewPaper, ReadingStore, open_store
from tests.reading_model.plain_parser import PARSERS
from tests.reading_model.sample_documents import long_text

LIMITS = ParseLimits(max_bytes=1_000_000)


class Desk:
    """A library without an index: what is ready is made current at once."""

    def __init__(self, store: ReadingStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self.objects = LocalObjects(folder / "objects")
        self.indexed: list[str] = []

    def write(self, name: str, text: str) -> Path:
        path = self.folder / "files" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"%PDF-1.7\n" + text.encode("utf-8", "surrogatepass"))
        return path

    def index(self, paper_id: str, model_version: str) -> None:
        self.indexed.append(paper_id)
        points = self.store.locations.count(model_version)
        self.store.models.activate(paper_id, model_version, contract="c", point_count=points)

    def add(
        self,
        *paths: Path,
        on_ready: Callable[[str, str], object] | None = None,
        password: str | None = None,
        jobs: int = 1,
        limits: ParseLimits = LIMITS,
    ) -> list[IngestOutcome]:
        outcomes = ingest(
            iter(paths),
            store=self.store,
            objects=self.objects,
            on_ready=on_ready or self.index,
            jobs=jobs,
            parser="plain",
            password=password,
            limits=limits,
            parsers=PARSERS,
        )
        return list(outcomes)

    def is_whole(self, path: Path) -> bool:
        """Whether the paper of a file is complete: one current model that is ready, its rows, its objects."""
        data = path.read_bytes()
        paper_id = paper_id_of(sha256_hex(data))
        (record,) = self.store.papers.get([paper_id])
        if record.model_version is None or record.index_status is not IndexStatus.READY or record.failure:
            return False
        model = self.store.models.load(paper_id, record.model_version)
        (artifact,) = self.store.papers.artifacts(paper_id)
        parsed = unpack(self.objects.get(artifact.object_key))
        kept = self.objects.get(self.store.papers.object_key(paper_id))
        return kept == data and parsed.source_sha256 == model.source_sha256 == sha256_hex(data)


@pytest.fixture
def desk(store_url: str, tmp_path: Path) -> Iterator[Desk]:
    store = open_store(store_url)
    yield Desk(store, tmp_path)
    store.close()


@pytest.fixture
def sqlite_desk(sqlite_template: Path, tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "store.db").write_bytes(sqlite_template.read_bytes())
    store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    yield Desk(store, tmp_path)
    store.close()


def test_files_become_papers_and_bad_ones_fail_alone(desk: Desk) -> None:
    good = [desk.write(f"{number}.pdf", long_text(number)) for number in (1, 2, 3)]
    bad = [desk.write("bad.pdf", "damaged"), desk.write("locked.pdf", "locked\nx"), desk.folder / "nothing.pdf"]
    outcomes = {outcome.path.name: outcome for outcome in desk.add(bad[0], *good, *bad[1:], jobs=2)}
    assert {name: outcome.status for name, outcome in outcomes.items()} == {
        **dict.fromkeys(["1.pdf", "2.pdf", "3.pdf"], "ready"),
        **dict.fromkeys(["bad.pdf", "locked.pdf", "nothing.pdf"], "failed"),
    }
    codes = {outcome.path.name: outcome.failure.code for outcome in outcomes.values() if outcome.failure}
    assert codes == {"bad.pdf": "damaged", "locked.pdf": "password_required", "nothing.pdf": "not_found"}
    assert all(desk.is_whole(path) for path in good)
    assert len(desk.store.papers.get()) == 3
    assert outcomes["2.pdf"].pages == 1
    assert all(outcome.seconds > 0 for outcome in outcomes.values())


def test_f17_the_same_bytes_are_one_paper_under_any_name(desk: Desk) -> None:
    first, other = desk.write("first.pdf", "words"), desk.write("other name.pdf", "words")
    resaved = desk.write("resaved.pdf", "words\n")
    outcomes = desk.add(first, other, first, resaved)
    assert sorted((outcome.path.name, outcome.status) for outcome in outcomes) == [
        ("first.pdf", "ready"),
        ("first.pdf", "skipped"),
        ("other name.pdf", "skipped"),
        ("resaved.pdf", "ready"),
    ]
    assert len({outcome.paper_id for outcome in outcomes}) == 2
    assert [outcome.status for outcome in desk.add(other, resaved)] == ["skipped", "skipped"]
    assert len(desk.store.papers.get()) == len(desk.indexed) == 2


def test_f17_two_runs_at_the_same_moment_make_one_paper(desk: Desk) -> None:
    path = desk.write("first.pdf", "words")
    both_saved = Barrier(2, timeout=60)
    one_at_a_time = Lock()

    def index(paper_id: str, model_version: str) -> None:
        both_saved.wait()
        with one_at_a_time:
            desk.index(paper_id, model_version)

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda _: desk.add(path, on_ready=index), range(2)))
    assert [[outcome.status for outcome in run] for run in outcomes] == [["ready"], ["ready"]]
    assert desk.is_whole(path)
    assert len(desk.store.models.versions(paper_id_of(sha256_hex(path.read_bytes())))) == 1


def test_a_paper_that_another_run_finished_meanwhile_is_skipped(sqlite_desk: Desk) -> None:
    paths = {paper_id_of(sha256_hex(path.read_bytes())): path for path in map(sqlite_desk.write, *_named("ab"))}

    def index(paper_id: str, model_version: str) -> None:
        sqlite_desk.index(paper_id, model_version)
        other = next(path for other_id, path in paths.items() if other_id != paper_id)
        if len(sqlite_desk.indexed) == 1:
            assert [outcome.status for outcome in sqlite_desk.add(other)] == ["ready"]

    outcomes = sqlite_desk.add(*paths.values(), on_ready=index, jobs=2)
    assert [outcome.status for outcome in outcomes] == ["ready", "skipped"]
    assert all(sqlite_desk.is_whole(path) for path in paths.values())


def _named(names: str) -> tuple[list[str], list[str]]:
    return [f"{name}.pdf" for name in names], [f"words of {name}" for name in names]


@pytest.mark.parametrize(("jobs", "bad_first"), [(1, True), (2, True), (2, False)])
def test_a_twin_shares_the_fate_of_its_file(sqlite_desk: Desk, jobs: int, bad_first: bool) -> None:
    bad = [sqlite_desk.write(f"bad {name}.pdf", "damaged") for name in "ab"]
    good = [sqlite_desk.write(f"good {name}.pdf", "words") for name in "ab"]
    files = [*bad, *good] if bad_first else [*good, *bad]
    outcomes = {outcome.path.name: outcome for outcome in sqlite_desk.add(*files, jobs=jobs)}
    assert {name: (outcome.status, outcome.failure and outcome.failure.code) for name, outcome in outcomes.items()} == {
        "bad a.pdf": ("failed", "damaged"),
        "bad b.pdf": ("failed", "damaged"),
        "good a.pdf": ("ready", None),
        "good b.pdf": ("skipped", None),
    }
    assert outcomes["good a.pdf"].paper_id == outcomes["good b.pdf"].paper_id


def test_a_row_that_the_database_refuses_fails_its_file_alone(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_model: object) -> bool:
        raise ValueNotStorable("a row of 99 bytes does not fit")

    monkeypatch.setattr(sqlite_desk.store.models, "save_rows", refuse)
    (outcome,) = sqlite_desk.add(sqlite_desk.write("a.pdf", "words"))
    assert outcome.failure is not None
    assert outcome.failure.code == "value_not_storable"
    (record,) = sqlite_desk.store.papers.get()
    assert record.failure == outcome.failure


def test_f12_a_file_without_text_stays_listed_with_its_reason(desk: Desk) -> None:
    path = desk.write("scan.pdf", "")
    (outcome,) = desk.add(path)
    assert outcome.failure is not None
    assert (outcome.status, outcome.failure.code, outcome.pages) == ("failed", "no_text", 1)
    (record,) = desk.store.papers.get()
    assert (record.paper_id, record.failure) == (outcome.paper_id, outcome.failure)
    assert (record.index_status, record.page_count, record.model_version) == (IndexStatus.FAILED, 1, None)
    assert desk.objects.exists(desk.store.papers.object_key(record.paper_id))
    assert [outcome.status for outcome in desk.add(path)] == ["failed"]
    assert desk.indexed == []


def test_a_password_opens_a_locked_file(sqlite_desk: Desk) -> None:
    path = sqlite_desk.write("locked.pdf", "locked\nwords")
    assert [outcome.status for outcome in sqlite_desk.add(path, password="open")] == ["ready"]


def test_a_file_that_is_too_large_or_cannot_be_read_is_not_parsed(sqlite_desk: Desk) -> None:
    large = sqlite_desk.write("large.pdf", "x" * 200)
    folder = sqlite_desk.folder / "files"
    outcomes = sqlite_desk.add(large, folder, limits=ParseLimits(max_bytes=100))
    codes = [outcome.failure.code for outcome in outcomes if outcome.failure]
    assert codes == ["too_large", "not_an_artifact"]


def test_text_that_cannot_be_stored_fails_its_file_alone(desk: Desk) -> None:
    half, good = desk.write("half.pdf", "half \ud83e of a pair"), desk.write("good.pdf", "words")
    outcomes = {outcome.path.name: outcome for outcome in desk.add(half, good)}
    assert (outcomes["good.pdf"].status, outcomes["half.pdf"].status) == ("ready", "failed")
    failure = outcomes["half.pdf"].failure
    assert failure is not None
    assert failure.code == "value_not_storable"
    assert len(desk.store.papers.get()) == 1


def test_a_paper_that_was_left_behind_keeps_the_reason_of_its_failure(sqlite_desk: Desk) -> None:
    for text, code in (("damaged", "damaged"), ("half \ud83e", "value_not_storable")):
        path = sqlite_desk.write("left.pdf", text)
        sha256 = sha256_hex(path.read_bytes())
        sqlite_desk.store.papers.add(NewPaper(paper_id_of(sha256), sha256, "left.pdf", 1, "pdf/left.pdf"))
        (outcome,) = sqlite_desk.add(path)
        assert outcome.paper_id == paper_id_of(sha256)
        (record,) = sqlite_desk.store.papers.get([paper_id_of(sha256)])
        assert record.failure is not None
        assert record.failure.code == code


class Stopped(BaseException):
    """The process ends here."""


STEPS = ["objects.put", "papers.add", "papers.keep_artifact", "models.save_rows", "index", "activate"]


@pytest.mark.parametrize("step", STEPS)
def test_a_run_that_stops_anywhere_is_completed_by_the_next(
    desk: Desk, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [desk.write(f"{name}.pdf", f"{name} {long_text(3)}") for name in "abc"]
    calls = 0

    def stop(*_arguments: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Stopped

    def after(owner: object, name: str) -> None:
        run = getattr(owner, name)

        def run_and_stop(*arguments: object) -> object:
            result = run(*arguments)
            stop()
            return result

        monkeypatch.setattr(owner, name, run_and_stop)

    on_ready = desk.index
    match step:
        case "objects.put":
            after(desk.objects, "put")
        case "index":
            on_ready = stop
        case "activate":
            after(desk, "index")
            on_ready = desk.index
        case _:
            after(getattr(desk.store, step.split(".", maxsplit=1)[0]), step.split(".")[1])
    with pytest.raises(Stopped):
        desk.add(*paths, on_ready=on_ready)
    monkeypatch.undo()
    outcomes = desk.add(*paths)
    assert {outcome.status for outcome in outcomes} <= {"ready", "skipped"}
    assert all(desk.is_whole(path) for path in paths)
    assert len(desk.store.papers.get()) == 3
    assert {outcome.status for outcome in desk.add(*paths)} == {"skipped"}


def test_a_process_killed_while_it_saves_leaves_no_half_model(desk: Desk, store_url: str) -> None:
    path = desk.write("a.pdf", long_text(30))
    command = [sys.executable, "-m", "tests.reading_model.killed_ingestion", store_url, str(desk.folder)]
    killed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    paper_id = paper_id_of(sha256_hex(path.read_bytes()))
    assert desk.store.models.versions(paper_id) == []
    assert [outcome.status for outcome in desk.add(path)] == ["ready"]
    assert desk.is_whole(path)


def test_what_the_indexer_raises_ends_the_run(sqlite_desk: Desk) -> None:
    def unavailable(_paper_id: str, _model_version: str) -> None:
        raise StoreUnavailable("the index is gone")

    with pytest.raises(StoreUnavailable):
        sqlite_desk.add(sqlite_desk.write("a.pdf", "words"), on_ready=unavailable)
    (record,) = sqlite_desk.store.papers.get()
    assert (record.model_version, record.index_status) == (None, IndexStatus.PENDING)


def test_a_file_that_changes_while_it_is_parsed_is_not_taken(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sqlite_desk.write("a.pdf", "words")
    reads = 0

    def changing(source: Path, parser: str, max_bytes: int) -> Source:
        nonlocal reads
        reads += 1
        if reads == 2:
            source.write_bytes(b"%PDF-1.7\nother")
        elif reads == 4:
            source.unlink()
        return read_source(source, parser, max_bytes)

    monkeypatch.setattr("reading_model.ingestion.read_source", changing)
    outcomes = sqlite_desk.add(path, path) + sqlite_desk.add(path)
    codes = [outcome.failure.code for outcome in outcomes if outcome.failure]
    assert codes == ["damaged", "not_found", "not_found"]
    assert sqlite_desk.store.papers.get() == []


def test_paths_are_drawn_as_workers_get_free(sqlite_desk: Desk) -> None:
    paths = [sqlite_desk.write(f"{number}.pdf", f"{number} words") for number in range(6)]
    drawn: list[int] = []

    def counted() -> Iterator[Path]:
        for number, path in enumerate(paths):
            drawn.append(number)
            yield path

    outcomes = ingest(
        counted(),
        store=sqlite_desk.store,
        objects=sqlite_desk.objects,
        on_ready=sqlite_desk.index,
        parser="plain",
        parsers=PARSERS,
    )
    next(outcomes)
    assert len(drawn) <= 2
    assert len(list(outcomes)) == 5


def test_a_title_is_told_where_there_is_one(sqlite_desk: Desk) -> None:
    path = sqlite_desk.write("a.pdf", "words")
    (ready,) = sqlite_desk.add(path)
    assert ready.paper_id is not None
    assert ready.title is None
    sqlite_desk.store.papers.set_metadata(ready.paper_id, PaperMetadata(title="Given", sources={"title": "user"}))
    (skipped,) = sqlite_desk.add(path)
    assert (skipped.status, skipped.title) == ("skipped", "Given")


def test_the_default_parser_adds_real_files(sqlite_desk: Desk) -> None:
    folder = Path(__file__).parents[2] / "examples" / "papers"
    outcomes = list(
        ingest(discover([folder]), store=sqlite_desk.store, objects=sqlite_desk.objects, on_ready=sqlite_desk.index)
    )
    assert [outcome.status for outcome in outcomes] == ["ready"] * 3
    assert all(outcome.title for outcome in outcomes)
    with sqlite_desk.store.engine.connect() as connection:
        assert connection.execute(sa.text("PRAGMA foreign_key_check")).all() == []
        assert connection.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every file name is Unicode")
def test_a_file_name_that_is_no_unicode_is_kept_readable(desk: Desk) -> None:
    odd = desk.write(os.fsdecode(b"caf\xe9.pdf"), long_text(3))
    plain = desk.write("plain.pdf", long_text(4))
    assert [outcome.status for outcome in desk.add(odd, plain)] == ["ready", "ready"]
    (record,) = desk.store.papers.get([paper_id_of(sha256_hex(odd.read_bytes()))])
    assert record.filename == "caf\ufffd.pdf"
