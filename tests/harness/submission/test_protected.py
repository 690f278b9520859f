from __future__ import annotations

import pytest

from harness.submission.protected import MASK, ProtectedKind, masked, protected_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", [("code", "`b`")]),
        ("``a ` b`` c", [("code", "``a ` b``")]),
        ("a ` b", []),
        ("\\`a` b", []),
        ("$x$ and $$y$$", [("maths", "$x$"), ("maths", "$$y$$")]),
        ("it costs $5 and $10", []),
        ("from 5\\$ to 10\\$", []),
        ("$ x $", []),
        ("\\(x\\) and \\[y = 1\\]", [("maths", "\\(x\\)"), ("maths", "\\[y = 1\\]")]),
        ("as in \\[12\\]", []),
        ("\\[\\[ev_1\\]\\]", []),
        ("a < b and <i>c</i>", [("html", "<i>"), ("html", "</i>")]),
        ("<!-- a\nb -->", [("html", "<!-- a\nb -->")]),
        ("`<b>`", [("code", "`<b>`")]),
    ],
)
def test_what_is_no_prose(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(span.kind.value, text[span.start : span.end]) for span in protected_spans(text)] == expected


def test_masks_keep_offsets_and_line_ends() -> None:
    text = "a `b\nc` <i>"
    assert masked(text, protected_spans(text)) == f"a {MASK * 2}\n{MASK * 2} {MASK * 3}"


def test_masks_only_the_kinds_asked_for() -> None:
    text = "`a` <i>"
    assert masked(text, protected_spans(text), ProtectedKind.HTML) == f"`a` {MASK * 3}"
