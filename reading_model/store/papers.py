"""Papers: the files of the library, what is known about them, and why one of them failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reading_model.documents import Diagnostic
from reading_model.errors import PaperNotFound
from reading_model.models import Failure, IndexStatus, PaperMetadata, PaperRecord
from reading_model.store import codec
from reading_model.store.records import Artifact, NewPaper
from reading_model.store.statements import chunks, exists, now
from reading_model.store.tables import artifacts, models, papers, publications, uploads
from reading_model.store.transactions import reading, write

_RECORDS = sa.select(
    papers,
    models.c.model_version,
    models.c.parser,
    models.c.index_status,
    models.c.index_contract,
    models.c.searchable_count,
).select_from(papers.outerjoin(models, sa.and_(models.c.paper_id == papers.c.paper_id, models.c.current_marker == 1)))


class PaperStore:
    """The table `papers`, joined with the current model where there is one."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def add(self, paper: NewPaper) -> bool:
        """Take a paper in. False when it is there already, also when another process was a moment faster."""
        row = {
            "paper_id": paper.paper_id,
            "sha256": paper.sha256,
            "filename": paper.filename,
            "size_bytes": paper.size_bytes,
            "object_key": paper.object_key,
            "added_at": now(),
            "page_count": 0,
            "diagnostics": codec.dump_diagnostics(()),
            **metadata_columns(PaperMetadata()),
        }
        try:
            write(self._engine, lambda connection: connection.execute(sa.insert(papers).values(row)))
        except IntegrityError:
            return False
        return True

    def get(self, paper_ids: Sequence[str] | None = None) -> list[PaperRecord]:
        """Papers in the order of their ids (None: all of them); unknown ids are left out. One query per 500 ids."""
        with reading(self._engine) as connection:
            if paper_ids is None:
                rows = list(connection.execute(_RECORDS))
            else:
                rows = [
                    row
                    for chunk in chunks(paper_ids)
                    for row in connection.execute(_RECORDS.where(papers.c.paper_id.in_(chunk)))
                ]
        return _sorted(rows)

    def set_metadata(self, paper_id: str, metadata: PaperMetadata) -> bool:
        """Replace what is known about a paper. Raises PaperNotFound.

        True when its title changed. The title stands in every point of the paper, so in the same transaction its
        points are marked as being rebuilt: they answer until new ones are there, and no start takes them for right.
        """

        def work(connection: sa.Connection) -> bool:
            this = papers.c.paper_id == paper_id
            known = connection.execute(sa.select(papers.c.title).where(this).with_for_update()).one_or_none()
            if known is None:
                raise _unknown(paper_id)
            connection.execute(sa.update(papers).where(this).values(metadata_columns(metadata)))
            if known.title == metadata.title:
                return False
            connection.execute(
                sa.update(models)
                .where(
                    models.c.paper_id == paper_id,
                    models.c.current_marker == 1,
                    models.c.index_status.in_([status.value for status in IndexStatus if status.answers]),
                )
                .values(
                    index_status=IndexStatus.REBUILDING.value,
                    # what somebody builds at this moment has the old title, so it must not become READY
                    index_token=models.c.index_token + 1,
                    index_owner=None,
                    index_lease_until=None,
                    index_changed_at=now(),
                )
            )
            return True

        return write(self._engine, work)

    def fail(
        self, paper_id: str, failure: Failure, *, page_count: int = 0, diagnostics: Collection[Diagnostic] = ()
    ) -> None:
        """Keep why the last build failed; a current model goes on serving. Raises PaperNotFound."""

        def work(connection: sa.Connection) -> int:
            served = sa.exists().where(models.c.paper_id == paper_id, models.c.current_marker == 1)
            update = sa.update(papers).where(papers.c.paper_id == paper_id)
            known = connection.execute(
                update.values(failure_code=failure.code, failure_message=failure.message)
            ).rowcount
            seen = {"page_count": page_count, "diagnostics": codec.dump_diagnostics(diagnostics)}
            connection.execute(update.where(~served).values(seen))
            return known

        if write(self._engine, work) == 0:
            raise _unknown(paper_id)

    def delete(self, paper_id: str) -> None:
        """Remove a paper with its models, their rows, its artifacts' rows and every user's hold on it."""
        write(
            self._engine, lambda connection: connection.execute(sa.delete(papers).where(papers.c.paper_id == paper_id))
        )

    def delete_unheld(self, paper_id: str) -> bool:
        """Remove a paper like `delete`, but only while it is in nobody's library and not published; True when it went.

        Test and removal are one statement, so that a user who adds the paper meanwhile keeps it.
        """
        held = sa.exists().where(uploads.c.paper_id == papers.c.paper_id)
        published = sa.exists().where(publications.c.paper_id == papers.c.paper_id)
        statement = sa.delete(papers).where(papers.c.paper_id == paper_id, ~held, ~published)
        return write(self._engine, lambda connection: connection.execute(statement).rowcount) == 1

    def object_key(self, paper_id: str) -> str:
        """Where the file's bytes are kept. Raises PaperNotFound."""
        with reading(self._engine) as connection:
            key = connection.execute(sa.select(papers.c.object_key).where(papers.c.paper_id == paper_id)).scalar()
        if key is None:
            raise _unknown(paper_id)
        return key

    def own_object_keys(self, paper_id: str) -> list[str]:
        """Objects that this paper alone uses, sorted: they may go when the paper goes."""
        with reading(self._engine) as connection:
            keys = {
                key
                for table in (papers, artifacts)
                for (key,) in connection.execute(sa.select(table.c.object_key).where(table.c.paper_id == paper_id))
            }
            shared = {
                key
                for table in (papers, artifacts)
                for (key,) in connection.execute(
                    sa.select(table.c.object_key).where(table.c.object_key.in_(keys), table.c.paper_id != paper_id)
                )
            }
        return sorted(keys - shared)

    def keep_artifact(self, artifact: Artifact) -> None:
        """Note a parser's output; the same output again changes nothing. Raises PaperNotFound."""
        row = {name: getattr(artifact, name) for name in Artifact.__slots__}

        def work(connection: sa.Connection) -> None:
            same = (artifacts.c.paper_id == artifact.paper_id) & (artifacts.c.sha256 == artifact.sha256)
            if connection.execute(sa.select(artifacts.c.sha256).where(same)).first() is None:
                connection.execute(sa.insert(artifacts).values(row))

        try:
            write(self._engine, work)
        except IntegrityError:
            with reading(self._engine) as connection:
                if not exists(connection, papers.c.paper_id, artifact.paper_id):
                    raise _unknown(artifact.paper_id) from None

    def artifacts(self, paper_id: str) -> list[Artifact]:
        """The parser outputs that were kept of a paper, oldest first."""
        query = sa.select(*(artifacts.c[name] for name in Artifact.__slots__)).where(artifacts.c.paper_id == paper_id)
        with reading(self._engine) as connection:
            rows = connection.execute(query.order_by(artifacts.c.created_at, artifacts.c.sha256))
            return [Artifact(*row) for row in rows]

    def drop_artifact(self, paper_id: str, sha256: str) -> None:
        """Forget a parser's output; one that is not there is no error."""
        statement = sa.delete(artifacts).where(artifacts.c.paper_id == paper_id, artifacts.c.sha256 == sha256)
        write(self._engine, lambda connection: connection.execute(statement))

    def _update(self, paper_id: str, values: dict[str, Any]) -> None:
        update = sa.update(papers).where(papers.c.paper_id == paper_id).values(values)
        if write(self._engine, lambda connection: connection.execute(update).rowcount) == 0:
            raise _unknown(paper_id)


