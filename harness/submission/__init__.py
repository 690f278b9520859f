"""Submission: parse a draft's Markdown, hold it against the rules, render what is accepted.

Pure functions over the draft, the ledger and what the run has disclosed; nothing here performs I/O.
Start with `judgement` (all rules by name), `parsed` (a draft as the rules see it) and `rendering`; the rules are
described for people in `docs/submission-rules.md`.
"""

from harness.submission.judgement import judge, salvage
from harness.submission.rejection import rejection_message
from harness.submission.rendering import summary_of, to_wire

__all__ = ["judge", "rejection_message", "salvage", "summary_of", "to_wire"]
