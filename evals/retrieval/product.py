"""The product's own search over a data set: each document becomes a point of a paper of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evals.retrieval.beir import BeirDocument
from index.contract import IndexContract
from index.embedded import BATCH_SIZE, EmbeddedQdrant
from index.encoder import FieldText, encode_document, encode_query
from index.engine import IndexPoint, PointPayload, SparseIndex, SparseQuery
from index.points import point_id
from reading_model.identity import sha256_hex
from reading_model.models import LocationKind

NAME = "paperledger"
_MODEL = "evaluation"


@dataclass(frozen=True, slots=True)
class ProductSearch:
    """Documents in a collection; `contract` is the one that they were made under."""

    index: SparseIndex
    contract: IndexContract

    @property
    def name(self) -> str:
        """The row of a table."""
        return NAME

    def ranking(self, query: str, depth: int) -> list[str]:
        """Ids of the best documents that match, at most `depth`, in the order of the product."""
        vector = encode_query(query)
        if vector is None:
            return []
        found = self.index.search(SparseQuery(vector=vector, model_versions=(_MODEL,), limit=depth, corpus=None))
        for point in found:
            self.contract.require(point.payload.contract, where=f"document {point.payload.paper_id}")
        return [point.payload.paper_id for point in found]


@contextmanager
def product_search(documents: Sequence[BeirDocument], contract: IndexContract) -> Generator[ProductSearch]:
    """Index documents in a temporary folder, in the order of their ids.

    The mean length is measured first, as a full rebuild of a library does. Title and text are fields under the weights
    of the contract; a document has no section.
    """
    ordered = sorted(documents, key=lambda document: document.id)
    measured = replace(contract, avgdl=_mean_length(ordered, contract))
    with tempfile.TemporaryDirectory(prefix="paperledger-eval-") as folder:
        index = EmbeddedQdrant(Path(folder) / "documents")
        try:
            for start in range(0, len(ordered), BATCH_SIZE):
                index.upsert([_point(document, measured) for document in ordered[start : start + BATCH_SIZE]])
            yield ProductSearch(index, measured)
        finally:
            index.close()


def _mean_length(documents: Iterable[BeirDocument], contract: IndexContract) -> float:
    lengths = [encode_document(_fields(document, contract), contract).length for document in documents]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return round(mean, 1) or contract.avgdl


def _point(document: BeirDocument, contract: IndexContract) -> IndexPoint:
    payload = PointPayload(
        paper_id=document.id,
        model_version=_MODEL,
        location_ref=document.id,
        kind=LocationKind.PASSAGE.value,
        element_types=(LocationKind.PASSAGE.value,),
        section=None,
        page=1,
        page_end=1,
        text_sha256=sha256_hex(document.text),
        contract=contract.text(),
    )
    vector = encode_document(_fields(document, contract), contract).vector
    return IndexPoint(point_id(document.id, _MODEL, document.id), vector, payload)


def _fields(document: BeirDocument, contract: IndexContract) -> list[FieldText]:
    texts = {"title": document.title, "text": document.text}
    return [FieldText(texts.get(name, ""), weight) for name, weight in contract.field_weights().items()]
