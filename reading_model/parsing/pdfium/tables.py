"""Where tables are: between rules of equal ends, or in aligned rows beside a caption."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reading_model.parsing.pdfium.captions import Caption
from reading_model.parsing.pdfium.draft import PageLayout, TableDraft
from reading_model.parsing.pdfium.graphics import Drawing, Rule, band_edges, horizontal_rules
from reading_model.parsing.pdfium.grid import Row, build, columns_of, is_numeric, rows_of
from reading_model.parsing.pdfium.lines import TextLine
from reading_model.parsing.pdfium.prose import holds_prose, is_prose
from reading_model.parsing.pdfium.words import Word

EQUAL_ENDS = 4.0  # points
MIN_WIDTH = 60.0
CAPTION_REACH = 45.0  # points between a table and its caption
MAX_HEADER_ROWS = 6


@dataclass(slots=True, eq=False)
class Region:
    """The area of a table with its full-width rules, and its caption where it has one."""

    x0: float
    top: float
    x1: float
    bottom: float
    rules: list[Rule] = field(default_factory=list[Rule])
    caption: Caption | None = None
    header_bottom: float | None = None

    @property
    def width(self) -> float:
        """Horizontal extent, points."""
        return self.x1 - self.x0

    def covers(self, drawing: Drawing) -> bool:
        """Whether most of a drawing lies in the table: shaded rows and icons are no figure."""
        across = min(self.x1, drawing.x1) - max(self.x0, drawing.x0)
        down = min(self.bottom, drawing.bottom) - max(self.top, drawing.top)
        return across > 0 and down > 0 and across * down > 0.5 * drawing.area


@dataclass(slots=True, eq=False)
class FoundTable:
    """A table on the page, the lines that it takes out of the text, its caption, and the lines of its notes."""

    region: Region
    draft: TableDraft
    lines: list[TextLine]
    caption: Caption | None
    notes: list[list[TextLine]] = field(default_factory=list[list[TextLine]])


def tables_of(
    page: PageLayout, lines: Sequence[TextLine], captions: Sequence[Caption], drawings: Sequence[Drawing]
) -> list[FoundTable]:
    """The tables among the page's lines (furniture left out), from top to bottom."""
    rules = horizontal_rules(page.shapes)
    captioned = {id(line) for caption in captions for line in caption.lines}
    free = [line for line in lines if id(line) not in captioned]
    regions = _ruled(rules + band_edges(page.shapes), free, captions)
    _match(regions, captions, free)
    found: list[FoundTable] = []
    for region in regions:
        table = _read(region, free, rules, drawings)
        if table is not None:
            found.append(table)
    taken = {id(line) for table in found for line in table.lines}
    has_table = {id(table.caption) for table in found}
    for caption in captions:
        if caption.of_table and id(caption) not in has_table:
            rest = [line for line in free if id(line) not in taken]
            table = _beside(caption, page, rest, rules, drawings)
            if table is not None:
                found.append(table)
                taken.update(id(line) for line in table.lines)
    return sorted(found, key=lambda table: table.region.top)


def _ruled(rules: Sequence[Rule], lines: Sequence[TextLine], captions: Sequence[Caption]) -> list[Region]:
    """Areas between rules of equal ends that no prose and no caption interrupts."""
    families: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: r.y):
        if rule.width < MIN_WIDTH:
            continue
        family = next((f for f in families if _equal(f[-1], rule)), None)
        if family is None:
            families.append([rule])
        elif rule.y - family[-1].y > 1.5:
            family.append(rule)
    regions: list[Region] = []
    for family in families:
        group = [family[0]]
        for rule in family[1:]:
            if _interrupted(group[-1], rule, lines, captions):
                regions.extend(_region(group))
                group = []
            group.append(rule)
        regions.extend(_region(group))
    return _outermost(regions)


def _equal(one: Rule, other: Rule) -> bool:
    return abs(one.x0 - other.x0) <= EQUAL_ENDS and abs(one.x1 - other.x1) <= EQUAL_ENDS


def _interrupted(upper: Rule, lower: Rule, lines: Sequence[TextLine], captions: Sequence[Caption]) -> bool:
    if any(upper.y < c.top and c.bottom < lower.y + 2 and c.x0 < upper.x1 and upper.x0 < c.x1 for c in captions):
        return True
    between = [
        line
        for line in lines
        if upper.y < line.base < lower.y + 1 and upper.x0 - 4 <= (line.x0 + line.x1) / 2 <= upper.x1 + 4
    ]
    return holds_prose(between, upper.width)


