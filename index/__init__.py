"""Candidates: sparse BM25 over the locations of reading models, in the Qdrant engine.

Analyses text, encodes it as sparse vectors, keeps points beside the canonical store and selects candidates for a query.
It holds no permissions and no text; SQL stays the truth and every point can be rebuilt from it.
Start with `contract` (what a score depends on), then `analyzer`, `encoder`, `engine` and `retrieval`.
"""
