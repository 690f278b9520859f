"""The protocol through which everyone reaches papers: the harness, the HTTP server and the command line."""

from __future__ import annotations

from typing import Protocol

from corpus_gateway.wire import (
    HealthReport,
    IdentityRequest,
    IdentityResult,
    LocationReadRequest,
    LocationReadResult,
    LocationSearchRequest,
    LocationSearchResult,
    PaperSearchRequest,
    PaperSearchResult,
    StructureRequest,
    StructureResult,
)


class CorpusGateway(Protocol):
    """Authorised access to papers. Every call checks access(user) ∩ scope, current models and index state again.

    All methods raise `corpus_gateway.errors.GatewayError`. Ids outside the scope or the user's rights are left out
    silently: "not there" and "not yours" look the same.
    """

    async def search_papers(self, request: PaperSearchRequest) -> PaperSearchResult:
        """Search the scope's papers by metadata; an empty query lists the scope."""
        ...

    async def resolve_identity(self, request: IdentityRequest) -> IdentityResult:
        """Resolve clues to exactly one paper of the scope, or say that it is ambiguous or not found."""
        ...

    async def search_locations(self, request: LocationSearchRequest) -> LocationSearchResult:
        """Search passages, tables and figures of papers of the scope."""
        ...

    async def read_locations(self, request: LocationReadRequest) -> LocationReadResult:
        """Read the exact text of locations, with their citable spans."""
        ...

    async def paper_structure(self, request: StructureRequest) -> StructureResult:
        """The outline of papers of the scope."""
        ...

    async def health(self) -> HealthReport:
        """Whether store and index can be reached."""
        ...
