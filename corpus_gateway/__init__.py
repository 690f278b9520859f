"""Authorised access to papers: who may see which paper, and the corpus API over it.

Every call checks again what the user may see, inside the scope of the turn, and answers with wire models.
It does not talk to language models and keeps no state of a run.
Start with `protocol` and `wire`, then `local` (store and index behind the protocol) and `library`.
"""
