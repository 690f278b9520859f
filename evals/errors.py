"""Errors of the evaluations.

EvaluationError
├── EvaluationDataMissing      evaluation_data_missing: a file of the data set is not there
├── EvaluationDataMalformed    evaluation_data_malformed: a line or an entry of the data cannot be used
└── EvaluationPackageMissing   evaluation_package_missing: a package of the extra `evals` is not installed

Every error has a stable `code` and says what to do next in `hint`.
"""

from __future__ import annotations

from pathlib import Path


class EvaluationError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "evaluation_error"
    hint = ""


class EvaluationDataMissing(EvaluationError):
    """A file that an evaluation needs is not in its folder."""

    code = "evaluation_data_missing"
    hint = "docs/evals.md says which files a data set has; check --data."

    def __init__(self, file: Path, *, why: str) -> None:
        super().__init__(f"{file} is not there: {why}")
        self.file = file


class EvaluationDataMalformed(EvaluationError):
    """A line or an entry of the data cannot be used; the message names the file and where in it."""

    code = "evaluation_data_malformed"
    hint = "Correct the data at the place named; nothing was evaluated."

    def __init__(self, file: Path, where: int | str, problem: str) -> None:
        place = f"line {where}" if isinstance(where, int) else where
        super().__init__(f"{file}, {place}: {problem}")
        self.file = file
        self.where = where


class EvaluationPackageMissing(EvaluationError):
    """A package that only evaluations need is not installed."""

    code = "evaluation_package_missing"
    hint = "Install the extra: pip install 'paperledger[evals]'; in a clone of the repository: ./run setup dev."

    def __init__(self, package: str) -> None:
        super().__init__(f"The package {package} is not installed; it comes with the extra `evals`.")
        self.package = package
