"""Citation markers: `[[ev_...]]` in one canonical form, other shapes either read as it or refused by name.

Read as the canonical form: spaces inside, several ids in one marker (comma, semicolon), full-width or lenticular
brackets, escaped brackets and underscores, upper case, characters of no width. Everything else that looks like a marker
is a fault, so no marker of a draft is ever dropped or left in what a reader sees.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from harness.submission.protected import MASK, Protected, ProtectedKind


class FaultKind(StrEnum):
    """Why something that looks like a marker cannot be one."""

    EMPTY = "the marker is empty"
    SHAPE = "a marker is one evidence id in two square brackets"
    UNCLOSED = "the marker is not closed by two brackets"
    BRACKETS = "a marker has two brackets on each side"
    BARE = "an evidence id stands outside a marker"
    IN_FORMULA = "the marker stands inside a formula"
    IN_HTML = "the marker stands inside an HTML tag or comment"
    IN_LINK = "the marker stands inside the address of a link"
    UNSEEN = "the marker stands in a cell beyond the table's last column"
    IN_FIELD = "a field holds plain values and no markers"


@dataclass(frozen=True, slots=True)
class Marker:
    """A well-formed marker at text[start:end]; `ids` as written, without spaces, escapes and characters of no width."""

    start: int
    end: int
    written: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkerFault:
    """Something at text[start:end] that was meant as a marker and is none."""

    kind: FaultKind
    start: int
    end: int
    written: str


_OPEN = r"\\?[\[［【]"
_CLOSE = r"\\?[\]］】]"
_PAIRED = re.compile(rf"{_OPEN}{_OPEN}(?P<body>[^\[\]［］【】]*?){_CLOSE}{_CLOSE}")
_EVIDENCE_ID = re.compile(r"ev_[a-z0-9_-]+", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[_:.-][a-z0-9_-]+)*", re.IGNORECASE)
_NUMBERS = re.compile(r"[-+]?[\d.]+(?:\s*[-–—,;，、]\s*[-+]?[\d.]+)*")
_STRAY_ID = re.compile(
    r"(?:\\?[\[［【({⟦〔]\s?){0,4}(?<![A-Za-z0-9])ev(?:\\?_)[a-z0-9][a-z0-9_-]*(?:\s*[,;]\s*ev(?:\\?_)[a-z0-9_-]+)*"
    r"(?:\s?\\?[\]］】)}⟧〕]){0,4}",
    re.IGNORECASE,
)
_MAX_ADDRESS = 2_000
_LINK_ADDRESS = re.compile(r"\]\([^()\s]*\Z")


def find_markers(text: str, spans: tuple[Protected, ...]) -> tuple[tuple[Marker, ...], tuple[MarkerFault, ...]]:
    """The markers of a block's source text and the faults, each in the order of the text."""
    prose = _hidden(text, spans)
    markers: list[Marker] = []
    faults = _faults_in_protected(text, spans)
    rest = prose
    for match in _PAIRED.finditer(prose):
        written = text[match.start() : match.end()]
        read = _read(match["body"])
        if read is None:
            continue
        rest = rest[: match.start()] + MASK * len(written) + rest[match.end() :]
        if isinstance(read, FaultKind):
            faults.append(MarkerFault(read, match.start(), match.end(), written))
        elif _LINK_ADDRESS.search(text, max(0, match.start() - _MAX_ADDRESS), match.start()):
            faults.append(MarkerFault(FaultKind.IN_LINK, match.start(), match.end(), written))
        else:
            markers.append(Marker(match.start(), match.end(), written, read))
    faults += [_stray(text, match) for match in _STRAY_ID.finditer(rest)]
    return tuple(markers), tuple(sorted(faults, key=lambda fault: fault.start))


def canonical(ids: tuple[str, ...]) -> str:
    """The one written form of a marker: two brackets an id."""
    return "".join(f"[[{evidence_id}]]" for evidence_id in ids)


def _hidden(text: str, spans: tuple[Protected, ...]) -> str:
    for span in spans:
        text = text[: span.start] + MASK * (span.end - span.start) + text[span.end :]
    return text


def _read(body: str) -> tuple[str, ...] | FaultKind | None:
    """Ids of a marker's body, the fault it is, or None where the brackets hold numbers and are no marker at all."""
    plain = "".join(char for char in unicodedata.normalize("NFKC", body) if unicodedata.category(char) != "Cf")
    plain = plain.replace("\\_", "_").strip()
    if not plain:
        return FaultKind.EMPTY
    if _NUMBERS.fullmatch(plain):
        return None
    ids = tuple(dict.fromkeys(part for part in re.split(r"\s*[,;、]\s*|\s+(?=ev_)", plain, flags=re.IGNORECASE)))
    if all(_NAME.fullmatch(part) for part in ids):
        return ids
    return FaultKind.SHAPE


def _faults_in_protected(text: str, spans: tuple[Protected, ...]) -> list[MarkerFault]:
    kinds = {ProtectedKind.MATHS: FaultKind.IN_FORMULA, ProtectedKind.HTML: FaultKind.IN_HTML}
    return [
        MarkerFault(kinds[span.kind], match.start(), match.end(), match.group())
        for span in spans
        if span.kind in kinds
        for match in _STRAY_ID.finditer(text, span.start, span.end)
    ]


def _stray(text: str, match: re.Match[str]) -> MarkerFault:
    written = text[match.start() : match.end()]
    opening = len(re.match(r"[\\\[［【\s]*", written).group().replace("\\", "").replace(" ", ""))  # pyright: ignore[reportOptionalMemberAccess]
    closing = sum(1 for char in written[-4:] if char in "]］】")
    if opening >= 2:
        kind = FaultKind.UNCLOSED
    elif opening or closing:
        kind = FaultKind.BRACKETS
    else:
        kind = FaultKind.BARE
    return MarkerFault(kind, match.start(), match.end(), written)
