"""Text in the form in which numbers are looked for: LaTeX, HTML, superscripts and typographic signs made plain."""

from __future__ import annotations

import re
import unicodedata

from harness.submission.protected import ProtectedKind, protected_spans

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_VULGAR = re.compile("[¼-¾⅐-⅞]")
_LATEX = (
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "×"),
    (re.compile(r"\\pm(?![A-Za-z])"), "±"),
    (re.compile(r"\\(?:mu|upmu)(?![A-Za-z])\s*"), "μ"),
    (re.compile(r"\\(?:mathrm|mathit|mathbf|mathsf|text|textbf|textrm|operatorname|bf|rm)(?![A-Za-z])\s*"), " "),
    (re.compile(r"\\(?:left|right|displaystyle)(?![A-Za-z])"), ""),
    (re.compile(r"\\d?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}"), r"\1/\2"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\[,;:! ]|~"), " "),
)
_SPACED_POINT = re.compile(r"(?<=\d)\s+\.\s*(?=\d)|(?<=\d)\.\s+(?=\d)")
_SPACED_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")
_POWER = re.compile(r"\s*\^\s*(?:\{\s*([-+−–]?)\s*([\d\s.]+?)\s*\}|\(\s*([-+−–]?)\s*(\d+)\s*\)|([-+−–]?)\s*(\d+))")
_SUBSCRIPT = re.compile(r"(?<=[^\W\d_}])\s*_\s*(?:\{[^{}]*\}|\w)|(?<=\})\s*_\s*(?:\{[^{}]*\}|\w)")
_HTML_SUPERSCRIPT = re.compile(r"<sup>\s*([-+−–]?\s*\d+)\s*</sup>", re.IGNORECASE)
_HTML_SUBSCRIPT = re.compile(r"<sub>[^<]{0,40}</sub>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def number_text(text: str) -> str:
    """The text with formulas, markup and signs in one plain form; offsets are not kept."""
    text = _HTML_SUBSCRIPT.sub("", _HTML_SUPERSCRIPT.sub(r"^\1", text))
    text = _without_formula_signs(text)
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run.group().translate(_SUPERSCRIPTS), text)
    text = _VULGAR.sub(lambda sign: " " + sign.group(), text)
    text = unicodedata.normalize("NFKC", text)
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = text.replace("⁄", "/").replace("−", "-").replace("﹣", "-").replace("µ", "μ")
    text = _TAG.sub("", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    text = re.sub(r"\*{2,}|(?<!\w)\*|\*(?!\w)|(?<!\w)__?|__?(?!\w)", "", text)
    return re.sub(r"[ \t\n]+", " ", text)


def _without_formula_signs(text: str) -> str:
    if not any(sign in text for sign in "$\\^"):
        return text
    pieces: list[str] = []
    at = 0
    for span in protected_spans(text):
        if span.kind is ProtectedKind.MATHS:
            inside = re.sub(r"\A(?:\$\$?|\\[(\[])|(?:\$\$?|\\[)\]])\Z", " ", text[span.start : span.end])
            pieces += [text[at : span.start], _SPACED_DIGITS.sub("", _SPACED_POINT.sub(".", inside))]
            at = span.end
    text = "".join([*pieces, text[at:]])
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    text = _SUBSCRIPT.sub("", text)
    return _POWER.sub(_plain_power, text)


def _plain_power(match: re.Match[str]) -> str:
    sign = next((group for group in match.group(1, 3, 5) if group), "")
    digits = next(group for group in match.group(2, 4, 6) if group)
    return "^" + ("-" if sign in {"-", "−", "–"} else "") + re.sub(r"\s", "", digits)
