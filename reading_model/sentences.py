"""Where sentences end, by rules that rather keep two sentences together than cut one.

A quotation that starts in the middle of `et al. (2019)` is worse than a long one, so a full stop after a known
abbreviation, an initial or a list number never counts.
"""

from __future__ import annotations

import re

_CLOSING = "\"'”’»)\\]}"
_WIDE, _STOP = "。！？｡", ".!?…؟۔।"
# a set of characters comes first, so that the engine runs over all others at once: most of the time goes there
_MARK = (
    rf"[{_WIDE}{_STOP}](?:(?<=[{_WIDE}])(?P<wide>[」』）】〉》”’\"']*)"
    rf"|(?<=[{_STOP}])(?P<stop>[{_STOP}]*[{_CLOSING}]*(?:\[\d+(?:[,–-]\s?\d+)*\])?)(?=\s|$))"
)
_MARK_OR_LINE = re.compile(rf"{_MARK}|(?P<line>[^\S\n]*\n\s*)")
_MARK_ALONE = re.compile(_MARK)
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘«]*$")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{0,2}")
_ITEM_NUMBER = re.compile(r"(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})(?:\.\d{1,3})*")
_WRITTEN_SHORT = """
    al fig figs eq eqs eqn eqns sec secs sect sects tab tabs ref refs no nos vol vols pp ch chap chaps app appx def defs
    thm lem prop cor alg algs ex exs ed eds cf vs ca approx resp viz incl excl est dept univ inst proc conf symp trans
    int intl natl assoc acad dr drs prof mr mrs ms st jr sr inc ltd corp co gov gen col lt capt rev hon std dev min max
    avg temp wt sp spp subsp var sv jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e a.k.a w.r.t s.t i.i.d ph.d
    abb abs anm bd bspw bzw ebd evtl ggf hrsg nr sog vgl zb z.b d.h u.a
"""
_ABBREVIATIONS = frozenset(_WRITTEN_SHORT.split())


def sentence_ends(text: str, after: int = 0, latest: int | None = None) -> tuple[int, ...]:
    """Offsets right after each sentence (after its closing quotes), ascending; the last is the end of the text proper.

    A line break ends a sentence as well: blocks are joined by them, and so are the items of a list. Trailing blanks
    belong to no sentence. With `after` and `latest` only the ends `after < end <= latest` are looked for.
    """
    ends: list[int] = []
    length = len(text.rstrip())
    latest = length if latest is None else latest
    begin = _behind_letter(text, after)
    candidates = _MARK_ALONE if text.find("\n", begin) < 0 else _MARK_OR_LINE
    for match in candidates.finditer(text, begin):
        if match.start() > latest:
            break
        if match.lastgroup == "line":
            end = match.start()
        elif match.lastgroup == "wide" or _is_end(text, match):
            end = match.end()
        else:
            continue
        if 0 < end < length and (not ends or end > ends[-1]):
            ends.append(end)
    if length:
        ends.append(length)
    return tuple([end for end in ends if after < end <= latest])


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The half-open ranges of the sentences, without the blanks between them."""
    found: list[tuple[int, int]] = []
    start = 0
    for end in sentence_ends(text):
        begin = start + len(text[start:end]) - len(text[start:end].lstrip())
        found.append((begin, end))
        start = end
    return tuple(found)


def _behind_letter(text: str, offset: int) -> int:
    """Where to begin looking: no candidate holds a letter, so none that begins before it is missed or cut in two."""
    while offset > 0 and not text[offset - 1].isalpha():
        offset -= 1
    return offset


def _is_end(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() :].lstrip()[:1] if match.end() < len(text) else ""
    if following.islower():
        return False
    if not match.group().startswith("."):
        return True
    before = text[max(0, match.start() - 40) : match.start()]
    if before[-1:].isspace() and following.isdigit():
        return False  # a decimal that formula recognition spaced out: 0 . 98
    found = _LAST_WORD.search(before)
    word = found.group() if found is not None else ""
    if not word or match.group().startswith(".."):
        return True
    return not (_is_abbreviation(word) or _is_item_number(text, match.start() - len(word), word))


def _is_abbreviation(word: str) -> bool:
    if word.lower() in _ABBREVIATIONS or _DOTTED.fullmatch(word) is not None:
        return True
    # an initial: `A. Vaswani`, also joined by a hyphen: `J.-P. Serre`
    tail = word.rsplit("-", 1)[-1]
    return len(tail) == 1 and tail.isalpha() and tail.isupper()


def _is_item_number(text: str, start: int, word: str) -> bool:
    if _ITEM_NUMBER.fullmatch(word) is None:
        return False
    before = text[:start].rstrip(" \t")
    return not before or before.endswith("\n")
