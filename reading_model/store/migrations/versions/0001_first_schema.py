"""The first schema: papers, reading models and their children, access, control."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _key(size: int) -> Any:
    return sa.LargeBinary().with_variant(mysql.VARBINARY(size), "mysql", "mariadb")


def _text() -> Any:
    return sa.Text().with_variant(mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), "mysql", "mariadb")


def _time() -> Any:
    return sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")


def _length() -> Any:
    return sa.Double[float]().with_variant(mysql.DOUBLE(asdecimal=False), "mysql", "mariadb")


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, autoincrement=False)


def _optional(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True, autoincrement=False)


def _create(table: str, *items: sa.schema.SchemaItem) -> None:
    # MySQL commits every statement of a schema on its own: a run that was stopped half-way finds some already done
    if not sa.inspect(op.get_bind()).has_table(table):
        op.create_table(table, *items, mysql_engine="InnoDB", mysql_charset="utf8mb4", mysql_collate="utf8mb4_bin")


def _index(table: str, *columns: str) -> None:
    name = "_".join(("ix", table, *columns))
    if name not in {index["name"] for index in sa.inspect(op.get_bind()).get_indexes(table)}:
        op.create_index(name, table, list(columns))


def _references(table: str, column: str, parent: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{parent}.{column}"], name=f"fk_{table}_{column}", ondelete="CASCADE")


def _in_section(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["model_version", "section"],
        ["paper_sections.model_version", "paper_sections.ordinal"],
        name=f"fk_{table}_model_version_section",
        ondelete="CASCADE",
    )


def upgrade() -> None:
    _create(
        "papers",
        _required("paper_id", _key(128)),
        _required("sha256", _key(64)),
        _required("filename", _text()),
        _required("size_bytes", sa.BigInteger()),
        _required("object_key", _text()),
        _required("added_at", _time()),
        _required("page_count", sa.Integer()),
        _optional("title", _text()),
        _required("authors", _text()),
        _optional("year", sa.Integer()),
        _optional("venue", _text()),
        _optional("doi", _text()),
        _optional("arxiv_id", _text()),
        _optional("abstract", _text()),
        _required("sources", _text()),
        _required("diagnostics", _text()),
        _optional("failure_code", _text()),
        _optional("failure_message", _text()),
        sa.PrimaryKeyConstraint("paper_id", name="pk_papers"),
    )
    _index("papers", "sha256")
    _create(
        "paper_parser_artifacts",
        _required("paper_id", _key(128)),
        _required("sha256", _key(64)),
        _required("parser", _text()),
        _required("parser_version", _text()),
        _required("parser_config", _text()),
        _required("object_key", _text()),
        _required("size_bytes", sa.BigInteger()),
        _required("created_at", _time()),
        sa.PrimaryKeyConstraint("paper_id", "sha256", name="pk_paper_parser_artifacts"),
        _references("paper_parser_artifacts", "paper_id", "papers"),
    )
    _create(
        "paper_reading_models",
        _required("model_version", _key(64)),
        _required("paper_id", _key(128)),
        _optional("current_marker", sa.Integer()),
        _required("source_sha256", _key(64)),
        _required("parser", _text()),
        _required("parser_version", _text()),
        _required("parser_config", _text()),
        _required("page_count", sa.Integer()),
        _required("searchable_count", sa.Integer()),
        _required("metadata", _text()),
        _required("diagnostics", _text()),
        _required("created_at", _time()),
        _required("index_status", _key(64)),
        _optional("index_contract", _text()),
        _required("point_count", sa.Integer()),
        _optional("index_owner", _text()),
        _optional("index_error", _text()),
        _required("index_changed_at", _time()),
        sa.PrimaryKeyConstraint("model_version", name="pk_paper_reading_models"),
        sa.UniqueConstraint("paper_id", "current_marker", name="uq_paper_reading_models_paper_id_current_marker"),
        sa.CheckConstraint("current_marker = 1", name="ck_paper_reading_models_current_marker"),
        _references("paper_reading_models", "paper_id", "papers"),
    )
    _index("paper_reading_models", "index_status")
    _create(
        "paper_pages",
        _required("model_version", _key(64)),
        _required("number", sa.Integer()),
        _optional("label", _text()),
        _optional("text", _text()),
        _required("text_sha256", _key(64)),
        _required("status", _key(64)),
        _required("width", _length()),
        _required("height", _length()),
        _required("rotation", sa.Integer()),
        sa.PrimaryKeyConstraint("model_version", "number", name="pk_paper_pages"),
        _references("paper_pages", "model_version", "paper_reading_models"),
    )
    _create(
        "paper_sections",
        _required("model_version", _key(64)),
        _required("ordinal", sa.Integer()),
        _required("title", _text()),
        _required("level", sa.Integer()),
        _required("path", _text()),
        _optional("parent", sa.Integer()),
        _required("page", sa.Integer()),
        _required("page_end", sa.Integer()),
        _required("first_element", sa.Integer()),
        _required("end_element", sa.Integer()),
        sa.PrimaryKeyConstraint("model_version", "ordinal", name="pk_paper_sections"),
        _references("paper_sections", "model_version", "paper_reading_models"),
    )
    _create(
        "paper_elements",
        _required("model_version", _key(64)),
        _required("ordinal", sa.Integer()),
        _required("type", _key(64)),
        _required("page", sa.Integer()),
        _required("page_end", sa.Integer()),
        _optional("section", sa.Integer()),
        _required("text", _text()),
        _optional("searchable_text", _text()),
        _optional("level", sa.Integer()),
        _required("lines", _text()),
        _required("boxes", _text()),
        _optional("table_cells", _text()),
        _optional("image", _text()),
        _optional("parent", sa.Integer()),
        sa.PrimaryKeyConstraint("model_version", "ordinal", name="pk_paper_elements"),
        _references("paper_elements", "model_version", "paper_reading_models"),
        _in_section("paper_elements"),
    )
    _index("paper_elements", "model_version", "section")
    _create(
        "paper_locations",
        _required("model_version", _key(64)),
        _required("ordinal", sa.Integer()),
        _required("location_ref", _key(96)),
        _required("kind", _key(64)),
        _required("page", sa.Integer()),
        _required("page_end", sa.Integer()),
        _optional("section", sa.Integer()),
        _optional("section_title", _text()),
        _optional("section_path", _text()),
        _required("text", _text()),
        _required("text_sha256", _key(64)),
        _required("parts", _text()),
        _optional("searchable_text", _text()),
        _required("element_types", _text()),
        sa.PrimaryKeyConstraint("model_version", "ordinal", name="pk_paper_locations"),
        sa.UniqueConstraint("location_ref", name="uq_paper_locations_location_ref"),
        _references("paper_locations", "model_version", "paper_reading_models"),
        _in_section("paper_locations"),
    )
    _index("paper_locations", "model_version", "kind", "ordinal")
    _index("paper_locations", "model_version", "section")
    _create(
        "paper_relationships",
        _required("model_version", _key(64)),
        _required("ordinal", sa.Integer()),
        _required("kind", _key(64)),
        _required("source", sa.Integer()),
        _required("target", sa.Integer()),
        _optional("proof_start", sa.Integer()),
        _optional("proof_end", sa.Integer()),
        sa.PrimaryKeyConstraint("model_version", "ordinal", name="pk_paper_relationships"),
        _references("paper_relationships", "model_version", "paper_reading_models"),
    )
    _create(
        "file_upload",
        _required("user_id", _key(64)),
        _required("paper_id", _key(128)),
        _required("filename", _text()),
        _required("added_at", _time()),
        sa.PrimaryKeyConstraint("user_id", "paper_id", name="pk_file_upload"),
        _references("file_upload", "paper_id", "papers"),
    )
    _index("file_upload", "paper_id")
    _create(
        "paper_publications",
        _required("paper_id", _key(128)),
        _required("published_by", _text()),
        _required("published_at", _time()),
        sa.PrimaryKeyConstraint("paper_id", name="pk_paper_publications"),
        _references("paper_publications", "paper_id", "papers"),
    )
    _create(
        "retrieval_control",
        _required("name", _key(64)),
        _required("value", _text()),
        _required("changed_at", _time()),
        sa.PrimaryKeyConstraint("name", name="pk_retrieval_control"),
    )


def downgrade() -> None:
    for table in (
        "retrieval_control",
        "paper_publications",
        "file_upload",
        "paper_relationships",
        "paper_locations",
        "paper_elements",
        "paper_sections",
        "paper_pages",
        "paper_reading_models",
        "paper_parser_artifacts",
        "papers",
    ):
        op.drop_table(table, if_exists=True)
