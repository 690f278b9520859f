"""PDF reading for other agents over MCP.

Parses with the reading model's parsers; the library's gateway is handed in by the command line.
Nothing of it is built yet; the package holds its place in the import rules.
"""
