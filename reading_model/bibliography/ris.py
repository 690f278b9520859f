"""RIS (Research Information Systems, specification of 2001; tags as Zotero and EndNote read them), written."""

from __future__ import annotations

from collections.abc import Iterable

from reading_model.bibliography.entry import one_line
from reading_model.bibliography.names import divided
from reading_model.models import PaperMetadata


def write_ris(papers: Iterable[tuple[PaperMetadata, str]]) -> str:
    """Papers as RIS. The kind of a publication is not known: `GEN`, with a venue `JOUR`."""
    return "\n".join(_record(paper, file) for paper, file in papers)


def _record(paper: PaperMetadata, file: str) -> str:
    lines = [
        ("TY", "JOUR" if paper.venue else "GEN"),
        ("TI", paper.title),
        *(("AU", _inverted(name)) for name in paper.authors),
        ("PY", None if paper.year is None else str(paper.year)),
        ("T2", paper.venue),
        ("DO", paper.doi),
        ("AN", f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else None),
        ("AB", paper.abstract),
        ("L1", file),
        ("ER", ""),
    ]
    # one line a value: a line break would begin a new tag
    return "".join(f"{tag}  - {one_line(value) or ''}\n" for tag, value in lines if value is not None)


def _inverted(name: str) -> str:
    parts = divided(name)
    family = " ".join((*parts.von, *parts.last))
    if not parts.first or parts.jr:
        return name
    return f"{family}, {' '.join(parts.first)}"
