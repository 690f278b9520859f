from __future__ import annotations

from reading_model.errors import PasswordRequired, hint_of


def test_the_advice_of_a_failure_is_found_by_its_code() -> None:
    assert hint_of("password_required") == PasswordRequired.hint != ""
    assert "--ocr auto" in hint_of("no_text")
    assert hint_of("no_such_code") == ""
