"""Text of papers, files and models is shown, never obeyed: control characters become signs that can be seen.

A title that holds an escape sequence could otherwise rename the terminal's window, move its cursor or write into the
clipboard, and an override of the writing direction could show words in another order than they are quoted in.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff]")
_NOT_FOR_JSON_READERS = re.compile("[\x7f-\x9f\u2028\u2029\u202d\u202e\ud800-\udfff]")
_PICTURES = 0x2400  # Unicode's pictures of the C0 controls stand in their order
_DELETE = 0x7F
_PICTURE_OF_DELETE = "\u2421"


def visible(text: str) -> str:
    """The text with its control characters as pictures (U+2400 to U+2421), other unseen ones as U+FFFD.

    Line ends and tabs stay; directional overrides and half surrogate pairs go.
    """
    return _UNSEEN.sub(_picture, text)


def escaped_json(text: str) -> str:
    """JSON text in which everything that a terminal obeys, or that UTF-8 cannot carry, is written as an escape."""
    return _NOT_FOR_JSON_READERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def well_formed(text: str) -> str:
    """An argument as Unicode: each byte of it that is no UTF-8 becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return _PICTURE_OF_DELETE if code == _DELETE else "\ufffd"
