"""Small PDFs for tests: text in the standard fonts at given places, boxes, lines and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

FONTS = {
    "F1": "Helvetica",
    "F2": "Helvetica-Bold",
    "F3": "Courier",
    "F4": "Times-Roman",
    "F5": "Times-Italic",
    "F6": "Symbol",
}


@dataclass
class Page:
    """A page under construction; positions are points from the top-left corner, as in parsed documents."""

    width: float = 612
    height: float = 792
    rotate: int = 0
    content: list[str] = field(default_factory=list[str])

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 10,
        font: str = "F1",
        mode: int = 0,
        grey: float = 0,
        angle: int = 0,
    ) -> Page:
        """Words with their baseline at (x, y); `angle` in quarter turns counter-clockwise, in degrees."""
        matrix = {0: "1 0 0 1", 90: "0 1 -1 0", 180: "-1 0 0 -1", 270: "0 -1 1 0"}[angle]
        escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.content.append(
            f"BT /{font} {size} Tf {mode} Tr {grey} g {matrix} {x} {self.height - y} Tm ({escaped}) Tj ET"
        )
        return self

    def lines(
        self, x: float, y: float, rows: Sequence[str], *, pitch: float = 12, size: float = 10, font: str = "F1"
    ) -> Page:
        """Rows one below the other, the first one at y."""
        for number, row in enumerate(rows):
            self.text(x, y + number * pitch, row, size=size, font=font)
        return self

    def box(self, x0: float, y0: float, x1: float, y1: float, *, grey: float = 0) -> Page:
        """A filled rectangle."""
        self.content.append(f"{grey} g {x0} {self.height - y1} {x1 - x0} {y1 - y0} re f")
        return self

    def rule(self, x0: float, x1: float, y: float, *, width: float = 1) -> Page:
        """A horizontal line."""
        self.content.append(f"{width} w {x0} {self.height - y} m {x1} {self.height - y} l S")
        return self

    def picture(self, x0: float, y0: float, x1: float, y1: float) -> Page:
        """A grey picture of one sample stretched over the rectangle."""
        self.content.append(
            f"q {x1 - x0} 0 0 {y1 - y0} {x0} {self.height - y1} cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"
        )
        return self

    def curve(self, x0: float, y0: float, x1: float, y1: float) -> Page:
        """A curve from corner to corner of a rectangle."""
        a, b = self.height - y0, self.height - y1
        self.content.append(f"{x0} {a} m {x0} {b} {x1} {b} {x1} {b} c S")
        return self


def write(pages: Sequence[Page], info: dict[str, str] | None = None) -> bytes:
    """The pages as a PDF file."""
    objects: list[bytes] = []

    def add(body: str | bytes) -> int:
        objects.append(body if isinstance(body, bytes) else body.encode("latin-1"))
        return len(objects)

    fonts = {name: add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} >>") for name, base in FONTS.items()}
    resources = add("<< /Font << " + " ".join(f"/{name} {number} 0 R" for name, number in fonts.items()) + " >> >>")
    root = len(objects) + 1 + 2 * len(pages)
    kids: list[int] = []
    for page in pages:
        stream = "\n".join(page.content).encode("latin-1")
        content = add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(
            add(
                f"<< /Type /Page /Parent {root} 0 R /MediaBox [0 0 {page.width} {page.height}] /Rotate {page.rotate} "
                f"/Resources {resources} 0 R /Contents {content} 0 R >>"
            )
        )
    tree = add(f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>")
    catalog = add(f"<< /Type /Catalog /Pages {tree} 0 R >>")
    entries = " ".join(f"/{key} ({value})" for key, value in (info or {}).items())
    details = add(f"<< {entries} >>")
    out = bytearray(b"%PDF-1.7\n")
    places: list[int] = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        catalog,
        details,
        start,
    )
    return bytes(out)
