"""The other forms of MinerU's result, brought to that of the flat content list, block by block.

`content_list_v2.json`: a list of pages with typed spans. `structured_content.json`: pages of blocks. Layout, also
called middle: `pdf_info` with page sizes, blocks, lines and spans in page units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from reading_model.errors import DamagedArtifact
from reading_model.parsing.mineru.bundle import Role
from reading_model.parsing.mineru.json_values import Json, is_list, list_of, numbers, object_of, text_of, whole_number
from reading_model.text import line_separator

_V2_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "paragraph": "text",
        "equation_interline": "equation",
        "page_header": "header",
        "page_footer": "footer",
        "page_aside_text": "aside_text",
    }
)
_MIDDLE_TYPES: Mapping[str, str] = MappingProxyType(
    {"interline_equation": "equation", "doc_title": "title", "paragraph_title": "title"}
)
_V2_SPANS = ("equation_inline", "inline_equation")


def flat_blocks(role: Role, document: object) -> list[Json]:
    """The blocks of a document of that role as those of a flat content list. Raises DamagedArtifact for others."""
    if role is Role.CONTENT_LIST:
        if not is_list(document):
            raise _wrong(role)
        return list(_kept(list_of(document)))
    if role is Role.CONTENT_LIST_V2:
        pages = list_of(document)
        if not is_list(document) or not all(map(is_list, pages)):
            raise _wrong(role)
        return [_of_v2(object_of(block), index) for index, page in enumerate(pages) for block in list_of(page)]
    pages = page_list(document)
    if pages is None:
        raise _wrong(role)
    make = _of_structured if role is Role.STRUCTURED else _of_middle
    return [block for index, page in enumerate(pages) for block in make(object_of(page), index)]


def page_list(document: object) -> list[object] | None:
    """The pages of a layout or structured document; None where it has none."""
    values = object_of(document)
    pages = next((values[name] for name in ("pdf_info", "pages") if isinstance(values.get(name), list)), None)
    return None if pages is None else list_of(pages)


def page_index(page: Json, position: int) -> int:
    """The index a page gives itself, or its position."""
    index = whole_number(page.get("page_idx"))
    return position if index is None else index


def _kept(blocks: list[object]) -> Iterator[Json]:
    for block in blocks:
        values = object_of(block)
        yield values or {"type": "raw", "raw": block}


def _wrong(role: Role) -> DamagedArtifact:
    return DamagedArtifact(f"{role.value} has not the form of a MinerU {role.name.lower().replace('_', ' ')}.")


def _of_v2(block: Json, index: int) -> Json:
    name = text_of(block.get("type"))
    content = object_of(block.get("content"))
    flat: Json = {"type": _V2_TYPES.get(name, name), "bbox": block.get("bbox"), "page_idx": index}
    if name == "list":
        items = [v2_text(object_of(item).get("item_content")) for item in list_of(content.get("list_items"))]
        return {
            **flat,
            "list_items": items,
            "sub_type": "ref_text" if content.get("list_type") == "reference_list" else "",
        }
    for part, value in content.items():
        if part.endswith(("_caption", "_footnote")):
            flat[part.replace("algorithm_", "code_")] = [v2_text(value)]
    if "image_source" in content:
        flat["img_path"] = text_of(object_of(content["image_source"]).get("path"))
    flat["text"] = (
        v2_text(content.get(f"{name}_content"))
        or text_of(content.get("math_content"))
        or text_of(content.get("content"))
    )
    if name == "table":
        flat["table_body"] = text_of(content.get("html"))
    if name == "title":
        flat["text_level"] = whole_number(content.get("level")) or 1
        flat["type"] = "text"
    known = bool(flat["text"] or flat.get("table_body") or "image_source" in content)
    return flat if known or not content else {**flat, "raw": content}


def v2_text(spans: object) -> str:
    """The text of a list of typed spans; formulas between dollar signs."""
    if isinstance(spans, str):
        return spans
    parts: list[str] = []
    for item in list_of(spans):
        span = object_of(item)
        content = text_of(span.get("content")) or v2_text(span.get("children"))
        parts.append(f" ${content.strip()}$ " if text_of(span.get("type")) in _V2_SPANS else content)
    return "".join(parts)


def _of_structured(page: Json, position: int) -> Iterator[Json]:
    index = page_index(page, position)
    for item in list_of(page.get("blocks")):
        block = object_of(item)
        name = text_of(block.get("type"))
        flat: Json = {**block, "page_idx": index}
        if name in {"doc_title", "paragraph_title", "title"}:
            default = 1 if name == "doc_title" else 2
            flat.update(type="text", text_level=whole_number(block.get("level")) or default)
        if "image_source" in block:
            source = block["image_source"]
            flat["img_path"] = text_of(source) or text_of(object_of(source).get("path"))
        flat["caption"] = block.get("captions", block.get("caption"))
        flat["footnote"] = block.get("footnotes", block.get("footnote"))
        yield flat


def _of_middle(page: Json, position: int) -> Iterator[Json]:
    index = page_index(page, position)
    size = numbers(page.get("page_size"), 2) or (0.0, 0.0)
    blocks = list_of(page.get("para_blocks")) or list_of(page.get("preproc_blocks")) or list_of(page.get("blocks"))
    for item in [*blocks, *list_of(page.get("discarded_blocks"))]:
        block = object_of(item)
        flat = _flat_middle(block)
        flat.update(page_idx=index, bbox=in_thousandths(block.get("bbox"), size))
        yield flat


def in_thousandths(bbox: object, size: tuple[float, ...]) -> list[float] | None:
    """A box in page units as thousandths of the page."""
    found = numbers(bbox, 4)
    if found is None or min(size) <= 0:
        return None
    return [value * 1000 / size[index % 2] for index, value in enumerate(found)]


def _flat_middle(block: Json) -> Json:
    name = text_of(block.get("type"))
    flat: Json = {"type": _MIDDLE_TYPES.get(name, name), "sub_type": block.get("sub_type")}
    parts = [object_of(part) for part in list_of(block.get("blocks"))]
    if name in {"list", "index"} and parts:
        items = [middle_text(part) for part in parts]
        is_references = any(text_of(part.get("type")) == "ref_text" for part in parts)
        return {**flat, "list_items": items, "sub_type": "ref_text" if is_references else ""}
    for part in parts:
        kind = text_of(part.get("type"))
        if kind.endswith(("_caption", "_footnote")):
            noted = flat.setdefault(kind, [])
            noted.append(middle_text(part))
    bodies = [part for part in parts if text_of(part.get("type")).endswith("_body")] or ([] if parts else [block])
    flat["text"] = "\n".join(filter(None, map(middle_text, bodies)))
    spans = [span for body in bodies for span in spans_of(body)]
    flat["table_body"] = next((html for span in spans if (html := text_of(span.get("html")))), "")
    flat["img_path"] = next((path for span in spans if (path := text_of(span.get("image_path")))), "")
    if flat["type"] == "title":
        flat.update(type="text", text_level=whole_number(block.get("level")) or (1 if name == "doc_title" else 2))
    if name == "discarded":
        flat["type"] = "aside_text"
    return flat


def spans_of(block: Json) -> Iterator[Json]:
    """The spans of a layout block in order."""
    for line in list_of(block.get("lines")):
        yield from map(object_of, list_of(object_of(line).get("spans")))


def line_text(line: Json) -> str:
    """The text of one printed line, formulas between dollar signs."""
    parts: list[str] = []
    for item in list_of(line.get("spans")):
        span = object_of(item)
        content = text_of(span.get("content"))
        if text_of(span.get("type")) == "inline_equation":
            content = f"${content.strip()}$"
        if content:
            parts.append(content)
    return " ".join(parts)


def middle_text(block: Json) -> str:
    """The running text of a layout block: lines joined, words that a line end breaks put together.

    Code keeps its lines.
    """
    text = ""
    keeps_lines = text_of(block.get("type")) in {"code_body", "algorithm"}
    for item in list_of(block.get("lines")):
        line = line_text(object_of(item)).strip()
        if not line:
            continue
        if keeps_lines:
            text = f"{text}\n{line}" if text else line
        elif text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
            text = text[:-1] + line
        else:
            text = f"{text}{line_separator(text, line)}{line}" if text else line
    return text
