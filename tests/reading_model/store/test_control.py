from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from reading_model.store import ReadingStore


def test_a_name_has_the_value_that_was_set_last(store: ReadingStore) -> None:
    assert store.control.get("active_contract") is None
    store.control.set("active_contract", "eins 🧪")
    store.control.set("active_contract", "zwei")
    store.control.set("Active_contract", "other")
    assert store.control.get("active_contract") == "zwei"


def test_setting_a_name_at_the_same_moment_never_fails(store: ReadingStore) -> None:
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: store.control.set("name", str(number)), range(12)))
    assert store.control.get("name") in {str(number) for number in range(12)}