def _region(rules: Sequence[Rule]) -> list[Region]:
    if len(rules) < 2:
        return []
    x0, x1 = min(r.x0 for r in rules), max(r.x1 for r in rules)
    return [Region(x0, rules[0].y, x1, rules[-1].y, list(rules))]


def _outermost(regions: list[Region]) -> list[Region]:
    """Without those that lie inside another."""
    out: list[Region] = []
    for region in sorted(regions, key=lambda r: -(r.width * (r.bottom - r.top))):
        inside = any(
            r.x0 - 3 <= region.x0
            and region.x1 <= r.x1 + 3
            and r.top - 3 <= region.top
            and region.bottom <= r.bottom + 3
            for r in out
        )
        if not inside:
            out.append(region)
    return out


def _match(regions: Sequence[Region], captions: Sequence[Caption], lines: Sequence[TextLine]) -> None:
    """Give each region the nearest table caption; rows between a caption and the first rule are the table's head."""
    pairs: list[tuple[float, Region, Caption]] = []
    for region in regions:
        for caption in captions:
            overlap = min(region.x1, caption.x1) - max(region.x0, caption.x0)
            if not caption.of_table or overlap < 0.5 * min(region.width, caption.x1 - caption.x0):
                continue
            above = region.top - caption.bottom
            distance = above if above > -6 else caption.top - region.bottom
            if -6 < distance < CAPTION_REACH or (above > 0 and _only_heads(region, caption, lines)):
                pairs.append((distance, region, caption))
    used: set[int] = set()
    for _, region, caption in sorted(pairs, key=lambda pair: pair[0]):
        if region.caption is not None or id(caption) in used:
            continue
        region.caption = caption
        used.add(id(caption))
        if caption.bottom < region.top and _between(region, caption, lines):
            region.header_bottom = region.top
            region.top = caption.bottom


def _between(region: Region, caption: Caption, lines: Sequence[TextLine]) -> list[TextLine]:
    return [
        line
        for line in lines
        if caption.bottom < line.base < region.top and region.x0 - 4 <= (line.x0 + line.x1) / 2 <= region.x1 + 4
    ]


def _only_heads(region: Region, caption: Caption, lines: Sequence[TextLine]) -> bool:
    between = _between(region, caption, lines)
    return region.top - caption.bottom < 110 and not any(is_prose(line, region.width) for line in between)


def _read(
    region: Region, lines: Sequence[TextLine], rules: Sequence[Rule], drawings: Sequence[Drawing]
) -> FoundTable | None:
    """The table in a region; None where what is there is no table."""
    inside = [line for line in lines if _holds(region, line)]
    words = [word for line in inside for word in line.words if _holds_word(region, word)]
    if len(words) < 4 or _is_drawn(region, drawings) or sum(line.mono for line in inside) > 0.6 * len(inside):
        return None
    rows = rows_of(words)
    _mark_header(rows, region)
    body = [row for row in rows if not row.header]
    heads = max((len(row.chunks) for row in rows if row.header), default=0)
    columns = columns_of(body if sum(len(row.chunks) > 1 for row in body) >= 2 else rows, heads)
    if len(rows) < 2 or len(columns) < 2 or not _plausible(rows, columns, region):
        return None
    near = [
        r
        for r in rules
        if region.top - 1 <= r.y <= region.bottom + 1 and region.x0 - 6 <= (r.x0 + r.x1) / 2 <= region.x1 + 6
    ]
    return FoundTable(region, build(rows, columns, near), inside, region.caption)


def _holds(region: Region, line: TextLine) -> bool:
    if not region.top - 1 < line.base - 0.2 * line.size < region.bottom + 1:
        return False
    return region.x0 - 6 <= (line.x0 + line.x1) / 2 <= region.x1 + 6 and line.x0 > region.x0 - 30


def _holds_word(region: Region, word: Word) -> bool:
    return region.x0 - 30 <= (word.x0 + word.x1) / 2 <= region.x1 + 30


def _is_drawn(region: Region, drawings: Sequence[Drawing]) -> bool:
    """Whether curves or a picture take up a good part of the region."""
    area = region.width * max(1.0, region.bottom - region.top)
    for drawing in drawings:
        if not drawing.image and drawing.curves < 3:
            continue
        across = min(region.x1, drawing.x1) - max(region.x0, drawing.x0)
        down = min(region.bottom, drawing.bottom) - max(region.top, drawing.top)
        if across > 0 and down > 0 and across * down > 0.35 * area:
            return True
    return False


