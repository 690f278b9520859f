"""Lines that survive careless writers and readers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from pydantic_core import PydanticSerializationError

from harness.service.ndjson import NdjsonDecoder, encode_line, encode_object
from harness.unicode_text import well_formed

LINE_SEPARATORS = "one\u0085two\u2028three\u2029four"

# What the stored case says that a reader must find; U+0085, U+2028 and U+2029 stand unescaped in its bytes.
F29_TEXTS = [
    "reading page 3 of “Spans”",
    "line one\u2028line two\u2029line three\u0085line four",
    "增益为4.1点 🧪 naïve [1]",
]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def decode_in_pieces(*pieces: bytes) -> list[object]:
    decoder = NdjsonDecoder()
    values = [value for piece in pieces for value in decoder.feed(piece)]
    return [*values, *decoder.finish()]


@pytest.fixture
def f29_bytes() -> bytes:
    return b"".join(
        json.dumps({"type": "progress", "text": text}, ensure_ascii=False).encode() + b"\n" for text in F29_TEXTS
    )


def test_f29_a_reader_finds_every_event_wherever_the_stream_is_cut(f29_bytes: bytes) -> None:
    for cut in range(len(f29_bytes) + 1):
        values = decode_in_pieces(f29_bytes[:cut], f29_bytes[cut:])
        assert [value["text"] for value in values] == F29_TEXTS  # type: ignore[index]


def test_f29_a_reader_of_single_bytes_finds_every_event(f29_bytes: bytes) -> None:
    values = decode_in_pieces(*(bytes([byte]) for byte in f29_bytes))
    assert [value["text"] for value in values] == F29_TEXTS  # type: ignore[index]


@pytest.mark.data
def test_f29_the_stored_stream_is_read_whole_at_every_cut() -> None:
    path = Path(__file__).parents[4] / "shared/cases/inputs/f29-events.ndjson"
    if not path.exists():
        pytest.skip("../shared/cases is not here")
    data = path.read_bytes()
    for cut in range(len(data) + 1):
        values = decode_in_pieces(data[:cut], data[cut:])
        assert [value["text"] for value in values] == F29_TEXTS  # type: ignore[index]


@pytest.mark.parametrize("text", F29_TEXTS)
def test_f29_what_is_written_has_one_line_for_every_splitter(text: str) -> None:
    line = encode_line({"text": text})
    assert len(line.decode().splitlines()) == 1
    assert line.count(b"\n") == 1
    assert json.loads(line)["text"] == text
    assert "\ufffd" not in line.decode()


def test_characters_that_end_no_line_stay_readable() -> None:
    assert encode_object({"text": "增益🧪"}) == '{"text":"增益🧪"}'.encode()


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert json.loads(encode_object({"\ud800k": ["a\udfffb"]})) == {"\ufffdk": ["a\ufffdb"]}


def test_a_pair_of_surrogates_becomes_the_character_that_it_means() -> None:
    assert well_formed("\ud83e\uddea") == "🧪"


def test_a_number_that_json_lacks_becomes_null() -> None:
    assert encode_object([math.nan, math.inf]) == b"[null,null]"


def test_a_value_without_json_form_is_refused() -> None:
    with pytest.raises(PydanticSerializationError):
        encode_object({"value": object()})


@examples(deadline=None)
@given(JSON_VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    assert decode_in_pieces(encode_line(value)) == [value]


@examples(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_any_text_has_a_form_that_utf8_can_hold(text: str) -> None:
    repaired = well_formed({"t": (text,)})["t"][0]
    assert repaired.encode().decode() == repaired
    assert json.loads(encode_object(text)) == repaired


def test_a_last_line_without_line_feed_counts() -> None:
    assert decode_in_pieces(b'{"a":1}\n\n{"a":2}') == [{"a": 1}, {"a": 2}]


def test_a_last_line_that_was_cut_off_is_an_error() -> None:
    decoder = NdjsonDecoder()
    assert decoder.feed(b'{"a":1}\n{"a":') == [{"a": 1}]
    with pytest.raises(ValueError, match="EOF"):
        decoder.finish()
