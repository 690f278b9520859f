"""What goes wrong in store and index, as errors of the gateway; code and advice are kept where callers know them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from corpus_gateway import errors
from index.errors import ContractMismatch, IndexingError, IndexInUse
from reading_model.errors import StoreError, ValueNotStorable


@contextmanager
def as_gateway_errors() -> Generator[None, None, None]:
    """Turn errors of store and index raised inside into `GatewayError`s, with the original as their cause."""
    try:
        yield
    except IndexInUse as error:
        raise errors.LibraryInUse(str(error), hint=error.hint or None) from error
    except ContractMismatch as error:
        raise errors.ContractMismatch(str(error), hint=error.hint or None) from error
    except ValueNotStorable as error:
        raise errors.InvalidCorpusRequest(str(error), hint=error.hint or None) from error
    except (StoreError, IndexingError) as error:
        raise errors.CorpusUnavailable(str(error), hint=error.hint or None) from error