def _mark_header(rows: Sequence[Row], region: Region) -> None:
    """Rows above the first rule under the head, else the leading rows that hold no value."""
    limit = region.header_bottom
    full = [rule.y for rule in region.rules]
    if limit is None and len(full) >= 3:
        limit = full[1]
    if limit is not None:
        above = [row for row in rows if row.base < limit]
        if 0 < len(above) <= MAX_HEADER_ROWS and len(above) < len(rows):
            for row in above:
                row.header = True
            return
    for index, row in enumerate(rows[: max(1, min(3, len(rows) - 1))]):
        if index and any(is_numeric(chunk.text) for chunk in row.chunks[1:]):
            return
        row.header = index == 0 or not any(is_numeric(chunk.text) for chunk in row.chunks)


def _plausible(rows: Sequence[Row], columns: Sequence[tuple[float, float]], region: Region) -> bool:
    """With a caption nearly anything in columns is a table; without one it needs a column of numbers."""
    several = sum(len(row.chunks) > 1 for row in rows)
    if region.caption is not None:
        return several >= 2
    values = sum(is_numeric(chunk.text) for row in rows for chunk in row.chunks[1:])
    cells = sum(len(row.chunks) for row in rows)
    words = sum(len(chunk.words) for row in rows for chunk in row.chunks)
    return (
        len(rows) >= 3
        and several >= 0.6 * len(rows)
        and values >= 0.3 * cells
        and words < 4 * cells
        and len(columns) > 1
    )


def _beside(
    caption: Caption,
    page: PageLayout,
    lines: Sequence[TextLine],
    rules: Sequence[Rule],
    drawings: Sequence[Drawing],
) -> FoundTable | None:
    """The table in the aligned rows right below or above a caption that no ruled region belongs to."""
    left, right = _column(caption, page, lines)
    options: list[FoundTable] = []
    for down in (True, False):
        region = _aligned(caption, lines, left, right, down=down)
        if region is None:
            continue
        table = _read(region, lines, rules, drawings)
        if table is not None:
            options.append(table)
    return max(options, key=lambda table: sum(map(len, table.draft.rows)), default=None)


def _column(caption: Caption, page: PageLayout, lines: Sequence[TextLine]) -> tuple[float, float]:
    """The text column that a caption stands in, as left and right end."""
    left, right = min(line.x0 for line in lines) if lines else 0.0, page.frame.width
    for x0, x1 in page.gutters:
        middle = (x0 + x1) / 2
        if abs(middle - page.frame.width / 2) > 0.12 * page.frame.width or (caption.x0 < x0 and caption.x1 > x1):
            continue
        if caption.x1 <= x1:
            right = min(right, middle)
        else:
            left = max(left, middle)
    return left, right


def _ends_a_paragraph(line: TextLine, lines: Sequence[TextLine], left: float) -> bool:
    """A line of several words alone on its height that begins at the margin."""
    alone = not any(other is not line and abs(other.base - line.base) < 0.4 * line.size for other in lines)
    return alone and line.x0 < left + line.size and len(re.findall(r"[^\W\d_]{2,}", line.text)) >= 5


def _aligned(caption: Caption, lines: Sequence[TextLine], left: float, right: float, *, down: bool) -> Region | None:
    """The rows next to the caption up to prose or a wide gap."""
    own = [line for line in lines if left - 2 <= (line.x0 + line.x1) / 2 <= right + 2]
    width = max((line.x1 for line in own), default=right) - left
    if down:
        side = sorted((line for line in own if line.base > caption.bottom), key=lambda line: line.base)
    else:
        side = sorted((line for line in own if line.base < caption.top), key=lambda line: -line.base)
    edge = caption.bottom if down else caption.top
    taken: list[TextLine] = []
    for line in side:
        gap = line.top - edge if down else edge - line.bottom
        if gap > (1.6 if taken else 2.6) * line.size or is_prose(line, width):
            break
        if len(taken) >= 4 and _ends_a_paragraph(line, side, min(other.x0 for other in taken)):
            break
        taken.append(line)
        edge = max(edge, line.bottom) if down else min(edge, line.top)
    if len(taken) < 4:
        return None
    top = min(line.top for line in taken) - 1
    bottom = max(line.bottom for line in taken) + 1
    x0, x1 = min(line.x0 for line in taken), max(line.x1 for line in taken)
    return Region(x0, top, x1, bottom, caption=caption)
