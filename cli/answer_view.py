"""How a person sees an answer in the terminal: rendered Markdown, then each citation with its quoted words."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from cli.console import hanging
from harness.submission.quotes import quotations
from harness.wire import CitationWire, ResearchTurnResponse

_CONTEXT_CHARACTERS = 160
_MAX_SPAN_CHARACTERS = 500

_OUTCOME_NOTES = {
    "partial": "Partial answer: the papers support only a part of what was asked.",
    "abstained": "No answer: the papers read do not support one.",
    "needs_clarification": "A question back, before anything can be answered.",
}


def answer_view(response: ResearchTurnResponse) -> RenderableType:
    """The whole answer as something that rich can print. A run without an accepted answer shows why it ended."""
    parts: list[RenderableType] = []
    if response.control is not None:
        parts.append(Text(f"No answer: {response.control.message} ({response.control.reason_code})", style="bold red"))
    note = _OUTCOME_NOTES.get(response.answer.outcome or "")
    if note:
        parts.append(Text(note, style="bold yellow"))
    if response.answer.markdown:
        cited = bool(response.citations)
        parts.append(Markdown(without_sources(response.answer.markdown) if cited else response.answer.markdown))
    if response.citations:
        parts += [Text(""), Rule("Evidence", style="dim", align="left")]
        parts += [
            part for citation in response.citations for part in citation_view(citation, response.answer.marker_markdown)
        ]
    if response.answer.unsupported_blocks:
        parts += [Text(""), Rule("Taken out: not supported by the evidence", style="dim", align="left")]
        parts += [
            Text(f"- {block.text} ({', '.join(block.codes)})", style="dim")
            for block in response.answer.unsupported_blocks
        ]
    if response.answer.notice:
        parts += [Text(""), Text(response.answer.notice, style="dim italic")]
    return Group(*parts)


def without_sources(markdown: str) -> str:
    """A rendered answer without its list of sources, which the terminal shows as evidence with the quoted words.

    The list is ours: it stands last, as a blank line, its title, a blank line and lines without blank ones between.
    """
    return markdown.rsplit("\n\n", 2)[0]


def citation_view(citation: CitationWire, answer: str) -> list[RenderableType]:
    """One citation: number, paper, section and page; the words read, those quoted in bold; the ids that reopen it."""
    head = Text()
    head.append(citation.title, style="bold")
    section = "" if citation.section == "unsectioned" else f"{citation.section}, "
    head.append(f" · {section}p. {citation.page}")
    before, quoted, after = quoted_words(citation.quote, answer)
    words = Text("“" + before, style="green")
    words.append(quoted, style="bold")
    words.append(after + "”")
    return [
        hanging(Text(f"[{citation.reference_number}] ", style="bold cyan"), head),
        Padding(words, (0, 0, 0, 4)),
        Padding(Text(f"{citation.location_ref}  {citation.evidence_id}", style="dim"), (0, 0, 0, 4)),
    ]


def quoted_words(span: str, answer: str) -> tuple[str, str, str]:
    """A span as (before, quoted, after): what the answer quotes of it, with at most 160 characters on both sides.

    Where the answer quotes nothing of it word by word, `quoted` is empty and `before` holds the span's beginning.
    """
    span = " ".join(span.split())
    for start, end in quotations(answer):
        quoted = " ".join(answer[start:end].split()).rstrip(".,;:")
        at = span.find(quoted)
        if quoted and at >= 0:
            before, after = span[:at], span[at + len(quoted) :]
            if len(before) > _CONTEXT_CHARACTERS:
                before = "… " + before[-_CONTEXT_CHARACTERS:].split(" ", 1)[-1]
            if len(after) > _CONTEXT_CHARACTERS:
                after = after[:_CONTEXT_CHARACTERS].rsplit(" ", 1)[0] + " …"
            return before, quoted, after
    if len(span) > _MAX_SPAN_CHARACTERS:
        span = span[:_MAX_SPAN_CHARACTERS].rsplit(" ", 1)[0] + " …"
    return span, "", ""
