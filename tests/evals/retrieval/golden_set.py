"""A small golden set in the form of the shared one, and one reading model for each of its papers."""

from __future__ import annotations

import json
from pathlib import Path

MANIFEST = """
schema_version: harness-golden-data/v3
dataset_id: small
paper_packs: [pack.yaml]
claim_files: [claims.yaml]
case_files: [cases.yaml]
"""
PACK = """
anchors:
  - {id: adam_default_beta2_span, paper: gulls, page: 1, quote: "Gulls nest on cliffs."}
  - {id: bert_masked_lm_pretraining, paper: terns, page: 1, quote: "Terns hide their eggs in sand."}
"""
CLAIMS = """
schema_version: harness-golden-claims/v1
claims:
  nests:
    retrieval_queries: [nests of gulls, cliffs]
    required_evidence:
      - {paper_id: gulls, accepted_locations: [page_ref_39f3231d5f9642acbc4cfea4351f98c4]}
  eggs:
    retrieval_queries: [feathers]
    required_evidence:
      - paper_id: terns
        accepted_locations:
          - page_ref_157c28658bf54d6aa87172977735d261
          - section_ref_69bcbf933c9f4cd4a244a11c8830d0a8
"""
CASES = """
cases:
  - schema_version: harness-golden-case/v3
    id: birds
    messages:
      - {role: user, content: "Where do gulls nest?"}
      - {role: assistant, content: "On cliffs or in sand?"}
      - {role: user, content: "Yes."}
    expect: {required_claims: [nests, eggs]}
"""
TEXTS = {
    "gulls": ["Gulls eat fish.", "Gulls nest on cliffs."],
    "terns": ["Terns dive for fish.", "Terns hide their eggs in sand."],
}


def write_golden_set(folder: Path) -> Path:
    """Write the set; its folder."""
    files = {"manifest.yaml": MANIFEST, "pack.yaml": PACK, "claims.yaml": CLAIMS, "cases.yaml": CASES}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "reading-models").mkdir()
    for paper, texts in TEXTS.items():
        blocks = [{"type": "text", "text": paper.title(), "text_level": 1, "page_idx": 0}]
        for number, text in enumerate(texts):
            blocks += [
                {"type": "text", "text": f"{number} Section {number}", "text_level": 2, "page_idx": 0},
                {"type": "text", "text": text, "page_idx": 0},
            ]
        export = {
            "schema_version": "paperloom-reading-model-export/v1",
            "pdf_page_count": 1,
            "reading_elements": [
                {"readingOrder": place, "rawAttributesJson": json.dumps(block)} for place, block in enumerate(blocks)
            ],
        }
        (folder / "reading-models" / f"{paper}.reading-model.json").write_text(json.dumps(export), encoding="utf-8")
    return folder
