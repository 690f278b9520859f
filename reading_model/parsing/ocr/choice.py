"""Which engine reads: Tesseract where it is installed, else RapidOCR."""

from __future__ import annotations

from reading_model.errors import ParserUnavailable
from reading_model.parsing.ocr.rapid import find_rapid
from reading_model.parsing.ocr.reading import OcrEngine
from reading_model.parsing.ocr.tesseract import find_tesseract


def find_engine() -> OcrEngine:
    """The engine of this machine. Raises ParserUnavailable, which says what to install.

    Tesseract comes first by measurement: the same words in a third of the time (docs/parsing.md).
    """
    engine = find_tesseract() or find_rapid()
    if engine is not None:
        return engine
    raise ParserUnavailable(
        "There is no OCR engine on this machine.",
        hint="Install Tesseract (Debian: apt-get install tesseract-ocr; macOS: brew install tesseract), "
        "or the extra: pip install 'paperledger[ocr]'.",
    )
