"""What a search limited to element types looks at: tables, figures, passages, or passages holding such an element."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from corpus_gateway.wire import ElementType

_FIGURES = frozenset({"image", "figure", "chart"})
_BLOCKS: dict[str, tuple[str, ...]] = {
    "paragraph": ("paragraph",),
    "heading": ("heading", "title"),
    "list": ("list",),
    "footnote": ("footnote",),
    "formula": ("formula",),
    "aside": ("aside",),
}


@dataclass(frozen=True, slots=True)
class ElementFilter:
    """A union: locations of `kinds`, and passages that contain a block of `blocks`. Both empty: no restriction."""

    kinds: frozenset[str]
    blocks: frozenset[str]

    def admits(self, kind: str, blocks: Collection[str]) -> bool:
        """Whether a location of this kind, with these block types inside, is looked at."""
        if not self.kinds and not self.blocks:
            return True
        return kind in self.kinds or (kind == "passage" and not self.blocks.isdisjoint(blocks))


def element_filter(element_types: Iterable[ElementType]) -> ElementFilter:
    """The filter that `LocationSearchRequest.element_types` stands for."""
    kinds: set[str] = set()
    blocks: set[str] = set()
    for name in element_types:
        if name in _FIGURES:
            kinds.add("figure")
        elif name in {"table", "passage"}:
            kinds.add(name)
        else:
            blocks.update(_BLOCKS[name])
    return ElementFilter(kinds=frozenset(kinds), blocks=frozenset(blocks))
