"""Text that a reader of the page cannot see, and text layers that are no text: neither may ever be quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from reading_model.documents import Rect
from reading_model.parsing.pdfium.page_content import CLIPPED_INVISIBLE, INVISIBLE, Colour, Font, Graphic, RawPage, Run
from reading_model.parsing.pdfium.pieces import HYPHEN_MARKS

MIN_VISIBLE_SIZE = 2.0  # points
SAME_COLOUR = 12  # of 255 in each channel
FAINT = 8  # of 255: alpha below which paint is not seen
WHITE: Colour = (255, 255, 255, 255)
MAX_FILLS = 600  # charts hold thousands of small fills; none of them hides text
GARBLED_SHARE = 0.05  # control characters among a font's characters: its codes are glyph numbers, not text
GARBLED_PAGE = 0.3
FULL_PAGE = 0.7  # of the page's area that the picture of a scanned page covers
MANY = 50  # characters from which on their sizes can be judged
WIDTHS = (0.15, 1.6)  # em: between these lies the median width of characters of any script


@dataclass(frozen=True, slots=True)
class Readability:
    """Runs to leave out of the text, split by why: hidden from the eye, or garbled.

    `distrusted`: the text layer under the picture of a scanned page, whose sizes say that its places are wrong.
    """

    hidden: frozenset[int]
    garbled: frozenset[int]
    unreadable: bool
    distrusted: bool = False

    @property
    def skipped(self) -> frozenset[int]:
        """Every run that is left out."""
        return self.hidden | self.garbled


def judge(page: RawPage) -> Readability:
    """Which runs are hidden or garbled; the page is `unreadable` or `distrusted` where no text of it can be used."""
    hidden = _hidden_runs(page)
    garbled, share = _garbled_runs(page, hidden)
    return Readability(hidden, garbled, share >= GARBLED_PAGE, _has_nonsense_sizes(page, hidden))


def _hidden_runs(page: RawPage) -> frozenset[int]:
    fills = [g for g in page.graphics if _may_hide(g)][:MAX_FILLS]
    doubted = {index for index, run in enumerate(page.runs) if _is_doubtful(run, page)}
    if not fills and not doubted:
        return frozenset()
    images = [g.rect for g in page.graphics if g.kind in ("image", "shading")]
    shapes = [g for g in page.graphics if g.kind == "path" and g.fill is not None]
    hidden: set[int] = set()
    for index, box in _run_boxes(page).items():
        run = page.runs[index]
        unseen = index in doubted and _unseen(run, box, page, images)
        faded = (fills or index in doubted) and _in_background_colour(run, box, fills, images, shapes)
        if unseen or faded or _painted_over(run, box, fills):
            hidden.add(index)
    return frozenset(hidden)


def covers_page(rect: Rect, page: RawPage) -> bool:
    """Whether a picture is that of a scanned page."""
    width = min(rect.x1, page.width) - max(rect.x0, 0.0)
    height = min(rect.y1, page.height) - max(rect.y0, 0.0)
    return width > 0 and height > 0 and width * height >= FULL_PAGE * page.width * page.height


def _has_nonsense_sizes(page: RawPage, hidden: frozenset[int]) -> bool:
    """Whether the text layer of a scan has characters far too wide or narrow, or more of them than the page holds."""
    scans = [g for g in page.graphics if g.kind == "image" and covers_page(g.rect, page)]
    if not scans:
        return False
    painted = max(graphic.z for graphic in scans)
    under = {
        index
        for index, run in enumerate(page.runs)
        if index not in hidden and run.size > 0 and (run.mode in (INVISIBLE, CLIPPED_INVISIBLE) or run.z < painted)
    }
    judged = np.isin(page.run_of, list(under)) & (page.codes != 0x20)
    if np.count_nonzero(judged) < MANY:
        return False
    sizes = np.array([run.size for run in page.runs])[page.run_of[judged]]
    widths = page.boxes[judged, 2] - page.boxes[judged, 0]
    ink = float(np.sum(widths * sizes))
    return not WIDTHS[0] <= median((widths / sizes).tolist()) <= WIDTHS[1] or ink > page.width * page.height


def _is_doubtful(run: Run, page: RawPage) -> bool:
    """A quick look: invisible, tiny, faint, nearly white, or starting off the page."""
    if run.mode in (INVISIBLE, CLIPPED_INVISIBLE) or run.size < MIN_VISIBLE_SIZE or run.fill[3] < FAINT:
        return True
    if min(run.fill[:3]) >= 255 - SAME_COLOUR:
        return True
    return not (0 <= run.x <= page.width and 0 <= run.y <= page.height)


def _may_hide(graphic: Graphic) -> bool:
    rect = graphic.rect
    if graphic.kind != "rect" or graphic.fill is None or graphic.fill[3] < 250:
        return False
    return rect.x1 - rect.x0 > 4 and rect.y1 - rect.y0 > 4


def _unseen(run: Run, box: Rect, page: RawPage, images: Sequence[Rect]) -> bool:
    if run.size < MIN_VISIBLE_SIZE or run.fill[3] < FAINT:
        return True
    if box.x1 <= 0 or box.y1 <= 0 or box.x0 >= page.width or box.y0 >= page.height:
        return True
    return run.mode in (INVISIBLE, CLIPPED_INVISIBLE) and not _over_scan(box, images)


def _over_scan(box: Rect, images: Sequence[Rect]) -> bool:
    """Whether a picture covers the box: an invisible layer over it holds the words that the picture shows."""
    return any(_inside(box, image, slack=1.0) for image in images)


def _painted_over(run: Run, box: Rect, fills: Sequence[Graphic]) -> bool:
    return any(fill.z > run.z and _inside(box, fill.rect, slack=0.15) for fill in fills)


def _in_background_colour(
    run: Run, box: Rect, fills: Sequence[Graphic], images: Sequence[Rect], shapes: Sequence[Graphic]
) -> bool:
    """Whether the run has the colour of what lies under it: the last fill painted before it, or white paper."""
    background, depth = WHITE, -1
    for fill in fills:
        if depth < fill.z < run.z and fill.fill is not None and _inside(box, fill.rect, slack=0.3):
            background, depth = fill.fill, fill.z
    if any(abs(ink - ground) > SAME_COLOUR for ink, ground in zip(run.fill[:3], background[:3], strict=True)):
        return False
    if any(_touch(box, image) for image in images):
        return False
    return not any(depth < shape.z < run.z and _touch(box, shape.rect) for shape in shapes)


def _inside(inner: Rect, outer: Rect, slack: float) -> bool:
    """Whether `inner` lies in `outer`; `slack` is the share of the height of its text that may stand out.

    Text that runs up or down the page is as high as its box is wide.
    """
    allowed = slack * min(inner.y1 - inner.y0, inner.x1 - inner.x0) + 0.01
    return (
        inner.x0 >= outer.x0 - allowed
        and inner.y0 >= outer.y0 - allowed
        and inner.x1 <= outer.x1 + allowed
        and inner.y1 <= outer.y1 + allowed
    )


def _touch(one: Rect, other: Rect) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def _run_boxes(page: RawPage) -> dict[int, Rect]:
    """The extent of each run's printed characters, from the boxes of its first and last one."""
    printed = np.flatnonzero((page.run_of >= 0) & (page.codes != 0x20))
    runs, first = np.unique(page.run_of[printed], return_index=True)
    _, from_end = np.unique(page.run_of[printed][::-1], return_index=True)
    one, two = page.boxes[printed[first]], page.boxes[printed[len(printed) - 1 - from_end]]
    corners = np.column_stack((np.minimum(one[:, :2], two[:, :2]), np.maximum(one[:, 2:], two[:, 2:])))
    return {run: Rect(*box) for run, box in zip(runs.tolist(), corners.tolist(), strict=True)}


