"""Hard use of the whole of ingestion: commands for long runs, and small runs of the same as tests."""
