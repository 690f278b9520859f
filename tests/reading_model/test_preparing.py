from __future__ import annotations

import pickle
from pathlib import Path

from reading_model.artifacts import pack, unpack
from reading_model.builder import build_reading_model
from reading_model.documents import ParsedDocument
from reading_model.identity import paper_id_of
from reading_model.preparing import prepare
from reading_model.store import NewPaper, open_store
from tests.reading_model.sample_documents import document, long_text, paragraph


def sample() -> ParsedDocument:
    return document(paragraph(long_text(1)), paragraph(long_text(2)))


def test_what_a_worker_prepares_is_the_model_that_is_built_here(sqlite_template: Path, tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(sqlite_template.read_bytes())
    store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    doc = sample()
    paper_id = paper_id_of(doc.source_sha256)
    prepared = pickle.loads(pickle.dumps(prepare(doc)))
    model = build_reading_model(doc, paper_id=paper_id, artifact_sha256=pack(doc).sha256)
    store.papers.add(NewPaper(paper_id, doc.source_sha256, "a.pdf", 1, "pdf/a.pdf"))
    assert store.models.save_rows(prepared.model)
    assert store.models.load(paper_id, model.model_version) == model
    assert prepared.artifact == pack(doc)
    assert (prepared.paper_id, prepared.page_count, prepared.no_text) == (paper_id, len(doc.pages), "")
    store.close()


def test_a_document_without_text_is_packed_and_says_so() -> None:
    prepared = prepare(document())
    assert prepared.model is None
    assert prepared.no_text
    assert unpack(prepared.artifact.data).pages == document().pages
