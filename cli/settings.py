"""One typed class of settings: flags over environment over `paperledger.toml`."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from cli.errors import SettingsInvalid
from index.contract import SCOPED_IDF, idf_mode

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
    qdrant_url: str | None = Field(
        default=None, description="Address of a Qdrant server; unset means the engine inside the library."
    )
    qdrant_api_key: SecretStr | None = Field(default=None, description="Key of that server.")
    qdrant_collection: str | None = Field(
        default=None,
        pattern="^[A-Za-z0-9_-]{1,100}$",
        description="Prefix of the library's collections there; unset means `paperledger_` and the library's id.",
    )
    qdrant_shards: int = Field(default=1, ge=1, le=1000, description="Shards of a new collection.")
    qdrant_replicas: int = Field(default=1, ge=1, le=100, description="Replicas of each shard.")
    qdrant_write_consistency: int | None = Field(
        default=None, ge=1, description="Replicas that must have a write before it counts as done; unset means all."
    )
    qdrant_on_disk: bool = Field(default=True, description="Keep the sparse index of a new collection on disk.")
    qdrant_idf: Literal["scope", "global"] = Field(
        default=SCOPED_IDF, description="Over which points inverse document frequencies are counted."
    )
    qdrant_timeout_seconds: int = Field(default=20, ge=1, le=600, description="Time limit of one call to the server.")
    qdrant_ca_file: Path | None = Field(default=None, description="Certificates to trust instead of the system's.")
    qdrant_grpc_port: int | None = Field(default=None, ge=1, le=65535, description="Speak gRPC, on this port.")
    model: str = Field(default="extractive", description="`extractive` (offline), or the name of a provider's model.")
    model_base_url: str | None = Field(default=None, description="Base URL of an OpenAI-compatible endpoint.")
    model_api_key: SecretStr | None = Field(default=None, description="Key of that endpoint.")
    model_provider: str | None = Field(
        default=None, description="Profile of that endpoint; unset means the one that its address chooses."
    )
    model_api: Literal["chat", "responses"] | None = Field(
        default=None, description="API of that endpoint; unset means what its profile or address says."
    )
    model_stream: bool | None = Field(
        default=None, description="Whether replies are asked for as a stream; unset means what the profile says."
    )
    model_stall_seconds: float = Field(
        default=60.0, gt=0, allow_inf_nan=False, description="Longest silence in the middle of a streamed reply."
    )
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

    @field_validator("qdrant_url")
    @classmethod
    def _is_server(cls, url: str | None) -> str | None:
        """An address that can be called, without a secret in it."""
        if url is None:
            return url
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            message = "it must begin with http:// or https:// and name a host"
            raise ValueError(message)
        if "@" in parts.netloc or parts.query or parts.fragment:
            message = "it must hold no user, password or query; the key has a setting of its own, qdrant_api_key"
            raise ValueError(message)
        return url

    @field_validator("qdrant_shards", "qdrant_idf")
    @classmethod
    def _needs_server(cls, value: int | str, info: ValidationInfo) -> int | str:
        """What only a server can do is not silently left undone by the embedded engine."""
        if value not in {1, SCOPED_IDF} and info.data.get("qdrant_url", "") is None:
            message = "it needs a server, and qdrant_url is not set"
            raise ValueError(message)
        return value

    @field_validator("qdrant_write_consistency")
    @classmethod
    def _within_replicas(cls, value: int | None, info: ValidationInfo) -> int | None:
        if value is not None and value > info.data.get("qdrant_replicas", value):
            message = "it must not be more than qdrant_replicas"
            raise ValueError(message)
        return value

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
    def idf(self) -> str:
        """What the index contract says of IDF under these settings."""
        return idf_mode(self.qdrant_idf, self.qdrant_shards)

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
        if first["type"] == "extra_forbidden":
            near = difflib.get_close_matches(name, settings_class.model_fields, n=1)
            message = f"There is no setting `{name}`{f'; `{near[0]}` is one' if near else ''}."
        else:
            message = f"The setting `{name}` is not right: {first['msg']}."
        raise SettingsInvalid(message) from None
    except (SettingsError, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"The settings cannot be read: {error}."
        raise SettingsInvalid(message) from None
