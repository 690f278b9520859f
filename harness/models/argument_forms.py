"""Arguments that are no plain JSON object but have one reading only: wrapped, encoded twice, fenced, a Python dict.

Nothing is guessed: where a form could be read in two ways or is cut off, the arguments are refused with the reason that
strict JSON gives.
"""

from __future__ import annotations

import ast
import io
import itertools
import json
import re
import tokenize
import warnings
from typing import Any, cast

from harness.tools.arguments import ArgumentsRefused, parse_object
from harness.unicode_text import without_surrogates

_FENCE = re.compile(r"\A\s*```(?:json)?[ \t]*\n(?P<inner>.*?)\n?[ \t]*```\s*\Z", re.DOTALL)
_WRAPPED = "$text"
_DEPTH = 3
"""A model that encodes its arguments more often than this is not understood."""

_LONGEST_LITERAL = 100_000
_NO_LITERAL = (
    *(ValueError, TypeError, SyntaxError, RecursionError, MemoryError, Warning),
    *(tokenize.TokenError, ArgumentsRefused),
)


def plain_arguments(raw: str) -> str:
    """The arguments as the text of one JSON object without lone surrogates. Raises `ArgumentsRefused`."""
    try:
        values = parse_object(raw)
    except ArgumentsRefused as refused:
        values = _other_form(raw, _DEPTH)
        if values is None:
            raise refused from None
        return _text(values)
    if values.keys() == {_WRAPPED} and isinstance(values[_WRAPPED], str):
        return plain_arguments(values[_WRAPPED])
    return raw if "\\u" not in raw and raw.isascii() else _text(values)


def _other_form(raw: str, depth: int) -> dict[str, Any] | None:
    if depth == 0:
        return None
    fenced = _FENCE.match(raw)
    inner = fenced["inner"] if fenced else _inner_json(raw)
    if inner is None:
        return _python_dict(raw)
    try:
        return parse_object(inner)
    except ArgumentsRefused:
        return _other_form(inner, depth - 1)


def _inner_json(raw: str) -> str | None:
    """The text that a JSON string holds."""
    try:
        value: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _python_dict(raw: str) -> dict[str, Any] | None:
    """A dict written as a Python literal of JSON's own types, None for anything else."""
    if not raw.lstrip().startswith("{") or len(raw) > _LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # an escape that Python only warns of has no certain reading
            tree = ast.parse(raw.strip(), mode="eval")
        if not _one_reading(raw.strip(), tree.body):
            return None
        value = ast.literal_eval(tree)
        # through JSON, so that keys are texts and what JSON does not know is refused
        return parse_object(json.dumps(value, allow_nan=False, ensure_ascii=False))
    except (
        ValueError,
        TypeError,
        SyntaxError,
        RecursionError,
        MemoryError,
        Warning,
        tokenize.TokenError,
        ArgumentsRefused,
    ):
        return None


def _one_reading(raw: str, tree: ast.expr) -> bool:
    """Whether each dict names its keys once, as texts, and no texts stand side by side, which Python would join."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            if len(keys) != len(node.keys) or len(set(keys)) != len(keys):
                return False
        elif not isinstance(node, ast.List | ast.Constant | ast.Load | ast.UnaryOp | ast.USub):
            return False
    tokens = tokenize.generate_tokens(io.StringIO(raw).readline)
    kinds = [token.type for token in tokens if token.type not in {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT}]
    return (tokenize.STRING, tokenize.STRING) not in itertools.pairwise(kinds)


def _text(values: dict[str, Any]) -> str:
    return without_surrogates(json.dumps(cast("object", values), ensure_ascii=False))
