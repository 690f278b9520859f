"""A PDF of any number of pages of plain text, written directly: enough of PDF 1.4 for any reader."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from evals.bench.synthetic import Vocabulary

_LINES = 46
_WORDS = 11


def long_pdf(pages: int, *, seed: int = 34) -> bytes:
    """A document of `pages` pages of 46 lines, the same bytes for the same arguments."""
    vocabulary = Vocabulary(seed, 4000)
    random = Random(seed)  # noqa: S311 - reproducible text is what it is for
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page in range(pages):
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {5 + 2 * page} 0 R >>".encode()
        )
        content = _content(page, vocabulary, random)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects)


def _content(page: int, vocabulary: Vocabulary, random: Random) -> bytes:
    words = random.choices(vocabulary.words, cum_weights=vocabulary.weights, k=_LINES * _WORDS)
    lines = [" ".join(words[start : start + _WORDS]) for start in range(0, len(words), _WORDS)]
    shown = [f"(Section {page + 1}) Tj T*", *(f"({line}) Tj T*" for line in lines)]
    return ("BT /F1 10 Tf 15 TL 60 750 Td\n" + "\n".join(shown) + "\nET").encode("ascii")


def _file(objects: Sequence[bytes]) -> bytes:
    data = bytearray(b"%PDF-1.4\n")
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(data)
