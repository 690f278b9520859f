"""The HTTP service: one research turn as an NDJSON stream or as one JSON object, `/health` and `/ready`.

It validates everything before the first byte, keeps the number of runs and the memory of a slow reader bounded, and
ends the run of a reader that went away. It knows nothing of papers or models: a `TurnRunner` does the turn.
Start with `app` (routes), `runs` (life of a run), `events` (every stream line) and `contracts` (exported schemas).
"""
