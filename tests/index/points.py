"""Points of a few words, and queries for them, for tests of the engines."""

from __future__ import annotations

import uuid

from index.contract import IndexContract
from index.encoder import FieldText, encode_document, encode_query
from index.engine import IndexPoint, PointPayload, ScoredPoint, SparseIndex, SparseQuery

CONTRACT = IndexContract.default(avgdl=4)


def point(paper: str, ref: str, text: str, **routing: object) -> IndexPoint:
    """A point of paper `paper`; its model version is `v-{paper}`."""
    given = {"kind": "passage", "element_types": ("passage", "paragraph"), "page": 1, "page_end": 1, **routing}
    payload = PointPayload(
        paper_id=paper,
        model_version=f"v-{paper}",
        location_ref=ref,
        section=None,
        text_sha256="0" * 64,
        contract=CONTRACT.text(),
        **given,  # type: ignore[arg-type]
    )
    number = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{paper}{ref}"))
    return IndexPoint(number, encode_document([FieldText(text, 1)], CONTRACT).vector, payload)


def query(
    text: str, *papers: str, limit: int = 10, corpus: tuple[str, ...] | None = None, **rest: object
) -> SparseQuery:
    vector = encode_query(text)
    assert vector
    return SparseQuery(
        vector=vector,
        model_versions=tuple(f"v-{paper}" for paper in papers),
        limit=limit,
        corpus=None if corpus is None else tuple(f"v-{paper}" for paper in corpus),
        **rest,  # type: ignore[arg-type]
    )


def refs(hits: list[ScoredPoint]) -> list[str]:
    return [hit.payload.location_ref for hit in hits]


DOCUMENTS = {
    "a": ["windy hill near town", "windy windy lake", "quiet barn"],
    "b": ["windy road", "quiet lake shore boat", "hill hill hill windy boat"],
}


def fill(index: SparseIndex, *papers: str) -> None:
    for paper in papers:
        index.upsert([point(paper, f"{paper}{n}", text) for n, text in enumerate(DOCUMENTS[paper])])
