"""Relationships between elements, each with the words that show it where there are such words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reading_model.citations import References, citations
from reading_model.documents import BlockType, NoteMark
from reading_model.mentions import Label, Labelled, caption_label, heading_label, is_continued, mentions
from reading_model.models import Element, RelationKind, Relationship, Section
from reading_model.passages import FLOATS, sentence_goes_on
from reading_model.sections import FURNITURE

_MENTIONING = frozenset({BlockType.PARAGRAPH, BlockType.LIST, BlockType.FOOTNOTE, BlockType.CAPTION})
_NOTES = frozenset({BlockType.CAPTION, BlockType.FOOTNOTE})


def labels_of(elements: Sequence[Element], sections: Sequence[Section]) -> dict[Label, int]:
    """The element that each label names: the table or figure of a caption (the caption itself where the parser found
    no more), the heading of a section. A label given twice names nothing, but for captions that say `continued`."""
    found: dict[Label, int] = {}
    doubtful: set[Label] = set()

    def note(label: Label | None, element: int) -> None:
        if label is not None and found.setdefault(label, element) != element:
            doubtful.add(label)

    for element in elements:
        if element.type is BlockType.CAPTION and not is_continued(element.text):
            label = caption_label(element.text)
            if label is not None and label.kind is not Labelled.SECTION:
                note(label, element.ordinal if element.parent is None else element.parent)
    for section in sections:
        if elements[section.first_element].type is BlockType.HEADING:
            note(heading_label(section.title), section.first_element)
    return {label: element for label, element in found.items() if label not in doubtful}


def relationships_of(
    elements: Sequence[Element], labels: Mapping[Label, int], noted: Sequence[tuple[int, NoteMark]] = ()
) -> tuple[Relationship, ...]:
    """`contains` (from a section's ordinal to an element's), captions and notes of their parents, mentions, notes of
    the text, paragraphs that go on with the one before, and citations.

    `noted` are elements with a mark of a note in their text; the mark's `note` is an element too.
    """
    return (
        *(
            Relationship(RelationKind.CONTAINS, element.section, element.ordinal)
            for element in elements
            if element.section is not None
        ),
        *_attached(elements),
        *_mentioned(elements, labels),
        *_noted(noted),
        *_continued(elements),
        *_cited(elements),
    )


def _attached(elements: Sequence[Element]) -> Iterator[Relationship]:
    for element in elements:
        if element.parent is None or element.type not in _NOTES:
            continue
        kind = RelationKind.CAPTION_OF if element.type is BlockType.CAPTION else RelationKind.FOOTNOTE_OF
        yield Relationship(kind, element.ordinal, element.parent)


def _mentioned(elements: Sequence[Element], labels: Mapping[Label, int]) -> Iterator[Relationship]:
    for element in elements:
        if element.type in FURNITURE or element.type not in _MENTIONING:
            continue
        seen: set[int] = set()
        for mention in mentions(element.text):
            target = labels.get(mention.label)
            # a caption names its own table, which is no mention of it
            if target is None or target in seen or target in {element.ordinal, element.parent}:
                continue
            seen.add(target)
            yield Relationship(RelationKind.MENTIONS, element.ordinal, target, mention.start, mention.end)


def _noted(noted: Sequence[tuple[int, NoteMark]]) -> Iterator[Relationship]:
    """Both ways, each with the mark where it stands: the text mentions the note, and the note is one of the text.

    Several marks of one note, as beside names, are one relation with the first of them.
    """
    seen: set[tuple[int, int]] = set()
    for element, mark in noted:
        if (element, mark.note) in seen:
            continue
        seen.add((element, mark.note))
        yield Relationship(RelationKind.MENTIONS, element, mark.note, mark.start, mark.end)
        yield Relationship(RelationKind.FOOTNOTE_OF, mark.note, element, mark.note_start, mark.note_end)


def _continued(elements: Sequence[Element]) -> Iterator[Relationship]:
    """From each paragraph that goes on with a sentence to the one, before a page end or a float, that begins it."""
    before: Element | None = None
    for element in elements:
        if element.type in FURNITURE or element.type in _NOTES or element.type in FLOATS:
            continue
        if element.type is BlockType.PARAGRAPH:
            follows = before is not None and before.section == element.section
            if before is not None and follows and sentence_goes_on(before.text.rstrip(), element.text):
                yield Relationship(RelationKind.CONTINUES, element.ordinal, before.ordinal)
            before = element
        else:
            before = None


def _cited(elements: Sequence[Element]) -> Iterator[Relationship]:
    entries = [element for element in elements if element.type is BlockType.REFERENCE]
    references = References.of([entry.text for entry in entries])
    for element in elements:
        if entries and element.type in _MENTIONING:
            for citation in citations(element.text, references):
                target = entries[citation.entry].ordinal
                yield Relationship(RelationKind.CITES, element.ordinal, target, citation.start, citation.end)
