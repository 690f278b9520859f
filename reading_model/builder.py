"""From a parsed document to a reading model: pure, and the same for the same document on any machine.

Locations are numbered through the model: pages, then sections, then passages, tables and figures in reading order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from reading_model.composition import LINE_BREAK, PARAGRAPH_BREAK, Piece, joined, on_page, page_range, whole
from reading_model.continued_tables import with_whole_tables
from reading_model.documents import Block, BlockType, ParsedDocument
from reading_model.errors import NoText
from reading_model.identity import location_ref_of, model_version_of, sha256_hex
from reading_model.mentions import Label, Labelled, caption_label, is_continued, mentions
from reading_model.metadata import paper_metadata
from reading_model.models import (
    Element,
    Location,
    LocationKind,
    Page,
    PageStatus,
    ReadingModel,
    Section,
)
from reading_model.passages import FLOATS, plan_passages
from reading_model.relationships import labels_of, relationships_of
from reading_model.rounding import rounded_block
from reading_model.sections import FURNITURE, outline
from reading_model.sentences import sentences
from reading_model.text import searchable

_NOTES = frozenset({BlockType.CAPTION, BlockType.FOOTNOTE})
_MENTIONING = frozenset({BlockType.PARAGRAPH, BlockType.LIST})


def build_reading_model(document: ParsedDocument, *, paper_id: str, artifact_sha256: str) -> ReadingModel:
    """The reading model of a parsed document. Raises NoText when no page has anything to read.

    `artifact_sha256` is over the parser's output as it is kept; it goes into the model version.
    """
    document = replace(document, blocks=with_whole_tables(document.blocks))
    bare = [_element(ordinal, block) for ordinal, block in enumerate(document.blocks)]
    positions = {block.ordinal: ordinal for ordinal, block in enumerate(document.blocks)}
    tree = outline(bare)
    elements = tuple(
        replace(element, section=section, parent=None if block.parent is None else positions.get(block.parent))
        for element, block, section in zip(bare, document.blocks, tree.section_of, strict=True)
    )
    pages = tuple(_pages(document, elements))
    if all(page.status is not PageStatus.READABLE for page in pages):
        message = f"none of the {len(pages)} pages has text"
        raise NoText(message)
    labels = labels_of(elements, tree.sections)
    noted = [
        (ordinal, replace(mark, note=positions[mark.note]))
        for ordinal, block in enumerate(document.blocks)
        for mark in block.note_marks
    ]
    model_version = model_version_of(paper_id, document.provenance, artifact_sha256)
    drafts = [
        *_page_drafts(pages, elements),
        *_section_drafts(tree.sections, elements),
        *_searchable_drafts(tree.sections, elements, labels),
    ]
    return ReadingModel(
        paper_id=paper_id,
        model_version=model_version,
        source_sha256=document.source_sha256,
        provenance=document.provenance,
        pages=pages,
        sections=tree.sections,
        elements=elements,
        locations=tuple(
            _location(paper_id, model_version, ordinal, draft, tree.sections) for ordinal, draft in enumerate(drafts)
        ),
        relationships=relationships_of(elements, labels, noted),
        metadata=paper_metadata(document.metadata, elements, tree.sections),
        diagnostics=document.diagnostics,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """A location before it has its text and reference."""

    kind: LocationKind
    pieces: tuple[Piece, ...]
    section: int | None
    pages: tuple[int, int]


def _element(ordinal: int, block: Block) -> Element:
    block = rounded_block(block)
    pages = [block.page, *(line.page for line in block.lines), *(box.page for box in block.boxes)]
    found = searchable(block.text)
    return Element(
        ordinal=ordinal,
        type=block.type,
        page=block.page,
        page_end=max(pages),
        section=None,
        text=block.text,
        searchable_text=None if found == block.text else found,
        level=block.level,
        lines=block.lines,
        boxes=block.boxes,
        table=block.table,
        image=block.image,
    )


def _pages(document: ParsedDocument, elements: Sequence[Element]) -> Iterator[Page]:
    sizes = {page.number: page for page in document.pages}
    texts = _page_pieces(elements)
    for number in range(1, max(sizes, default=0) + 1):
        text, _ = joined(texts.get(number, ()))
        size = sizes.get(number)
        if size is None:
            yield Page(number, None, text, sha256_hex(text), PageStatus.MISSING, 0.0, 0.0)
            continue
        status = PageStatus.READABLE if text else PageStatus.TEXTLESS
        yield Page(number, size.label, text, sha256_hex(text), status, size.width, size.height, size.rotation)


def _page_pieces(elements: Sequence[Element]) -> dict[int, list[Piece]]:
    pieces: dict[int, list[Piece]] = {}
    for element in elements:
        if element.type in FURNITURE:
            continue
        for page in range(element.page, element.page_end + 1):
            piece = on_page(element, page)
            if piece is not None:
                pieces.setdefault(page, []).append(piece)
    return pieces


def _page_drafts(pages: Sequence[Page], elements: Sequence[Element]) -> Iterator[_Draft]:
    pieces = _page_pieces(elements)
    for page in pages:
        if page.status is not PageStatus.READABLE:
            continue
        held = pieces[page.number]
        inside = {piece.element.section for piece in held}
        # a page that several sections share belongs to none of them
        section = inside.pop() if len(inside) == 1 else None
        yield _Draft(LocationKind.PAGE, tuple(held), section, (page.number, page.number))


def _section_drafts(sections: Sequence[Section], elements: Sequence[Element]) -> Iterator[_Draft]:
    for section in sections:
        pieces = tuple(whole(element) for element in _held(section, elements) if element.text.strip())
        if pieces:
            yield _Draft(LocationKind.SECTION, pieces, section.ordinal, (section.page, section.page_end))


def _held(section: Section, elements: Sequence[Element]) -> Iterator[Element]:
    for element in elements[section.first_element : section.end_element]:
        if element.section == section.ordinal:
            yield element


def _searchable_drafts(
    sections: Sequence[Section], elements: Sequence[Element], labels: Mapping[Label, int]
) -> list[_Draft]:
    """Passages, tables and figures, in the order of the element with which they start."""
    floats, drafts = _float_drafts(elements, labels)
    for section in sections:
        heading = section.first_element if elements[section.first_element].type is BlockType.HEADING else None
        body = (element for element in _held(section, elements) if element.ordinal != heading)
        for pieces in plan_passages(body, floats):
            drafts.append((pieces[0].element.ordinal, _passage(pieces, section.ordinal)))
    # the sort is stable, so pieces of one long paragraph keep their order
    return [draft for _, draft in sorted(drafts, key=lambda item: item[0])]


def _passage(pieces: tuple[Piece, ...], section: int) -> _Draft:
    return _Draft(LocationKind.PASSAGE, pieces, section, page_range(pieces))


def _float_drafts(
    elements: Sequence[Element], labels: Mapping[Label, int]
) -> tuple[frozenset[int], list[tuple[int, _Draft]]]:
    """Tables and figures, and the ordinals of all elements that belong to one."""
    attached: dict[int, list[Element]] = {}
    for element in elements:
        if element.type in _NOTES and element.parent is not None and elements[element.parent].type in FLOATS:
            attached.setdefault(element.parent, []).append(element)
    mentioning = _mentioning_sentences(elements, labels)
    taken = {note.ordinal for notes in attached.values() for note in notes}
    drafts: list[tuple[int, _Draft]] = []
    for element in elements:
        if element.type in FLOATS:
            notes = attached.get(element.ordinal, [])
        elif element.ordinal not in taken and _is_figure_caption(element):
            notes = [element]  # the parser found the caption of a drawing but not the drawing
        else:
            continue
        taken.add(element.ordinal)
        if element.type is BlockType.TABLE:
            kind, pieces = LocationKind.TABLE, _table_pieces(element, notes)
        else:
            kind, pieces = LocationKind.FIGURE, _figure_pieces(notes, mentioning.get(element.ordinal, []))
        if pieces:
            drafts.append((element.ordinal, _Draft(kind, pieces, element.section, (element.page, element.page_end))))
    return frozenset(taken), drafts


def _is_figure_caption(element: Element) -> bool:
    if element.type is not BlockType.CAPTION:
        return False
    label = caption_label(element.text)
    return label is not None and label.kind is Labelled.FIGURE


def _table_pieces(table: Element, notes: Sequence[Element]) -> tuple[Piece, ...]:
    captions = [note for note in notes if note.type is BlockType.CAPTION]
    # on each further page of a table stands no more than its label again
    captions = [caption for caption in captions if not is_continued(caption.text)] or captions
    below = [note for note in notes if note.type is BlockType.FOOTNOTE]
    return tuple(whole(element, LINE_BREAK) for element in (*captions, table, *below) if element.text.strip())


def _figure_pieces(notes: Sequence[Element], mentioning: Sequence[Piece]) -> tuple[Piece, ...]:
    return (*(whole(note, PARAGRAPH_BREAK) for note in notes if note.text.strip()), *mentioning)


def _mentioning_sentences(elements: Sequence[Element], labels: Mapping[Label, int]) -> dict[int, list[Piece]]:
    """For each figure, the sentences of the running text that name it."""
    figures = {label: element for label, element in labels.items() if label.kind is Labelled.FIGURE}
    found: dict[int, list[Piece]] = {}
    if not figures:
        return found
    for element in elements:
        if element.type not in _MENTIONING:
            continue
        named = [
            (mention.end, figures[mention.label]) for mention in mentions(element.text) if mention.label in figures
        ]
        if not named:
            continue
        for start, end in sentences(element.text):
            for figure in dict.fromkeys(figure for offset, figure in named if start < offset <= end):
                found.setdefault(figure, []).append(Piece(element, start, end))
    return found


def _location(paper_id: str, model_version: str, ordinal: int, draft: _Draft, sections: Sequence[Section]) -> Location:
    text, parts = joined(draft.pieces)
    section = None if draft.section is None else sections[draft.section]
    found = searchable(text)
    return Location(
        ref=location_ref_of(paper_id, model_version, draft.kind.value, ordinal, text),
        kind=draft.kind,
        ordinal=ordinal,
        page=draft.pages[0],
        page_end=draft.pages[1],
        section=draft.section,
        section_title=None if section is None else section.title,
        section_path=None if section is None else section.path,
        text=text,
        text_sha256=sha256_hex(text),
        parts=parts,
        searchable_text=None if found == text else found,
        element_types=tuple(dict.fromkeys(piece.element.type for piece in draft.pieces)),
    )
