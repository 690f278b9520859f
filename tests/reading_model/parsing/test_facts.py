"""The checked facts of the shared papers: what the parser holds may not shrink."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from types import ModuleType

import pytest

from reading_model.parsing import document_to_json
from reading_model.parsing.pdfium.parser import parse_with_ocr
from tests.places import needs_tesseract
from tests.reading_model.parsing.shared import PAPERS, SHARED, needs_data, parsed, running_text

pytestmark = [pytest.mark.data, needs_data]

HELD = {"title": 16, "first_author": 15, "last_author": 15, "author_count": 15, "section": 87, "headings_clean": 15}
HELD |= {"caption": 3, "order": 13, "cell": 32, "paragraph": 35, "pages": 20}
"""Facts that hold; the rest needs OCR (of two scans)."""

HELD_BY_OCR = {"pages": 2, "title": 2, "first_author": 1, "last_author": 1, "author_count": 1, "section": 4} | {
    "headings_clean": 1
}
"""Facts of the two scans; one of their headings stands over a text that the engine runs together with it."""


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_parse", SHARED / "tools" / "score_parse.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_facts_that_held_still_hold() -> None:
    score = scorer().score
    facts = json.loads((SHARED / "data" / "facts.json").read_text(encoding="utf-8"))
    held: Counter[str] = Counter()
    missed: list[str] = []
    for name, fact in facts.items():
        if not any(fact.get(key) for key in ("title", "text", "order", "cells", "sections", "captions")):
            continue
        doc = document_to_json(parsed(SHARED / "data" / name, fact.get("password")))
        for kind, ok, what in score(fact, doc):
            held[kind] += ok
            if not ok:
                missed.append(f"{name} {kind} {what}")
    short = {kind: (held[kind], least) for kind, least in HELD.items() if held[kind] < least}
    assert not short, "\n".join(missed)


@needs_tesseract
def test_ocr_brings_the_facts_of_the_scans() -> None:
    facts = json.loads((SHARED / "data" / "facts.json").read_text(encoding="utf-8"))
    held: Counter[str] = Counter()
    for name in ("scans/linn.pdf", "scans/literature-graph-scan-p1-2.pdf"):
        doc = parse_with_ocr((SHARED / "data" / name).read_bytes())
        held.update(kind for kind, ok, _ in scorer().score(facts[name], document_to_json(doc)) if ok)
    assert held == HELD_BY_OCR


@needs_tesseract
def test_the_words_of_a_scan_are_those_of_its_source() -> None:
    scan = parse_with_ocr((SHARED / "data" / "scans" / "literature-graph-scan-p1-2.pdf").read_bytes())
    source = parsed(PAPERS / "acl2018-literature-graph.pdf")
    for page in (1, 2):
        known, read = (Counter(re.findall(r"\w+", running_text(doc, page).lower())) for doc in (source, scan))
        assert (known & read).total() >= 0.97 * known.total()
    text = running_text(scan)
    first, second = text.index("(e.g., Xiong et al."), text.index("We describe methods used in a scalable deployed")
    assert first < second
