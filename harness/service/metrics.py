"""Counters and histograms of one service process, in the form that Prometheus scrapes.

Labels are names out of closed lists (statuses, reasons, codes, tools), never a user, a question or a paper's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from harness.wire import ResearchTurnResponse

METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_CALL_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
_TOOL_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_RUN_SECONDS = (0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640)


class ServiceMetrics:
    """What one process has done since it began; `active_runs` tells how many runs go on now."""

    def __init__(self, active_runs: Callable[[], float]) -> None:
        self._registry = registry = CollectorRegistry()
        Gauge("paperledger_runs_active", "Runs that go on now.", registry=registry).set_function(active_runs)
        self._runs = Counter(
            "paperledger_runs", "Runs that have ended, by status and reason.", ("status", "reason"), registry=registry
        )
        self._run_seconds = Histogram(
            "paperledger_run_seconds", "How long runs took.", ("status",), buckets=_RUN_SECONDS, registry=registry
        )
        self._tokens = Counter("paperledger_tokens", "Tokens of ended runs.", ("kind",), registry=registry)
        self._model_seconds = Histogram(
            "paperledger_model_call_seconds", "How long model calls took.", buckets=_CALL_SECONDS, registry=registry
        )
        self._tool_seconds = Histogram(
            "paperledger_tool_call_seconds",
            "How long tool calls took.",
            ("tool", "status"),
            buckets=_TOOL_SECONDS,
            registry=registry,
        )
        self._rejections = Counter(
            "paperledger_submission_rejections", "Codes of rejected submissions.", ("code",), registry=registry
        )

    def event(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Count one progress event of a run, as the stream contract has it."""
        match kind:
            case "model_call_completed":
                self._model_seconds.observe(fields["durationMs"] / 1000)
            case "tool_completed":
                self._tool_seconds.labels(fields["tool"], fields["status"]).observe(fields["durationMs"] / 1000)
            case "submission_rejected":
                for code in fields["codes"]:
                    self._rejections.labels(code).inc()
            case _:
                return

    def run_ended(self, response: ResearchTurnResponse, *, elapsed_ms: int) -> None:
        """Count a run that has ended, whatever its end."""
        reason = response.control.reason_code if response.control else ""
        self._runs.labels(response.status, reason).inc()
        self._run_seconds.labels(response.status).observe(elapsed_ms / 1000)
        self._tokens.labels("prompt").inc(response.usage.prompt_tokens)
        self._tokens.labels("completion").inc(response.usage.completion_tokens)

    def page(self) -> bytes:
        """Everything in the text format."""
        return generate_latest(self._registry)
