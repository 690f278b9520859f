"""Leases on the points of a model, their measured length, and full builds of the index."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MODELS = "paper_reading_models"
_BUILDS = "index_builds"


def _key(size: int) -> Any:
    return sa.LargeBinary().with_variant(mysql.VARBINARY(size), "mysql", "mariadb")


def _text() -> Any:
    return sa.Text().with_variant(mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), "mysql", "mariadb")


def _time() -> Any:
    return sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")


def _length() -> Any:
    return sa.Double[float]().with_variant(mysql.DOUBLE(asdecimal=False), "mysql", "mariadb")


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("index_token", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("index_lease_until", _time(), nullable=True),
        sa.Column("index_length", _length(), nullable=True),
    ]


def _present() -> set[str]:
    return {column["name"] for column in sa.inspect(op.get_bind()).get_columns(_MODELS)}


def upgrade() -> None:
    # MySQL commits every statement of a schema on its own: a run that was stopped half-way finds some already done
    present = _present()
    for column in _columns():
        if column.name not in present:
            op.add_column(_MODELS, column)
    if not sa.inspect(op.get_bind()).has_table(_BUILDS):
        op.create_table(
            _BUILDS,
            sa.Column("collection", _key(64), nullable=False),
            sa.Column("running", sa.Integer(), nullable=True, autoincrement=False),
            sa.Column("contract", _text(), nullable=False),
            sa.Column("state", _key(64), nullable=False),
            sa.Column("token", sa.Integer(), nullable=False, autoincrement=False),
            sa.Column("owner", _text(), nullable=True),
            sa.Column("lease_until", _time(), nullable=True),
            sa.Column("papers", sa.Integer(), nullable=False, autoincrement=False),
            sa.Column("done", sa.Integer(), nullable=False, autoincrement=False),
            sa.Column("error", _text(), nullable=True),
            sa.Column("started_at", _time(), nullable=False),
            sa.Column("changed_at", _time(), nullable=False),
            sa.PrimaryKeyConstraint("collection", name="pk_index_builds"),
            sa.UniqueConstraint("running", name="uq_index_builds_running"),
            sa.CheckConstraint("running = 1", name="ck_index_builds_running"),
            mysql_engine="InnoDB",
            mysql_charset="utf8mb4",
            mysql_collate="utf8mb4_bin",
        )


def downgrade() -> None:
    op.drop_table(_BUILDS, if_exists=True)
    present = _present()
    for column in _columns():
        if column.name in present:
            op.drop_column(_MODELS, column.name)
