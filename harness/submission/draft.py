"""What the model submits, and what the rules say about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from harness.ledger import EvidenceEntry

MAX_MARKDOWN_CHARACTERS = 16_000
MAX_SHORT_OUTCOME_CHARACTERS = 1_200
"""Ceiling of an abstention or a question back."""

Outcome = Literal["answered", "needs_clarification", "partial", "abstained"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class DerivedInput(BaseModel):
    """One input of a computed number: its name in the formula, its value, and the span that states it."""

    model_config = ConfigDict(frozen=True)

    name: Annotated[str, Field(description="The name that the formula uses: a letter, then letters, digits or _.")]
    value: Annotated[str, Field(description="The number as the span states it, with its unit: `3.5%`, `1,200`.")]
    evidence_id: Annotated[str, Field(description="The span that states it.")]


class DerivedValue(BaseModel):
    """A number that the answer computes: value and unit as they stand in the text, formula over named inputs."""

    model_config = ConfigDict(frozen=True)

    value: Annotated[str, Field(description="The computed number as it stands in the text; compared at its digits.")]
    unit: Annotated[str | None, Field(description="Its unit as it stands in the text: `%`, `ms`, `million`.")] = None
    formula: Annotated[
        str,
        Field(
            description="The computation over input names: + - * / ^ ( ) and % behind a value, as in `1 - a` or "
            "`(b - a) / a`. Percent inputs count as shares of one; other numbers than small counts are inputs."
        ),
    ]
    inputs: list[DerivedInput]


class Draft(BaseModel):
    """The arguments of `submit_research_answer`. Shape only: the rules judge the content."""

    model_config = ConfigDict(frozen=True)

    outcome: str
    markdown: str
    fields: dict[str, str] | None = None
    derived_values: list[DerivedValue] = []


class ViolationCode(StrEnum):
    """Names of the submission rules."""

    SUBMISSION_NOT_ALONE = "SUBMISSION_NOT_ALONE"
    OUTCOME_INVALID = "OUTCOME_INVALID"
    MARKDOWN_REQUIRED = "MARKDOWN_REQUIRED"
    MARKDOWN_TOO_LONG = "MARKDOWN_TOO_LONG"
    UNKNOWN_EVIDENCE = "UNKNOWN_EVIDENCE"
    EVIDENCE_NOT_CITABLE = "EVIDENCE_NOT_CITABLE"
    MALFORMED_MARKER = "MALFORMED_MARKER"
    HANDWRITTEN_SOURCES = "HANDWRITTEN_SOURCES"
    NUMERIC_CITATION = "NUMERIC_CITATION"
    CITATION_REQUIRED = "CITATION_REQUIRED"
    INTERNAL_TEXT = "INTERNAL_TEXT"
    UNCITED_CLAIM = "UNCITED_CLAIM"
    SHORT_OUTCOME_TOO_LONG = "SHORT_OUTCOME_TOO_LONG"
    QUOTE_NOT_IN_EVIDENCE = "QUOTE_NOT_IN_EVIDENCE"
    NUMBER_NOT_IN_EVIDENCE = "NUMBER_NOT_IN_EVIDENCE"
    DERIVED_VALUE_INVALID = "DERIVED_VALUE_INVALID"
    CLAIM_CONTRADICTS_EVIDENCE = "CLAIM_CONTRADICTS_EVIDENCE"
    METADATA_NOT_IN_RESULT = "METADATA_NOT_IN_RESULT"
    COVERAGE_MISSING = "COVERAGE_MISSING"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: where, in which words, and what to do. `block` counts blocks from 0; None means the whole."""

    code: ViolationCode
    message: str
    block: int | None = None
    block_text: str | None = None
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnsupportedBlock:
    """A block taken out of the answer because it broke rules."""

    text: str
    codes: tuple[ViolationCode, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited span and its number in the rendered answer (1-based, by first appearance)."""

    number: int
    evidence: EvidenceEntry


@dataclass(frozen=True, slots=True)
class AcceptedAnswer:
    """An answer that held: `marker_markdown` keeps [[ev_...]] markers, `markdown` has [n] and the Sources list."""

    outcome: Outcome
    marker_markdown: str
    markdown: str
    citations: tuple[Citation, ...]
    fields: dict[str, str] | None = None
    derived_values: tuple[DerivedValue, ...] = ()
    unsupported_blocks: tuple[UnsupportedBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """Every rule that a draft broke, in the order of the blocks."""

    violations: tuple[Violation, ...]
