"""One module a schema revision, each frozen as it was released."""
