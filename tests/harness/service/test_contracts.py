"""The wire contract, written by hand, and the exported schemas held against it.

The tables below come from the contract that existing clients speak; lines and fields marked "addition" are ours. A
schema that differs from a table is wrong, never the table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from harness.service.app import create_app
from harness.service.contracts import documents, rendered, write
from harness.service.errors import RequestRefused
from tests.harness.service.scripted import ScriptedRunner, StubCorpus, body, serving, settings

FOLDER = Path(__file__).parents[3] / "docs" / "contracts"

# Notation: "a|b" one of the types; [x] a list of x; {...} an object; "key?" may be absent; "=x,y" one of these texts;
# "any" anything; "{x}" an object of any keys whose values are x.

ENVELOPE = {"generationId": "string", "runId": "string", "sequence": "integer", "timestamp": "integer"}

TOOL_INPUT = {
    "query?": "string|null",
    "limit?": "integer|null",
    "paperIds?": "[string]|null",
    "locationRefs?": "[string]|null",
    "locationCount?": "integer|null",
    "skillId?": "string|null",
    "paperId?": "string|null",
    "title?": "string|null",
    "filename?": "string|null",
    "doi?": "string|null",
    "arxivId?": "string|null",
    "authors?": "[string]|null",
    "year?": "integer|null",
}

TOOL_OUTPUT = {
    "resultCount?": "integer|null",
    "papers?": [{"paperId": "string", "title": "string"}],
    "locations?": [
        {
            "paperId": "string",
            "title": "string",
            "section": "string|null",
            "page": "integer",
            "locationRef": "string",
        }
    ],
    "readCount?": "integer|null",
    "evidenceCount?": "integer|null",
    "pages?": "[string]|null",
    "evidence?": [
        {
            "evidenceId": "string",
            "paperId": "string",
            "title": "string",
            "section": "string|null",
            "page": "integer",
            "quote": "string",
        }
    ],
    "skillId?": "string|null",
    "found?": "boolean|null",
    "error?": "string|null",
}

USAGE = {"prompt_tokens": "integer", "completion_tokens": "integer", "total_tokens": "integer"}

PREVIOUS_EVIDENCE = {
    "evidence_id": "string",
    "paper_id": "string|null",
    "title": "string|null",
    "section": "string|null",
    "page": "integer|string|null",
    "location_ref": "string|null",
    "element_type": "string|null",
    "span_text": "string|null",
    "citeable": "boolean",
}

ANSWER = {
    "answer_id": "string",
    "question_id": "string",
    "status": "string",
    "outcome": "=answered,needs_clarification,partial,abstained|null",
    "answer_type": "string",
    "summary": "string",
    "markdown": "string",
    "fields": "{string}|null",
    "cited_evidence_ids": ["string"],
    # additions
    "marker_markdown": "string",
    "unsupported_blocks": [{"text": "string", "codes": ["string"]}],
    "derived_values": ["{any}"],
    "notice": "string|null",
}

CITATION = {
    "evidence_id": "string",
    "paper_id": "string",
    "title": "string",
    "paper_version": "string",
    "section": "string",
    "page": "integer|string",
    "location": "string",
    "location_ref": "string",
    "element_type": "string",
    "span_text": "string",
    "bbox_json": "string|null",
    "parser_name": "string|null",
    "parser_version": "string|null",
    "source_kind": "string",
    "reference_number": "integer",
    # additions
    "quote": "string",
    "page_end": "integer",
    "start": "integer",
    "end": "integer",
    "rectangles": [{"page": "integer", "x0": "number", "y0": "number", "x1": "number", "y1": "number"}],
    "text_sha256": "string",
    "origin": "=this_turn,previous_turn",
    "reference_id": "string|null",
}

RESPONSE = {
    "request_id": "string",
    "conversation_id": "string",
    "run_id": "string",
    "status": "=COMPLETED,NEEDS_CLARIFICATION,INCOMPLETE_PRECISE,FAILED_TECHNICAL,LIMITED,CANCELLED",
    "answer": ANSWER,
    "citations": [CITATION],
    "research_memory": {
        "selected_paper_ids": ["string"],
        "selected_evidence_ids": ["string"],
        "previous_evidence": [PREVIOUS_EVIDENCE],
    },
    "usage": USAGE,
    "corpus": "{any}",
    "trace": "{any}|null",
    # addition
    "control": {
        "reason_code": "string",
        "message": "string",
        "limits": "{integer}",
        "usage": {"model_calls": "integer", "tokens": "integer", "elapsed_ms": "integer"},
    },
}

LINES: dict[str, dict[str, Any]] = {
    "job_started": {},
    "model_call_started": {"attempt": "integer"},
    "model_call_completed": {
        "attempt": "integer",
        "durationMs": "integer",
        "usage": {
            "promptTokens": "integer",
            "completionTokens": "integer",
            "totalTokens": "integer",
            "cumulativeTotalTokens": "integer",
        },
    },
    "tool_started": {"tool": "string", "input": TOOL_INPUT},
    "tool_completed": {
        "tool": "string",
        "status": "=success,failed",
        "durationMs": "integer",
        "input": TOOL_INPUT,
        "output": TOOL_OUTPUT,
        "evidenceIds": ["string"],
    },
    "answer_completed": {},
    "job_failed": {"status": "=failed", "errorType": "string", "message": "string"},
    "result": {"payload": RESPONSE},
    "error": {"errorType": "string", "message": "string"},
    # additions
    "submission_rejected": {"attempt": "integer", "codes": ["string"]},
    "heartbeat": {},
    "progress_dropped": {"count": "integer"},
    "run_limited": {"reasonCode": "string", "message": "string"},
    "job_cancelled": {"reasonCode": "string", "message": "string"},
}

REQUEST = {
    "request_id?": "string|null",
    "conversation_id": "string",
    "user_id": "string|integer",
    "user_message": "string",
    "history?": [{"role": "string", "content": "string"}],
    "scope": {
        "mode?": "string|null",
        "paper_ids": ["string"],
        "reference_focus?": {
            "paper_ids?": ["string"],
            "location_refs?": ["string"],
            "evidence_ids?": ["string"],
            "reading_action?": "string|null",
        },
    },
    "research_memory?": {
        "selected_paper_ids?": ["string"],
        "selected_evidence_ids?": ["string"],
        "previous_evidence?": [
            {
                key if key == "evidence_id" else f"{key}?": value  # an id is all that a piece of evidence needs
                for key, value in PREVIOUS_EVIDENCE.items()
            }
        ],
    },
    "options?": {
        "include_trace?": "boolean",
        "max_completion_tokens?": "integer|null",
        # additions
        "on_disconnect?": "=cancel",
        "run_limits?": {
            "schema_version?": "string|null",
            "max_wall_clock_ms?": "integer|null",
            "max_model_turns?": "integer|null",
            "max_total_tokens?": "integer|null",
            "max_model_visible_tool_chars?": "integer|null",
            "max_history_chars?": "integer|null",
            "max_repairs?": "integer|null",
            "max_submissions?": "integer|null",
        },
    },
}


class Schema:
    """One JSON Schema, told in the notation of the tables."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        reference = schema.get("$ref")
        if reference is None:
            return schema
        return self.document["$defs"][reference.removeprefix("#/$defs/")]

    def shape(self, schema: dict[str, Any]) -> Any:
        schema = self.resolve(schema)
        if "anyOf" in schema:
            return self.union([self.shape(choice) for choice in schema["anyOf"]])
        if "const" in schema:
            return f"={schema['const']}"
        if "enum" in schema:
            return "=" + ",".join(schema["enum"])
        match schema.get("type"):
            case None:
                return "any"
            case "array":
                return [self.shape(schema["items"])]
            case "object" if "properties" in schema:
                return self.members(schema)
            case "object":
                inner = schema.get("additionalProperties")
                return "{" + (self.shape(inner) if isinstance(inner, dict) else "any") + "}"
            case str() as name:
                return name
            case other:
                raise AssertionError(other)

    def members(self, schema: dict[str, Any]) -> dict[str, Any]:
        required = schema.get("required", [])
        return {
            name if name in required else f"{name}?": self.shape(member)
            for name, member in schema["properties"].items()
        }

    @staticmethod
    def union(choices: list[Any]) -> Any:
        structured = [choice for choice in choices if not isinstance(choice, str)]
        if len(structured) == 1 and not isinstance(structured[0], list):
            return structured[0]  # an object or null: the tables name the object
        if len(structured) == 1 and not isinstance(structured[0][0], str):
            return structured[0]
        return "|".join(f"[{choice[0]}]" if isinstance(choice, list) else choice for choice in choices)


