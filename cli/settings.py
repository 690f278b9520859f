"""One typed class of settings: flags over environment over `paperledger.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from cli.errors import SettingsInvalid

ENVIRONMENT_PREFIX = "PAPERLEDGER_"
FILE_NAME = "paperledger.toml"


class SecretFiles(PydanticBaseSettingsSource):
    """Secrets from files: `PAPERLEDGER_MODEL_API_KEY_FILE` names the file that holds `model_api_key`."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The stripped content of the file named in the environment, None where no file is named."""
        name = os.environ.get(f"{ENVIRONMENT_PREFIX}{field_name.upper()}_FILE")
        if name is None or SecretStr not in get_args(field.annotation):
            return None, field_name, False
        return Path(name).read_text(encoding="utf-8").strip(), field_name, False

    def __call__(self) -> dict[str, Any]:
        """All secrets that a file gives."""
        found = {name: self.get_field_value(field, name)[0] for name, field in self.settings_cls.model_fields.items()}
        return {name: value for name, value in found.items() if value is not None}


class Settings(BaseSettings):
    """Every setting, its default and what it means; `docs/settings.md` has a heading for each."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True
    )

    library: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("paperledger", appauthor=False)),
        description="The folder that holds the library.",
    )
    database_url: SecretStr | None = Field(
        default=None, description="SQLAlchemy URL of the canonical store; unset means SQLite inside the library."
    )
    model: str = Field(default="extractive", description="`extractive` (offline), or the name of a provider's model.")
    model_base_url: str | None = Field(default=None, description="Base URL of an OpenAI-compatible endpoint.")
    model_api_key: SecretStr | None = Field(default=None, description="Key of that endpoint.")
    model_timeout_seconds: float = Field(
        default=120.0, gt=0, allow_inf_nan=False, description="Time limit of one call to the model."
    )
    service_token: SecretStr | None = Field(
        default=None, description="Token that callers must send; two, separated by a comma, for rotation."
    )
    max_runs: int = Field(default=8, ge=1, description="Runs that the service executes at the same time.")
    run_max_wall_clock_ms: int = Field(default=600_000, ge=1, description="Ceiling of a run's time.")
    run_max_model_turns: int = Field(default=16, ge=1, description="Ceiling of a run's model calls.")
    run_max_total_tokens: int = Field(default=400_000, ge=1, description="Ceiling of a run's tokens.")
    run_max_model_visible_tool_chars: int = Field(
        default=16_000, ge=500, description="Ceiling of the characters of one tool result."
    )
    run_max_history_chars: int = Field(default=32_000, ge=0, description="Ceiling of the history's characters.")
    run_max_repairs: int = Field(default=3, ge=0, description="Ceiling of repairs in a row.")
    run_max_submissions: int = Field(default=6, ge=1, description="Ceiling of submissions in a run.")
    run_max_completion_tokens: int = Field(default=3_000, ge=1, description="Ceiling of the tokens of one completion.")
    log: Literal["text", "json"] = Field(default="text", description="Form of the service's log lines.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature; .env is never read
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then environment, then files named in the environment, then the settings file."""
        return init_settings, env_settings, SecretFiles(settings_cls), TomlConfigSettingsSource(settings_cls)

    @property
    def store_url(self) -> str:
        """SQLAlchemy URL of the canonical store."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.database_file}"

    @property
    def database_file(self) -> Path:
        """Where the canonical store lies while no `database_url` is set."""
        return self.library / "library.sqlite3"


def load_settings(
    *, library: Path | None = None, config: Path | None = None, overrides: Mapping[str, Any] | None = None
) -> Settings:
    """Read the settings: `overrides` (flags) over environment over file over defaults.

    The file is `config`, else `paperledger.toml` inside the library. Every secret may come from a file named by
    `PAPERLEDGER_<NAME>_FILE`. Raises SettingsInvalid and names the setting, never its value.
    """
    flags = {name: value for name, value in (overrides or {}).items() if value is not None}
    if library is not None:
        flags["library"] = library
    if config is None:
        config = _read(Settings, flags).library / FILE_NAME
        if config.exists() and not config.is_file():
            message = f"{config} is no file."
            raise SettingsInvalid(message)
    elif not config.is_file():
        message = f"There is no settings file {config}."
        raise SettingsInvalid(message)

    class FromFile(Settings):
        model_config = SettingsConfigDict(toml_file=config)

    return _read(FromFile, flags)


def _read(settings_class: type[Settings], flags: Mapping[str, Any]) -> Settings:
    try:
        return settings_class(**flags)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        message = f"The setting `{name}` is not right: {first['msg']}."
        raise SettingsInvalid(message) from None
    except (SettingsError, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"The settings cannot be read: {error}."
        raise SettingsInvalid(message) from None
