"""The whole product with its index on a Qdrant server: the same answers as with the engine inside the library."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import httpx
import pytest

from cli.settings import load_settings
from cli.wiring import open_library
from evals.mariadb import MariaDB
from tests.e2e.command_line import paperledger
from tests.e2e.test_two_databases import seen
from tests.places import SAMPLE_PAPERS
from tests.qdrant_facade import Fault, QdrantFacade

KEY = "a-secret-key-5d1e"


@pytest.fixture
def server(facade: QdrantFacade, monkeypatch: pytest.MonkeyPatch) -> QdrantFacade:
    """The facade, with a key, as the environment's server."""
    facade.api_key = KEY
    monkeypatch.setenv("PAPERLEDGER_QDRANT_URL", facade.url)
    monkeypatch.setenv("PAPERLEDGER_QDRANT_API_KEY", KEY)
    return facade


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the program name its version where it runs from its sources without being installed."""
    known = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0" if name == "paperledger" else known(name))


@pytest.mark.mariadb
def test_server_and_mariadb_give_what_the_embedded_default_gives(
    library: Path, tmp_path: Path, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch, facade: QdrantFacade
) -> None:
    expected = seen(library)
    monkeypatch.setenv("PAPERLEDGER_QDRANT_URL", facade.url)
    monkeypatch.setenv("PAPERLEDGER_DATABASE_URL", mariadb.new_database())
    other = tmp_path / "on-servers"
    added = paperledger("add", SAMPLE_PAPERS, "--library", other, "--json", "--jobs", "1")
    assert added.code == 0, added.out + added.err
    assert not (other / "index").exists()
    found = seen(other)
    for there, here in zip(found.pop("scores"), expected.pop("scores"), strict=True):
        assert there == pytest.approx(here, abs=0.0011)
    assert found == expected
    assert facade.calls("/points/query") > 0
    assert paperledger("index", "verify", "--library", other, "--json").json["clean"]


def test_a_library_moves_to_a_server_and_back(
    library: Path, server: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = paperledger("index", "status", "--library", library, "--json").json
    assert (empty["points"], empty["expected_points"] > 0) == (0, True)
    hits = paperledger("search", "stale statistics", "--library", library, "--json").json
    before = paperledger("index", "status", "--library", library, "--json").json
    assert before["points"] == before["expected_points"] > 0
    assert paperledger("index", "verify", "--library", library, "--json").json["clean"]
    monkeypatch.delenv("PAPERLEDGER_QDRANT_URL")
    assert paperledger("index", "verify", "--library", library, "--json").json["clean"]
    at_home = paperledger("search", "stale statistics", "--library", library, "--json").json
    assert [place["location_ref"] for place in hits["locations"]] == [
        place["location_ref"] for place in at_home["locations"]
    ]


def test_papers_leave_a_server_with_their_points(library: Path, server: QdrantFacade) -> None:
    papers = paperledger("papers", "--library", library, "--json").json["papers"]
    assert paperledger("search", "stale statistics", "--library", library).code == 0
    before = paperledger("index", "status", "--library", library, "--json").json
    removed = paperledger("papers", "remove", papers[0]["paper_id"], "--yes", "--library", library, "--json")
    assert removed.code == 0, removed.err
    after = paperledger("index", "status", "--library", library, "--json").json
    assert after["points"] == after["expected_points"] < before["points"]
    assert after["cards"] == len(papers) - 1
    assert paperledger("index", "verify", "--library", library, "--json").json["clean"]


def test_another_process_may_have_the_library_open(library: Path, server: QdrantFacade) -> None:
    with open_library(load_settings(library=library)) as opened:
        asked = paperledger("ask", "How many submissions may a run make at most?", "--library", library, "--json")
        assert asked.code == 0
        again = paperledger("add", SAMPLE_PAPERS, "--library", library, "--json", "--jobs", "1")
        assert again.json["counts"] == {"ready": 0, "skipped": 3, "failed": 0}
        assert opened.indexer.verify().clean


@pytest.mark.usefixtures("installed")
def test_doctor_and_config_tell_of_the_server_and_never_the_key(library: Path, server: QdrantFacade) -> None:
    doctor = paperledger("doctor", "--library", library)
    (line,) = [line for line in doctor.out.splitlines() if " index " in line]
    assert f"Qdrant 1.19.0 at {server.url}, " in line
    assert "points of" in line
    shown = paperledger("config", "show", "--library", library, "--json")
    assert shown.json["qdrant_url"] == server.url
    assert shown.json["qdrant_api_key"] == "(set)"
    for ran in (doctor, shown):
        assert KEY not in ran.out + ran.err


@pytest.mark.usefixtures("installed")
def test_doctor_looks_at_the_server_before_there_is_a_library(tmp_path: Path, server: QdrantFacade) -> None:
    checks = paperledger("doctor", "--library", tmp_path / "none", "--json").json["checks"]
    (index,) = [check for check in checks if check["name"] == "index"]
    assert index["detail"] == f"Qdrant 1.19.0 at {server.url}, not made yet"
    server.api_key = "another"
    checks = paperledger("doctor", "--library", tmp_path / "none", "--json").json["checks"]
    (index,) = [check for check in checks if check["name"] == "index"]
    assert not index["ok"]
    assert "PAPERLEDGER_QDRANT_API_KEY" in index["hint"]
    assert not (tmp_path / "none").exists()


def test_what_is_wrong_with_the_server_is_said_with_its_exit_code(library: Path, server: QdrantFacade) -> None:
    assert paperledger("index", "status", "--library", library).code == 0
    server.api_key = "another"
    refused = paperledger("search", "windy", "--library", library)
    assert refused.code == 4
    assert "401 Unauthorized" in refused.err
    assert KEY not in refused.out + refused.err
    server.api_key = KEY
    server.version = "1.18.0"
    old = paperledger("search", "windy", "--library", library)
    assert old.code == 3
    assert "PAPERLEDGER_QDRANT_IDF=global" in old.err
    server.version = "1.19.0"
    server.faults.append(Fault("status", on="/points/query", status=400, times=9))
    broken = paperledger("search", "windy", "--library", library)
    assert broken.code == 3
    assert "broken on purpose" in broken.err


def test_global_idf_is_chosen_when_a_library_is_made_and_kept(
    tmp_path: Path, server: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.version = "1.18.0"
    monkeypatch.setenv("PAPERLEDGER_QDRANT_IDF", "global")
    paper = sorted(SAMPLE_PAPERS.glob("*.pdf"))[0]
    added = paperledger("add", paper, "--library", tmp_path / "library", "--json", "--jobs", "1")
    assert added.code == 0, added.err
    status = paperledger("index", "status", "--library", tmp_path / "library", "--json").json
    assert "idf=global" in status["contract"]
    monkeypatch.delenv("PAPERLEDGER_QDRANT_IDF")
    server.version = "1.19.0"
    refused = paperledger("index", "status", "--library", tmp_path / "library")
    assert refused.code == 3
    assert "idf=global" in refused.err
    assert "idf=scope" in refused.err


def test_a_file_of_certificates_that_is_not_there_is_a_wrong_setting(
    library: Path, server: QdrantFacade, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PAPERLEDGER_QDRANT_CA_FILE", str(tmp_path / "none.pem"))
    ran = paperledger("search", "windy", "--library", library)
    assert ran.code == 2
    assert "qdrant_ca_file" in ran.err


def test_without_the_client_the_extra_is_named(
    library: Path, server: QdrantFacade, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("index.server_calls", "index.server_engine"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    ran = paperledger("search", "windy", "--library", library)
    assert ran.code == 2
    assert "paperledger[qdrant]" in ran.err
    assert json.dumps(KEY) not in ran.err


@pytest.fixture
def served(library: Path, server: QdrantFacade) -> Iterator[str]:
    """The address of `paperledger serve` over the library, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "cli.main",
        "serve",
        "--no-auth",
        "--port",
        "0",
        "--json",
        "--library",
        str(library),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            told = "".join(iter(process.stdout.readline, "}\n")) + "}"
            yield json.loads(told)["address"]
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
        finally:
            process.kill()


