"""A run of `add` that says when each paper is done: `python -m tests.stress.adding LIBRARY FILES JOBS`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cli.settings import Settings
from cli.wiring import open_library
from reading_model.ingestion import discover

USER = "1"


def main() -> None:
    library, files, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with open_library(Settings(library=library), create=True) as opened:
        print("open", os.getpid(), flush=True)
        for outcome in opened.library.add(discover([files]), USER, jobs=jobs):
            print(outcome.status, outcome.path.name, flush=True)


if __name__ == "__main__":
    main()
