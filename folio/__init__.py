"""The page for people: library, questions, progress, answers, citations opened on the page.

Goes through the corpus gateway like everyone else and never parses answer text for sources or rights.
Nothing of it is built yet; the package holds its place in the import rules.
"""