def metadata_columns(metadata: PaperMetadata) -> dict[str, Any]:
    """The columns of `papers` that hold metadata."""
    columns = {name: getattr(metadata, name) for name in PaperMetadata.__slots__}
    return {**columns, "authors": codec.dump(metadata.authors), "sources": codec.dump(metadata.sources)}


def metadata_of(row: Any) -> PaperMetadata:
    """Inverse of `metadata_columns`, from a row of `papers`."""
    columns = {name: getattr(row, name) for name in PaperMetadata.__slots__}
    columns |= {"authors": codec.load_texts(row.authors), "sources": codec.load_names(row.sources)}
    return PaperMetadata(**columns)


def held_records(connection: sa.Connection) -> list[PaperRecord]:
    """Every paper, in the order of the ids, locked against change until the transaction ends."""
    return _sorted(connection.execute(_RECORDS.with_for_update()).all())


def _sorted(rows: Iterable[Any]) -> list[PaperRecord]:
    return sorted((_record(row) for row in rows), key=lambda record: record.paper_id)


def _record(row: Any) -> PaperRecord:
    failure = None if row.failure_code is None else Failure(row.failure_code, row.failure_message)
    without_model = IndexStatus.PENDING if failure is None else IndexStatus.FAILED
    return PaperRecord(
        paper_id=row.paper_id,
        filename=row.filename,
        size_bytes=row.size_bytes,
        added_at=row.added_at,
        metadata=metadata_of(row),
        page_count=row.page_count,
        model_version=row.model_version,
        parser=row.parser,
        index_status=without_model if row.model_version is None else IndexStatus(row.index_status),
        index_contract=row.index_contract,
        searchable_count=row.searchable_count or 0,
        failure=failure,
        diagnostics=codec.load_diagnostics(row.diagnostics),
    )


def _unknown(paper_id: str) -> PaperNotFound:
    return PaperNotFound(f"there is no paper {paper_id}")
