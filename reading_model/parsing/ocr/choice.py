"""Which engine reads: Tesseract where it is installed, else RapidOCR."""

from __future__ import annotations

from importlib.util import find_spec

from reading_model.errors import ParserUnavailable
from reading_model.parsing.ocr.reading import OcrEngine
from reading_model.parsing.ocr.tesseract import find_tesseract


def find_engine() -> OcrEngine:
    """The engine of this machine. Raises ParserUnavailable, which says what to install.

    Tesseract comes first by measurement: the same words in a third of the time (docs/parsing.md).
    """
    tesseract = find_tesseract()
    if tesseract is not None:
        return tesseract
    if find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None:
        from reading_model.parsing.ocr.rapid import RapidEngine  # noqa: PLC0415 - its libraries take seconds to import

        return RapidEngine()
    raise ParserUnavailable(
        "There is no OCR engine on this machine.",
        hint="Install Tesseract (Debian: apt-get install tesseract-ocr; macOS: brew install tesseract), "
        "or the extra: pip install 'paperledger[ocr]'.",
    )
