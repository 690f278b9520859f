"""Reading models: saved whole, made current together with their points, read back by parts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reading_model.errors import ContractChanged, PaperNotFound, StoreError
from reading_model.models import (
    BY_USER,
    Element,
    IndexStatus,
    LocationKind,
    Page,
    PaperMetadata,
    ReadingModel,
    Relationship,
    Section,
)
from reading_model.store import codec, rows
from reading_model.store.control import ACTIVE_CONTRACT, held_value
from reading_model.store.leases import Lease, lost
from reading_model.store.papers import metadata_columns, metadata_of
from reading_model.store.records import CurrentModel
from reading_model.store.statements import OneOf, chunks, exists, now, padded
from reading_model.store.tables import elements, locations, metadata, models, pages, papers, relationships, sections
from reading_model.store.transactions import reading, write

CURRENT = (
    models.c.model_version,
    models.c.parser,
    models.c.parser_version,
    models.c.page_count,
    models.c.index_status,
    models.c.index_contract,
    models.c.point_count,
    models.c.searchable_count,
)
"""The columns of a `CurrentModel` besides its paper; every call of the gateway asks them, so no long text is there."""

_CURRENT = OneOf(models.c.paper_id, sa.select(models.c.paper_id, *CURRENT).where(models.c.current_marker == 1))

Value = TypeVar("Value")


class ModelStore:
    """The table `paper_reading_models` and its children."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def save(self, model: ReadingModel) -> bool:
        """`save_rows` of a model that was built here."""
        return self.save_rows(rows.rows_of(model))

    def save_rows(self, model: rows.ModelRows) -> bool:
        """Store a model with all its children in one transaction; it is not current yet.

        False when this model version is stored already. Raises PaperNotFound, and ValueNotStorable before anything is
        stored.
        """
        head = model.head | {
            "created_at": now(),
            "index_status": IndexStatus.PENDING.value,
            "point_count": 0,
            "index_changed_at": now(),
            "index_token": 0,
        }

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.insert(models).values(head))
            for table, content in model.children:
                if content:
                    connection.execute(sa.insert(metadata.tables[table]), content)

        try:
            write(self._engine, work)
        except IntegrityError as error:
            return self._is_stored(model, error)
        return True

    def _is_stored(self, model: rows.ModelRows, error: IntegrityError) -> bool:
        with reading(self._engine) as connection:
            if exists(connection, models.c.model_version, model.model_version):
                return False
            if not exists(connection, papers.c.paper_id, model.paper_id):
                message = f"there is no paper {model.paper_id}"
                raise PaperNotFound(message) from error
        message = f"model {model.model_version} contradicts itself: {error.orig}"
        raise StoreError(message, hint="Report the file: the builder made a model that cannot be kept.") from error

    def activate(
        self,
        paper_id: str,
        model_version: str,
        *,
        contract: str,
        point_count: int,
        lease: Lease | None = None,
        length: float | None = None,
    ) -> tuple[str, ...]:
        """Make a model current and READY in one transaction, so that the paper is never unsearchable in between.

        The version that was current is demoted, and who builds its points is fenced off; it is returned, for its points
        to be deleted (empty when there was none). The paper takes over the model's metadata (what a
        user gave stays), pages and diagnostics, and its failure is cleared. `length` is that of the indexed texts, in
        weighted words. `lease` is the claim under which the points were written; in the same transaction it is held
        against the claims that came later (LeaseLost) and `contract` against the one in force (ContractChanged).
        Raises StoreError for an unknown model.
        """

        def work(connection: sa.Connection) -> tuple[str, ...]:
            if lease is not None:
                in_force = held_value(connection, ACTIVE_CONTRACT)
                if in_force not in {None, contract}:
                    message = f"the library's index contract is now {in_force}, these points have {contract}"
                    raise ContractChanged(message)
            # the lock on the paper makes two activations wait for each other
            paper = connection.execute(
                sa.select(papers).where(papers.c.paper_id == paper_id).with_for_update()
            ).one_or_none()
            this = (models.c.paper_id == paper_id) & (models.c.model_version == model_version)
            model = connection.execute(sa.select(models).where(this).with_for_update()).one_or_none()
            if paper is None or model is None:
                message = f"paper {paper_id} has no model {model_version}"
                raise StoreError(message)
            if lease is not None and (model.index_owner, model.index_token) != (lease.owner, lease.token):
                raise lost(lease)
            older = (models.c.paper_id == paper_id) & (models.c.current_marker == 1) & ~this
            demoted = tuple(connection.execute(sa.select(models.c.model_version).where(older)).scalars())
            connection.execute(
                sa.update(models)
                .where(older)
                .values(
                    current_marker=None,
                    index_status=IndexStatus.PENDING.value,
                    index_contract=None,
                    point_count=0,
                    index_token=models.c.index_token + 1,
                    index_owner=None,
                    index_lease_until=None,
                    index_changed_at=now(),
                )
            )
            connection.execute(
                sa.update(models)
                .where(this)
                .values(
                    current_marker=1,
                    index_status=IndexStatus.READY.value,
                    index_contract=contract,
                    point_count=point_count,
                    index_owner=None,
                    index_lease_until=None,
                    index_error=None,
                    index_length=length,
                    index_changed_at=now(),
                )
            )
            known = merged(codec.load_metadata(model.metadata), metadata_of(paper))
            connection.execute(
                sa.update(papers)
                .where(papers.c.paper_id == paper_id)
                .values(
                    page_count=model.page_count,
                    diagnostics=model.diagnostics,
                    failure_code=None,
                    failure_message=None,
                    **metadata_columns(known),
                )
            )
            return demoted

        return write(self._engine, work)

    def current(self, paper_ids: Sequence[str]) -> dict[str, CurrentModel]:
        """The current model of each paper that has one. One query per 500 papers."""
        with reading(self._engine) as connection:
            return {row.paper_id: current_model_of(row) for row in _CURRENT.rows(connection, paper_ids)}

    def versions(self, paper_id: str) -> list[str]:
        """All stored model versions of a paper, oldest first."""
        query = sa.select(models.c.model_version).where(models.c.paper_id == paper_id)
        with reading(self._engine) as connection:
            return list(connection.execute(query.order_by(models.c.created_at, models.c.model_version)).scalars())

    def superseded(self, paper_id: str, *, since: datetime) -> list[str]:
        """Models of a paper that serve no more and did not change after `since`, sorted.

        None while the paper has no current model. What another process has just stored, or is making searchable,
        changed a moment ago.
        """
        serving = models.alias()
        serves = sa.exists().where(serving.c.paper_id == paper_id, serving.c.current_marker == 1)
        query = sa.select(models.c.model_version).where(
            models.c.paper_id == paper_id,
            models.c.current_marker.is_(None),
            models.c.index_changed_at <= since,
            serves,
        )
        with reading(self._engine) as connection:
            return sorted(connection.execute(query).scalars())

    def metadata(self, paper_id: str, model_version: str) -> PaperMetadata:
        """What the paper is known by once this model is current: the model's facts, except those that a user gave.

        Raises StoreError for an unknown model.
        """
        query = sa.select(models.c.metadata).where(
            models.c.paper_id == paper_id, models.c.model_version == model_version
        )
        with reading(self._engine) as connection:
            found = connection.execute(query).scalar()
            paper = connection.execute(sa.select(papers).where(papers.c.paper_id == paper_id)).one_or_none()
        if found is None or paper is None:
            message = f"paper {paper_id} has no model {model_version}"
            raise StoreError(message)
        return merged(codec.load_metadata(found), metadata_of(paper))

    def delete(self, model_version: str) -> None:
        """Remove a model with its children."""
        statement = sa.delete(models).where(models.c.model_version == model_version)
        write(self._engine, lambda connection: connection.execute(statement))

    def pages(self, model_version: str) -> list[Page]:
        """The pages of a model in order."""
        with reading(self._engine) as connection:
            return _pages(connection, model_version)

    def sections(self, model_version: str) -> list[Section]:
        """The sections of a model in order."""
        with reading(self._engine) as connection:
            return _all(connection, sections, model_version, rows.section_of)

    def elements(self, model_version: str, ordinals: Collection[int] | None = None) -> dict[int, Element]:
        """Elements by ordinal (None: all of the model). One query per 500 ordinals."""
        query = sa.select(elements).where(elements.c.model_version == model_version).order_by(elements.c.ordinal)
        with reading(self._engine) as connection:
            if ordinals is None:
                found = list(connection.execute(query))
            else:
                found = [
                    row
                    for chunk in chunks(sorted(ordinals))
                    for row in connection.execute(query.where(elements.c.ordinal.in_(chunk)))
                ]
        return {row.ordinal: rows.element_of(row) for row in found}

    def elements_of(self, wanted: Mapping[str, Collection[int]]) -> dict[str, dict[int, Element]]:
        """Elements by model version and ordinal, those whose ordinals are named. One query per 500 elements."""
        pairs = [(version, ordinal) for version in sorted(wanted) for ordinal in sorted(wanted[version])]
        found: dict[str, dict[int, Element]] = {version: {} for version in wanted}
        with reading(self._engine) as connection:
            for chunk in chunks(pairs):
                for row in connection.execute(*_elements_named(chunk)).all():
                    found[row.model_version][row.ordinal] = rows.element_of(row)
        return found

    def relationships(self, model_version: str) -> list[Relationship]:
        """The relationships of a model in order."""
        with reading(self._engine) as connection:
            return _all(connection, relationships, model_version, rows.relationship_of)

    def load(self, paper_id: str, model_version: str) -> ReadingModel:
        """The whole model, equal to what was saved. Raises StoreError when the paper has no such model."""
        query = sa.select(models).where(models.c.paper_id == paper_id, models.c.model_version == model_version)
        with reading(self._engine) as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                message = f"paper {paper_id} has no model {model_version}"
                raise StoreError(message)
            return ReadingModel(
                paper_id=row.paper_id,
                model_version=row.model_version,
                source_sha256=row.source_sha256,
                provenance=rows.provenance_of(row),
                pages=tuple(_pages(connection, model_version)),
                sections=tuple(_all(connection, sections, model_version, rows.section_of)),
                elements=tuple(_all(connection, elements, model_version, rows.element_of)),
                locations=tuple(_all(connection, locations, model_version, rows.location_of)),
                relationships=tuple(_all(connection, relationships, model_version, rows.relationship_of)),
                metadata=codec.load_metadata(row.metadata),
                diagnostics=codec.load_diagnostics(row.diagnostics),
            )

    def measured_lengths(self) -> dict[str, float]:
        """Weighted words of the indexed texts of each model that serves, as far as they were counted."""
        query = sa.select(models.c.model_version, models.c.index_length).where(
            models.c.current_marker == 1, models.c.index_length.is_not(None)
        )
        with reading(self._engine) as connection:
            return {row.model_version: row.index_length for row in connection.execute(query)}

    def set_index_status(
        self,
        model_version: str,
        status: IndexStatus,
        *,
        expected: Collection[IndexStatus],
        owner: str | None = None,
        error: str | None = None,
    ) -> bool:
        """Compare and set: True when the status was one of `expected` and is `status` now.

        `owner` names who builds the points, `error` says why building failed; both replace what was there. A lease on
        the model ends: who held it can no longer make the model current.
        """
        statement = (
            sa.update(models)
            .where(
                models.c.model_version == model_version,
                models.c.index_status.in_([item.value for item in expected]),
            )
            .values(
                index_status=status.value,
                index_owner=owner,
                index_error=error,
                index_token=models.c.index_token + 1,
                index_lease_until=None,
                index_changed_at=now(),
            )
        )
        return write(self._engine, lambda connection: connection.execute(statement).rowcount) == 1


