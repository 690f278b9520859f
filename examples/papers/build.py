"""Builds the sample papers: the same Typst version gives the same bytes, on any machine.

python examples/papers/build.py            write the PDFs
python examples/papers/build.py --check    compare the PDFs with a fresh build, write nothing
"""

import sys
from importlib.metadata import version
from pathlib import Path

import typst

HERE = Path(__file__).resolve().parent
PAPERS = ("sparse-bm25-scoped-idf", "evidence-ledger", "columns-and-reading-order")
TYPST_VERSION = "0.15.2"  # the version the committed PDFs were built with; another one may break lines elsewhere
CREATED = 1_795_996_800  # seconds since 1970: 2026-11-30T00:00:00Z, written into each PDF in place of the present time


def build(name: str) -> bytes:
    """The PDF of one paper, made with the fonts inside the compiler alone."""
    return typst.compile(HERE / f"{name}.typ", root=HERE, font_paths=[], ignore_system_fonts=True, timestamp=CREATED)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__)
        return 2
    if version("typst") != TYPST_VERSION:
        print(f"typst {version('typst')} is installed; the PDFs were built with {TYPST_VERSION}", file=sys.stderr)
    differing = 0
    for name in PAPERS:
        path, pdf = HERE / f"{name}.pdf", build(name)
        same = path.exists() and path.read_bytes() == pdf
        differing += not same
        if not arguments:
            path.write_bytes(pdf)
        print(f"{path.name}: {len(pdf):,} bytes, {'unchanged' if same else 'differs' if arguments else 'written'}")
    return 1 if arguments and differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
