from __future__ import annotations

import hashlib
import multiprocessing
from pathlib import Path

import pytest

from reading_model.documents import ParsedDocument
from reading_model.errors import (
    DamagedPdf,
    FileTooLarge,
    NotAPdf,
    ParseError,
    ParserCrashed,
    ParserTimeout,
    ParserUnavailable,
)
from reading_model.parsing import ParseLimits, ParserPool, parse_file
from reading_model.parsing.worker import serve

PARSERS = {"by_content": "tests.reading_model.parsing.parsers_that_fail:by_content", "absent": "no_such_module:parse"}
LIMITS = ParseLimits(seconds=60, memory_mb=512)


def write(folder: Path, word: str, name: str | None = None) -> Path:
    path = folder / f"{name or word}.pdf"
    path.write_bytes(b"%PDF-1.7\n" + word.encode() + b"\n")
    return path


def one(path: Path, limits: ParseLimits = LIMITS, **options: str) -> ParsedDocument:
    return parse_file(path, parser=options.get("parser", "by_content"), limits=limits, parsers=PARSERS)


def test_failing_files_fail_alone_and_the_pool_goes_on(tmp_path: Path) -> None:
    words = ["crash", "good-1", "eat", "good-2", "fault", "damaged", "good-3", "good-4"]
    paths = [write(tmp_path, word) for word in words]
    with ParserPool(2, parser="by_content", limits=LIMITS, parsers=PARSERS) as pool:
        outcomes = {path.stem: outcome for path, outcome in pool.imap(paths)}
    assert set(outcomes) == set(words)
    assert all(isinstance(outcomes[f"good-{n}"], ParsedDocument) for n in (1, 2, 3, 4))
    assert isinstance(outcomes["crash"], ParserCrashed)
    assert "signal" in str(outcomes["crash"])
    assert isinstance(outcomes["eat"], ParserCrashed)
    assert "memory" in str(outcomes["eat"])
    assert isinstance(outcomes["damaged"], DamagedPdf)
    assert isinstance(outcomes["fault"], ParserCrashed)
    assert "ZeroDivisionError" in str(outcomes["fault"])


def test_a_file_that_hangs_is_stopped_and_the_next_one_is_parsed(tmp_path: Path) -> None:
    limits = ParseLimits(seconds=1, memory_mb=1024)
    with ParserPool(1, parser="by_content", limits=limits, parsers=PARSERS) as pool:
        with pytest.raises(ParserTimeout, match="1 seconds"):
            pool.parse(write(tmp_path, "hang"))
        assert pool.parse(write(tmp_path, "good")).blocks == ()


def test_a_parser_that_reads_pictures_has_more_time(tmp_path: Path) -> None:
    limits = ParseLimits(seconds=0.05, memory_mb=1024)
    parsers = {"pdfium+ocr": PARSERS["by_content"]}
    with pytest.raises(ParserTimeout, match=r"0\.6 seconds"):
        parse_file(write(tmp_path, "hang"), parser="pdfium+ocr", limits=limits, parsers=parsers)


def test_a_worker_serves_many_files_and_paths_are_drawn_as_needed(tmp_path: Path) -> None:
    drawn: list[int] = []

    def paths():
        for number in range(6):
            drawn.append(number)
            yield write(tmp_path, f"good-{number}")

    with ParserPool(1, parser="by_content", limits=LIMITS, parsers=PARSERS) as pool:
        results = pool.imap(paths())
        _, first = next(results)
        assert len(drawn) <= 2
        rest = [outcome for _, outcome in results]
    documents = [d for d in (first, *rest) if isinstance(d, ParsedDocument)]
    assert len(documents) == 6
    assert len({d.pages[0].label for d in documents}) == 1


def test_errors_name_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    empty, html, large = tmp_path / "empty.pdf", tmp_path / "page.pdf", write(tmp_path, "x" * 100)
    empty.write_bytes(b"")
    html.write_bytes(b"<html><body>404</body></html>")
    with ParserPool(1, parser="by_content", limits=ParseLimits(max_bytes=60), parsers=PARSERS) as pool:
        with pytest.raises(NotAPdf, match="empty"):
            pool.parse(empty)
        with pytest.raises(NotAPdf, match="html"):
            pool.parse(html)
        with pytest.raises(FileTooLarge, match="60"):
            pool.parse(large)
        with pytest.raises(ParseError, match="cannot be read"):
            pool.parse(tmp_path / "nowhere.pdf")


@pytest.mark.parametrize("name", ["unknown", "absent"])
def test_an_unknown_or_missing_parser_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ParserUnavailable, match=name):
        one(write(tmp_path, "good"), parser=name)


def test_the_password_reaches_the_parser_and_no_representation(tmp_path: Path) -> None:
    from reading_model.parsing.worker import Task

    doc = parse_file(write(tmp_path, "good"), parser="by_content", password="sesame-9", limits=LIMITS, parsers=PARSERS)
    assert doc.pages[0].label is not None
    assert doc.pages[0].label.endswith("sesame-9")
    assert "sesame-9" not in repr(Task(tmp_path, "by_content", LIMITS, "open"))


def test_files_in_work_are_given_up_when_the_reader_stops(tmp_path: Path) -> None:
    with ParserPool(2, parser="by_content", limits=LIMITS, parsers=PARSERS) as pool:
        results = pool.imap([write(tmp_path, "good-1"), write(tmp_path, "hang"), write(tmp_path, "good-2")])
        next(results)
        results.close()
        doc = pool.parse(write(tmp_path, "last"))
    assert doc.source_sha256 == hashlib.sha256((tmp_path / "last.pdf").read_bytes()).hexdigest()


def test_a_pool_needs_a_worker() -> None:
    with pytest.raises(ValueError, match="worker"):
        ParserPool(0)


def test_a_worker_whose_pool_leaves_before_reading_its_greeting_ends_quietly() -> None:
    processes = multiprocessing.get_context("spawn")
    ours, theirs = processes.Pipe()
    worker = processes.Process(target=serve, args=(theirs, "by_content", PARSERS, LIMITS.memory_mb))
    worker.start()
    theirs.close()
    assert ours.poll(60)
    ours.close()
    worker.join(60)
    assert worker.exitcode == 0