def merged(found: PaperMetadata, kept: PaperMetadata) -> PaperMetadata:
    """What a model found, except for the fields that a user gave: those win."""
    given = [name for name, source in kept.sources.items() if source == BY_USER]
    values = {name: getattr(found, name) for name in PaperMetadata.__slots__ if name != "sources"}
    values |= {name: getattr(kept, name) for name in given}
    return PaperMetadata(**values, sources={**found.sources, **dict.fromkeys(given, BY_USER)})


def current_model_of(row: Any) -> CurrentModel:
    """A current model from a row with `paper_id` and the columns `CURRENT`."""
    return CurrentModel(
        paper_id=row.paper_id,
        model_version=row.model_version,
        parser=row.parser,
        parser_version=row.parser_version,
        page_count=row.page_count,
        index_status=IndexStatus(row.index_status),
        index_contract=row.index_contract,
        point_count=row.point_count,
        searchable_count=row.searchable_count,
    )


def _elements_named(pairs: Sequence[tuple[str, int]]) -> tuple[sa.Select[Any], dict[str, object]]:
    """The statement and the parameters for elements by model version and ordinal."""
    asked = padded(pairs)
    parameters: dict[str, object] = {}
    for number, (version, ordinal) in enumerate(asked):
        parameters[f"version_{number}"] = version
        parameters[f"ordinal_{number}"] = ordinal
    return _elements_of_pairs(len(asked)), parameters


@lru_cache(maxsize=16)
def _elements_of_pairs(count: int) -> sa.Select[Any]:
    """So many elements; building the statement would cost more than running it, so it is kept."""
    return sa.select(elements).where(
        sa.or_(
            *(
                (elements.c.model_version == sa.bindparam(f"version_{number}"))
                & (elements.c.ordinal == sa.bindparam(f"ordinal_{number}"))
                for number in range(count)
            )
        )
    )


def _pages(connection: sa.Connection, model_version: str) -> list[Page]:
    texts = sa.select(locations.c.page, locations.c.text).where(
        locations.c.model_version == model_version, locations.c.kind == LocationKind.PAGE.value
    )
    kept = {row.page: row.text for row in connection.execute(texts.order_by(locations.c.ordinal))}
    query = sa.select(pages).where(pages.c.model_version == model_version).order_by(pages.c.number)
    return [rows.page_of(row, kept.get(row.number)) for row in connection.execute(query)]


def _all(
    connection: sa.Connection, table: sa.Table, model_version: str, value_of: Callable[[Any], Value]
) -> list[Value]:
    query = sa.select(table).where(table.c.model_version == model_version).order_by(table.c.ordinal)
    return [value_of(row) for row in connection.execute(query)]
