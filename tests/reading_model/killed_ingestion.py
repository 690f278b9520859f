"""A run of ingestion that is killed in the middle of saving a model: `python -m ... URL FOLDER`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import sqlalchemy as sa

from reading_model.ingestion import discover, ingest
from reading_model.objects import LocalObjects
from reading_model.store import open_store
from tests.reading_model.plain_parser import PARSERS


def main() -> None:
    store = open_store(sys.argv[1])
    folder = Path(sys.argv[2])

    def kill(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("INSERT INTO paper_locations"):
            os.kill(os.getpid(), signal.SIGKILL)

    sa.event.listen(store.engine, "before_cursor_execute", kill)
    objects = LocalObjects(folder / "objects")
    files = discover([folder / "files"])
    for outcome in ingest(files, store=store, objects=objects, on_ready=print, parser="plain", parsers=PARSERS):
        print(outcome)


if __name__ == "__main__":
    main()
