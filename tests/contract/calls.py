"""Short forms of the calls, as alice over every paper unless said otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    StructureRequest,
    StructureResult,
)
from tests.contract.seed import ALICE, EVERY_ID


async def papers(
    gateway: CorpusGateway, query: str = "", *, user: str = ALICE, scope: Sequence[str] = EVERY_ID, **fields: Any
) -> PaperSearchResult:
    request = PaperSearchRequest(user_id=user, scope_paper_ids=list(scope), query_text=query, **fields)
    return await gateway.search_papers(request)


async def identify(
    gateway: CorpusGateway, *, user: str = ALICE, scope: Sequence[str] = EVERY_ID, **clues: Any
) -> IdentityResult:
    request = IdentityRequest(user_id=user, scope_paper_ids=list(scope), identity=PaperIdentity(**clues))
    return await gateway.resolve_identity(request)


async def locations(
    gateway: CorpusGateway,
    query: str = "gulls",
    *,
    user: str = ALICE,
    scope: Sequence[str] = EVERY_ID,
    paper_ids: Sequence[str] = EVERY_ID,
    **fields: Any,
) -> LocationSearchResult:
    request = LocationSearchRequest(
        user_id=user, scope_paper_ids=list(scope), paper_ids=list(paper_ids), query_text=query, **fields
    )
    return await gateway.search_locations(request)


async def read(
    gateway: CorpusGateway, refs: Sequence[str], *, user: str = ALICE, scope: Sequence[str] = EVERY_ID
) -> LocationReadResult:
    request = LocationReadRequest(user_id=user, scope_paper_ids=list(scope), location_refs=list(refs))
    return await gateway.read_locations(request)


async def structure(
    gateway: CorpusGateway,
    *,
    user: str = ALICE,
    scope: Sequence[str] = EVERY_ID,
    paper_ids: Sequence[str] = EVERY_ID,
    **fields: Any,
) -> StructureResult:
    request = StructureRequest(user_id=user, scope_paper_ids=list(scope), paper_ids=list(paper_ids), **fields)
    return await gateway.paper_structure(request)


async def ref_of(gateway: CorpusGateway, paper_id: str, query: str, *, user: str = ALICE) -> str:
    """The best hit of a query in one paper."""
    return (
        (await locations(gateway, query, user=user, scope=[paper_id], paper_ids=[paper_id])).locations[0].location_ref
    )
