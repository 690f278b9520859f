from __future__ import annotations

from pathlib import Path

import pymysql
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError, StatementError

from reading_model.errors import StoreUnavailable
from reading_model.store import transactions
from reading_model.store.connection import connect


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    return connect(f"sqlite:///{tmp_path / 'x.db'}")


def _failing(code: int, times: int, done: list[int]) -> object:
    def work(connection: sa.Connection) -> int:
        done.append(connection.execute(sa.text("SELECT 1")).scalar_one())
        if len(done) <= times:
            raise OperationalError("statement", {}, pymysql.err.OperationalError(code, "said the server"))
        return len(done)

    return work


@pytest.mark.parametrize("code", [1205, 1213])
def test_a_transaction_that_lost_is_run_again(engine: sa.Engine, code: int) -> None:
    assert transactions.write(engine, _failing(code, 2, [])) == 3


def test_after_many_losses_it_gives_up(engine: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "_FIRST_PAUSE", 0.0)
    done: list[int] = []
    with pytest.raises(StoreUnavailable, match="too busy"):
        transactions.write(engine, _failing(1213, 99, done))
    assert len(done) == 8


def test_other_failures_are_not_repeated(engine: sa.Engine) -> None:
    done: list[int] = []
    with pytest.raises(StoreUnavailable, match="said the server"):
        transactions.write(engine, _failing(2013, 1, done))
    assert len(done) == 1


def test_a_fault_of_the_program_is_not_taken_for_one_of_the_database(engine: sa.Engine) -> None:
    with pytest.raises(StatementError, match="no_value"):
        transactions.write(engine, lambda connection: connection.execute(sa.text("SELECT :no_value")))


def test_a_failed_transaction_leaves_nothing(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x INTEGER)")

    def work(connection: sa.Connection) -> None:
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")
        raise RuntimeError("the process has another problem")

    with pytest.raises(RuntimeError):
        transactions.write(engine, work)
    with transactions.reading(engine) as connection:
        assert connection.exec_driver_sql("SELECT * FROM t").all() == []


def test_a_damaged_database_file_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"no database " * 400)
    with (
        pytest.raises(StoreUnavailable, match="not a database") as caught,
        transactions.reading(connect(f"sqlite:///{path}")),
    ):
        pass
    assert "damaged" in caught.value.hint


def test_a_database_file_that_cannot_be_opened_points_at_its_folder(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'absent' / 'x.db'}")
    with pytest.raises(StoreUnavailable) as caught, transactions.reading(engine):
        pass
    assert "folder" in caught.value.hint


def test_a_url_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be read") as caught:
        connect("mysql+pymysql://user:secret@127.0.0.1:port/name")
    assert caught.value.__cause__ is None
    assert "secret" not in str(caught.value)
