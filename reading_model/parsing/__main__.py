"""`python -m reading_model.parsing FILE [--password-file FILE]`: print the parsed document as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from reading_model.errors import ParseError
from reading_model.parsing import document_to_json, parse_file


def main(arguments: list[str] | None = None) -> int:
    """Parse one file; 0 and JSON on standard output, or 1 and the error on standard error."""
    options = argparse.ArgumentParser(prog="python -m reading_model.parsing", description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--parser", default="pdfium")
    options.add_argument("--password-file", type=Path, help="a file whose first line is the password")
    chosen = options.parse_args(arguments)
    password_file: Path | None = chosen.password_file
    password = password_file.read_text(encoding="utf-8").splitlines()[0] if password_file else None
    try:
        doc = parse_file(chosen.file, parser=chosen.parser, password=password)
    except ParseError as error:
        sys.stderr.write(f"{error.code}: {error} {error.hint}\n")
        return 1
    json.dump(document_to_json(doc), sys.stdout, ensure_ascii=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
