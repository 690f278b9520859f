"""Parsers: from a file's bytes to a `ParsedDocument`, in a worker process with limits."""
