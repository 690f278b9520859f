"""Benchmarks: speeds of ingestion, retrieval and the harness, each beside a yardstick measured in the same run."""
