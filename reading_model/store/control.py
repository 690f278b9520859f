"""Values that all processes of an installation share, for instance the active index contract."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import mysql, sqlite

from reading_model.store.statements import now
from reading_model.store.tables import control
from reading_model.store.transactions import reading, write

ACTIVE_CONTRACT = "active_contract"
"""The name of the contract that the points in use were made under. Who changes it holds its row; who makes a model
current reads it under a lock, so that no model becomes current with points of another contract."""


class ControlStore:
    """The table `retrieval_control`: one row a name."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def get(self, name: str) -> str | None:
        """The value of a name, None when it was never set."""
        with reading(self._engine) as connection:
            return connection.execute(sa.select(control.c.value).where(control.c.name == name)).scalar()

    def get_or_set(self, name: str, value: str) -> str:
        """The value of a name; `value` where it had none. Of several that ask at once, all get the same."""
        row = {"name": name, "value": value, "changed_at": now()}
        if self._engine.dialect.name == "sqlite":
            statement = sqlite.insert(control).values(row).on_conflict_do_nothing(index_elements=[control.c.name])
        else:
            statement = mysql.insert(control).values(row).on_duplicate_key_update(name=control.c.name)
        write(self._engine, lambda connection: connection.execute(statement))
        return self.get(name) or value

    def set(self, name: str, value: str) -> None:
        """Set a value; the last writer wins."""
        write(self._engine, lambda connection: set_value(connection, name, value))


def set_value(connection: sa.Connection, name: str, value: str) -> None:
    """`ControlStore.set` inside a transaction of the caller's."""
    row = {"name": name, "value": value, "changed_at": now()}
    if connection.dialect.name == "sqlite":
        insert = sqlite.insert(control).values(row)
        connection.execute(
            insert.on_conflict_do_update(
                index_elements=[control.c.name],
                set_={"value": insert.excluded["value"], "changed_at": insert.excluded["changed_at"]},
            )
        )
    else:
        # VALUES(column): the newer alias form is a syntax error in MariaDB
        upsert = mysql.insert(control).values(row)
        connection.execute(
            upsert.on_duplicate_key_update(value=upsert.inserted["value"], changed_at=upsert.inserted["changed_at"])
        )


def held_value(connection: sa.Connection, name: str, *, to_change: bool = False) -> str | None:
    """A value, locked against change until the transaction ends (`to_change`: against everyone who does this)."""
    query = sa.select(control.c.value).where(control.c.name == name).with_for_update(read=not to_change)
    return connection.execute(query).scalar()
