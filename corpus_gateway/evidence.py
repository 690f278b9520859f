"""The identity of evidence, for those who meet papers only through the gateway."""

from __future__ import annotations

from reading_model.identity import evidence_id_of

__all__ = ["evidence_id_of"]
