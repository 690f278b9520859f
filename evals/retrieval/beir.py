"""Reads a data set in BEIR form: `corpus.jsonl`, `queries.jsonl` (both may be `.gz`), `qrels/SPLIT.tsv`.

The form is that of Thakur et al., 2021, "BEIR": documents with `_id`, `title` and `text`, queries with `_id` and
`text`, judgments as tab-separated query, document and grade below one line of names.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evals.errors import EvaluationDataMalformed, EvaluationDataMissing

_QRELS_NAMES = ("query-id", "corpus-id", "score")
_SURROGATE = re.compile("[\ud800-\udfff]")
_GRADE_DIGITS = 6
_GRADE = re.compile(rf"[0-9]{{1,{_GRADE_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class BeirDocument:
    """A document of a data set; the title may be empty."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BeirSet:
    """Documents in the order of the file, the judged queries of one split, and their judgments.

    `judgments` gives a grade (0: not relevant) for each judged document of each query; queries and judgments have the
    same keys, in the order of the judgments' file.
    """

    name: str
    split: str
    documents: tuple[BeirDocument, ...]
    queries: Mapping[str, str]
    judgments: Mapping[str, Mapping[str, int]]


def load_beir(folder: Path, split: str) -> BeirSet:
    """The data set in a folder, named by it. Raises EvaluationDataMissing, EvaluationDataMalformed."""
    documents = _documents(_file(folder, "corpus.jsonl"))
    queries = _queries(_file(folder, "queries.jsonl"))
    qrels = folder / "qrels" / f"{split}.tsv"
    if not qrels.is_file():
        splits = ", ".join(sorted(file.stem for file in qrels.parent.glob("*.tsv"))) or "none"
        raise EvaluationDataMissing(qrels, why=f"the judgments of a split are needed (found: {splits})")
    judgments = _judgments(qrels, documents, queries)
    judged = {query: queries[query] for query in judgments}
    return BeirSet(folder.resolve().name, split, tuple(documents.values()), judged, judgments)


def _file(folder: Path, name: str) -> Path:
    for file in (folder / name, folder / f"{name}.gz"):
        if file.is_file():
            return file
    raise EvaluationDataMissing(folder / name, why="a BEIR data set has it, plain or as .gz")


def _documents(file: Path) -> dict[str, BeirDocument]:
    documents: dict[str, BeirDocument] = {}
    for number, entry in _entries(file):
        document = BeirDocument(
            _text(entry, "_id", file, number),
            _text(entry, "title", file, number) if "title" in entry else "",
            _text(entry, "text", file, number),
        )
        if document.id in documents:
            raise EvaluationDataMalformed(file, number, f"the document {document.id!r} comes a second time")
        documents[document.id] = document
    return documents


def _queries(file: Path) -> dict[str, str]:
    queries: dict[str, str] = {}
    for number, entry in _entries(file):
        query = _text(entry, "_id", file, number)
        if query in queries:
            raise EvaluationDataMalformed(file, number, f"the query {query!r} comes a second time")
        queries[query] = _text(entry, "text", file, number)
    return queries


def _judgments(
    file: Path, documents: Mapping[str, BeirDocument], queries: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    judgments: dict[str, dict[str, int]] = {}
    for number, line in _lines(file):
        cells = tuple(line.split("\t"))
        if number == 1 and cells == _QRELS_NAMES:
            continue
        if len(cells) != len(_QRELS_NAMES):
            problem = f"{len(cells)} cells instead of {' <TAB> '.join(_QRELS_NAMES)}"
            raise EvaluationDataMalformed(file, number, problem)
        query, document, grade = cells
        if query not in queries:
            raise EvaluationDataMalformed(file, number, f"the query {query!r} is not in queries.jsonl")
        if document not in documents:
            raise EvaluationDataMalformed(file, number, f"the document {document!r} is not in corpus.jsonl")
        if not _GRADE.fullmatch(grade):
            problem = f"the grade {grade!r:.40} is no whole number from 0 to {10**_GRADE_DIGITS - 1:,}"
            raise EvaluationDataMalformed(file, number, problem)
        known = judgments.setdefault(query, {})
        if document in known:
            raise EvaluationDataMalformed(file, number, f"query {query!r} and document {document!r} are judged twice")
        known[document] = int(grade)
    if not judgments:
        raise EvaluationDataMalformed(file, 1, "there are no judgments")
    return judgments


def _entries(file: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in _lines(file):
        try:
            entry: object = json.loads(line)
        except json.JSONDecodeError as error:
            raise EvaluationDataMalformed(file, number, f"no JSON: {error.msg} at column {error.colno}") from None
        except (ValueError, RecursionError):
            raise EvaluationDataMalformed(file, number, "JSON with too long a number or nested too deep") from None
        if not isinstance(entry, dict):
            raise EvaluationDataMalformed(file, number, "a JSON object is needed")
        yield number, cast("Mapping[str, object]", entry)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers from 1."""
    number = 0
    try:
        with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if text.strip():
                    yield number, text
    except UnicodeDecodeError as error:
        raise EvaluationDataMalformed(file, number, f"no UTF-8: {error.reason}") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise EvaluationDataMalformed(file, number + 1, f"the compressed file is damaged: {error}") from None


def _text(entry: Mapping[str, object], name: str, file: Path, number: int) -> str:
    value = entry.get(name)
    if isinstance(value, str) and (value or name != "_id"):
        if _SURROGATE.search(value):
            raise EvaluationDataMalformed(file, number, f"`{name}` holds half a character (a lone surrogate)")
        return value
    raise EvaluationDataMalformed(file, number, f"`{name}` must be a text, not {value!r:.40}")
