"""A Qdrant server for tests: Qdrant's REST shapes over the embedded engine, so that an unmodified client talks to it.

It knows what this program uses and refuses the rest with 400. `faults` make it slow, wrong or broken for some calls.
What it cannot show: several shards (IDF would be counted in each alone), replicas, gRPC.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import threading
from collections.abc import Generator, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import qdrant_edge as edge
import uvicorn
from fastapi import APIRouter, Body, FastAPI
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Json = dict[str, Any]
Given = Annotated[Json, Body()]

OLD_VERSION = "1.15.5"
"""A version that knows neither metadata of a collection nor an IDF corpus, and ignores both without a word."""


class Refused(Exception):
    """A status other than 200, with words as Qdrant puts them."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass
class Fault:
    """What happens instead of an answer to the next `times` calls whose method and path contain `on`.

    `kind`: `status` (`status`, `headers`, `body`), `slow` (no answer for `seconds`), `dropped` (the connection ends in
    the middle of the answer), `refused` (it ends before one), `body` (200 with `body`).
    """

    kind: str
    on: str = ""
    times: int = 1
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"status":{"error":"broken on purpose"},"time":0.0}'
    seconds: float = 30.0


@dataclass
class Collection:
    """One collection: the engine's shard, and what the server says of it."""

    folder: Path
    shard: edge.EdgeShard
    params: Json
    metadata: Json | None
    payload_schema: dict[str, Json] = field(default_factory=dict)


