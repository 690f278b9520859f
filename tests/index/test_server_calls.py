"""The server engine against a server that is slow, broken, or not Qdrant at all; with Qdrant's client."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from index.engine import SparseIndex
from index.errors import IndexUnauthorized, IndexUnavailable, ServerRefused, ServerUnavailable
from index.server import ServerQdrant
from index.server_calls import Patience, ServerAddress
from index.server_engine import CollectionPlan, ServerEngine
from tests.index.conftest import on_server
from tests.index.libraries import empty
from tests.index.points import CONTRACT, fill, point, query, refs
from tests.qdrant_facade import Fault, QdrantFacade, serve

KEY = "a-secret-key-71c2"


@dataclass
class Clock:
    """Time that passes only while somebody sleeps."""

    now: float = 0.0
    pauses: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def patience(self, attempts: int = 5) -> Patience:
        return Patience(attempts=attempts, sleep=self.sleep, clock=lambda: self.now)


@pytest.fixture(scope="module")
def prefix(running_facade: QdrantFacade) -> Iterator[str]:
    """A prefix under which a collection of locations serves."""
    with on_server(ServerAddress(running_facade.url)) as engine:
        engine.serving("locations", CONTRACT).close()
        yield engine._plan.prefix


@dataclass
class Connected:
    engine: ServerEngine
    index: SparseIndex
    clock: Clock


@pytest.fixture
def connected(facade: QdrantFacade, prefix: str) -> Iterator[Connected]:
    clock = Clock()
    address = ServerAddress(facade.url, SecretStr(KEY), timeout_seconds=1)
    engine = ServerEngine(address, CollectionPlan(prefix, prefix), clock.patience())
    index = engine.serving("locations", CONTRACT)
    empty(index)
    fill(index, "a")
    facade.requests.clear()
    yield Connected(engine, index, clock)
    engine.close()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", status=500),
        Fault("status", status=503, body=b"<html>"),
        Fault("status", status=429),
        Fault("dropped"),
        Fault("refused"),
    ],
    ids=["500", "503", "429", "dropped", "refused"],
)
def test_a_fault_that_passes_is_not_noticed(connected: Connected, facade: QdrantFacade, fault: Fault) -> None:
    expected = refs(connected.index.search(query("windy", "a")))
    facade.faults.append(Fault(**{**vars(fault), "times": 3, "on": "/points/query"}))
    assert refs(connected.index.search(query("windy", "a"))) == expected
    first, second, third = connected.clock.pauses
    assert 0.1 <= first <= 0.3
    assert 0.2 <= second <= 0.6
    assert 0.4 <= third <= 1.2


def test_writes_are_made_again_without_doubling(connected: Connected, facade: QdrantFacade) -> None:
    for on in ("PUT", "/points/delete", "/points/count", "/points/scroll", "GET"):
        facade.faults.append(Fault("dropped", on=on, times=2))
    fill(connected.index, "b")
    connected.index.delete_models(["v-a"])
    assert connected.index.count() == 3
    assert {payload.paper_id for _, payload in connected.index.scroll()} == {"b"}
    assert refs(connected.index.search(query("boat", "b"))) == ["b1", "b2"]
    assert len(connected.clock.pauses) == 10


@pytest.mark.parametrize(("header", "waits"), [("3", 3.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)])
@pytest.mark.parametrize("status", [429, 503])
def test_the_server_says_how_long_to_wait(
    connected: Connected, facade: QdrantFacade, status: int, header: str, waits: float
) -> None:
    facade.faults.append(Fault("status", on="/points/count", status=status, headers={"retry-after": header}))
    connected.index.count()
    if status == 429 and waits == 0:
        assert 0.1 <= connected.clock.pauses[0] <= 0.3  # Qdrant's client does not tell dates of a 429
    else:
        assert connected.clock.pauses == [waits]


def test_a_wait_that_is_too_long_is_told_instead(connected: Connected, facade: QdrantFacade) -> None:
    facade.faults.append(Fault("status", on="/points/count", status=429, headers={"retry-after": "600"}))
    with pytest.raises(ServerUnavailable, match=r"429 too many requests \(it asks to wait 600 s\)"):
        connected.index.count()
    assert connected.clock.pauses == []


def test_patience_ends_with_an_error_that_says_what_to_do(connected: Connected, facade: QdrantFacade) -> None:
    facade.faults.append(Fault("status", on="/points/count", status=503, times=99))
    with pytest.raises(IndexUnavailable) as caught:
        connected.index.count()
    assert facade.calls("/points/count") == 5
    assert f"the Qdrant server {facade.url} did not count points (5 tries): 503" in str(caught.value)
    assert "PAPERLEDGER_QDRANT_URL" in caught.value.hint
    assert caught.value.code == "index_unavailable"


def test_the_deadline_ends_it_too(facade: QdrantFacade, prefix: str) -> None:
    clock = Clock()
    engine = ServerEngine(ServerAddress(facade.url), CollectionPlan(prefix, prefix), clock.patience(attempts=99))
    facade.faults.append(Fault("status", status=503, times=99))
    with pytest.raises(ServerUnavailable, match="tries"):
        engine.version()
    assert sum(clock.pauses) <= 30
    engine.close()


def test_a_slow_server_is_given_up(connected: Connected, facade: QdrantFacade, prefix: str) -> None:
    address = ServerAddress(facade.url, timeout_seconds=1)
    engine = ServerEngine(address, CollectionPlan(prefix, prefix), Patience(attempts=1))
    facade.faults.append(Fault("slow"))
    with pytest.raises(ServerUnavailable, match="no answer in time"):
        engine.version()
    engine.close()


def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    engine = ServerEngine(ServerAddress(f"http://127.0.0.1:{port}"), CollectionPlan("p", "l"), Clock().patience(2))
    with pytest.raises(ServerUnavailable, match=r"did not list its aliases \(2 tries\): the connection failed"):
        engine.serving("locations", CONTRACT)
    engine.close()


def envelope(result: Any) -> bytes:
    return json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"<html>a page</html>",
        b"",
        b"\xff\xfe",
        pytest.param(b"[" * 200_000, id="nested too deep"),
        pytest.param(b"9" * 5000, id="too long a number"),
        b"[]",
        b"{}",
        b'{"status":"ok"}',
        envelope(None),
        envelope([]),
        envelope("points"),
        envelope({"points": [{"id": 1}]}),
        envelope({"points": "none"}),
    ],
)
def test_a_reply_of_another_shape_is_named(connected: Connected, facade: QdrantFacade, body: bytes) -> None:
    facade.faults.append(Fault("body", on="/points/query", body=body))
    with pytest.raises(IndexUnavailable, match="not one of Qdrant's"):
        connected.index.search(query("windy", "a"))
    assert connected.clock.pauses == []
    assert refs(connected.index.search(query("windy", "a"))) == ["a1", "a0"]


def hit(score: float | None, **payload: Any) -> dict[str, Any]:
    stored = {
        "paper_id": "a",
        "model_version": "v-a",
        "location_ref": "r",
        "kind": "passage",
        "element_types": [],
        "section": None,
        "page": 1,
        "page_end": 1,
        "text_sha256": "0",
        "contract": "c",
    }
    return {"id": 1, "version": 0, "score": score, "payload": stored | payload}


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([hit(1.0), hit(2.0)], "not asked for"),
        ([hit(1.0, model_version="v-of-another-user")], "not asked for"),
        ([hit(2.0)] * 500, "not asked for"),
        ([hit(1.0, page="seven")], "not one of this library: page"),
        ([hit(1.0) | {"payload": None}], "not one of this library"),
        ([hit(1.0) | {"payload": {}}], "not one of this library: paper_id"),
    ],
    ids=["order", "filter", "number", "page", "no payload", "empty payload"],
)
def test_hits_that_cannot_be_right_are_refused(
    connected: Connected, facade: QdrantFacade, points: list[dict[str, Any]], said: str
) -> None:
    facade.faults.append(Fault("body", on="/points/query", body=envelope({"points": points})))
    with pytest.raises(IndexUnavailable, match=said):
        connected.index.search(query("windy", "a"))


def test_short_pages_are_all_read(connected: Connected, facade: QdrantFacade) -> None:
    connected.index.upsert([point("b", f"r{n}", "lake") for n in range(9)])
    facade.page = 2
    assert len(dict(connected.index.scroll())) == 12
    assert facade.calls("/points/scroll") == 6


def test_pages_that_never_end_are_noticed(connected: Connected, facade: QdrantFacade) -> None:
    page = envelope({"points": [], "next_page_offset": "00000000-0000-0000-0000-000000000007"})
    facade.faults.append(Fault("body", on="/points/scroll", body=page, times=9))
    with pytest.raises(ServerUnavailable, match="again and again"):
        list(connected.index.scroll())
    assert facade.calls("/points/scroll") == 2


def test_a_write_that_is_only_acknowledged_is_not_done(connected: Connected, facade: QdrantFacade) -> None:
    facade.update_status = "acknowledged"
    with pytest.raises(ServerUnavailable, match="did not write points in time: acknowledged"):
        fill(connected.index, "b")
    facade.update_status = "wait_timeout"
    with pytest.raises(ServerUnavailable, match="did not delete points in time: wait_timeout"):
        connected.index.delete_models(["v-a"])


def test_many_points_travel_in_batches(connected: Connected, facade: QdrantFacade) -> None:
    connected.index.upsert([point("b", f"r{n}", "lake") for n in range(401)])
    assert facade.calls("PUT") == 3
    assert connected.index.count("v-b") == 401


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_has_an_error_of_its_own(connected: Connected, facade: QdrantFacade, status: int) -> None:
    facade.faults.append(Fault("status", on="/points/query", status=status))
    with pytest.raises(IndexUnauthorized) as caught:
        connected.index.search(query("windy", "a"))
    assert "PAPERLEDGER_QDRANT_API_KEY" in caught.value.hint
    assert connected.clock.pauses == []


def test_the_key_is_sent_and_never_told(connected: Connected, facade: QdrantFacade, caplog: Any) -> None:
    caplog.set_level("DEBUG")
    facade.api_key = KEY
    assert connected.index.count() == 3
    facade.api_key = "another"
    with pytest.raises(IndexUnauthorized) as refused:
        connected.index.count()
    echo = json.dumps({"status": {"error": f"bad header api-key: {KEY}"}}).encode()
    facade.faults.append(Fault("status", status=400, body=echo))
    with pytest.raises(ServerRefused) as echoed:
        connected.index.count()
    assert "bad header api-key: (key)" in str(echoed.value)
    cut = json.dumps(
        {"status": {"error": "x" * (300 - len("400 Bad Request: ") - len(KEY) // 2) + KEY + "y" * 500}}
    ).encode()
    facade.faults.append(Fault("status", status=400, body=cut))
    with pytest.raises(ServerRefused) as echoed_at_the_end:
        connected.index.count()
    assert KEY[: len(KEY) // 2] not in str(echoed_at_the_end.value), "half a key is a secret too"
    assert len(str(echoed_at_the_end.value)) < 400, "the server's words are cut"
    for error in (refused.value, echoed.value):
        assert KEY not in str(error) + error.hint
        assert error.__cause__ is None
        assert error.__suppress_context__ or error.__context__ is None
    assert KEY not in caplog.text
    assert KEY not in repr(ServerAddress(facade.url, SecretStr(KEY)))


def test_what_the_server_refuses_is_told_in_its_words(connected: Connected, facade: QdrantFacade) -> None:
    said = json.dumps({"status": {"error": "Wrong input: strict mode"}}).encode()
    facade.faults.append(Fault("status", on="/points/count", status=400, body=said))
    with pytest.raises(ServerRefused, match="400 Bad Request: Wrong input: strict mode") as caught:
        connected.index.count()
    assert caught.value.status == 400


def test_a_collection_that_went_away_is_named(facade: QdrantFacade) -> None:
    with on_server(ServerAddress(facade.url)) as engine:
        index = engine.serving("locations", CONTRACT)
        facade.drop(f"{engine._plan.prefix}_locations_1")
        with pytest.raises(IndexUnavailable, match="404 Not Found: Not found: Collection"):
            index.search(query("windy", "a"))


def test_many_threads_share_one_index(connected: Connected) -> None:
    expected = connected.index.search(query("windy hill", "a"))
    begin = threading.Barrier(8)

    def ask(_: int) -> bool:
        begin.wait()
        return all(connected.index.search(query("windy hill", "a")) == expected for _ in range(5))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))


def test_readers_and_writers_do_not_disturb_each_other(connected: Connected) -> None:
    begin = threading.Barrier(6)

    def write(paper: str) -> None:
        begin.wait()
        for _ in range(3):
            connected.index.upsert([point(paper, f"{paper}{n}", "lake") for n in range(20)])
            connected.index.delete_models([f"v-{paper}"])
        connected.index.upsert([point(paper, f"{paper}{n}", "lake") for n in range(20)])

    def read(_: str) -> None:
        begin.wait()
        for _ in range(6):
            assert refs(connected.index.search(query("windy", "a", corpus=("a",)))) == ["a1", "a0"]

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(write, paper) for paper in "xyz"] + [pool.submit(read, "") for _ in range(3)]:
            done.result()
    assert connected.index.count() == 63


def test_closed_is_closed(facade: QdrantFacade, prefix: str) -> None:
    engine = ServerEngine(ServerAddress(facade.url), CollectionPlan(prefix, prefix))
    first, second = engine.serving("locations", CONTRACT), engine.serving("locations", CONTRACT)
    first.close()
    first.close()
    with pytest.raises(IndexUnavailable, match="is closed"):
        first.count()
    assert isinstance(second, ServerQdrant)
    second.count()
    engine.close()
    engine.close()
    with pytest.raises(IndexUnavailable, match="is closed"):
        second.count()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed, which makes the certificate")
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=facade", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [
            openssl,
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            *subject,
            "-keyout",
            key,
            "-out",
            made,
        ],
        check=True,
        capture_output=True,
    )
    return made, key


def test_tls_with_a_certificate_of_ones_own(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    with serve(tmp_path, certificate=certificate) as facade:
        known = ServerEngine(ServerAddress(facade.url, ca_file=certificate[0]), CollectionPlan("p", "l"))
        assert known.describe() == f"Qdrant 1.19.0 at {facade.url}"
        known.close()
        unknown = ServerEngine(ServerAddress(facade.url), CollectionPlan("p", "l"))
        with pytest.raises(IndexUnavailable, match="its certificate is not trusted"):
            unknown.version()
        unknown.close()
