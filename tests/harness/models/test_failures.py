from __future__ import annotations

import pytest

from harness.models.failures import status_failure


@pytest.mark.parametrize("code", ["model_not_found", "DataInspectionFailed", "Throttling.RateQuota", "1305"])
def test_the_providers_own_code_is_named(code: str) -> None:
    assert str(status_failure(404, {"error": {"code": code}}, host="example.org")).endswith(f"(HTTP 404, {code}).")


@pytest.mark.parametrize(
    "code", ["sk-proj-Aq9xT27bLm", "Aq9xT27bLm00Zp", "gsk_4fQzW8", "9" * 20, "a" * 64, "see the key\nabc", ""]
)
def test_what_may_be_a_piece_of_a_key_is_not_shown(code: str) -> None:
    assert str(status_failure(404, {"error": {"code": code}}, host="example.org")).endswith("(HTTP 404).")
