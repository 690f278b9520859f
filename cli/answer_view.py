"""How a person sees an answer in the terminal: rendered Markdown, then each citation with its quoted words."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from harness.wire import CitationWire, ResearchTurnResponse

_MAX_QUOTE_CHARACTERS = 700

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
        parts.append(Markdown(without_sources(response.answer.markdown, has_citations=bool(response.citations))))
    if response.citations:
        parts += [Text(""), Rule("Evidence", style="dim", align="left")]
        parts += [part for citation in response.citations for part in citation_view(citation)]
    if response.answer.unsupported_blocks:
        parts += [Text(""), Rule("Taken out: not supported by the evidence", style="dim", align="left")]
        parts += [
            Text(f"- {block.text} ({', '.join(block.codes)})", style="dim")
            for block in response.answer.unsupported_blocks
        ]
    if response.answer.notice:
        parts += [Text(""), Text(response.answer.notice, style="dim italic")]
    return Group(*parts)


def without_sources(markdown: str, *, has_citations: bool) -> str:
    """The answer without its list of sources, which the terminal shows as evidence with the quoted words instead.

    The list is ours and stands last, after a line that ends the answer's own text.
    """
    if not has_citations:
        return markdown
    body, separator, _ = markdown.rpartition("\n\n")
    while separator and not body.rstrip():
        body, separator, _ = body.rpartition("\n\n")
    return body or markdown


def citation_view(citation: CitationWire) -> list[RenderableType]:
    """One citation: number, paper, section and page; the quoted words; the ids that reopen it."""
    head = Text()
    head.append(f"[{citation.reference_number}] ", style="bold cyan")
    head.append(citation.title, style="bold")
    place = [part for part in (citation.section if citation.section != "unsectioned" else "",) if part]
    place.append(f"p. {citation.page}")
    head.append(" · " + ", ".join(place))
    quote = citation.quote
    if len(quote) > _MAX_QUOTE_CHARACTERS:
        quote = quote[:_MAX_QUOTE_CHARACTERS].rstrip() + " …"
    return [
        head,
        Padding(Text(f"“{quote}”", style="green"), (0, 0, 0, 4)),
        Padding(Text(f"{citation.location_ref}  {citation.evidence_id}", style="dim"), (0, 0, 0, 4)),
    ]


def console_for_people() -> Console:
    """A console on stdout that never cuts words and honours NO_COLOR."""
    return Console(soft_wrap=False, highlight=False)
