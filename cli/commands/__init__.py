"""One file per command group."""
