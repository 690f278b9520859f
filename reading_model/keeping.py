"""What a parser yielded, noted beside the paper it belongs to."""

from __future__ import annotations

from reading_model.documents import Provenance
from reading_model.identity import model_version_of
from reading_model.preparing import Prepared
from reading_model.store import Artifact, ReadingStore
from reading_model.store.statements import now


def keep_artifact(store: ReadingStore, prepared: Prepared) -> None:
    """Note an artifact whose bytes are in the object store; the same again changes nothing. Raises PaperNotFound."""
    made_by, artifact = prepared.provenance, prepared.artifact
    store.papers.keep_artifact(
        Artifact(
            paper_id=prepared.paper_id,
            sha256=artifact.sha256,
            parser=made_by.parser,
            parser_version=made_by.version,
            parser_config=made_by.config,
            object_key=artifact.key,
            size_bytes=len(artifact.data),
            created_at=now(),
        )
    )


def provenance_of(artifact: Artifact) -> Provenance:
    """Which parser yielded an artifact."""
    return Provenance(artifact.parser, artifact.parser_version, artifact.parser_config)


def version_of(artifact: Artifact) -> str:
    """The version of the model that the builder of this release makes of an artifact."""
    return model_version_of(artifact.paper_id, provenance_of(artifact), artifact.sha256)
