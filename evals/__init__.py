"""Measurements: benchmarks of the build path, of retrieval and of the harness.

Reads the product through the same calls as its users and never changes an answer.
It serves no requests and is not imported by any other package but the command line.
Start with `bench`.
"""
