"""The tables of the canonical store.

Children of a reading model have the key (model_version, ordinal), so that the rows of one model lie together.
Foreign keys cascade: deleting a paper or a model deletes what belongs to it. Integer keys are never AUTO_INCREMENT,
because an explicit 0 would then become the next free number.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from reading_model.store.types import Key, Length, LongText, Timestamp

PAPER_ID_BYTES = 128
MODEL_VERSION_BYTES = 64
LOCATION_REF_BYTES = 96
USER_ID_BYTES = 64
HASH_BYTES = 64
NAME_BYTES = 64

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(
        name, metadata, *columns, mysql_engine="InnoDB", mysql_charset="utf8mb4", mysql_collate="utf8mb4_bin"
    )


def _key(name: str, size: int, *, primary_key: bool = False, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, Key(size), primary_key=primary_key, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, LongText(), nullable=nullable)


def _number(name: str, *, primary_key: bool = False, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), primary_key=primary_key, nullable=nullable, autoincrement=False)


def _paper_id(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "paper_id",
        Key(PAPER_ID_BYTES),
        sa.ForeignKey("papers.paper_id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


def _model_version() -> sa.Column[str]:
    return sa.Column(
        "model_version",
        Key(MODEL_VERSION_BYTES),
        sa.ForeignKey("paper_reading_models.model_version", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
    )


def _in_section() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["model_version", "section"],
        ["paper_sections.model_version", "paper_sections.ordinal"],
        ondelete="CASCADE",
    )


def _timestamp(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, Timestamp(), nullable=nullable)


papers = _table(
    "papers",
    _key("paper_id", PAPER_ID_BYTES, primary_key=True),
    _key("sha256", HASH_BYTES),
    _text("filename"),
    sa.Column("size_bytes", sa.BigInteger(), nullable=False),
    _text("object_key"),
    _timestamp("added_at"),
    _number("page_count"),
    _text("title", nullable=True),
    _text("authors"),
    _number("year", nullable=True),
    _text("venue", nullable=True),
    _text("doi", nullable=True),
    _text("arxiv_id", nullable=True),
    _text("abstract", nullable=True),
    _text("sources"),
    _text("diagnostics"),
    _text("failure_code", nullable=True),
    _text("failure_message", nullable=True),
    sa.Index(None, "sha256"),
)

artifacts = _table(
    "paper_parser_artifacts",
    _paper_id(primary_key=True),
    _key("sha256", HASH_BYTES, primary_key=True),
    _text("parser"),
    _text("parser_version"),
    _text("parser_config"),
    _text("object_key"),
    sa.Column("size_bytes", sa.BigInteger(), nullable=False),
    _timestamp("created_at"),
)

models = _table(
    "paper_reading_models",
    _key("model_version", MODEL_VERSION_BYTES, primary_key=True),
    _paper_id(),
    # 1 for the current model and NULL for every other: the unique key then allows one current model per paper
    _number("current_marker", nullable=True),
    _key("source_sha256", HASH_BYTES),
    _text("parser"),
    _text("parser_version"),
    _text("parser_config"),
    _number("page_count"),
    _number("searchable_count"),
    _text("metadata"),
    _text("diagnostics"),
    _timestamp("created_at"),
    _key("index_status", NAME_BYTES),
    _text("index_contract", nullable=True),
    _number("point_count"),
    _text("index_owner", nullable=True),
    _text("index_error", nullable=True),
    _timestamp("index_changed_at"),
    # counts the claims on the model's points: an owner that slept through its lease is told apart from the next one
    sa.Column("index_token", sa.Integer(), nullable=False, server_default="0"),
    _timestamp("index_lease_until", nullable=True),
    # weighted words of all points together; NULL where they were not counted
    sa.Column("index_length", Length(), nullable=True),
    sa.UniqueConstraint("paper_id", "current_marker"),
    sa.CheckConstraint("current_marker = 1", name="ck_paper_reading_models_current_marker"),
    sa.Index(None, "index_status"),
)

pages = _table(
    "paper_pages",
    _model_version(),
    _number("number", primary_key=True),
    _text("label", nullable=True),
    # NULL where the page's location holds the same text
    _text("text", nullable=True),
    _key("text_sha256", HASH_BYTES),
    _key("status", NAME_BYTES),
    sa.Column("width", Length(), nullable=False),
    sa.Column("height", Length(), nullable=False),
    _number("rotation"),
)

sections = _table(
    "paper_sections",
    _model_version(),
    _number("ordinal", primary_key=True),
    _text("title"),
    _number("level"),
    _text("path"),
    _number("parent", nullable=True),
    _number("page"),
    _number("page_end"),
    _number("first_element"),
    _number("end_element"),
)

elements = _table(
    "paper_elements",
    _model_version(),
    _number("ordinal", primary_key=True),
    _key("type", NAME_BYTES),
    _number("page"),
    _number("page_end"),
    _number("section", nullable=True),
    _text("text"),
    _text("searchable_text", nullable=True),
    _number("level", nullable=True),
    _text("lines"),
    _text("boxes"),
    _text("table_cells", nullable=True),
    _text("image", nullable=True),
    # no foreign key: a caption may come before its table, and InnoDB checks row by row while a model is inserted
    _number("parent", nullable=True),
    _in_section(),
    sa.Index(None, "model_version", "section"),
)

locations = _table(
    "paper_locations",
    _model_version(),
    _number("ordinal", primary_key=True),
    _key("location_ref", LOCATION_REF_BYTES),
    _key("kind", NAME_BYTES),
    _number("page"),
    _number("page_end"),
    _number("section", nullable=True),
    _text("section_title", nullable=True),
    _text("section_path", nullable=True),
    _text("text"),
    _key("text_sha256", HASH_BYTES),
    _text("parts"),
    _text("searchable_text", nullable=True),
    _text("element_types"),
    _in_section(),
    sa.UniqueConstraint("location_ref"),
    sa.Index(None, "model_version", "kind", "ordinal"),
    sa.Index(None, "model_version", "section"),
)

relationships = _table(
    "paper_relationships",
    _model_version(),
    _number("ordinal", primary_key=True),
    _key("kind", NAME_BYTES),
    _number("source"),
    _number("target"),
    _number("proof_start", nullable=True),
    _number("proof_end", nullable=True),
)

uploads = _table(
    "file_upload",
    _key("user_id", USER_ID_BYTES, primary_key=True),
    _paper_id(primary_key=True),
    _text("filename"),
    _timestamp("added_at"),
    sa.Index(None, "paper_id"),
)

publications = _table(
    "paper_publications",
    _paper_id(primary_key=True),
    _text("published_by"),
    _timestamp("published_at"),
)

control = _table(
    "retrieval_control",
    _key("name", NAME_BYTES, primary_key=True),
    _text("value"),
    _timestamp("changed_at"),
)

builds = _table(
    "index_builds",
    _key("collection", NAME_BYTES, primary_key=True),
    # 1 for the build that is not finished and NULL for every other: the unique key then allows one at a time
    _number("running", nullable=True),
    _text("contract"),
    _key("state", NAME_BYTES),
    _number("token"),
    _text("owner", nullable=True),
    _timestamp("lease_until", nullable=True),
    _number("papers"),
    _number("done"),
    _text("error", nullable=True),
    _timestamp("started_at"),
    _timestamp("changed_at"),
    sa.UniqueConstraint("running"),
    sa.CheckConstraint("running = 1", name="ck_index_builds_running"),
)
