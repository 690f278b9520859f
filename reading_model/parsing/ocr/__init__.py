"""Text recognition: from the picture of a page to words with their places.

An engine is whatever reads a `GreyImage`: `Tesseract` (a program that the system has) or `RapidOcr` (the extra `ocr`).
Nothing here knows PDF; `reading_model.parsing.pdfium.scans` decides which pages are read and puts words on the page.
"""

from reading_model.parsing.ocr.choice import find_engine
from reading_model.parsing.ocr.reading import GreyImage, OcrEngine, Reading, ReadLine, ReadWord, Unread

__all__ = ["GreyImage", "OcrEngine", "ReadLine", "ReadWord", "Reading", "Unread", "find_engine"]
