from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpus_gateway.cards import card_of
from corpus_gateway.memory import MemoryLocation, MemoryPaper
from corpus_gateway.reading import outline, read, stored
from corpus_gateway.scope import CallScope, call_scope
from corpus_gateway.wire import CorpusRequest, ReadItem
from reading_model.documents import PageBox, Rect
from reading_model.models import SEARCHABLE_KINDS, LocationKind, ReadingModel
from reading_model.store import NewPaper, ReadingStore, open_store, upgrade_schema
from tests.contract.small_models import model_of

TWO_PAGES = MemoryPaper(
    paper_id="p",
    filename="theirs.pdf",
    locations=[
        MemoryLocation(text="First page.\nSecond line.", section="A", page=1),
        MemoryLocation(text="Second page.", section="A", page=2),
    ],
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadingStore]:
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    upgrade_schema(url)
    opened = open_store(url)
    yield opened
    opened.close()


def keep(store: ReadingStore, model: ReadingModel) -> CallScope:
    store.papers.add(NewPaper(model.paper_id, "0" * 64, "theirs.pdf", 1, f"pdf/{model.paper_id}"))
    store.access.grant("1", model.paper_id, "mine.pdf")
    store.models.save(model)
    count = sum(location.kind in SEARCHABLE_KINDS for location in model.locations)
    store.models.activate(model.paper_id, model.model_version, contract="c", point_count=count)
    return call_scope(store, CorpusRequest(user_id="1", scope_paper_ids=[model.paper_id]), "c")


def read_one(store: ReadingStore, scope: CallScope, ref: str) -> ReadItem:
    (item,) = read(store, scope, [ref], stored(store, [ref])).items
    return item


def ref_of(model: ReadingModel, kind: LocationKind, place: int = 0) -> str:
    return [location.ref for location in model.locations if location.kind is kind][place]


def test_a_span_has_one_rectangle_a_line(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    item = read_one(store, keep(store, model), ref_of(model, LocationKind.PASSAGE))
    (span,) = item.spans
    assert [(box.page, box.x0, box.y0, box.x1, box.y1) for box in span.boxes] == [
        (1, 50.0, 50.0, 550.0, 60.0),
        (1, 50.0, 62.0, 550.0, 72.0),
    ]


def test_a_location_over_two_pages_has_one_box_a_page_and_spans_on_each(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    item = read_one(store, keep(store, model), ref_of(model, LocationKind.SECTION))
    assert (item.page, item.page_end) == (1, 2)
    assert item.bbox_json is not None
    assert json.loads(item.bbox_json) == [
        {"page": 1, "x0": 50.0, "y0": 50.0, "x1": 550.0, "y1": 72.0},
        {"page": 2, "x0": 50.0, "y0": 50.0, "x1": 550.0, "y1": 60.0},
    ]
    assert [(span.page, span.text) for span in item.spans] == [(1, "First page.\nSecond line."), (2, "Second page.")]


def test_where_a_parser_gave_no_rectangles_there_are_none(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    bare = replace(model, elements=tuple(replace(element, lines=(), boxes=()) for element in model.elements))
    item = read_one(store, keep(store, bare), ref_of(model, LocationKind.PASSAGE))
    assert item.bbox_json is None
    assert [span.boxes for span in item.spans] == [[]]


def test_where_a_parser_gave_boxes_only_they_are_used(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    box = PageBox(1, Rect(1.0, 2.0, 3.0, 4.0))
    bare = replace(model, elements=tuple(replace(element, lines=(), boxes=(box,)) for element in model.elements))
    item = read_one(store, keep(store, bare), ref_of(model, LocationKind.PASSAGE))
    assert item.bbox_json == '[{"page": 1, "x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}]'


def test_parser_and_version_are_those_of_the_model(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    item = read_one(store, keep(store, model), ref_of(model, LocationKind.PAGE, 1))
    assert (item.parser_name, item.parser_version) == (model.provenance.parser, model.provenance.version)
    assert item.paper_version == model.model_version


def test_a_paper_goes_by_the_name_its_user_gave_it(store: ReadingStore) -> None:
    scope = keep(store, model_of(TWO_PAGES))
    (record,) = store.papers.get(["p"])
    card = card_of(record, store.access.filename("1", "p"))
    assert (card.filename, card.title, scope.titles["p"]) == ("mine.pdf", "mine.pdf", "mine.pdf")
    store.access.publish("p", "root")
    other = call_scope(store, CorpusRequest(user_id="2", scope_paper_ids=["p"]), "c")
    assert other.titles["p"] == card_of(record, None).title == "theirs.pdf"


def test_a_long_abstract_is_cut_for_the_card(store: ReadingStore) -> None:
    keep(store, model_of(replace(TWO_PAGES, abstract="a" * 600)))
    (record,) = store.papers.get(["p"])
    assert card_of(record, None).preview == "a" * 500


def test_an_outline_lists_sections_before_pages(store: ReadingStore) -> None:
    model = model_of(TWO_PAGES)
    scope = keep(store, model)
    current = scope.searchable["p"]
    nodes = outline(store, current, scope.titles["p"], ["PAGE", "SECTION"])
    assert [(node.structure_type, node.page_from, node.page_to, node.display_order) for node in nodes] == [
        ("SECTION", 1, 2, 0),
        ("PAGE", 1, 1, 1),
        ("PAGE", 2, 2, 2),
    ]
    assert outline(store, current, scope.titles["p"], []) == []
