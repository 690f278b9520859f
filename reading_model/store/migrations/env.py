"""Alembic runs inside the connection that `schema` hands over; there is no configuration file."""

from __future__ import annotations

from alembic import context

from reading_model.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
)
with context.begin_transaction():
    context.run_migrations()
