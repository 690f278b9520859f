"""Golden cases in the form of `harness-golden-data/v3`: what a search has to find for the claims of each case.

The places that claims accept are named there by references of another installation. `_ANCHOR_OF` says which anchor of
the paper pack each of them stands for, so that a place is known by paper and quotation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from evals.errors import EvaluationDataMalformed
from evals.yaml_files import load_yaml

_ANCHOR_OF = {
    "page_ref_f08f9d21661f41e880f4297c134a6e7a": "transformer_adam_training_params_span",
    "section_ref_2ccab834b2a546689edffb041d667ba1": "transformer_adam_training_params_span",
    "page_ref_a038174f6e0a42d7bc19d78426e57201": "transformer_encoder_decoder_architecture",
    "section_ref_4486e8a394a04b7aaca050a2226b61ea": "transformer_encoder_decoder_architecture",
    "page_ref_39f3231d5f9642acbc4cfea4351f98c4": "adam_default_beta2_span",
    "page_ref_a7ca49f6192c4a90a25abadfeb4e430d": "bert_transformer_encoder_background",
    "section_ref_56d5d4a6abd540bd9d76971b39e310f7": "bert_transformer_encoder_background",
    "page_ref_157c28658bf54d6aa87172977735d261": "bert_masked_lm_pretraining",
    "section_ref_69bcbf933c9f4cd4a244a11c8830d0a8": "bert_masked_lm_pretraining",
    "page_ref_7bf945a6e01e42a6adce776aa397a412": "gpt3_uses_gpt2_architecture",
    "section_ref_6b6ca3871992488eb42e5c6cfb8cb0a9": "gpt3_uses_gpt2_architecture",
    "page_ref_c9c98edc4a3a4cbd9af4906247884e7f": "gpt2_transformer_language_model",
    "section_ref_724289904f994a1d96c3a9d10bf9cbf7": "gpt2_transformer_language_model",
}


class _Anchor(BaseModel):
    id: str
    paper: str
    page: int
    quote: str


class _Pack(BaseModel):
    anchors: list[_Anchor]


class _Evidence(BaseModel):
    paper_id: str
    accepted_locations: list[str]


class _Claim(BaseModel):
    retrieval_queries: list[str] = []
    required_evidence: list[_Evidence]


class _Claims(BaseModel):
    schema_version: Literal["harness-golden-claims/v1"]
    claims: dict[str, _Claim]


class _Message(BaseModel):
    content: str


class _Expectation(BaseModel):
    required_claims: list[str]


class _Case(BaseModel):
    schema_version: Literal["harness-golden-case/v3"]
    id: str
    messages: list[_Message]
    expect: _Expectation


class _Cases(BaseModel):
    cases: list[_Case]


class _Manifest(BaseModel):
    schema_version: Literal["harness-golden-data/v3"]
    paper_packs: list[str]
    claim_files: list[str]
    case_files: list[str]


@dataclass(frozen=True, slots=True)
class Obligation:
    """A place that a search must find for a claim of a case: in this paper, with this quotation.

    `queries` are those written for the claim, `messages` all messages of the case in their order.
    """

    case: str
    claim: str
    anchor: str
    paper: str
    page: int
    quote: str
    queries: tuple[str, ...]
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Obligations in the order of cases and claims, and the reading model of each of their papers."""

    obligations: tuple[Obligation, ...]
    papers: Mapping[str, Path]


def load_golden(folder: Path) -> GoldenSet:
    """The data set of `manifest.yaml` in a folder, whose `reading-models/` hold every paper.

    Every paper there is part of the set, whether or not an obligation names it. Raises EvaluationDataMissing,
    EvaluationDataMalformed.
    """
    manifest = load_yaml(folder / "manifest.yaml", _Manifest)
    anchors: dict[str, _Anchor] = {}
    for name in manifest.paper_packs:
        anchors |= {anchor.id: anchor for anchor in load_yaml(folder / name, _Pack).anchors}
    claims: dict[str, tuple[Path, _Claim]] = {}
    for name in manifest.claim_files:
        found = load_yaml(folder / name, _Claims).claims
        claims |= {claim: (folder / name, content) for claim, content in found.items()}
    obligations = [
        obligation
        for name in manifest.case_files
        for case in load_yaml(folder / name, _Cases).cases
        for claim in case.expect.required_claims
        for obligation in _obligations(case, claim, folder / name, claims, anchors)
    ]
    suffix = ".reading-model.json"
    models = sorted((folder / "reading-models").glob(f"*{suffix}"))
    return GoldenSet(tuple(obligations), {file.name.removesuffix(suffix): file for file in models})


def _obligations(
    case: _Case,
    claim: str,
    file: Path,
    claims: Mapping[str, tuple[Path, _Claim]],
    anchors: Mapping[str, _Anchor],
) -> list[Obligation]:
    if claim not in claims:
        raise EvaluationDataMalformed(file, f"case {case.id}", f"the claim {claim!r} is in no claims file")
    claim_file, content = claims[claim]
    messages = tuple(message.content for message in case.messages)
    found: list[Obligation] = []
    for evidence in content.required_evidence:
        accepted = {_ANCHOR_OF.get(ref) for ref in evidence.accepted_locations}
        named = [anchors[anchor] for anchor in sorted(filter(None, accepted)) if anchor in anchors]
        if len(named) != 1 or named[0].paper != evidence.paper_id:
            problem = f"its places in {evidence.paper_id} stand for {len(named)} known anchors of that paper, not one"
            raise EvaluationDataMalformed(claim_file, f"claim {claim}", problem)
        anchor = named[0]
        found.append(
            Obligation(
                *(case.id, claim, anchor.id, anchor.paper, anchor.page, anchor.quote),
                queries=tuple(content.retrieval_queries),
                messages=messages,
            )
        )
    return found