def _garbled_runs(page: RawPage, hidden: frozenset[int]) -> tuple[frozenset[int], float]:
    """Runs of fonts whose character codes are no text, and their share of the page's characters."""
    wrong = [code for code in set(page.codes.tolist()) if _is_no_text(code)]
    if not wrong:
        return frozenset(), 0.0
    totals: Counter[Font] = Counter()
    broken: Counter[Font] = Counter()
    judged = (page.run_of >= 0) & ~np.isin(page.run_of, list(hidden))
    everything = np.bincount(page.run_of[judged], minlength=len(page.runs)).tolist()
    without_text = np.bincount(page.run_of[judged & np.isin(page.codes, wrong)], minlength=len(page.runs)).tolist()
    for run, count, lost in zip(page.runs, everything, without_text, strict=True):
        if count:
            totals[run.font] += count
            broken[run.font] += lost
    bad = {
        font for font, count in broken.items() if count and count >= GARBLED_SHARE * totals[font] and totals[font] >= 20
    }
    if not bad:
        return frozenset(), 0.0
    share = sum(totals[font] for font in bad) / sum(totals.values())
    if share < GARBLED_PAGE:
        bad = {font for font in bad if broken[font] > 0.5 * totals[font]}
    return frozenset(index for index, run in enumerate(page.runs) if run.font in bad), share


def _is_no_text(code: int) -> bool:
    if code in HYPHEN_MARKS or code in (0x09, 0x0A, 0x0D):
        return False
    return code < 0x20 or 0x7F <= code < 0xA0 or code == 0xFFFD
