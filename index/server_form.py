"""What a collection on a server must look like, and the comparison with what the server says of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from qdrant_client import models

from index.contract import IndexContract
from index.engine import INTEGER_FIELDS, KEYWORD_FIELDS, VECTOR_NAME
from index.errors import CollectionMismatch
from index.form import OUR_VECTORS, vectors_text

_LOG = logging.getLogger(__name__)

_CONTRACT = "paperledger_contract"
_LIBRARY = "paperledger_library"

PAYLOAD_INDEXES: dict[str, models.PayloadSchemaType] = {
    **dict.fromkeys(KEYWORD_FIELDS, models.PayloadSchemaType.KEYWORD),
    **dict.fromkeys(INTEGER_FIELDS, models.PayloadSchemaType.INTEGER),
}


@dataclass(frozen=True, slots=True)
class CollectionForm:
    """What is expected of one collection.

    `where` names it in errors. `library` is the id of the library that it belongs to: two libraries in one collection
    would take each other's points for leftovers. `write_consistency` None: as many as there are replicas, so that a
    finished write can be counted on any of them.
    """

    where: str
    contract: IndexContract
    library: str
    shards: int = 1
    replicas: int = 1
    write_consistency: int | None = None
    on_disk: bool = True

    @property
    def metadata(self) -> dict[str, str]:
        """What is stored with the collection."""
        return {_CONTRACT: self.contract.text(), _LIBRARY: self.library}

    def vectors(self) -> dict[str, models.SparseVectorParams]:
        """The one sparse vector, as a collection is made with it."""
        index = models.SparseIndexParams(on_disk=self.on_disk, datatype=models.Datatype.FLOAT32)
        return {VECTOR_NAME: models.SparseVectorParams(index=index, modifier=models.Modifier.IDF)}

    def payload_index(self, field: str) -> models.KeywordIndexParams | models.IntegerIndexParams:
        """The index of a payload field: points of a model lie together on disk, pages are asked for as ranges."""
        if PAYLOAD_INDEXES[field] is models.PayloadSchemaType.KEYWORD:
            return models.KeywordIndexParams(
                type=models.KeywordIndexType.KEYWORD, is_tenant=field == "model_version", on_disk=False
            )
        return models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=False, range=True)


def require_form(info: models.CollectionInfo, form: CollectionForm) -> None:
    """Hold what the server says of a collection against what is expected of it.

    Raises ContractMismatch for points made under another contract and CollectionMismatch for another form. A payload
    index that is missing is none: `missing_indexes` names it, and it changes no result.
    """
    metadata = info.config.metadata or {}
    found_contract = str(metadata.get(_CONTRACT, "no contract"))
    form.contract.require(found_contract, where=form.where)
    for found, expected in _sides(info, form):
        if found != expected:
            raise CollectionMismatch(where=form.where, found=found, expected=expected)


def missing_indexes(info: models.CollectionInfo) -> tuple[str, ...]:
    """Payload fields that have no index (a creation may have been interrupted)."""
    return tuple(field for field in PAYLOAD_INDEXES if field not in info.payload_schema)


def warn_of_replicas(info: models.CollectionInfo, form: CollectionForm) -> None:
    """Log another replication than was set: it changes what survives a lost node, but no score and no point."""
    found = info.config.params.replication_factor or 1
    if found != form.replicas:
        _LOG.warning("%s has %d replicas, the settings ask for %d", form.where, found, form.replicas)


def belongs_to(info: models.CollectionInfo, library: str) -> bool:
    """Whether a collection was made for this library."""
    return (info.config.metadata or {}).get(_LIBRARY) == library


def _sides(info: models.CollectionInfo, form: CollectionForm) -> Iterator[tuple[str, str]]:
    """What is found and what is expected, thing by thing."""
    params = info.config.params
    metadata = info.config.metadata or {}
    yield f"points of the library {metadata.get(_LIBRARY, '(none)')}", f"points of the library {form.library}"
    sparse = params.sparse_vectors or {}
    yield (
        vectors_text(_dense_names(params.vectors), {name: _modifier(one) for name, one in sparse.items()}),
        OUR_VECTORS,
    )
    index = sparse[VECTOR_NAME].index
    datatype = index.datatype if index is not None and index.datatype is not None else models.Datatype.FLOAT32
    yield f"weights of type {datatype.value}", f"weights of type {models.Datatype.FLOAT32.value}"
    yield _shards(params.shard_number or 1, params.sharding_method), _shards(form.shards, None)
    for field, expected in PAYLOAD_INDEXES.items():
        found = info.payload_schema.get(field)
        if found is not None:
            yield f"a {found.data_type.value} index of {field}", f"a {expected.value} index of {field}"


def _shards(number: int, method: models.ShardingMethod | None) -> str:
    custom = ", placed by shard keys" if method is models.ShardingMethod.CUSTOM else ""
    return f"{number} shard{'' if number == 1 else 's'}{custom}"


def _modifier(vector: models.SparseVectorParams) -> str:
    return (vector.modifier or models.Modifier.NONE).value


def _dense_names(vectors: models.VectorsConfig | None) -> list[str]:
    if isinstance(vectors, models.VectorParams):
        return [""]
    return list(vectors or ())
