"""Which parsers exist: a name, and the callable that a worker imports for it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol, cast

from reading_model.documents import ParsedDocument, Provenance
from reading_model.errors import ParserUnavailable
from reading_model.parsing.limits import ParseLimits


class Parser(Protocol):
    """Turns a file's bytes into a parsed document; raises a `ParseError`."""

    def __call__(self, data: bytes, *, password: str | None, limits: ParseLimits) -> ParsedDocument:
        """Parse `data`, opening it with `password` where it needs one."""
        ...


PARSERS: Mapping[str, str] = MappingProxyType(
    {
        "pdfium": "reading_model.parsing.pdfium.parser:parse",
        "mineru-artifact": "reading_model.parsing.mineru.parser:parse",
        "paperloom-export": "reading_model.parsing.mineru.paperloom:parse",
        "pdfium+ocr": "reading_model.parsing.pdfium.parser:parse_with_ocr",
    }
)
"""Parser name to `module:function`. Workers import the function, so that a name is all that crosses processes."""

PATIENCE: Mapping[str, float] = MappingProxyType({"pdfium+ocr": 12.0})
"""How many times the time limit a parser gets: OCR takes seconds a page, so that a scanned book takes an hour."""


def load_parser(name: str, parsers: Mapping[str, str] = PARSERS) -> Parser:
    """The parser of that name; raises ParserUnavailable if there is none or its module cannot be imported."""
    target = parsers.get(name)
    if target is None:
        raise unknown_parser(name, parsers)
    module_name, _, function_name = target.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ParserUnavailable(f"The parser `{name}` is not installed: {error}.") from error
    return cast("Parser", getattr(module, function_name))


def declared_provenance(name: str, parsers: Mapping[str, str] = PARSERS) -> Provenance | None:
    """What the parser of that name writes into every document, where its module says so in `PROVENANCE`.

    None where that differs from file to file. Raises ParserUnavailable like `load_parser`.
    """
    module = importlib.import_module(load_parser(name, parsers).__module__)
    declared = getattr(module, "PROVENANCE", None)
    return declared if isinstance(declared, Provenance) and declared.parser == name else None


def unknown_parser(name: str, parsers: Mapping[str, str]) -> ParserUnavailable:
    """The error that names the parsers there are."""
    return ParserUnavailable(f"There is no parser `{name}`; known: {', '.join(sorted(parsers))}.")
