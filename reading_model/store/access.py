"""Who holds which paper, and which papers are published to everyone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reading_model.errors import PaperNotFound
from reading_model.store.reading_models import CURRENT, current_model_of
from reading_model.store.records import VisiblePaper
from reading_model.store.statements import OneOf, chunks, exists, now
from reading_model.store.tables import models, papers, publications, uploads
from reading_model.store.transactions import reading, write

_OWN = (uploads.c.user_id == sa.bindparam("user_id")) & (uploads.c.paper_id == papers.c.paper_id)
# every call of the gateway asks this, so it is built once
_VISIBLE_OF = (
    sa.select(papers.c.paper_id, papers.c.title, papers.c.filename, uploads.c.filename.label("own_filename"), *CURRENT)
    .select_from(
        papers.outerjoin(uploads, _OWN)
        .outerjoin(publications, publications.c.paper_id == papers.c.paper_id)
        .outerjoin(models, (models.c.paper_id == papers.c.paper_id) & (models.c.current_marker == 1))
    )
    .where(uploads.c.user_id.is_not(None) | publications.c.paper_id.is_not(None))
)
_VISIBLE = OneOf(papers.c.paper_id, _VISIBLE_OF)


class AccessStore:
    """The tables `file_upload` and `paper_publications`. It keeps facts; what they permit is the gateway's business."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def grant(self, user_id: str, paper_id: str, filename: str) -> bool:
        """Put a paper into a user's library under a name. False when it is there already. Raises PaperNotFound."""
        row = {"user_id": user_id, "paper_id": paper_id, "filename": filename, "added_at": now()}
        return self._insert(uploads, row, paper_id)

    def revoke(self, user_id: str, paper_id: str) -> bool:
        """Take a paper out of a user's library. False when it was not there."""
        statement = sa.delete(uploads).where(uploads.c.user_id == user_id, uploads.c.paper_id == paper_id)
        return write(self._engine, lambda connection: connection.execute(statement).rowcount) == 1

    def publish(self, paper_id: str, by: str) -> None:
        """Show a paper to everyone; publishing it again changes nothing. Raises PaperNotFound."""
        self._insert(publications, {"paper_id": paper_id, "published_by": by, "published_at": now()}, paper_id)

    def unpublish(self, paper_id: str) -> None:
        """Stop showing a paper to everyone; copies in libraries stay."""
        statement = sa.delete(publications).where(publications.c.paper_id == paper_id)
        write(self._engine, lambda connection: connection.execute(statement))

    def accessible(self, user_id: str) -> list[str]:
        """Papers in the user's library and published ones, sorted."""
        own = sa.select(uploads.c.paper_id).where(uploads.c.user_id == user_id)
        with reading(self._engine) as connection:
            return sorted(connection.execute(sa.union(own, sa.select(publications.c.paper_id))).scalars())

    def visible(self, user_id: str, paper_ids: Collection[str]) -> dict[str, VisiblePaper]:
        """Those of the papers that are in the user's library or published, by paper id. One query per 500 papers."""
        with reading(self._engine) as connection:
            return {row.paper_id: _visible(row) for row in _VISIBLE.rows(connection, paper_ids, {"user_id": user_id})}

    def holders(self, paper_id: str) -> list[str]:
        """Users in whose library the paper is, sorted."""
        query = sa.select(uploads.c.user_id).where(uploads.c.paper_id == paper_id)
        with reading(self._engine) as connection:
            return sorted(connection.execute(query).scalars())

    def is_published(self, paper_id: str) -> bool:
        """Whether everyone may see the paper."""
        with reading(self._engine) as connection:
            return exists(connection, publications.c.paper_id, paper_id)

    def filename(self, user_id: str, paper_id: str) -> str | None:
        """The name under which the user added the paper; None when it is not in the user's library."""
        query = sa.select(uploads.c.filename).where(uploads.c.user_id == user_id, uploads.c.paper_id == paper_id)
        with reading(self._engine) as connection:
            return connection.execute(query).scalar()

    def filenames(self, user_id: str, paper_ids: Collection[str]) -> dict[str, str]:
        """The names under which the user added these papers, by paper id. One query per 500 papers."""
        query = sa.select(uploads.c.paper_id, uploads.c.filename).where(uploads.c.user_id == user_id)
        with reading(self._engine) as connection:
            return {
                row.paper_id: row.filename
                for chunk in chunks(paper_ids)
                for row in connection.execute(query.where(uploads.c.paper_id.in_(chunk)))
            }

    def published(self, paper_ids: Collection[str]) -> set[str]:
        """Those of the papers that everyone may see. One query per 500 papers."""
        query = sa.select(publications.c.paper_id)
        with reading(self._engine) as connection:
            return {
                paper_id
                for chunk in chunks(paper_ids)
                for paper_id in connection.execute(query.where(publications.c.paper_id.in_(chunk))).scalars()
            }

    def _insert(self, table: sa.Table, row: Mapping[str, object], paper_id: str) -> bool:
        try:
            write(self._engine, lambda connection: connection.execute(sa.insert(table).values(row)))
        except IntegrityError as error:
            with reading(self._engine) as connection:
                if not exists(connection, papers.c.paper_id, paper_id):
                    message = f"there is no paper {paper_id}"
                    raise PaperNotFound(message) from error
            return False
        return True


def _visible(row: Any) -> VisiblePaper:
    model = None if row.model_version is None else current_model_of(row)
    return VisiblePaper(row.paper_id, row.title, row.own_filename or row.filename, model)
