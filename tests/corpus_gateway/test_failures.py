from __future__ import annotations

from pathlib import Path

import pytest

from corpus_gateway.errors import (
    ContractMismatch,
    CorpusUnavailable,
    GatewayError,
    InvalidCorpusRequest,
    LibraryInUse,
    PaperNotReady,
)
from corpus_gateway.failures import as_gateway_errors
from index import errors as index_errors
from reading_model import errors as store_errors


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (index_errors.IndexInUse(Path("index"), 4711), LibraryInUse),
        (index_errors.ContractMismatch(where="a paper", found="b=1", expected="b=2"), ContractMismatch),
        (index_errors.IndexUnavailable("the disk is full"), CorpusUnavailable),
        (store_errors.StoreUnavailable("the database does not answer"), CorpusUnavailable),
        (store_errors.SchemaOutOfDate("the schema is old"), CorpusUnavailable),
        (store_errors.ValueNotStorable("the text has a lone surrogate"), InvalidCorpusRequest),
    ],
)
def test_errors_below_keep_their_message_and_advice(raised: Exception, expected: type[GatewayError]) -> None:
    with pytest.raises(GatewayError) as caught, as_gateway_errors():
        raise raised
    assert type(caught.value) is expected
    assert str(caught.value) == str(raised)
    assert caught.value.hint
    assert caught.value.__cause__ is raised


def test_the_process_that_owns_the_library_is_named() -> None:
    with pytest.raises(LibraryInUse, match="4711"), as_gateway_errors():
        raise index_errors.IndexInUse(Path("index"), 4711)


@pytest.mark.parametrize("raised", [PaperNotReady("not yet"), store_errors.PaperNotFound("not there"), KeyError("bug")])
def test_other_errors_pass_as_they_are(raised: Exception) -> None:
    with pytest.raises(type(raised)) as caught, as_gateway_errors():
        raise raised
    assert caught.value is raised
