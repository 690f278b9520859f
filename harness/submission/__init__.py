"""Submission: parse a draft's Markdown, hold it against the rules, render what is accepted.

Pure functions over the draft, the ledger and what the run has disclosed; nothing here performs I/O.
"""
