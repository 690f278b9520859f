"""Reading models: from a file to exact spans.

Turns PDFs and parser artifacts into parsed documents, builds reading models from them and keeps those in SQL.
It does not search, knows no users' questions and imports nothing of the other packages.
Start with `documents` (what a parser yields), then `models` (what the product keeps), `builder` and `store`.
"""