class QdrantFacade:
    """State of the server; `url` while it runs. Tests may change everything here, as an operator or a fault would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self.version = "1.19.0"
        self.api_key: str | None = None
        self.collections: dict[str, Collection] = {}
        self.aliases: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.requests: list[str] = []
        self.broken: list[Exception] = []
        self.page = 10_000
        self.update_status = "completed"
        self.lock = threading.RLock()
        self.made = 0

    def calls(self, on: str) -> int:
        """How many requests contained `on` in their method and path."""
        return sum(on in request for request in self.requests)

    def behave(self) -> None:
        """Undo everything that a test changed, but for collections."""
        self.version, self.api_key, self.page, self.update_status = "1.19.0", None, 10_000, "completed"
        self.faults.clear()
        self.requests.clear()

    def clear(self) -> None:
        """Behave, and delete all collections."""
        self.behave()
        self.aliases.clear()
        for name in list(self.collections):
            self.drop(name)

    def drop(self, name: str) -> bool:
        """Delete a collection."""
        with self.lock:
            gone = self.collections.pop(name, None)
            self.aliases = {alias: target for alias, target in self.aliases.items() if target != name}
        if gone is None:
            return False
        gone.shard.close()
        shutil.rmtree(gone.folder)
        return True

    def of(self, name: str) -> Collection:
        """The collection of a name or an alias."""
        found = self.collections.get(self.aliases.get(name, name))
        if found is None:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        return found

    def create(self, name: str, body: Json) -> bool:
        """Make a collection; its vectors are handed to the engine as they were asked for."""
        with self.lock:
            if name in self.collections:
                raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
            sparse = {key: value or {} for key, value in (body.get("sparse_vectors") or {}).items()}
            self.made += 1
            folder = self.folder / str(self.made)
            folder.mkdir()
            vectors = {
                key: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if value.get("modifier") == "idf" else None)
                for key, value in sparse.items()
            }
            params = {
                "vectors": body.get("vectors") or {},
                "sparse_vectors": sparse,
                "shard_number": body.get("shard_number") or 1,
                "replication_factor": body.get("replication_factor") or 1,
                "write_consistency_factor": body.get("write_consistency_factor") or 1,
                "on_disk_payload": body.get("on_disk_payload", True),
            }
            self.collections[name] = Collection(
                folder,
                edge.EdgeShard.create(str(folder), edge.EdgeConfig(sparse_vectors=vectors)),
                params,
                None if self.version == OLD_VERSION else body.get("metadata"),
            )
        return True

    def describe(self, name: str) -> Json:
        """What GET of a collection gives."""
        found = self.of(name)
        return {
            "status": "green",
            "optimizer_status": "ok",
            "segments_count": 1,
            "points_count": found.shard.count(edge.CountRequest(exact=True)),
            "config": {
                "params": found.params,
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000},
                "optimizer_config": {
                    "deleted_threshold": 0.2,
                    "vacuum_min_vector_number": 1000,
                    "default_segment_number": 0,
                    "flush_interval_sec": 5,
                },
                "metadata": found.metadata,
            },
            "payload_schema": {
                name: {"data_type": schema["type"], "params": schema, "points": 0}
                for name, schema in found.payload_schema.items()
            },
        }

    def change_aliases(self, actions: list[Json]) -> bool:
        """All actions, or none."""
        aliases = dict(self.aliases)
        for action in actions:
            if "delete_alias" in action:
                aliases.pop(action["delete_alias"]["alias_name"], None)
            else:
                made = action["create_alias"]
                if made["collection_name"] not in self.collections:
                    raise Refused(404, f"Not found: Collection `{made['collection_name']}` doesn't exist!")
                if made["alias_name"] in self.collections:
                    raise Refused(409, f"Wrong input: Collection `{made['alias_name']}` already exists!")
                aliases[made["alias_name"]] = made["collection_name"]
        self.aliases = aliases
        return True

    def index_field(self, name: str, body: Json) -> Json:
        """Index a payload field."""
        schema = body["field_schema"]
        schema = {"type": schema} if isinstance(schema, str) else schema
        kinds = {"keyword": edge.PayloadSchemaType.Keyword, "integer": edge.PayloadSchemaType.Integer}
        found = self.of(name)
        self._update(found, edge.UpdateOperation.create_field_index(body["field_name"], kinds[schema["type"]]))
        found.payload_schema[body["field_name"]] = schema
        return self._done()

    def upsert(self, name: str, body: Json) -> Json:
        """Write points."""
        points = [
            edge.Point(
                point["id"],
                {key: edge.SparseVector(v["indices"], v["values"]) for key, v in point["vector"].items()},
                point["payload"],
            )
            for point in body["points"]
        ]
        self._update(self.of(name), edge.UpdateOperation.upsert_points(points))
        return self._done()

    def delete(self, name: str, body: Json) -> Json:
        """Delete points by filter."""
        self._update(self.of(name), edge.UpdateOperation.delete_points_by_filter(engine_filter(body["filter"])))
        return self._done()

    def count(self, name: str, body: Json) -> Json:
        """Count points exactly."""
        with self.lock:
            request = edge.CountRequest(filter=_optional(body), exact=body["exact"])
            return {"count": self.of(name).shard.count(request)}

    def scroll(self, name: str, body: Json) -> Json:
        """A page of points, never more than `page`."""
        limit = min(body["limit"], self.page)
        with self.lock:
            request = edge.ScrollRequest(
                offset=body.get("offset"), limit=limit, filter=_optional(body), with_payload=True
            )
            records, following = self.of(name).shard.scroll(request)
        points = [{"id": str(record.id), "payload": record.payload} for record in records]
        return {"points": points, "next_page_offset": None if following is None else str(following)}

    def query(self, name: str, body: Json) -> Json:
        """Nearest points; an old version does not look at `params.idf`."""
        vector = body["query"]["nearest"] if "nearest" in body["query"] else body["query"]
        idf = (body.get("params") or {}).get("idf")
        if idf is None or self.version == OLD_VERSION:
            params = None
        else:
            params = edge.SearchParams(idf=edge.IdfParams(corpus=engine_filter(idf["corpus"])))
        with self.lock:
            request = edge.QueryRequest(
                limit=body["limit"],
                query=edge.Query.Nearest(edge.SparseVector(vector["indices"], vector["values"]), using=body["using"]),
                filter=_optional(body),
                with_payload=True,
                params=params,
            )
            hits = _asked(lambda: self.of(name).shard.query(request))
        points = [{"id": str(hit.id), "version": 0, "score": hit.score, "payload": hit.payload} for hit in hits]
        return {"points": points}

    def _update(self, found: Collection, operation: edge.UpdateOperation) -> None:
        with self.lock:
            _asked(lambda: found.shard.update(operation))

    def _done(self) -> Json:
        return {"operation_id": 0, "status": self.update_status}


def _asked(call: Any) -> Any:
    try:
        return call()
    except Refused:
        raise
    except Exception as error:  # the engine has no exception type of its own
        raise Refused(400, f"Wrong input: {error}") from error


def _optional(body: Json) -> edge.Filter | None:
    return None if body.get("filter") is None else engine_filter(body["filter"])


def engine_filter(given: Json) -> edge.Filter:
    """A REST filter as the engine's; only what this program sends."""
    unknown = given.keys() - {"must"}
    if any(given[name] is not None for name in unknown):
        raise Refused(400, f"Format error: {sorted(unknown)}")
    return edge.Filter(must=[_condition(condition) for condition in given.get("must") or []])


def _condition(given: Json) -> edge.FieldCondition:
    match given:
        case {"key": key, "match": {"any": values}}:
            return edge.FieldCondition(key, match=edge.MatchAny(values))
        case {"key": key, "range": ends}:
            return edge.FieldCondition(key, range=edge.RangeFloat(gte=ends.get("gte"), lte=ends.get("lte")))
        case _:
            raise Refused(400, f"Format error: {given}")


def application(facade: QdrantFacade) -> ASGIApp:
    """The HTTP application."""
    app = FastAPI()
    app.include_router(_collections(facade))
    app.include_router(_points(facade))

    @app.exception_handler(Refused)
    def refused(_: object, error: Refused) -> JSONResponse:
        return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, error.status)

    @app.exception_handler(Exception)
    def broken(_: object, error: Exception) -> JSONResponse:
        facade.broken.append(error)
        return JSONResponse({"status": {"error": repr(error)}, "time": 0.0}, 500)

    return _Front(app, facade)


