"""A data set of a few documents, written into a folder."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

DOCUMENTS = [
    {"_id": "d1", "title": "Learning rates", "text": "A warm-up of the learning rate keeps early training stable."},
    {"_id": "d2", "title": "Dropout", "text": "Dropout of hidden units reduces overfitting."},
    {"_id": "d3", "title": "", "text": "Tumour growth was slower in treated mice."},
    {"_id": "d4", "text": "Weight decay and dropout were compared."},
]
QUERIES = [
    {"_id": "q1", "text": "learning rate warm-up"},
    {"_id": "q2", "text": "tumor growth in a mouse"},
    {"_id": "q3", "text": "dropout"},
    {"_id": "q4", "text": "never judged"},
]
QRELS = [("q1", "d1", 1), ("q2", "d3", 1), ("q3", "d2", 1), ("q3", "d4", 0)]


def write_small_set(folder: Path, *, compressed: bool = False) -> Path:
    """Write the data set; its folder."""
    corpus = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
    if compressed:
        with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as stream:
            stream.write(corpus)
    else:
        (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    queries = "\n".join(json.dumps(query) for query in QUERIES) + "\n\n"
    (folder / "queries.jsonl").write_text(queries, encoding="utf-8")
    (folder / "qrels").mkdir()
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in QRELS)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
