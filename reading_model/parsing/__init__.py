"""Parsers: from a file's bytes to a `ParsedDocument`, in a worker process with limits.

`parse_file` parses one file, `ParserPool` thousands; both raise or yield the typed errors of `reading_model.errors`.
A parser is named: the table of names is `registry.PARSERS`. The default parser lives in `pdfium`.
"""

from reading_model.parsing.document_json import document_to_json
from reading_model.parsing.limits import ParseLimits
from reading_model.parsing.pool import ParserPool, parse_file
from reading_model.parsing.registry import PARSERS

__all__ = ["PARSERS", "ParseLimits", "ParserPool", "document_to_json", "parse_file"]
