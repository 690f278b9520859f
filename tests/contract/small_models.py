"""Reading models made by hand from the papers of the suite, with a rectangle for every line of text."""

from __future__ import annotations

from corpus_gateway.memory import MemoryLocation, MemoryPaper
from reading_model.documents import BlockType, Line, PageBox, Provenance, Rect
from reading_model.identity import location_ref_of, model_version_of, sha256_hex
from reading_model.models import (
    Element,
    Location,
    LocationKind,
    Page,
    PageStatus,
    PaperMetadata,
    Part,
    ReadingModel,
    Section,
)

PROVENANCE = Provenance(parser="by-hand", version="7")
WIDTH, HEIGHT = 600.0, 800.0


def model_of(paper: MemoryPaper) -> ReadingModel:
    """One element a paragraph, one section a path, one location a given one, and its pages and sections."""
    content = sha256_hex("\x1e".join(item.text for item in paper.locations))
    version = model_version_of(paper.paper_id, PROVENANCE, content)
    maker = _Maker(paper, version)
    for item in paper.locations:
        maker.take(item)
    pages = maker.pages()
    maker.add_sections()
    maker.add_pages()
    return ReadingModel(
        paper_id=paper.paper_id,
        model_version=version,
        source_sha256=sha256_hex(paper.paper_id),
        provenance=PROVENANCE,
        pages=tuple(pages),
        sections=tuple(maker.sections),
        elements=tuple(maker.elements),
        locations=tuple(maker.locations),
        relationships=(),
        metadata=metadata_of(paper),
    )


def metadata_of(paper: MemoryPaper) -> PaperMetadata:
    return PaperMetadata(
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        venue=paper.venue,
        doi=paper.doi,
        arxiv_id=paper.arxiv_id,
        abstract=paper.abstract,
    )


class _Maker:
    def __init__(self, paper: MemoryPaper, version: str) -> None:
        self.paper = paper
        self.version = version
        self.sections: list[Section] = []
        self.elements: list[Element] = []
        self.locations: list[Location] = []
        self._heights: dict[int, float] = {}

    def take(self, item: MemoryLocation) -> None:
        section = self._section(item)
        first = len(self.elements)
        texts = item.text.split("\n\n") if item.kind == "passage" else [item.text]
        types = [*item.element_types, *["paragraph"] * len(texts)]
        for text, block_type in zip(texts, types, strict=False):
            self._element(item, BlockType(block_type), text, section)
        self._add(LocationKind(item.kind), self.elements[first:], section)

    def pages(self) -> list[Page]:
        texts = {page: "\n\n".join(element.text for element in members) for page, members in self._by_page().items()}
        last = max(texts, default=1)
        return [
            Page(
                number=number,
                label=None,
                text=texts.get(number, ""),
                text_sha256=sha256_hex(texts.get(number, "")),
                status=PageStatus.READABLE if number in texts else PageStatus.TEXTLESS,
                width=WIDTH,
                height=HEIGHT,
            )
            for number in range(1, last + 1)
        ]

    def add_sections(self) -> None:
        for section in self.sections:
            members = [element for element in self.elements if element.section == section.ordinal]
            self._add(LocationKind.SECTION, members, section.ordinal)

    def add_pages(self) -> None:
        for _, members in sorted(self._by_page().items()):
            self._add(LocationKind.PAGE, members, members[0].section)

    def _by_page(self) -> dict[int, list[Element]]:
        found: dict[int, list[Element]] = {}
        for element in self.elements:
            found.setdefault(element.page, []).append(element)
        return found

    def _section(self, item: MemoryLocation) -> int | None:
        if item.section is None:
            return None
        known = {section.path: section.ordinal for section in self.sections}
        if item.section in known:
            return known[item.section]
        above, _, title = item.section.rpartition(" > ")
        ordinal = len(self.sections)
        self.sections.append(
            Section(
                ordinal=ordinal,
                title=title,
                level=item.section.count(" > ") + 1,
                path=item.section,
                parent=known.get(above),
                page=item.page,
                page_end=item.page,
                first_element=len(self.elements),
                end_element=len(self.elements) + 1,
            )
        )
        return ordinal

    def _element(self, item: MemoryLocation, block_type: BlockType, text: str, section: int | None) -> None:
        top = self._heights.get(item.page, 50.0)
        lines: list[Line] = []
        start = 0
        for row in text.split("\n"):
            if row:
                edges = tuple(50.0 + 500.0 * index / len(row) for index in range(len(row) + 1))
                rect = Rect(50.0, top, 550.0, top + 10)
                lines.append(Line(start=start, end=start + len(row), page=item.page, rect=rect, edges=edges))
            start += len(row) + 1
            top += 12
        self._heights[item.page] = top + 12
        boxes = (PageBox(item.page, Rect(50.0, lines[0].rect.y0, 550.0, lines[-1].rect.y1)),)
        self.elements.append(
            Element(
                ordinal=len(self.elements),
                type=block_type,
                page=item.page,
                page_end=item.page,
                section=section,
                text=text,
                lines=tuple(lines),
                boxes=boxes,
            )
        )

    def _add(self, kind: LocationKind, members: list[Element], section: int | None) -> None:
        text = ""
        parts: list[Part] = []
        for element in members:
            text += "\n\n" if text else ""
            parts.append(Part(element=element.ordinal, element_start=0, element_end=len(element.text), start=len(text)))
            text += element.text
        ordinal = len(self.locations)
        named = None if section is None else self.sections[section]
        location = Location(
            ref=location_ref_of(self.paper.paper_id, self.version, kind.value, ordinal, text),
            kind=kind,
            ordinal=ordinal,
            page=members[0].page,
            page_end=members[-1].page,
            section=section,
            section_title=named.title if named else None,
            section_path=named.path if named else None,
            text=text,
            text_sha256=sha256_hex(text),
            parts=tuple(parts),
            element_types=tuple(dict.fromkeys(element.type for element in members)),
        )
        self.locations.append(location)
