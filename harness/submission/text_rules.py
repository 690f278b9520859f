"""Rules about the words of an answer: no source list of its own, no numbers as citations, nothing internal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from harness.submission.blocks import BlockKind
from harness.submission.draft import Violation, ViolationCode
from harness.submission.numeric_citations import numeric_citations
from harness.submission.parsed import DraftBlock, Submission
from harness.submission.protected import ProtectedKind, masked
from harness.submission.quotes import holds, quotations
from harness.submission.roles import Role, plain

_TITLES = (
    "sources|source|references|reference|bibliography|works cited|cited works|citations|literature|"
    "literature cited|footnotes|endnotes|sources cited|list of sources|list of references|来源|"
    "资料来源|參考文獻|参考文献|参考资料|參考資料|引用|引用文献|引文|文献|脚注|來源|资料|出处|出處|"
    "出典|参照文献|脚注一覧|출처|참고문헌|참고 문헌|quellen|quelle|literatur|literaturverzeichnis|"
    "quellenverzeichnis|quellenangaben|belege|fußnoten|referenzen|nachweise|références|bibliographie|"
    "notes de bas de page|fuentes|referencias|bibliografía|fonti|riferimenti|bibliografia|referências|"
    "fontes|источники|литература|список литературы|ссылки|المصادر|المراجع"
)
SOURCE_TITLES = frozenset(_TITLES.split("|"))
_PROPERTY_NAMES = frozenset(
    {"source", "reference", "quelle", "literature", "literatur", "资料", "文献", "引用", "belege"}
)


def no_handwritten_sources(submission: Submission) -> Iterator[Violation]:
    """HANDWRITTEN_SOURCES: the list of sources is made from the markers; the answer brings none of its own."""
    inside = False
    for block in submission.blocks:
        if block.block.kind is BlockKind.HEADING or (inside and _opens_section(block)):
            inside = False
        inside = inside or _is_source_title(block)
        titled = inside or _is_labelled_as_sources(block)
        if (titled and block.block.kind is not BlockKind.RULE) or _is_reference_entry(block):
            yield Violation(
                ViolationCode.HANDWRITTEN_SOURCES,
                "Leave out lists of sources, footnotes and numbered references: the list is made from the markers.",
                block.block.index,
                block.block.text,
            )


def no_numeric_citations(submission: Submission) -> Iterator[Violation]:
    """NUMERIC_CITATION: a bracketed number that stands as a citation, outside verbatim quotations of a cited span."""
    for block in submission.blocks:
        quoted = _held_quotations(submission, block)
        found = tuple(
            block.source[start:end]
            for start, end in numeric_citations(block.prose)
            if not any(first <= start and end <= last for first, last in quoted)
        )
        if found:
            yield Violation(
                ViolationCode.NUMERIC_CITATION,
                f"{', '.join(f'`{item}`' for item in found)}: cite with [[ev_...]]; numbers come when it is shown.",
                block.block.index,
                block.block.text,
                found,
            )


def no_internal_text(submission: Submission) -> Iterator[Violation]:
    """INTERNAL_TEXT: tool names, internal ids and hidden reasoning, anywhere but in code."""
    hidden = _hidden_reasoning(submission)
    for block in submission.blocks:
        text = masked(block.source, block.protected, ProtectedKind.CODE)
        for marker in reversed(block.markers):
            text = text[: marker.start] + " " + text[marker.end :]
        found = [*_internal_names(text, submission)]
        if block.block.index in hidden:
            found.append("hidden reasoning")
        if found:
            yield Violation(
                ViolationCode.INTERNAL_TEXT,
                f"Leave out {', '.join(found)}: no tool names, internal ids or reasoning. Name papers by title.",
                block.block.index,
                block.block.text,
            )
    for name, value in (submission.draft.fields or {}).items():
        found = [*_internal_names(value, submission)]
        if found:
            yield Violation(ViolationCode.INTERNAL_TEXT, f"Leave out {', '.join(found)} in field {name!r}.")


_LABELLED = re.compile(r"\A\s*(?P<title>[^:：\n]{2,40}?)\s*[:：]")
_ENTRY = re.compile(
    r"\A\s*(?:\\?\[\s*\d{1,3}\s*\\?\]\s*\S|[［【]\s*\d{1,3}\s*[］】]\s*\S|\\?\[\^[^\]\s]{1,30}\\?\]:|\[[^\]\n]{1,60}\]:\s*\S)"
)
_FOOTNOTE = re.compile(r"\\?\[\^[^\]\s]{1,30}\\?\]")


def _source_title(text: str) -> str:
    text = "".join(sign for sign in plain(text) if unicodedata.category(sign) != "Cf")  # unseen, so no other title
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"^[\divx]{1,4}[.)、]\s*", "", text).strip(" :.·-—–")


def _is_source_title(block: DraftBlock) -> bool:
    if block.block.kind in {BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER, BlockKind.CODE, BlockKind.MATHS}:
        return False
    first_line = block.block.text.split("\n", 1)[0]
    return _source_title(first_line) in SOURCE_TITLES


def _is_labelled_as_sources(block: DraftBlock) -> bool:
    """`References: Smith 2019`; a singular `Source:` may be the name of a property."""
    labelled = _LABELLED.match(plain(block.block.text))
    title = "" if labelled is None else _source_title(labelled["title"])
    return title in SOURCE_TITLES - _PROPERTY_NAMES


def _opens_section(block: DraftBlock) -> bool:
    return block.block.kind is BlockKind.PARAGRAPH and block.role is Role.LABEL


def _is_reference_entry(block: DraftBlock) -> bool:
    if block.block.kind is BlockKind.CODE:
        return False
    return _ENTRY.match(block.block.text) is not None or _FOOTNOTE.search(block.prose) is not None


def _held_quotations(submission: Submission, block: DraftBlock) -> list[tuple[int, int]]:
    entries = submission.evidence_of(block.rests_on)
    return [
        (start, end)
        for start, end in quotations(block.prose)
        if any(holds(entry.text, block.source[start:end]) for entry in entries)
    ]


_INTERNAL_ID = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:page|section|passage|table|figure)\\?_ref\\?_[0-9a-z_]+|loc\\?_[0-9a-z]+|rm\\?_[0-9a-f]{6,}|run\\?_[0-9a-f]{6,}|call\\?_[0-9a-f]{8,}|[0-9a-f]{32,64})(?![A-Za-z0-9])"
)
_SPECIAL_TOKEN = re.compile(
    r"<\|[^|\n]{1,40}\|>|</?(?:tool_call|function_call|invoke|minimax:tool_call)\b[^>]*>", re.IGNORECASE
)
_REASONING_TAG = re.compile(
    r"<(?P<close>/?)\s*(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)\s*>", re.IGNORECASE
)


def _internal_names(text: str, submission: Submission) -> Iterator[str]:
    folded = text.replace("\\_", "_")
    for name in sorted(submission.tool_names):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded, re.IGNORECASE):
            yield f"`{name}`"
    for pattern in (_INTERNAL_ID, _SPECIAL_TOKEN):
        yield from (f"`{match.group()}`" for match in pattern.finditer(text))


def _hidden_reasoning(submission: Submission) -> set[int]:
    """Blocks that hold a reasoning tag or stand between two; a closing tag alone hides all that is before it."""
    hidden: set[int] = set()
    opened = False
    for block in submission.blocks:
        text = masked(block.source, block.protected, ProtectedKind.CODE, ProtectedKind.MATHS)
        tags = list(_REASONING_TAG.finditer(text))
        if opened or tags:
            hidden.add(block.block.index)
        for tag in tags:
            if tag["close"] and not opened:
                hidden.update(range(block.block.index))
            opened = not tag["close"]
    return hidden
