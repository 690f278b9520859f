from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evals.errors import EvaluationDataMalformed, EvaluationDataMissing
from evals.retrieval.beir import load_beir
from tests.evals.retrieval.small_set import write_small_set
from tests.places import DATA, needs_data


@pytest.mark.parametrize("compressed", [False, True])
def test_a_set_is_read_plain_or_compressed(tmp_path: Path, compressed: bool) -> None:
    data = load_beir(write_small_set(tmp_path, compressed=compressed), "test")
    assert [document.id for document in data.documents] == ["d1", "d2", "d3", "d4"]
    assert data.documents[3].title == ""
    assert list(data.queries) == ["q1", "q2", "q3"], "queries without judgments are not asked"
    assert data.judgments["q3"] == {"d2": 1, "d4": 0}


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, name: str) -> None:
    plain = load_beir(write_small_set(tmp_path), "test")
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
    assert load_beir(tmp_path, "test") == plain


def test_a_byte_order_of_line_ends_does_not_matter(tmp_path: Path) -> None:
    write_small_set(tmp_path)
    qrels = tmp_path / "qrels" / "test.tsv"
    qrels.write_bytes(qrels.read_bytes().replace(b"\n", b"\r\n"))
    assert load_beir(tmp_path, "test").judgments["q1"] == {"d1": 1}


@pytest.mark.parametrize(
    ("name", "line", "place", "problem"),
    [
        ("corpus.jsonl", '{"_id": "x", "text": ', 5, "no JSON"),
        ("corpus.jsonl", "[" * 200_000, 5, "nested too deep"),
        ("corpus.jsonl", '{"_id": ' + "9" * 5000 + "}", 5, "too long a number"),
        ("corpus.jsonl", '{"_id": "\\ud800", "text": "x"}', 5, "`_id` holds half a character"),
        ("queries.jsonl", '{"_id": "q8", "text": "\\udfff"}', 6, "`text` holds half a character"),
        ("corpus.jsonl", '["x"]', 5, "a JSON object is needed"),
        ("corpus.jsonl", '{"text": "no id"}', 5, "`_id` must be a text"),
        ("corpus.jsonl", '{"_id": "", "text": "empty id"}', 5, "`_id` must be a text"),
        ("corpus.jsonl", '{"_id": "x", "text": 3}', 5, "`text` must be a text"),
        ("corpus.jsonl", '{"_id": "x", "title": null, "text": ""}', 5, "`title` must be a text"),
        ("corpus.jsonl", '{"_id": "d1", "text": "again"}', 5, "comes a second time"),
        ("queries.jsonl", '{"_id": "q1", "text": "again"}', 6, "comes a second time"),
        ("qrels/test.tsv", "q1\td1", 6, "2 cells instead of"),
        ("qrels/test.tsv", "q9\td1\t1", 6, "not in queries.jsonl"),
        ("qrels/test.tsv", "q1\td9\t1", 6, "not in corpus.jsonl"),
        ("qrels/test.tsv", "q1\td2\t-1", 6, "no whole number"),
        ("qrels/test.tsv", "q1\td2\t" + "9" * 400, 6, "no whole number"),
        ("qrels/test.tsv", "q1\td2\t" + "9" * 5000, 6, "no whole number"),
        ("qrels/test.tsv", "q1\td1\t1", 6, "judged twice"),
    ],
)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, name: str, line: str, place: int, problem: str) -> None:
    write_small_set(tmp_path)
    with (tmp_path / name).open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    with pytest.raises(EvaluationDataMalformed) as caught:
        load_beir(tmp_path, "test")
    assert caught.value.file == tmp_path / name
    assert caught.value.where == place
    assert problem in str(caught.value)
    assert f"line {place}" in str(caught.value)


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    write_small_set(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(EvaluationDataMissing) as caught:
        load_beir(tmp_path, "test")
    assert caught.value.file == tmp_path / name


def test_an_unknown_split_names_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(EvaluationDataMissing, match="found: test"):
        load_beir(write_small_set(tmp_path), "train")


def test_judgments_must_not_be_empty(tmp_path: Path) -> None:
    write_small_set(tmp_path)
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    with pytest.raises(EvaluationDataMalformed, match="no judgments"):
        load_beir(tmp_path, "test")


def test_text_that_is_no_unicode_is_an_error_of_its_line(tmp_path: Path) -> None:
    write_small_set(tmp_path)
    (tmp_path / "corpus.jsonl").write_bytes(b'{"_id": "a", "text": "fine"}\n{"_id": "b", "text": "\xff"}\n')
    with pytest.raises(EvaluationDataMalformed) as caught:
        load_beir(tmp_path, "test")
    assert caught.value.where == 2


@pytest.mark.parametrize("damage", ["cut short", "no gzip"])
def test_a_damaged_compressed_file_is_an_error(tmp_path: Path, damage: str) -> None:
    write_small_set(tmp_path, compressed=True)
    file = tmp_path / "corpus.jsonl.gz"
    file.write_bytes(file.read_bytes()[:-12] if damage == "cut short" else gzip.decompress(file.read_bytes()))
    with pytest.raises(EvaluationDataMalformed, match="damaged"):
        load_beir(tmp_path, "test")


@pytest.mark.data
@needs_data()
def test_the_shared_set_is_whole() -> None:
    data = load_beir(DATA / "ir" / "scifact", "train")
    assert (len(data.documents), len(data.queries)) == (5183, 809)
    assert sum(map(len, data.judgments.values())) == 919
