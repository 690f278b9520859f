"""Sizes of a PDF's pages, without reading what stands on them."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingImports=false
# pypdfium2 carries no types; the values that leave this module are typed.

from __future__ import annotations

import pypdfium2

from reading_model.documents import ParsedPage
from reading_model.errors import DamagedPdf, FileTooLarge


def pdf_pages(data: bytes, password: str | None, max_pages: int) -> list[ParsedPage]:
    """The pages up to the first that cannot be loaded. Raises DamagedPdf (no password, too) or FileTooLarge."""
    try:
        document = pypdfium2.PdfDocument(data, password=password)
    except pypdfium2.PdfiumError as error:
        raise DamagedPdf(f"The PDF cannot be opened: {error}.") from error
    try:
        count = len(document)
        if count > max_pages:
            raise FileTooLarge(f"The file has {count:,} pages; the limit is {max_pages:,}.")
        pages: list[ParsedPage] = []
        for index in range(count):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                break
            left, bottom, right, top = page.get_bbox()
            label = document.get_page_label(index) or None
            pages.append(ParsedPage(index + 1, right - left, top - bottom, page.get_rotation(), label))
            page.close()
        return pages
    finally:
        document.close()
