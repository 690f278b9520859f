from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.errors import SettingsInvalid
from cli.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.startswith("PAPERLEDGER_")]:
        monkeypatch.delenv(name)


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "paperledger.toml").write_text('max_runs = 2\nmodel = "from-file"\nlog = "json"\n')
    monkeypatch.setenv("PAPERLEDGER_MODEL", "from-environment")
    monkeypatch.setenv("PAPERLEDGER_LOG", "text")
    settings = load_settings(library=tmp_path, overrides={"log": "json", "model": None})
    assert (settings.max_runs, settings.model, settings.log) == (2, "from-environment", "json")
    assert settings.run_max_model_turns == 16


def test_the_store_is_sqlite_inside_the_library_unless_a_url_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings(library=tmp_path).store_url == f"sqlite:///{tmp_path / 'library.sqlite3'}"
    monkeypatch.setenv("PAPERLEDGER_DATABASE_URL", "mysql+pymysql://u:p@h/d")
    assert load_settings(library=tmp_path).store_url == "mysql+pymysql://u:p@h/d"


def test_a_secret_comes_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "key"
    secret.write_text("sk-very-secret\n")
    monkeypatch.setenv("PAPERLEDGER_MODEL_API_KEY_FILE", str(secret))
    settings = load_settings(library=tmp_path)
    assert settings.model_api_key is not None
    assert settings.model_api_key.get_secret_value() == "sk-very-secret"
    assert "sk-very-secret" not in repr(settings)


def test_a_setting_that_is_no_secret_is_not_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "name").write_text("other\n")
    monkeypatch.setenv("PAPERLEDGER_MODEL_FILE", str(tmp_path / "name"))
    assert load_settings(library=tmp_path).model == "extractive"


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("zzz = 1\n", r"There is no setting `zzz`\.$"),
        ("modell = 1\n", "no setting `modell`; `model` is one"),
        ("max_runs = 0\n", "max_runs"),
        ('log = "yaml"\n', "log"),
        ("this is not toml", "cannot be read"),
    ],
)
def test_a_wrong_settings_file_is_refused_and_named(tmp_path: Path, content: str, named: str) -> None:
    (tmp_path / "paperledger.toml").write_text(content)
    with pytest.raises(SettingsInvalid, match=named):
        load_settings(library=tmp_path)


def test_a_refused_value_is_never_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLEDGER_MAX_RUNS", "sk-pasted-by-mistake")
    with pytest.raises(SettingsInvalid) as refused:
        load_settings(library=tmp_path)
    assert "sk-pasted" not in str(refused.value)


def test_a_missing_config_or_secret_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsInvalid):
        load_settings(config=tmp_path / "absent.toml")
    monkeypatch.setenv("PAPERLEDGER_SERVICE_TOKEN_FILE", str(tmp_path / "absent"))
    with pytest.raises(SettingsInvalid):
        load_settings(library=tmp_path)


def test_keys_of_other_programs_are_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://stray.invalid")
    settings = load_settings(library=tmp_path)
    assert (settings.model, settings.model_api_key, settings.model_base_url) == ("extractive", None, None)


def test_every_setting_has_a_heading_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()
    headings = re.findall(r"(?m)^## (\w+)$", text)
    assert headings == list(Settings.model_fields)
    for name in headings:
        assert f"`PAPERLEDGER_{name.upper()}`" in text


def test_the_ceilings_of_runs_start_where_the_harness_starts(tmp_path: Path) -> None:
    from cli.wiring import run_limits
    from harness.turn import RunLimits

    assert run_limits(load_settings(library=tmp_path)) == RunLimits()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("qdrant_url", "qdrant.example.org:6333", "must begin with http:// or https://"),
        ("qdrant_url", "ftp://qdrant.example.org", "must begin with http:// or https://"),
        ("qdrant_url", "http://", "must begin with http:// or https://"),
        ("qdrant_url", "https://user:hunter2@qdrant.example.org", "qdrant_api_key"),
        ("qdrant_url", "https://qdrant.example.org?api-key=hunter2", "qdrant_api_key"),
        ("qdrant_collection", "a/b", "qdrant_collection"),
        ("qdrant_shards", "0", "qdrant_shards"),
        ("qdrant_shards", "2", "qdrant_url is not set"),
        ("qdrant_idf", "global", "qdrant_url is not set"),
        ("qdrant_idf", "local", "qdrant_idf"),
        ("qdrant_write_consistency", "2", "must not be more than qdrant_replicas"),
    ],
)
def test_a_setting_of_the_qdrant_server_that_cannot_be_is_named_without_its_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"PAPERLEDGER_{name.upper()}", value)
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(library=tmp_path)
    assert f"`{name}`" in str(caught.value)
    assert said in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_settings_of_the_qdrant_server_make_the_contracts_idf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings(library=tmp_path).idf == "scope"
    for name, value in {"URL": "https://q.example.org", "SHARDS": "4", "IDF": "global", "REPLICAS": "2"}.items():
        monkeypatch.setenv(f"PAPERLEDGER_QDRANT_{name}", value)
    monkeypatch.setenv("PAPERLEDGER_QDRANT_WRITE_CONSISTENCY", "2")
    assert load_settings(library=tmp_path).idf == "global/4-shards"
