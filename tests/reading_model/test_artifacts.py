from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from reading_model.artifacts import pack, unpack
from reading_model.builder import build_reading_model
from reading_model.documents import NoteMark
from reading_model.identity import sha256_hex
from reading_model.rounding import rounded_block
from tests.reading_model.sample_documents import document, paper, paragraph


def test_a_document_comes_back_with_rounded_positions() -> None:
    parsed = paper()
    found = unpack(pack(parsed).data)
    assert found.blocks == tuple(rounded_block(block) for block in parsed.blocks)
    assert (found.pages, found.metadata, found.diagnostics) == (parsed.pages, parsed.metadata, parsed.diagnostics)
    assert (found.source_sha256, found.provenance) == (parsed.source_sha256, parsed.provenance)
    assert unpack(pack(document()).data) == document()


def test_the_model_of_the_artifact_is_the_model_of_the_document() -> None:
    artifact = pack(paper())
    models = [
        build_reading_model(parsed, paper_id="p", artifact_sha256=artifact.sha256)
        for parsed in (paper(), unpack(artifact.data))
    ]
    assert models[0] == models[1]


def test_the_same_document_gives_the_same_bytes() -> None:
    one, other = pack(paper()), pack(paper())
    assert one == other == pack(unpack(one.data))
    assert one.sha256 == sha256_hex(gzip.decompress(one.data))
    assert one.key == f"artifacts/{one.sha256}.json.gz"


def test_a_file_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="no-such-format"):
        unpack(gzip.compress(json.dumps({"format": "no-such-format"}).encode()))


def test_marks_of_notes_are_kept_and_blocks_without_any_look_as_before_there_were_marks() -> None:
    marked = replace(paragraph("Public.1"), note_marks=(NoteMark(7, 8, 10, 0, 1),))
    kept = unpack(pack(document(marked, paragraph("1 See there."))).data)
    assert [block.note_marks for block in kept.blocks] == [marked.note_marks, ()]
    values = json.loads(gzip.decompress(pack(document(paragraph("Public."))).data))
    assert len(values["blocks"][0]) == 10
