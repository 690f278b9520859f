"""What is drawn on a page: rules (thin straight lines, dashes joined) and drawings (clusters of shapes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reading_model.parsing.pdfium.draft import Shape

RULE_THICKNESS = 2.6  # points
MIN_RULE = 12.0
DASH_GAP = 4.0
NEAR = 9.0  # points between shapes of one drawing
MIN_DRAWING = 24.0
BACKGROUND_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line."""

    x0: float
    x1: float
    y: float

    @property
    def width(self) -> float:
        """Length in points."""
        return self.x1 - self.x0


@dataclass(slots=True, eq=False)
class Drawing:
    """A cluster of shapes: its extent, how many shapes are curves or pictures, and whether one is a picture."""

    x0: float
    top: float
    x1: float
    bottom: float
    pieces: int = 0
    curves: int = 0
    image: bool = False

    @property
    def area(self) -> float:
        """Square points."""
        return (self.x1 - self.x0) * (self.bottom - self.top)

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies in it."""
        across = self.x0 - margin <= x <= self.x1 + margin
        return across and self.top - margin <= y <= self.bottom + margin


def horizontal_rules(shapes: Sequence[Shape]) -> list[Rule]:
    """Horizontal rules from top to bottom; pieces on one height that nearly touch are one rule."""
    thin = [
        s for s in shapes if s.kind in ("path", "rect") and s.height <= RULE_THICKNESS and s.width >= s.height * 0.8
    ]
    pieces = sorted((round((s.top + s.bottom) / 2, 1), s.x0, s.x1) for s in thin)
    rows: list[list[tuple[float, float, float]]] = []
    for piece in pieces:
        if rows and piece[0] - rows[-1][0][0] <= 0.8:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    rules: list[Rule] = []
    for row in rows:
        row.sort(key=lambda piece: piece[1])
        x0, x1, y = row[0][1], row[0][2], row[0][0]
        for _, left, right in row[1:]:
            if left <= x1 + DASH_GAP:
                x1 = max(x1, right)
            else:
                rules.append(Rule(x0, x1, y))
                x0, x1 = left, right
        rules.append(Rule(x0, x1, y))
    return [rule for rule in rules if rule.width >= MIN_RULE]


def band_edges(shapes: Sequence[Shape]) -> list[Rule]:
    """Upper and lower edges of wide flat boxes, such as shaded or framed rows of a table."""
    edges: list[Rule] = []
    for shape in shapes:
        if shape.kind == "rect" and RULE_THICKNESS < shape.height < 130 and shape.width > max(90.0, 2 * shape.height):
            edges.append(Rule(shape.x0, shape.x1, shape.top))
            edges.append(Rule(shape.x0, shape.x1, shape.bottom))
    return edges


def drawings_of(shapes: Sequence[Shape], width: float, height: float) -> list[Drawing]:
    """Clusters of shapes that are neither rules nor the page's background, large enough to be a figure."""
    solid = [s for s in shapes if _is_solid(s, width, height)]
    solid.sort(key=lambda shape: shape.top)
    done: list[Drawing] = []
    active: list[Drawing] = []
    for shape in solid:
        cluster = Drawing(shape.x0, shape.top, shape.x1, shape.bottom, 1)
        cluster.image = shape.kind in ("image", "shading")
        cluster.curves = int(shape.kind != "rect")
        still: list[Drawing] = []
        for other in active:
            if other.bottom + NEAR < shape.top:
                done.append(other)
            elif _near(cluster, other):
                _absorb(cluster, other)
            else:
                still.append(other)
        active = [*still, cluster]
    clusters = _settled([*done, *active])
    return [c for c in clusters if c.x1 - c.x0 >= MIN_DRAWING and c.bottom - c.top >= MIN_DRAWING]


def _is_solid(shape: Shape, width: float, height: float) -> bool:
    if min(shape.width, shape.height) <= RULE_THICKNESS and max(shape.width, shape.height) > 3:
        return False
    if shape.width < 1.5 and shape.height < 1.5:
        return False
    return shape.width * shape.height < BACKGROUND_SHARE * width * height


def _near(one: Drawing, other: Drawing) -> bool:
    across = one.x0 <= other.x1 + NEAR and other.x0 <= one.x1 + NEAR
    return across and one.top <= other.bottom + NEAR and other.top <= one.bottom + NEAR


def _absorb(one: Drawing, other: Drawing) -> None:
    one.x0, one.top = min(one.x0, other.x0), min(one.top, other.top)
    one.x1, one.bottom = max(one.x1, other.x1), max(one.bottom, other.bottom)
    one.pieces += other.pieces
    one.curves += other.curves
    one.image = one.image or other.image


def _settled(clusters: list[Drawing]) -> list[Drawing]:
    """Merge clusters that grew into each other."""
    out: list[Drawing] = []
    for cluster in sorted(clusters, key=lambda c: -c.area):
        host = next((other for other in out if _near(cluster, other)), None)
        if host is None:
            out.append(cluster)
        else:
            _absorb(host, cluster)
    return out
