"""The parsers `mineru-artifact` and `paperloom-export`: what another parser found, taken over as a parsed document.

`bundle` finds the files of one output in a folder, zip or beside a PDF, `items` reads their blocks, `assembly` makes a
parsed document of them.
"""
