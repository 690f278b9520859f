"""The papers of one local call: access(user) ∩ scope, and which of them can be searched at this moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from corpus_gateway.access import allowed, named_papers
from corpus_gateway.cards import title_of
from corpus_gateway.wire import CorpusRequest
from reading_model.store import CurrentModel, ReadingStore
from reading_model.store.tables import PAPER_ID_BYTES


@dataclass(frozen=True, slots=True)
class CallScope:
    """Papers that the user may see inside the scope, in the scope's order.

    `searchable` maps paper ids to the models that answer; `unsearchable` names the others. `titles` holds the titles of
    both as the user knows the papers.
    """

    searchable: Mapping[str, CurrentModel]
    unsearchable: tuple[str, ...]
    titles: Mapping[str, str] = field(default_factory=dict[str, str])

    def only(self, paper_ids: Iterable[str]) -> CallScope:
        """The part of it that `paper_ids` names, in their order; other ids are left out."""
        named = allowed(paper_ids, self.searchable.keys() | set(self.unsearchable))
        return CallScope(
            searchable=MappingProxyType({name: self.searchable[name] for name in named if name in self.searchable}),
            unsearchable=tuple(name for name in named if name not in self.searchable),
            titles=MappingProxyType({name: self.titles[name] for name in named}),
        )

    def is_current(self, paper_id: str, model_version: str) -> bool:
        """Whether this model version is the one that answers for a searchable paper of the scope."""
        model = self.searchable.get(paper_id)
        return model is not None and model.model_version == model_version


def is_searchable(model: CurrentModel, contract: str) -> bool:
    """Whether a model's points are complete under the contract in force; while they are rebuilt the old ones answer."""
    return (
        model.index_status.answers
        and model.index_contract == contract
        and model.point_count == model.searchable_count > 0
    )


def call_scope(
    store: ReadingStore, request: CorpusRequest, contract: str, *, touched: Collection[str] | None = None
) -> CallScope:
    """Work the scope out from the store as it is now; raises `InvalidCorpusRequest` for a scope that names nothing.

    A call that touches a few papers alone names them in `touched`, and only those are asked about.
    """
    named = named_papers("scope_paper_ids", request.scope_paper_ids)
    if touched is not None:
        named = allowed(named, touched)
    # a longer id cannot exist, and the store would refuse to look for it
    visible = store.access.visible(request.user_id, [name for name in named if len(name.encode()) <= PAPER_ID_BYTES])
    permitted = [name for name in named if name in visible]
    models = {name: visible[name].model for name in permitted}
    searchable = {name: model for name, model in models.items() if model and is_searchable(model, contract)}
    titles = {name: title_of(name, visible[name].title, visible[name].filename) for name in permitted}
    return CallScope(
        searchable=MappingProxyType(searchable),
        unsearchable=tuple(name for name in permitted if name not in searchable),
        titles=MappingProxyType(titles),
    )
