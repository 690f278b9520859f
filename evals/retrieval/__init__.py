"""How well places are found: data sets with judgments, obligations of golden cases, frozen queries.

Everything is searched through the product's own analyzer, encoder and index; textbook implementations of BM25 stand
beside it in the same table. It never changes a library of a user.
Start with `comparison`.
"""
