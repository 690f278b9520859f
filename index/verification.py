"""Compare what SQL says with what the engine holds, point by point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from index.contract import IndexContract
from index.engine import PointPayload, SparseIndex
from index.points import card_payload, location_payload, point_id
from index.reports import VerifyReport
from reading_model.models import IndexStatus, PaperRecord
from reading_model.store import ReadingStore


def compare(store: ReadingStore, locations: SparseIndex, cards: SparseIndex, contract: IndexContract) -> VerifyReport:
    """The differences between the store and both collections; nothing is changed."""
    papers = [record for record in store.papers.get() if record.model_version is not None]
    ready = [record for record in papers if record.index_status is IndexStatus.READY]
    unfinished = {record.model_version or "": record.paper_id for record in papers if record not in ready}
    held = {number: payload for number, payload in locations.scroll() if payload.model_version not in unfinished}
    held_cards = dict(cards.scroll())
    points, card_count = len(held), len(held_cards)
    differences = [
        *_differences(_expected_locations(store, ready, contract), held),
        *_differences(_expected_cards(papers, contract.for_cards()), held_cards),
    ]
    return VerifyReport(
        papers=len(papers),
        points=points,
        cards=card_count,
        missing=tuple(sorted(ref for name, ref in differences if name == "missing")),
        unexpected=tuple(sorted(payload.location_ref for payload in (*held.values(), *held_cards.values()))),
        altered=tuple(sorted(ref for name, ref in differences if name == "altered")),
        unfinished=tuple(sorted(unfinished.values())),
    )


def _differences(
    expected: Iterable[tuple[str, PointPayload]], held: dict[str, PointPayload]
) -> Iterator[tuple[str, str]]:
    """Expected points that are missing or altered; takes out of `held` what was expected."""
    for number, payload in expected:
        found = held.pop(number, None)
        if found is None:
            yield "missing", payload.location_ref
        elif found != payload:
            yield "altered", payload.location_ref


def _expected_locations(
    store: ReadingStore, ready: Iterable[PaperRecord], contract: IndexContract
) -> Iterator[tuple[str, PointPayload]]:
    versions = [record.model_version or "" for record in ready]
    for record in store.locations.of_models(versions):
        yield (
            point_id(record.paper_id, record.model_version, record.location.ref),
            location_payload(record, contract),
        )


def _expected_cards(papers: Iterable[PaperRecord], contract: IndexContract) -> Iterator[tuple[str, PointPayload]]:
    for record in papers:
        payload = card_payload(record.paper_id, record.filename, record.metadata, contract)
        yield point_id(record.paper_id, record.paper_id, record.paper_id), payload
