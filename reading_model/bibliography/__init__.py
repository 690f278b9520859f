"""Bibliographies: BibTeX and CSL-JSON that a person keeps, read; BibTeX, CSL-JSON and RIS written."""

from reading_model.bibliography.bibtex import read_bibtex, write_bibtex
from reading_model.bibliography.csl import read_csl, write_csl
from reading_model.bibliography.entry import BibliographyEntry
from reading_model.bibliography.reading import read_bibliography
from reading_model.bibliography.ris import write_ris

__all__ = [
    "BibliographyEntry",
    "read_bibliography",
    "read_bibtex",
    "read_csl",
    "write_bibtex",
    "write_csl",
    "write_ris",
]
