"""TeX in bibliographies: accents, symbols and markup decoded; plain text written so that TeX gives it back.

The only module that knows `pylatexenc`, which has no type stubs.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import html
import re

from pylatexenc.latex2text import LatexNodes2Text

_DECODER = LatexNodes2Text(math_mode="text", keep_comments=True)
_REFERENCE = re.compile(r"(?<!\\)&(?:#\d+|#[xX][0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);")
_BARE_AMPERSAND = re.compile(r"(?<!\\)&")  # TeX would take it for the border of a table's cell
_COMMENT_SIGN = re.compile(r"(?<!\\)%")
_CIRCUMFLEX = re.compile(r"\\textasciicircum(?:\{\}|(?![A-Za-z]))")  # the library gives a modifier letter for it
_NO_BREAK_SPACE = str.maketrans({"\u00a0": " "})

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u00a0": " ",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPED)))
_LIGATURE = re.compile(r"(?<=[-'`?!,<>])(?=[-'`,<>])")  # `--` would become a dash, `''` a quotation mark


def decoded(text: str) -> str:
    """The text that TeX would print: accents composed, commands and braces gone, `$\\alpha$` as α.

    HTML character references, which publishers' exports hold, are decoded too.
    """
    plain = _REFERENCE.sub(lambda match: html.unescape(match.group()), text)
    plain = _BARE_AMPERSAND.sub(r"\\&", _CIRCUMFLEX.sub("^", plain))
    return str(_DECODER.latex_to_text(_COMMENT_SIGN.sub(r"\\%", plain))).translate(_NO_BREAK_SPACE)


def encoded(text: str) -> str:
    """The text with every character escaped that TeX reads otherwise; letters stay Unicode."""
    return _SPECIAL.sub(lambda match: _ESCAPED[match.group()], _LIGATURE.sub("\0", text)).replace("\0", "{}")
