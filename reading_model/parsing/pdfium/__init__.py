"""The parser `pdfium`: rules over the characters and graphics that pdfium gives, no model.

One idea a module, from the bottom: `raw` (all contact with pdfium), `hidden`, `words`, `lines`, `furniture`, `floats`
and `tables`, `columns` (reading order), `paragraphs`, `headings`, `front_matter`, `assembly`; `parser` runs them.
"""
