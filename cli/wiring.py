"""The composition root: settings in, open parts out."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.errors import LibraryNotFound, SettingsInvalid
from cli.settings import Settings
from corpus_gateway.library import Library
from corpus_gateway.listing import PaperListing
from corpus_gateway.local import LocalCorpusGateway, ServingCorpusGateway
from index.embedded_engine import EmbeddedEngine
from index.engine import IndexEngine
from index.indexer import active_contract
from index.serving import ServingIndex
from index.serving_indexer import ServingIndexer
from reading_model.objects import LocalObjects
from reading_model.store import ACTIVE_CONTRACT, ReadingStore, open_store, schema_revision, upgrade_schema

if TYPE_CHECKING:
    from agents.models.interface import Model

    from harness.models.providers import ProviderProfile
    from harness.turn import RunLimits
    from index.server_engine import ServerEngine

OFFLINE_MODEL = "extractive"

LIBRARY_ID = "library_id"
"""The name under which the store keeps what tells this library's collections from others on the same server."""


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """A library whose parts are open; they are closed when the context ends."""

    settings: Settings
    store: ReadingStore
    engine: IndexEngine
    indexer: ServingIndexer
    library: Library
    gateway: LocalCorpusGateway

    def searchable(self, user_id: str) -> list[str]:
        """The papers that this user may see and that can be searched now."""
        return [paper.record.paper_id for paper in self.library.papers(user_id) if paper.searchable]


@contextmanager
def open_library(settings: Settings, *, create: bool = False, repair: bool = True) -> Generator[OpenLibrary]:
    """Open store, index and gateway of a library; `create` makes a library that is not there yet.

    Unless `repair` is off, what a killed process left is put right first.

    Raises LibraryNotFound, SchemaOutOfDate, StoreUnavailable, IndexInUse (another process has the library open),
    IndexUnavailable, IndexUnauthorized, IdfScopeUnsupported, ContractMismatch.
    """
    with ExitStack() as stack:
        store = _open_store(settings, create=create)
        stack.callback(store.close)
        engine = open_engine(settings, store)
        stack.callback(engine.close)
        serving = ServingIndex(store, engine, settings.idf)
        stack.callback(serving.close)
        indexer = ServingIndexer(serving)
        if repair:
            indexer.open_well()
        yield OpenLibrary(
            settings=settings,
            store=store,
            engine=engine,
            indexer=indexer,
            library=Library(
                store,
                LocalObjects(settings.library / "objects"),
                indexer,
                contract=lambda: store.control.get(ACTIVE_CONTRACT) or "",
            ),
            gateway=ServingCorpusGateway(store, serving),
        )


def open_engine(settings: Settings, store: ReadingStore) -> IndexEngine:
    """The engine that holds the library's collections: folders in the library, or a Qdrant server."""
    if settings.qdrant_url is None:
        return EmbeddedEngine(settings.library / "index")
    return _server_engine(settings, library=store.control.get_or_set(LIBRARY_ID, uuid.uuid4().hex[:16]))


def describe_server(settings: Settings) -> str:
    """Address and version of the Qdrant server that the settings name. Raises IndexUnavailable, IndexUnauthorized."""
    with closing(_server_engine(settings, library="")) as engine:
        return engine.describe()


def _server_engine(settings: Settings, *, library: str) -> ServerEngine:
    try:
        from index.server_calls import ServerAddress
        from index.server_engine import CollectionPlan, ServerEngine
    except ImportError as error:
        message = f"The setting `qdrant_url` needs the Qdrant client, and it is not installed: {error.name}."
        raise SettingsInvalid(message, hint="Install paperledger[qdrant], or unset PAPERLEDGER_QDRANT_URL.") from error
    assert settings.qdrant_url is not None, "callers look first"
    address = ServerAddress(
        url=settings.qdrant_url,
        api_key=settings.qdrant_api_key,
        timeout_seconds=settings.qdrant_timeout_seconds,
        ca_file=settings.qdrant_ca_file,
        grpc_port=settings.qdrant_grpc_port,
    )
    plan = CollectionPlan(
        prefix=settings.qdrant_collection or f"paperledger_{library}",
        library=library,
        shards=settings.qdrant_shards,
        replicas=settings.qdrant_replicas,
        write_consistency=settings.qdrant_write_consistency,
        on_disk=settings.qdrant_on_disk,
    )
    try:
        return ServerEngine(address, plan)
    except OSError as error:  # what `ssl` raises for a file that is not there or holds no certificate
        message = f"The setting `qdrant_ca_file` names no file of certificates that can be read: {error}."
        raise SettingsInvalid(message) from error


