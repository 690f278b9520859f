"""What the store takes and gives beside the types of `reading_model.models`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reading_model.models import IndexStatus


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A file that becomes a paper: 64 hex digits over its bytes, its name and size, and where its bytes are kept."""

    paper_id: str
    sha256: str
    filename: str
    size_bytes: int
    object_key: str


@dataclass(frozen=True, slots=True)
class CurrentModel:
    """The model that serves a paper, and the state of its points."""

    paper_id: str
    model_version: str
    parser: str
    parser_version: str
    page_count: int
    index_status: IndexStatus
    index_contract: str | None
    point_count: int
    searchable_count: int


@dataclass(frozen=True, slots=True)
class VisiblePaper:
    """A paper that a user may see: its title, the name under which the user knows it, and the model that serves it.

    `filename` is that of the user's own copy, else that of the first user's.
    """

    paper_id: str
    title: str | None
    filename: str
    model: CurrentModel | None


@dataclass(frozen=True, slots=True)
class Artifact:
    """A parser's output as it was kept; `sha256` is over the output before compression, `size_bytes` after it."""

    paper_id: str
    sha256: str
    parser: str
    parser_version: str
    parser_config: str
    object_key: str
    size_bytes: int
    created_at: datetime