def exported(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def line_schema() -> dict[str, Any]:
    return exported("research-stream-line.schema.json")


def lines_by_type(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    schema = Schema(document)
    variants = [schema.resolve(variant) for variant in document["oneOf"]]
    return {variant["properties"]["type"]["const"]: schema.members(variant) for variant in variants}


def test_the_stream_has_the_lines_of_the_contract_and_no_others(line_schema: dict[str, Any]) -> None:
    assert lines_by_type(line_schema).keys() == LINES.keys()


@pytest.mark.parametrize("kind", LINES)
def test_a_line_has_the_fields_and_types_of_the_contract(kind: str, line_schema: dict[str, Any]) -> None:
    assert lines_by_type(line_schema)[kind] == {**ENVELOPE, "type": f"={kind}", **LINES[kind]}


def test_the_envelope_stands_first_in_every_line(line_schema: dict[str, Any]) -> None:
    for members in lines_by_type(line_schema).values():
        assert list(members)[:5] == ["generationId", "runId", "sequence", "timestamp", "type"]


def test_the_response_has_the_fields_and_types_of_the_contract() -> None:
    document = exported("research-turn-response.schema.json")
    assert Schema(document).members(document) == RESPONSE


def test_the_request_has_the_fields_and_types_of_the_contract() -> None:
    document = exported("research-turn-request.schema.json")
    assert Schema(document).members(document) == REQUEST


def test_a_scope_of_nothing_is_against_the_request_schema() -> None:
    schema = exported("research-turn-request.schema.json")
    jsonschema.validate(body(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body(scope={"paper_ids": []}), schema)


@pytest.mark.parametrize("name", documents())
def test_a_contract_file_is_what_the_code_exports(name: str) -> None:
    # Text, not values: the order of fields is part of what people read and compare.
    assert (FOLDER / name).read_text(encoding="utf-8") == rendered(documents()[name])


def test_no_contract_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*documents(), "README.md"}


def test_export_writes_every_document(tmp_path: Path) -> None:
    write(tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == documents().keys()


@pytest.mark.parametrize("name", [name for name in documents() if name != "openapi.json"])
def test_an_exported_schema_is_a_valid_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(exported(name))


def test_every_reference_of_the_openapi_document_leads_somewhere() -> None:
    document = exported("openapi.json")
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                found.append(value["$ref"])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(document)
    assert found
    for reference in found:
        assert reference.removeprefix("#/components/schemas/") in document["components"]["schemas"]


def test_the_openapi_document_names_every_refusal_of_a_turn() -> None:
    document = exported("openapi.json")
    statuses = document["paths"]["/v1/research/stream"]["post"]["responses"].keys()
    assert set(statuses) == {"200", "400", "401", "403", "408", "409", "413", "422", "429", "503"}
    stream = document["paths"]["/v1/research/stream"]["post"]["responses"]["200"]["content"]
    assert stream.keys() == {"application/x-ndjson"}


def test_the_openapi_document_has_every_route_of_the_application() -> None:
    app = create_app(settings(), runner=ScriptedRunner(), corpus=StubCorpus())
    paths = {route.path for route in app.routes if getattr(route, "include_in_schema", False)}  # type: ignore[attr-defined]
    assert exported("openapi.json")["paths"].keys() == paths


async def test_what_the_service_writes_holds_against_the_schemas(line_schema: dict[str, Any]) -> None:
    async with serving(ScriptedRunner()) as service:
        for line in await service.stream(body()):
            jsonschema.validate(line, line_schema)
        response = (await service.client.post("/v1/research/turn", json=body())).json()
    jsonschema.validate(response, exported("research-turn-response.schema.json"))


README = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", LINES)
def test_the_readme_describes_every_line_with_its_fields(kind: str) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `{kind}` |")]
    for field in LINES[kind]:
        assert f"`{field}`" in row


@pytest.mark.parametrize("refusal", RequestRefused.__subclasses__())
def test_the_readme_describes_every_refusal(refusal: type[RequestRefused]) -> None:
    assert f"| {refusal.status} | `{refusal.code}` |" in README


def test_the_offsets_of_the_readme_are_right() -> None:
    text = "🧪 gain"
    assert text[2:6] == "gain"
    assert text.encode("utf-16-le")[3 * 2 : 7 * 2].decode("utf-16-le") == "gain"
    assert text.encode()[5:9] == b"gain"
