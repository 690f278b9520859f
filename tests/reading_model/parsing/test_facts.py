"""The checked facts of the shared papers: what the parser holds may not shrink."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from types import ModuleType

import pytest

from reading_model.parsing import document_to_json
from tests.reading_model.parsing.shared import SHARED, needs_data, parsed

pytestmark = [pytest.mark.data, needs_data]

HELD = {"title": 16, "first_author": 15, "last_author": 15, "author_count": 15, "section": 87, "headings_clean": 15}
HELD |= {"caption": 3, "order": 13, "cell": 30, "paragraph": 35, "pages": 20}
"""Facts that hold; the rest needs OCR (13 of two scans) or a text rule for raised asterisks (2 cells)."""


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
