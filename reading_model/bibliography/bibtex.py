"""BibTeX: read with `bibtexparser`, strings and `#` resolved, TeX decoded; written in UTF-8."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import Block, DuplicateBlockKeyBlock, Entry, ParsingFailedBlock

from reading_model.bibliography.entry import (
    BibliographyEntry,
    arxiv_of_doi,
    one_line,
    paragraphs,
    with_keys,
    year_of,
)
from reading_model.bibliography.names import read_names, write_names
from reading_model.bibliography.tex import decoded, encoded
from reading_model.errors import BibliographyUnreadable
from reading_model.models import PaperMetadata

# it logs every block that it cannot read, and so would Python to stderr; those blocks become one typed error here
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())

_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ARXIV_URL = re.compile(r"arxiv\.org/(?:abs|pdf)/([^\s?#]+?)(?:\.pdf)?$", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(r"^arxiv:\s*", re.IGNORECASE)
_ESCAPED_IN_PATH = re.compile(r"\\([\\:;_&%#{} $])")
_BETWEEN_FILES = re.compile(r"(?<!\\)[:;]")
_WITHOUT_ESCAPES = ("url", "file")


def read_bibtex(text: str) -> list[BibliographyEntry]:
    """The entries of a BibTeX file, in their order. Raises BibliographyUnreadable, naming the line that is wrong."""
    library = parse_string(text, parse_stack=())
    strings = {name.lower(): string.value for name, string in library.strings_dict.items()}
    return [_entry(entry, strings) for entry in _entries(library.blocks)]


def write_bibtex(papers: Iterable[tuple[PaperMetadata, str]]) -> str:
    """Papers, each with its file's name, as BibTeX. The kind of a publication is not known: `misc` without a venue."""
    listed = list(papers)
    keyed = with_keys(metadata for metadata, _ in listed)
    return "\n".join(_written(key, paper, file) for (key, paper), (_, file) in zip(keyed, listed, strict=True))


def _entries(blocks: Iterable[Block]) -> Iterator[Entry]:
    for block in blocks:
        # a key that comes twice is no harm: entries are not found by it
        held = block.ignore_error_block if isinstance(block, DuplicateBlockKeyBlock) else block
        if isinstance(held, ParsingFailedBlock):
            message = f"the entry in line {(held.start_line or 0) + 1} is no BibTeX: {held.error}"
            raise BibliographyUnreadable(one_line(message) or message)
        if isinstance(held, Entry):
            yield held


def _entry(entry: Entry, strings: Mapping[str, str]) -> BibliographyEntry:
    raw = {field.key.lower(): _value(str(field.value), strings) for field in entry.fields}
    text = {name: decoded(value) for name, value in raw.items() if name not in _WITHOUT_ESCAPES}
    doi = _DOI.search(text.get("doi", ""))
    return BibliographyEntry(
        key=entry.key,
        title=one_line(text.get("title", "")),
        authors=read_names(raw.get("author", "")),
        year=year_of(text.get("year", "")) or year_of(text.get("date", "")),
        venue=next((venue for name in _VENUES if (venue := one_line(text.get(name, "")))), None),
        doi=None if doi is None else doi.group(),
        arxiv_id=_arxiv(text, raw.get("url", ""), None if doi is None else doi.group()),
        abstract=paragraphs(text.get("abstract", "")),
        files=tuple(_files(raw.get("file", ""))),
    )


def _arxiv(text: Mapping[str, str], url: str, doi: str | None) -> str | None:
    eprint = _ARXIV_PREFIX.sub("", text.get("eprint", "").strip())
    archive = text.get("archiveprefix") or text.get("eprinttype") or "arxiv"
    if eprint and archive.strip().lower() == "arxiv":
        return eprint
    found = _ARXIV_URL.search(url.strip())
    return found[1] if found is not None else arxiv_of_doi(doi)


def _value(raw: str, strings: Mapping[str, str], depth: int = 0) -> str:
    """A field's value: pieces in braces or quotation marks, numbers and names of strings, joined by `#`."""
    parts: list[str] = []
    for piece in _pieces(raw):
        if len(piece) > 1 and piece[0] + piece[-1] in ("{}", '""'):
            parts.append(piece[1:-1])
        elif (named := strings.get(piece.lower())) is not None and depth < 10:
            parts.append(_value(named, strings, depth + 1))
        else:
            parts.append(piece)
    return "".join(parts)


def _pieces(raw: str) -> Iterator[str]:
    depth, quoted, start = 0, False, 0
    for at, character in enumerate(raw):
        if character in "{}" and (at == 0 or raw[at - 1] != "\\"):
            depth += 1 if character == "{" else -1
        elif character == '"' and depth == 0:
            quoted = not quoted
        elif character == "#" and depth == 0 and not quoted:
            yield raw[start:at].strip()
            start = at + 1
    yield raw[start:].strip()


def _files(field: str) -> Iterator[str]:
    """The PDF files of a `file` field: one path, or JabRef's and Zotero's `description:path:type;...`."""
    field = field.replace("$\\backslash$", "")
    for piece in _BETWEEN_FILES.split(field):
        path = _ESCAPED_IN_PATH.sub(r"\1", piece).strip()
        if path.lower().endswith(".pdf"):
            yield path.replace("\\", "/")


def _written(key: str, paper: PaperMetadata, file: str) -> str:
    values = {
        "title": f"{{{encoded(paper.title)}}}" if paper.title else None,  # inner braces keep its capitals
        "author": write_names(paper.authors) or None,
        "year": str(paper.year) if paper.year is not None else None,
        "journal": encoded(paper.venue) if paper.venue else None,
        "doi": encoded(paper.doi) if paper.doi else None,
        "eprint": encoded(paper.arxiv_id) if paper.arxiv_id else None,
        "archiveprefix": "arXiv" if paper.arxiv_id else None,
        "abstract": encoded(paper.abstract) if paper.abstract else None,
        "file": re.sub(r"([\\:;{}])", r"\\\1", file),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in values.items() if value is not None]
    kind = "article" if paper.venue else "misc"
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"
