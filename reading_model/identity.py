"""Deterministic identifiers: the same input gives the same id on any machine.

Parts are hashed as UTF-8, joined by the unit separator U+001F, which no part contains (it is refused).
"""

from __future__ import annotations

import hashlib

from reading_model.documents import Provenance

BUILDER_VERSION = "builder-2"
"""Goes into every model version; change it whenever the builder makes another model of the same document."""

_SEPARATOR = "\x1f"


def sha256_hex(data: bytes | str) -> str:
    """64 hex digits of SHA-256 over bytes, or over a text's UTF-8 form."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def paper_id_of(pdf_sha256: str) -> str:
    """32 hex digits: the first half of the SHA-256 of the PDF's bytes."""
    return pdf_sha256[:32]


def model_version_of(paper_id: str, provenance: Provenance, artifact_sha256: str) -> str:
    """`rm_` + 16 hex over paper, parser name, version and config, artifact and builder version."""
    parts = (paper_id, provenance.parser, provenance.version, provenance.config, artifact_sha256, BUILDER_VERSION)
    return "rm_" + _digest(*parts)[:16]


def location_ref_of(paper_id: str, model_version: str, kind: str, ordinal: int, text: str) -> str:
    """`{kind}_ref_` + 20 hex over paper, model version, kind, ordinal and the SHA-256 of the location's text."""
    return f"{kind}_ref_" + _digest(paper_id, model_version, kind, str(ordinal), sha256_hex(text))[:20]


def evidence_id_of(paper_id: str, model_version: str, location_ref: str, start: int, end: int, text: str) -> str:
    """`ev_` + 20 hex over paper, model version, location, span start and end (code points) and the span's text."""
    return "ev_" + _digest(paper_id, model_version, location_ref, str(start), str(end), text)[:20]


def _digest(*parts: str) -> str:
    # the last part may be any text; only the parts before it must not contain the separator
    if any(_SEPARATOR in part for part in parts[:-1]):
        message = "identifier parts must not contain U+001F"
        raise ValueError(message)
    return sha256_hex(_SEPARATOR.join(parts))
