"""Ending a run by its id: for its owner alone, and at once."""

from __future__ import annotations

import asyncio

import pytest

from harness.turn import TurnExecutionInput
from harness.wire import ResearchTurnResponse
from tests.harness.service.scripted import TOKEN, ScriptedRunner, body, in_process, lines_of, serving, settings

AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


class Endless:
    """A script that ends only when its task is cancelled."""

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def __call__(self, turn: TurnExecutionInput) -> ResearchTurnResponse:
        self.began.set()
        await asyncio.Event().wait()
        raise AssertionError(turn.run_id)


@pytest.mark.parametrize("owner", [7, "7"])
async def test_the_owner_ends_a_run_and_its_stream_says_so(owner: object) -> None:
    script = Endless()
    runner = ScriptedRunner(script)
    async with serving(runner, settings(stop_grace_seconds=0.01)) as service, asyncio.timeout(5):
        stream = asyncio.create_task(service.client.post("/v1/research/stream", json=body()))
        await script.began.wait()
        run_id = runner.turns[0].run_id
        answer = await service.client.post(f"/v1/research/runs/{run_id}/cancel", json={"user_id": owner})
        lines = lines_of((await stream).content)
        again = await service.client.post(f"/v1/research/runs/{run_id}/cancel", json={"user_id": owner})
    assert (answer.status_code, answer.json()) == (200, {"run_id": run_id, "state": "cancelling"})
    assert [line["type"] for line in lines[-2:]] == ["job_cancelled", "result"]
    assert lines[-1]["payload"]["status"] == "CANCELLED"
    assert again.status_code == 404


async def test_somebody_elses_run_and_no_run_are_answered_alike_and_nothing_ends() -> None:
    script = Endless()
    runner = ScriptedRunner(script)
    async with serving(runner, settings(stop_grace_seconds=0.01)) as service, asyncio.timeout(5):
        turn = asyncio.create_task(service.client.post("/v1/research/turn", json=body()))
        await script.began.wait()
        run_id = runner.turns[0].run_id
        foreign = await service.client.post(f"/v1/research/runs/{run_id}/cancel", json={"user_id": 8})
        absent = await service.client.post("/v1/research/runs/run_none/cancel", json={"user_id": 7})
        assert not runner.turns[0].cancel.is_set()
        await service.client.post(f"/v1/research/runs/{run_id}/cancel", json={"user_id": 7})
        ended = await turn
    assert (foreign.status_code, foreign.content) == (absent.status_code, absent.content)
    assert foreign.status_code == 404
    assert foreign.json()["error"] == "no_such_run"
    assert ended.json()["status"] == "CANCELLED"


@pytest.mark.parametrize(("content", "status"), [(b"x", 400), (b"{}", 422), (b'{"user_id": null}', 422)])
async def test_a_request_that_names_no_user_is_refused(content: bytes, status: int) -> None:
    client, _ = in_process(settings())
    response = await client.post("/v1/research/runs/run_1/cancel", content=content, headers=AUTHORIZED)
    assert response.status_code == status


async def test_a_cancel_without_token_is_refused() -> None:
    client, _ = in_process(settings())
    response = await client.post("/v1/research/runs/run_1/cancel", json={"user_id": 7})
    assert response.status_code == 401
