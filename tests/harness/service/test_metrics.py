"""What `/metrics` tells, to whom, and what it never tells."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.harness.service.scripted import PROVIDER, body, in_process, settings
from tests.harness.service.test_full_run import COMPLETION_TOKENS, PROMPT_TOKENS, WHOLE_RUN, running


def samples(page: httpx.Response) -> dict[tuple[str, tuple[str, ...]], float]:
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {  # labels are in the order of their names
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(page.text)
        for sample in family.samples
    }


async def test_a_run_is_counted_with_its_calls_tokens_tools_and_rejections() -> None:
    async with running(*WHOLE_RUN) as (service, _):
        before = samples(await service.client.get("/metrics"))
        await service.stream(body())
        page = await service.client.get("/metrics")
    told = samples(page)
    assert before["paperledger_runs_active", ()] == told["paperledger_runs_active", ()] == 0
    assert told["paperledger_runs_total", ("", "COMPLETED")] == 1
    assert told["paperledger_run_seconds_count", ("COMPLETED",)] == 1
    assert told["paperledger_tokens_total", ("prompt",)] == 6 * PROMPT_TOKENS
    assert told["paperledger_tokens_total", ("completion",)] == 6 * COMPLETION_TOKENS
    assert told["paperledger_model_call_seconds_count", ()] == 6
    assert told["paperledger_tool_call_seconds_count", ("success", "read_locations")] == 1
    assert told["paperledger_submission_rejections_total", ("SUBMISSION_NOT_ALONE",)] == 1
    for word in ("gen-1", "conv-1", "37M", "Literature", "paper nodes", "sk-", '"7"'):
        assert word not in page.text


async def test_a_run_without_an_answer_is_counted_under_its_reason() -> None:
    async with running(lambda _: [("open_sesame", {})]) as (service, _):
        await service.stream(body())
        told = samples(await service.client.get("/metrics"))
    assert told["paperledger_runs_total", ("PROVIDER_TOOL_PROTOCOL_VIOLATION", "FAILED_TECHNICAL")] == 1


@pytest.mark.parametrize(
    ("changes", "caller", "status"),
    [
        ({}, "127.0.0.1", 401),
        ({"tokens": (), "no_auth": True}, "127.0.0.1", 200),
        ({"tokens": (), "no_auth": True}, "192.0.2.7", 403),
    ],
)
async def test_metrics_are_for_holders_of_the_token_or_this_machine(
    changes: dict[str, Any], caller: str, status: int
) -> None:
    client, _ = in_process(settings(provider=PROVIDER, **changes), caller=caller)
    async with client:
        assert (await client.get("/metrics")).status_code == status
