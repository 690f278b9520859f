"""The corpus as one run reaches it: each request carries user and scope, each answer is held against what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from corpus_gateway.errors import CorpusContractViolation
from corpus_gateway.protocol import CorpusGateway
from corpus_gateway.wire import (
    IdentityRequest,
    IdentityResult,
    LocationReadRequest,
    LocationReadResult,
    LocationSearchRequest,
    LocationSearchResult,
    PaperIdentity,
    PaperSearchRequest,
    PaperSearchResult,
    ReadItem,
    StructureRequest,
    StructureResult,
)
from harness.turn import TurnExecutionInput

MAX_READ_REFERENCES = 20


class TurnCorpus:
    """A gateway bound to one turn. Every method raises `corpus_gateway.errors.GatewayError`."""

    def __init__(self, gateway: CorpusGateway, turn: TurnExecutionInput) -> None:
        self._gateway = gateway
        self._asker: dict[str, Any] = {
            "user_id": turn.user_id,
            "scope_paper_ids": list(turn.scope_paper_ids),
            "request_id": turn.request_id,
            "conversation_id": turn.conversation_id,
        }

    async def search_papers(self, **query: Any) -> PaperSearchResult:
        """Papers by metadata; the keywords are those of `PaperSearchRequest`."""
        return await self._gateway.search_papers(PaperSearchRequest(**self._asker, **query))

    async def resolve_identity(self, identity: PaperIdentity) -> IdentityResult:
        """One paper by clues; `resolved` always holds exactly one match."""
        result = await self._gateway.resolve_identity(IdentityRequest(**self._asker, identity=identity))
        if result.status == "resolved" and len(result.matches) != 1:
            message = "the corpus calls an identity resolved without exactly one match"
            raise CorpusContractViolation(message)
        return result

    async def search_locations(self, *, paper_ids: Sequence[str], **query: Any) -> LocationSearchResult:
        """Places in some papers; the keywords are those of `LocationSearchRequest`."""
        request = LocationSearchRequest(**self._asker, paper_ids=list(paper_ids), **query)
        result = await self._gateway.search_locations(request)
        _check_papers((item.paper_id for item in result.locations), paper_ids)
        return result

    async def read(self, references: Sequence[str]) -> LocationReadResult:
        """Exact texts of any number of distinct references, at most 20 a request to the gateway."""
        items: list[ReadItem] = []
        missing: list[str] = []
        for start in range(0, len(references), MAX_READ_REFERENCES):
            part = list(references[start : start + MAX_READ_REFERENCES])
            result = await self._gateway.read_locations(LocationReadRequest(**self._asker, location_refs=part))
            for item in result.items:
                _check_item(item, part)
            items.extend(result.items)
            missing.extend(result.missing_location_refs)
        return LocationReadResult(items=items, missing_location_refs=missing)

    async def structure(self, paper_ids: Sequence[str], structure_types: Sequence[str]) -> StructureResult:
        """Outlines of some papers."""
        request = StructureRequest.model_validate(
            {**self._asker, "paper_ids": list(paper_ids), "structure_types": list(structure_types)}
        )
        result = await self._gateway.paper_structure(request)
        _check_papers((node.paper_id for node in result.nodes), paper_ids)
        return result


def _check_papers(found: Iterable[str], asked: Sequence[str]) -> None:
    if not set(found) <= set(asked):
        message = "the corpus returned a paper that was not asked for"
        raise CorpusContractViolation(message)


def _check_item(item: ReadItem, asked: Sequence[str]) -> None:
    if item.location_ref not in asked:
        message = "the corpus returned a location that was not asked for"
        raise CorpusContractViolation(message)
    for span in item.spans:
        if item.span_text[span.start : span.end] != span.text:
            message = "the corpus returned a span whose text does not stand at its offsets"
            raise CorpusContractViolation(message)
