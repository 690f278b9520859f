"""Log lines of the service: text for people or one JSON object a line. Texts of papers and secrets never go there."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the exception's type where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def configure_log(form: Literal["text", "json"]) -> None:
    """Send log lines of level INFO and above to stderr; HTTP client chatter only from WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonLines() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for noisy in ("httpx", "httpcore", "openai", "openai.agents", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
