"""One research turn: an agent run over an authorised corpus that ends in a validated, cited answer.

Holds the tools, the evidence ledger, the submission rules, the model adapters, the recorder and the NDJSON service.
It reaches papers only through the corpus gateway's protocol and keeps nothing after a run but what was cited.
Start with `turn` (what goes in), `context` (what a run knows), `tools`, `submission` and `runtime`.
"""
