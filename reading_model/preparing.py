"""What the store needs of a parsed document, made where it was parsed: the artifact packed, the model as rows.

It is the costly part of keeping a paper besides parsing itself, so workers do it, side by side and within their
limits; what comes back is text and numbers, several times smaller than the document's objects.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reading_model.artifacts import PackedArtifact, pack
from reading_model.builder import build_reading_model
from reading_model.documents import Diagnostic, ParsedDocument, Provenance
from reading_model.errors import NoText
from reading_model.identity import paper_id_of
from reading_model.rounding import rounded_block
from reading_model.store.rows import ModelRows, rows_of


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be kept. `model` is None where it has no text, and `no_text` then says so."""

    paper_id: str
    source_sha256: str
    provenance: Provenance
    page_count: int
    diagnostics: tuple[Diagnostic, ...]
    artifact: PackedArtifact
    model: ModelRows | None
    no_text: str = ""


def prepare(document: ParsedDocument) -> Prepared:
    """Pack a document and build its model. Raises ValueNotStorable."""
    # rounded once for both: positions of characters are the bulk of the work
    document = replace(document, blocks=tuple([rounded_block(block) for block in document.blocks]))
    artifact = pack(document)
    paper_id = paper_id_of(document.source_sha256)
    model, no_text = None, ""
    try:
        model = rows_of(build_reading_model(document, paper_id=paper_id, artifact_sha256=artifact.sha256))
    except NoText as error:
        no_text = str(error)
    return Prepared(
        paper_id=paper_id,
        source_sha256=document.source_sha256,
        provenance=document.provenance,
        page_count=len(document.pages),
        diagnostics=document.diagnostics,
        artifact=artifact,
        model=model,
        no_text=no_text,
    )