def test_a_paper_added_beside_a_running_service_is_answered_from_at_once(
    library: Path, tmp_path: Path, served: str
) -> None:
    paper = tmp_path / "again.pdf"
    paper.write_bytes((SAMPLE_PAPERS / "evidence-ledger.pdf").read_bytes() + b"\n% another file, another paper\n")
    added = paperledger("add", paper, "--library", library, "--json", "--jobs", "1")
    (item,) = added.json["papers"]
    assert item["status"] == "ready", added.out
    body = {
        "conversation_id": "c1",
        "user_id": "1",
        "user_message": "How many submissions may a run make at most?",
        "scope": {"paper_ids": [item["paper_id"]]},
    }
    turn = httpx.post(f"{served}/v1/research/turn", json=body, timeout=60).json()
    assert turn["status"] == "COMPLETED", turn
    assert {citation["paper_id"] for citation in turn["citations"]} == {item["paper_id"]}
    removed = paperledger("papers", "remove", item["paper_id"], "--yes", "--library", library, "--json")
    assert removed.code == 0, removed.err
    turn = httpx.post(f"{served}/v1/research/turn", json=body, timeout=60).json()
    assert turn["answer"]["outcome"] == "abstained"
    assert paperledger("index", "verify", "--library", library, "--json").json["clean"]
