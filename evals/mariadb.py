"""A private `mariadbd` on a temporary data directory, for benchmarks and tests: never the machine's own server."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pymysql

_INSTALL = "mariadb-install-db"
_SERVER = "mariadbd"
_START_SECONDS = 60.0


@dataclass
class MariaDB:
    """A running server; root has no password and is reached on loopback only."""

    port: int
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def new_database(self) -> str:
        """The URL of a new, empty database. Its default character set is a wrong one: tables name theirs."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} CHARACTER SET latin1")
        return f"mysql+pymysql://root@127.0.0.1:{self.port}/{name}"

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as the administrator."""
        with (
            pymysql.connect(host="127.0.0.1", port=self.port, user="root", autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
            return list(cursor.fetchall())


def missing_parts() -> list[str]:
    """The programs that this needs and the machine does not have."""
    return [name for name in (_INSTALL, _SERVER) if _program(name) is None]


@contextmanager
def start(folder: Path) -> Generator[MariaDB, None, None]:
    """Make a data directory below `folder`, serve it, and stop the server at the end."""
    data, port = folder / "data", _free_port()
    user = ["--user=root"] if os.geteuid() == 0 else []
    small = "--innodb-log-file-size=8M"
    installed = subprocess.run(  # noqa: S603 - our own arguments
        [
            str(_program(_INSTALL)),
            "--no-defaults",
            *user,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            f"--datadir={data}",
            small,
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    if installed.returncode:
        raise RuntimeError(f"{_INSTALL} failed:\n{installed.stdout}\n{installed.stderr}")
    log = (folder / "log").open("wb")
    server = subprocess.Popen(  # noqa: S603 - our own arguments
        [
            str(_program(_SERVER)),
            "--no-defaults",
            *user,
            f"--datadir={data}",
            f"--socket={_short_socket(folder)}",
            f"--port={port}",
            "--bind-address=127.0.0.1",
            "--character-set-server=utf8mb4",
            "--collation-server=utf8mb4_bin",
            "--max-allowed-packet=64M",
            "--skip-log-bin",
            # we ask what is committed, not what survives a power cut
            "--innodb-flush-log-at-trx-commit=0",
            small,
        ],
        stdout=log,
        stderr=log,
    )
    try:
        _wait(server, port, folder / "log")
        yield MariaDB(port)
    finally:
        server.terminate()
        server.wait(timeout=_START_SECONDS)
        log.close()
        shutil.rmtree(data, ignore_errors=True)


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            pymysql.connect(host="127.0.0.1", port=port, user="root").close()
        except pymysql.err.OperationalError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("mariadbd did not start:\n" + log.read_text(errors="replace")[-4000:])


def _short_socket(folder: Path) -> Path:
    # a socket's path may have 107 bytes, and pytest's folders are long
    return Path(tempfile.gettempdir()) / f"paperledger-{os.getpid()}-{abs(hash(folder)) % 10**6}.sock"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _program(name: str) -> str | None:
    # servers are not on the path of a user who is not root
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