def _done(result: object) -> Json:
    return {"result": result, "status": "ok", "time": 0.0}


def _collections(facade: QdrantFacade) -> APIRouter:
    app = APIRouter()

    @app.get("/")
    def root() -> Json:
        return {"title": "qdrant - vector search engine", "version": facade.version, "commit": "0"}

    @app.get("/collections")
    def collections() -> Json:
        return _done({"collections": [{"name": name} for name in facade.collections]})

    @app.get("/aliases")
    def aliases() -> Json:
        return _done({"aliases": [{"alias_name": name, "collection_name": of} for name, of in facade.aliases.items()]})

    @app.post("/collections/aliases")
    def change_aliases(body: Given) -> Json:
        return _done(facade.change_aliases(body["actions"]))

    @app.get("/collections/{name}")
    def describe(name: str) -> Json:
        return _done(facade.describe(name))

    @app.put("/collections/{name}")
    def create(name: str, body: Given) -> Json:
        return _done(facade.create(name, body))

    @app.delete("/collections/{name}")
    def drop(name: str) -> Json:
        return _done(facade.drop(name))

    @app.get("/collections/{name}/exists")
    def exists(name: str) -> Json:
        return _done({"exists": facade.aliases.get(name, name) in facade.collections})

    @app.put("/collections/{name}/index")
    def index_field(name: str, body: Given) -> Json:
        return _done(facade.index_field(name, body))

    return app


def _points(facade: QdrantFacade) -> APIRouter:
    app = APIRouter()

    @app.put("/collections/{name}/points")
    def upsert(name: str, body: Given) -> Json:
        return _done(facade.upsert(name, body))

    @app.post("/collections/{name}/points/delete")
    def delete(name: str, body: Given) -> Json:
        return _done(facade.delete(name, body))

    @app.post("/collections/{name}/points/count")
    def count(name: str, body: Given) -> Json:
        return _done(facade.count(name, body))

    @app.post("/collections/{name}/points/scroll")
    def scroll(name: str, body: Given) -> Json:
        return _done(facade.scroll(name, body))

    @app.post("/collections/{name}/points/query")
    def query(name: str, body: Given) -> Json:
        return _done(facade.query(name, body))

    return app


class _Front:
    """Before the application: counts requests, asks for the key, and lets faults happen."""

    def __init__(self, app: ASGIApp, facade: QdrantFacade) -> None:
        self._app = app
        self._facade = facade

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = f"{scope['method']} {scope['path']}"
        self._facade.requests.append(request)
        fault = self._fault(request)
        if fault is not None:
            await self._break(fault, scope, receive, send)
        elif self._facade.api_key is not None and _header(scope, "api-key") != self._facade.api_key:
            await _answer(send, 401, b"Must provide an API key or an Authorization bearer token", {})
        else:
            await self._app(scope, receive, send)

    def _fault(self, request: str) -> Fault | None:
        for fault in self._facade.faults:
            if fault.times > 0 and fault.on in request:
                fault.times -= 1
                return fault
        return None

    async def _break(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        match fault.kind:
            case "status":
                await _answer(send, fault.status, fault.body, fault.headers)
            case "body":
                await _answer(send, 200, fault.body, {})
            case "slow":
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(_gone(receive), fault.seconds)
            case "dropped":
                await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
                await send({"type": "http.response.body", "body": b'{"result":', "more_body": True})
                raise ConnectionAbortedError
            case _:
                raise ConnectionAbortedError


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _header(scope: Scope, name: str) -> str | None:
    return next((value.decode() for key, value in scope["headers"] if key == name.encode()), None)


async def _answer(send: Send, status: int, body: bytes, headers: MutableMapping[str, str]) -> None:
    pairs = [(key.encode(), value.encode()) for key, value in headers.items()]
    start: Message = {"type": "http.response.start", "status": status, "headers": pairs}
    await send(start)
    await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def serve(folder: Path, *, certificate: tuple[Path, Path] | None = None) -> Generator[QdrantFacade]:
    """Run a facade on a free port of the loopback address; with a certificate and its key, over TLS."""
    facade = QdrantFacade(folder)
    # with its protocol named: asyncio sets TCP_NODELAY on no other, and every answer would wait 40 ms
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    options: dict[str, Any] = {}
    if certificate is not None:
        options = {"ssl_certfile": certificate[0], "ssl_keyfile": certificate[1]}
    # what is broken on purpose need not be logged
    config = uvicorn.Config(application(facade), log_config=None, lifespan="off", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="qdrant-facade", daemon=True)
    thread.start()
    scheme = "http" if certificate is None else "https"
    facade.url = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}"
    try:
        yield facade
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        facade.clear()
        listening.close()
