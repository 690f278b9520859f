"""The `paperledger` command: settings, wiring and one file per command group.

The only place that reads the environment and builds other packages' objects.
It holds no rules of its own: what a command does lives in the package it calls.
Start with `main`, then `settings` and `wiring`.
"""
