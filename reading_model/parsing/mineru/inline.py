"""Text of MinerU blocks: markup that only shapes it goes, formulas inside it lose what their spacing breaks.

MinerU puts LaTeX between dollar signs and spaces it out token by token (`$2 5 . 6 \\%$`). White space means nothing in
LaTeX's math mode, so closing it up changes no formula; one that holds plain characters only is written without dollars.
"""

from __future__ import annotations

import html
import re

from reading_model.text import clean

_SHAPING = re.compile(r"</?(?:sup|sub|b|i|u|em|strong|span|small|font)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_MATH = re.compile(r"(?<![\\$])\$(?!\$)([^$]*[^$\\\s][^$]*?)\$(?!\$)")
_PLAIN = re.compile(r"(?:[^\W_]|[\s.,;:+\-−–=<>()\[\]/*'!?%@|])*")
_PROSE = re.compile(r"[A-Za-z]{3}")
_NEEDS_LATEX = re.compile(r"[\\_^{}]")
_VERBATIM = re.compile(r"(\\(?:text|mbox|textrm|textbf|textit|textsf|texttt)\s*\{[^{}]*\}|\\[^a-zA-Z])")
_COMMAND_GAP = re.compile(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])")
_TAG = re.compile(r"\\tag\s*\*?\s*\{\s*([^{}]*?)\s*\}")
_BLANKS = re.compile(r"[ \t]{2,}")
_FENCE = re.compile(r"\A\s*(?:\$\$|\\\[)|(?:\$\$|\\\])\s*\Z")
_KEPT_GAP = "\x00"


def inline_text(source: str) -> str:
    """`source` as canonical text: tags that shape it and entities resolved, formulas closed up."""
    text = html.unescape(_SHAPING.sub("", _BREAK.sub(" ", source)))
    closed = clean(_MATH.sub(_formula_in_text, text).replace("\\$", "$"))
    return _BLANKS.sub(" ", closed).strip()


def _formula_in_text(match: re.Match[str]) -> str:
    latex = match[1]
    # sums of money put prose between two dollar signs
    if _PROSE.search(latex) and not _NEEDS_LATEX.search(latex):
        return match[0]
    return inline_math(latex)


def inline_math(latex: str) -> str:
    """A formula inside text: without its spacing, and without dollar signs where nothing in it needs LaTeX."""
    closed = _closed_up(latex)
    plain = closed.replace("\\%", "%")
    return plain if _PLAIN.fullmatch(plain) and plain else f"${closed}$"


def formula_text(source: str) -> str:
    """A displayed formula's LaTeX as it is, without `$$`; a `\\tag{3}` is the number printed beside it: `(3)`."""
    latex = _FENCE.sub("", source).strip()
    tags = [tag.strip("()") for tag in _TAG.findall(latex)]
    latex = _TAG.sub("", latex).strip()
    return clean(" ".join([latex, *(f"({tag})" for tag in tags if tag)])).strip()


def _closed_up(latex: str) -> str:
    parts = _VERBATIM.split(latex)
    out = [
        part if index % 2 else "".join(_COMMAND_GAP.sub(rf"\1{_KEPT_GAP}", part).split()).replace(_KEPT_GAP, " ")
        for index, part in enumerate(parts)
    ]
    return "".join(out)
