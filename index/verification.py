"""Compare what SQL says with what the engine holds, point by point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from index.contract import IndexContract
from index.engine import PointPayload, SparseIndex
from index.points import card_payload, location_payload, point_id
from index.reports import VerifyReport
from reading_model.models import PaperRecord
from reading_model.store import ReadingStore


def compare(
    store: ReadingStore,
    papers: Sequence[PaperRecord],
    locations: SparseIndex,
    cards: SparseIndex,
    contract: IndexContract,
    *,
    unfinished: Mapping[str, str] = MappingProxyType({}),
) -> VerifyReport:
    """The differences between the store, as far as these papers go, and both collections; nothing is changed.

    `papers` all have a model. `unfinished` maps models whose points are not compared to their papers.
    """
    finished = [record for record in papers if record.model_version not in unfinished]
    held = {number: payload for number, payload in locations.scroll() if payload.model_version not in unfinished}
    held_cards = dict(cards.scroll())
    points, card_count = len(held), len(held_cards)
    differences = [
        *_differences(_expected_locations(store, finished, contract), held),
        *_differences(_expected_cards(papers, contract.for_cards()), held_cards),
    ]
    return VerifyReport(
        papers=len(papers),
        points=points,
        cards=card_count,
        missing=tuple(sorted(payload.location_ref for name, payload in differences if name == "missing")),
        unexpected=tuple(sorted(payload.location_ref for payload in (*held.values(), *held_cards.values()))),
        altered=tuple(sorted(payload.location_ref for name, payload in differences if name == "altered")),
        unfinished=tuple(sorted(set(unfinished.values()))),
        papers_to_build=tuple(
            sorted({payload.paper_id for _, payload in differences} | set(unfinished.values()) - {""})
        ),
        models_to_remove=tuple(sorted({payload.model_version for payload in (*held.values(), *held_cards.values())})),
    )


def _differences(
    expected: Iterable[tuple[str, PointPayload]], held: dict[str, PointPayload]
) -> Iterator[tuple[str, PointPayload]]:
    """Expected points that are missing or altered; takes out of `held` what was expected."""
    for number, payload in expected:
        found = held.pop(number, None)
        if found is None:
            yield "missing", payload
        elif found != payload:
            yield "altered", payload


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
