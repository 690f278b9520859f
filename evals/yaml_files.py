"""YAML files that people write, read into typed models; what is wrong is named by file and place."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from evals.errors import EvaluationDataMalformed, EvaluationDataMissing, EvaluationPackageMissing

T = TypeVar("T")


def load_yaml(file: Path, kind: type[T]) -> T:
    """The content of a file as a value of `kind`, a Pydantic model or a type of such.

    Raises EvaluationDataMissing, EvaluationDataMalformed (with the line of a fault of YAML, or the path of names and
    numbers to a value that does not fit), EvaluationPackageMissing.
    """
    yaml = _yaml()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise EvaluationDataMissing(file, why="it is part of the data") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise EvaluationDataMalformed(file, line, f"no UTF-8: {error.reason}") from None
    try:
        content: object = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = mark.line + 1 if mark is not None else "as a whole"
        raise EvaluationDataMalformed(file, where, f"no YAML: {getattr(error, 'problem', None) or error}") from None
    try:
        return TypeAdapter(kind).validate_python(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "as a whole"
        raise EvaluationDataMalformed(file, where, first["msg"]) from None


def _yaml() -> Any:
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise EvaluationPackageMissing("pyyaml") from None
