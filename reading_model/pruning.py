"""Removal of models that serve no more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reading_model.keeping import version_of
from reading_model.objects import ObjectStore
from reading_model.store import ReadingStore


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed of a paper: versions of its model, and artifacts that only they were made of."""

    paper_id: str
    models: tuple[str, ...]
    artifacts: int


def prune(paper_id: str, *, store: ReadingStore, objects: ObjectStore, quiet_since: datetime) -> Pruned:
    """Remove the models of a paper that serve no more and have not changed after `quiet_since`, with their artifacts.

    The artifacts go only when that of the current model is known and so can be spared.
    """
    old = store.models.superseded(paper_id, since=quiet_since)
    for version in old:
        store.models.delete(version)
    current = store.models.current([paper_id]).get(paper_id)
    kept = store.papers.artifacts(paper_id)
    needed = [item for item in kept if current is not None and version_of(item) == current.model_version]
    unneeded = [item for item in kept if needed and item not in needed and item.created_at <= quiet_since]
    for item in unneeded:
        store.papers.drop_artifact(paper_id, item.sha256)
        objects.delete(item.object_key)
    return Pruned(paper_id, tuple(old), len(unneeded))
