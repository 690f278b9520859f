from __future__ import annotations

import os
from pathlib import Path

import pytest

from reading_model.errors import ObjectMissing
from reading_model.objects import LocalObjects


@pytest.fixture
def objects(tmp_path: Path) -> LocalObjects:
    return LocalObjects(tmp_path / "objects")


def test_an_object_comes_back_and_can_be_replaced_and_removed(objects: LocalObjects) -> None:
    assert not objects.exists("pdf/x.pdf")
    objects.put("pdf/x.pdf", b"one")
    objects.put("pdf/x.pdf", b"two")
    assert objects.exists("pdf/x.pdf")
    assert objects.get("pdf/x.pdf") == b"two"
    objects.delete("pdf/x.pdf")
    objects.delete("pdf/x.pdf")
    assert not objects.exists("pdf/x.pdf")
    with pytest.raises(ObjectMissing) as caught:
        objects.get("pdf/x.pdf")
    assert caught.value.code == "object_missing"


def test_a_write_that_fails_leaves_the_old_object_and_no_rest(
    objects: LocalObjects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects.put("pdf/x.pdf", b"old")

    def full(_descriptor: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        objects.put("pdf/x.pdf", b"new")
    assert objects.get("pdf/x.pdf") == b"old"
    assert [path.name for path in (tmp_path / "objects" / "pdf").iterdir()] == ["x.pdf"]


@pytest.mark.parametrize("key", ["", "/etc/x", "../x", "pdf/../../x", "a\\b", "a\0b", ".."])
def test_a_key_never_leaves_the_folder(objects: LocalObjects, key: str) -> None:
    with pytest.raises(ValueError, match="no key"):
        objects.put(key, b"x")
