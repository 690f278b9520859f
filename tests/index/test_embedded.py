from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from index.embedded import EmbeddedQdrant
from index.engine import IndexPoint, SparseVector
from index.errors import IndexInUse, IndexUnavailable
from tests.index.libraries import empty
from tests.index.points import fill, point, query, refs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("engine") / "locations"


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[EmbeddedQdrant]:
    made = EmbeddedQdrant(folder)
    yield made
    made.close()


@pytest.fixture
def index(opened: EmbeddedQdrant) -> EmbeddedQdrant:
    empty(opened)
    return opened


def test_points_deleted_after_optimizing_leave_no_trace_in_scores(index: EmbeddedQdrant) -> None:
    fill(index, "b", "a")
    fresh = index.search(query("windy hill", "a", corpus=("a",)))
    index.optimize()
    index.delete_models(["v-b"])
    assert index.search(query("windy hill", "a")) == fresh
    assert (index.count(), index.count("v-a"), index.count("v-b")) == (3, 3, 0)


def test_the_order_of_ties_does_not_depend_on_writing(tmp_path: Path) -> None:
    texts = [(f"p{n % 7}", f"r{n:03}") for n in range(150)]
    expected = [ref for _, ref in sorted(texts)]
    for number, given in enumerate((texts, texts[::-1], texts[75:] + texts[:75])):
        index = EmbeddedQdrant(tmp_path / str(number))
        for start in range(0, 150, 50):
            index.upsert([point(paper, ref, "same words here") for paper, ref in given[start : start + 50]])
            if start == 50:
                index.optimize()
        papers = [f"p{n}" for n in range(7)]
        for limit in (1, 3, 20, 149, 150, 200):
            assert refs(index.search(query("words", *papers, limit=limit))) == expected[:limit]
        index.close()


def test_points_are_there_after_closing_and_opening(tmp_path: Path) -> None:
    index = EmbeddedQdrant(tmp_path / "locations")
    fill(index, "a")
    found = index.search(query("windy", "a"))
    index.close()
    index.close()
    with pytest.raises(IndexUnavailable, match="closed"):
        index.count()
    again = EmbeddedQdrant(tmp_path / "locations")
    assert again.search(query("windy", "a")) == found
    again.close()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edge_config.json").write_text("no configuration")
    with pytest.raises(IndexUnavailable, match="cannot be opened"):
        EmbeddedQdrant(tmp_path)


def test_a_point_without_a_proper_id_is_an_error_of_the_index(index: EmbeddedQdrant) -> None:
    with pytest.raises(IndexUnavailable, match="did not answer"):
        index.upsert([IndexPoint("no uuid", SparseVector((1,), (1.0,)), point("p", "r", "x").payload)])


def run_python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def test_a_second_process_is_told_who_owns_the_folder(index: EmbeddedQdrant, folder: Path) -> None:
    child = run_python(
        """
        import sys
        from pathlib import Path
        from index.embedded import EmbeddedQdrant
        from index.errors import IndexInUse
        try:
            EmbeddedQdrant(Path(sys.argv[1]))
        except IndexInUse as error:
            print(error.code, error.pid, error)
        """,
        str(folder),
    )
    printed, _ = child.communicate(timeout=60)
    assert printed.startswith(f"index_in_use {os.getpid()} ")
    assert f"in use by process {os.getpid()}" in printed


def test_this_process_cannot_open_it_twice_either(index: EmbeddedQdrant, folder: Path) -> None:
    folder.with_name("locations.pid").write_text("?")
    with pytest.raises(IndexInUse, match="another process") as caught:
        EmbeddedQdrant(folder)
    assert caught.value.pid is None


def test_opening_at_the_moment_when_another_process_closes_loses_nothing(quick_folder: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from index.embedded import EmbeddedQdrant
        from tests.index.points import point
        index = EmbeddedQdrant(Path(sys.argv[1]))
        for number in range(20):
            index.upsert([point(f"p{number}", f"r{place}", "windy hill") for place in range(30)])
        print("written", flush=True)
        index.optimize()
        index.close()
    """
    for number in range(4):
        folder = quick_folder / f"owned{number}"
        with run_python(code, str(folder)) as child:
            assert child.stdout
            assert child.stdout.readline() == "written\n"
            opened = None
            while opened is None:
                with contextlib.suppress(IndexInUse):
                    opened = EmbeddedQdrant(folder)
        assert opened.count() == 600
        opened.close()


def test_a_killed_writer_loses_no_finished_batch(tmp_path: Path) -> None:
    child = run_python(
        """
        import sys
        from pathlib import Path
        from index.embedded import EmbeddedQdrant
        from tests.index.points import point
        index = EmbeddedQdrant(Path(sys.argv[1]))
        number = 0
        while True:
            index.upsert([point("p", f"r{n}", f"windy w{n}") for n in range(number, number + 100)])
            number += 100
            print(number, flush=True)
        """,
        str(tmp_path / "locations"),
    )
    assert child.stdout
    with child, child.stdout as printed:
        finished = [int(next(printed)) for _ in range(4)]
        child.send_signal(signal.SIGKILL)
        finished += [int(line) for line in printed]
    index = EmbeddedQdrant(tmp_path / "locations")
    assert index.count() >= finished[-1]
    assert index.count() % 100 == 0
    assert len(index.search(query("windy", "p", limit=50))) == 50
    index.close()


def test_a_nearly_full_disk_is_an_error_before_the_engine_maps_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=5 << 20))
    with pytest.raises(IndexUnavailable, match=r"64 MB of free space .* there are 5 MB"):
        EmbeddedQdrant(tmp_path / "index")
    monkeypatch.undo()
    EmbeddedQdrant(tmp_path / "index").close()
