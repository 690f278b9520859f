"""Writes the wire contract to files: `python -m harness.service.contracts docs/contracts`.

JSON Schemas (draft 2020-12) of request, response and stream lines, and the OpenAPI description of the service.
A test compares the files of the repository with what this module makes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from corpus_gateway.wire import HealthReport
from harness.service.app import create_app
from harness.service.events import STREAM_LINE
from harness.service.settings import ProviderDescription, ServiceSettings
from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnRequest, ResearchTurnResponse

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _Undriven:
    """Stands where runner and corpus stand; a description never calls them."""

    async def run(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        raise NotImplementedError(turn.run_id)

    async def health(self) -> HealthReport:
        raise NotImplementedError


def documents() -> dict[str, dict[str, Any]]:
    """The contract documents by file name."""
    undriven = _Undriven()
    app = create_app(
        ServiceSettings(provider=ProviderDescription(provider="any", model="any")), runner=undriven, corpus=undriven
    )
    request = TypeAdapter(ResearchTurnRequest).json_schema(mode="validation")
    response = TypeAdapter(ResearchTurnResponse).json_schema(mode="serialization")
    return {
        "research-turn-request.schema.json": {"$schema": _DRAFT, **request},
        "research-turn-response.schema.json": {"$schema": _DRAFT, **response},
        "research-stream-line.schema.json": {
            "$schema": _DRAFT,
            "title": "ResearchStreamLine",
            **STREAM_LINE.json_schema(mode="serialization"),
        },
        "openapi.json": app.openapi(),
    }


def rendered(document: dict[str, Any]) -> str:
    """The text of a contract file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write(folder: Path) -> None:
    """Write every document into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (folder / name).write_text(rendered(document), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