@contextmanager
def open_library_store(settings: Settings) -> Generator[ReadingStore]:
    """The store alone, for work that needs no open index.

    Raises LibraryNotFound, SchemaOutOfDate, StoreUnavailable.
    """
    store = _open_store(settings)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def open_listing(settings: Settings) -> Generator[PaperListing]:
    """The list of papers alone, which can be read while another process has the library open.

    Raises LibraryNotFound, SchemaOutOfDate, StoreUnavailable, ContractMismatch.
    """
    with open_library_store(settings) as store:
        yield PaperListing(store, contract=active_contract(store, idf=settings.idf).text)


def _open_store(settings: Settings, *, create: bool = False) -> ReadingStore:
    if create:
        prepare_folder(settings)
    elif settings.database_url is None and not settings.database_file.exists():
        message = f"There is no library in {settings.library}."
        raise LibraryNotFound(message)
    if schema_revision(settings.store_url).current is None:
        upgrade_schema(settings.store_url)
    return open_store(settings.store_url)


def prepare_folder(settings: Settings) -> None:
    """Make the library's folder, readable by its owner only."""
    settings.library.mkdir(parents=True, exist_ok=True, mode=0o700)


def run_limits(settings: Settings) -> RunLimits:
    """The ceilings of a run, as the settings give them."""
    from harness.turn import RunLimits

    return RunLimits(
        max_wall_clock_ms=settings.run_max_wall_clock_ms,
        max_model_turns=settings.run_max_model_turns,
        max_total_tokens=settings.run_max_total_tokens,
        max_model_visible_tool_chars=settings.run_max_model_visible_tool_chars,
        max_history_chars=settings.run_max_history_chars,
        max_repairs=settings.run_max_repairs,
        max_submissions=settings.run_max_submissions,
        max_completion_tokens=settings.run_max_completion_tokens,
    )


def model_factory(settings: Settings) -> Callable[[], Model]:
    """Makes a fresh model for each run: the offline one, or one of the endpoint that the settings name."""
    if settings.model == OFFLINE_MODEL:
        from harness.models.extractive import ExtractiveModel

        return ExtractiveModel
    from harness.models.endpoint import Timing
    from harness.models.openai import provider_model

    profile = provider_profile(settings)
    assert settings.model_base_url is not None, "a profile is found for an address"
    base_url = settings.model_base_url
    key = settings.model_api_key.get_secret_value() if settings.model_api_key is not None else None
    timing = Timing(settings.model_timeout_seconds, settings.model_stall_seconds)
    refused: set[str] = set()
    return lambda: provider_model(
        settings.model, base_url=base_url, api_key=key, profile=profile, timing=timing, refused=refused
    )


def provider_profile(settings: Settings) -> ProviderProfile:
    """How the endpoint of the settings is spoken to. Raises SettingsInvalid."""
    from harness.models.providers import profile_for

    if settings.model_base_url is None:
        message = f"The model `{settings.model}` needs an endpoint, and the setting `model_base_url` is not set."
        raise SettingsInvalid(message, hint="Set PAPERLEDGER_MODEL_BASE_URL, or use the model `extractive`.")
    return profile_for(
        settings.model_base_url,
        name=settings.model_provider,
        api=settings.model_api,
        stream=settings.model_stream,
    )


def offline_notice(settings: Settings) -> str | None:
    """What every answer of the offline model says about itself; None for other models."""
    if settings.model != OFFLINE_MODEL:
        return None
    return "Answered offline: sentences quoted from the papers, chosen by their words, not written by a language model."
