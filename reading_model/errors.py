"""Errors of the reading model.

ReadingModelError
├── ParseError                 a file could not be turned into a parsed document
│   ├── NotAPdf                not_a_pdf
│   ├── DamagedPdf             damaged
│   ├── PasswordRequired       password_required
│   ├── PasswordWrong          password_wrong
│   ├── FileTooLarge           too_large
│   ├── NotAnArtifact          not_an_artifact
│   ├── DamagedArtifact        artifact_damaged
│   ├── UnsafeArchive          archive_unsafe
│   ├── ParserTimeout          parser_timeout
│   ├── ParserCrashed          parser_crashed
│   └── ParserUnavailable      parser_unavailable
├── NoText                     no_text: parsed, but there is nothing to read or cite
├── BibliographyUnreadable     bibliography_unreadable: a BibTeX or CSL-JSON file is broken
├── StoreError                 the store cannot be used or refuses a value
│   ├── SchemaOutOfDate        schema_out_of_date
│   ├── StoreUnavailable       store_unavailable
│   ├── ValueNotStorable       value_not_storable
│   ├── LeaseLost              lease_lost: somebody else took over what this process was building
│   ├── ContractChanged        index_contract_changed: the index was rebuilt while points were written into the old one
│   └── ObjectMissing          object_missing
└── PaperNotFound              paper_not_found

Every error has a stable `code` and says what to do next in `hint`.
"""

from __future__ import annotations


class ReadingModelError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "reading_model_error"
    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class ParseError(ReadingModelError):
    """A file could not be turned into a parsed document."""

    code = "parse_error"


class NotAPdf(ParseError):
    """The bytes are no PDF at all, for instance an HTML error page or an empty file."""

    code = "not_a_pdf"
    hint = "Check the download: the file does not start like a PDF."


class DamagedPdf(ParseError):
    """The file starts like a PDF but cannot be opened or its pages cannot be loaded."""

    code = "damaged"
    hint = "Download the file again, or repair it with a PDF tool."


class PasswordRequired(ParseError):
    """The file opens only with a password and none was given."""

    code = "password_required"
    hint = "Give the password with --password-file."


class PasswordWrong(ParseError):
    """A password was given and does not open the file."""

    code = "password_wrong"
    hint = "Give another password with --password-file."


class FileTooLarge(ParseError):
    """The file has more bytes or pages than the limit allows."""

    code = "too_large"
    hint = "Raise the limit, or split the file."


class NotAnArtifact(ParseError):
    """A folder, archive or JSON file was given as the output of a parser, and is none that can be imported."""

    code = "not_an_artifact"
    hint = "Give a folder or zip that holds MinerU's content_list.json, structured_content.json or layout.json."


class DamagedArtifact(ParseError):
    """The output of a parser is cut off, broken, or not of the form its name promises."""

    code = "artifact_damaged"
    hint = "Fetch the parser's output again."


class UnsafeArchive(ParseError):
    """An archive holds what no archive of papers needs: paths out of it, links, encrypted or overlapping entries."""

    code = "archive_unsafe"
    hint = "Do not trust this archive; pack the parser's output again if it is your own."


class ParserTimeout(ParseError):
    """The parser did not finish within its time limit and was stopped."""

    code = "parser_timeout"
    hint = "Raise the time limit, or try another parser."


class ParserCrashed(ParseError):
    """The parser process died or ran out of memory; other files are not affected."""

    code = "parser_crashed"
    hint = "Try another parser, and report the file."


class ParserUnavailable(ParseError):
    """The named parser does not exist or is not installed."""

    code = "parser_unavailable"
    hint = "Use the parser `pdfium`, or install the extra that the parser needs."


class NoText(ReadingModelError):
    """The document has no usable text, so nothing in it can be cited."""

    code = "no_text"
    hint = "If the pages are pictures, add the file with `--ocr auto`."


class BibliographyUnreadable(ReadingModelError):
    """A BibTeX or CSL-JSON file cannot be read; nothing of it was used."""

    code = "bibliography_unreadable"
    hint = "Mend the place that is named; the file must be BibTeX or CSL-JSON in UTF-8."


class StoreError(ReadingModelError):
    """The store cannot be used or refuses a value."""

    code = "store_error"


class SchemaOutOfDate(StoreError):
    """The database has another schema version than this release."""

    code = "schema_out_of_date"
    hint = "Run `paperledger db upgrade`."


class StoreUnavailable(StoreError):
    """The database cannot be reached or is not set up as the product needs it."""

    code = "store_unavailable"
    hint = "Check PAPERLEDGER_DATABASE_URL and that the server runs."


class ValueNotStorable(StoreError):
    """A value cannot be stored without loss; nothing was written."""

    code = "value_not_storable"


class LeaseLost(StoreError):
    """Somebody else took over what this process was building; nothing of it becomes current."""

    code = "lease_lost"
    hint = "Nothing is lost: the new owner finishes it. `paperledger index status` shows who that is."


class ContractChanged(StoreError):
    """The index was rebuilt under another contract while points were written under the old one."""

    code = "index_contract_changed"
    hint = "Try again: the points then go into the new index."


class ObjectMissing(StoreError):
    """The object store has no such object."""

    code = "object_missing"
    hint = "Add the paper again."


class PaperNotFound(ReadingModelError):
    """No such paper in the library, or not one of yours."""

    code = "paper_not_found"
    hint = "List the papers with `paperledger papers`."


def hint_of(code: str) -> str:
    """What to do about a failure that is kept by its code alone; empty where its error gives no general advice."""
    kinds: list[type[ReadingModelError]] = [ReadingModelError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return next((kind.hint for kind in kinds if kind.code == code), "")
