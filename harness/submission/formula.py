"""Formulas of computed numbers: parsed and evaluated here, with exact fractions and hard bounds; nothing is executed.

Grammar, lowest precedence first::

    sum     = product (("+" | "-") product)*
    product = signed (("*" | "/") signed)*
    signed  = ("+" | "-")* power
    power   = percent ("^" signed)?
    percent = atom "%"*
    atom    = number | name | "(" sum ")"

`×`, `·`, `÷`, `−` and `**` are read as their plain forms. A name is a letter followed by letters, digits, `_` or `.`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

MAX_FORMULA_CHARACTERS = 400
MAX_DEPTH = 32
MAX_EXPONENT = 64
MAX_DIGITS = 400
"""A result, or any value on the way to it, has at most this many digits above and below its fraction bar."""


class FormulaError(Exception):
    """A formula that gives no number. `code` names why.

    * FORMULA_SYNTAX: it is not of the grammar, or too long or too deep
    * FORMULA_UNKNOWN_NAME: a name that is no input
    * DIVISION_BY_ZERO
    * EXPONENT_OUT_OF_RANGE: an exponent that is no whole number from -64 to 64
    * VALUE_OUT_OF_RANGE: a value with more than 400 digits
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula in reverse Polish notation; `names` and `numbers` are what it uses."""

    steps: tuple[str | Fraction, ...]
    names: frozenset[str]
    numbers: tuple[Fraction, ...]

    def evaluate(self, values: Mapping[str, Fraction]) -> Fraction:
        """The exact value. Raises `FormulaError`."""
        stack: list[Fraction] = []
        for step in self.steps:
            if isinstance(step, Fraction):
                stack.append(step)
            elif step in _UNARY:
                stack.append(_bounded(-stack.pop() if step == "neg" else stack.pop() / 100))
            elif step in _BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(_bounded(_applied(step, left, right)))
            else:
                name = step.removeprefix("name ")
                if name not in values:
                    raise FormulaError("FORMULA_UNKNOWN_NAME", f"`{name}` is not among the inputs")
                stack.append(_bounded(values[name]))
        return stack.pop()

    def with_number(self, number: Fraction, replacement: Fraction) -> Formula:
        """The formula with one of its numbers replaced."""
        steps = tuple(replacement if step == number else step for step in self.steps)
        return Formula(steps, self.names, tuple(replacement if item == number else item for item in self.numbers))


_UNARY = frozenset({"neg", "%"})
_BINARY = frozenset({"+", "-", "*", "/", "^"})
_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<name>[^\W\d_][\w.]*)|(?P<sign>\*\*|[-+*/^%()]))")
_SIGNS = str.maketrans({"×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "∕": "/", "⁄": "/"})


def parse_formula(text: str) -> Formula:
    """Parse a formula. Raises `FormulaError` (FORMULA_SYNTAX)."""
    if len(text) > MAX_FORMULA_CHARACTERS:
        raise FormulaError("FORMULA_SYNTAX", f"a formula has at most {MAX_FORMULA_CHARACTERS} characters")
    parser = _Parser(_tokens(unicodedata.normalize("NFKC", text).translate(_SIGNS)))
    parser.sum(0)
    if parser.next:
        raise FormulaError("FORMULA_SYNTAX", f"`{parser.next}` stands where an operator is expected")
    names = frozenset(
        step.removeprefix("name ") for step in parser.steps if isinstance(step, str) and step.startswith("name ")
    )
    return Formula(tuple(parser.steps), names, tuple(step for step in parser.steps if isinstance(step, Fraction)))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError("FORMULA_SYNTAX", f"`{text[at]}` is not part of a formula")
        tokens.append("^" if match["sign"] == "**" else match.group().strip())
        at = match.end()
    return tokens


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self.steps: list[str | Fraction] = []

    @property
    def next(self) -> str:
        """The next token, empty at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *signs: str) -> str:
        token = self.next
        if token not in signs:
            return ""
        self._at += 1
        return token

    def sum(self, depth: int) -> None:
        """`sum` of the grammar."""
        self._product(depth)
        while sign := self._take("+", "-"):
            self._product(depth)
            self.steps.append(sign)

    def _product(self, depth: int) -> None:
        self._signed(depth)
        while sign := self._take("*", "/"):
            self._signed(depth)
            self.steps.append(sign)

    def _signed(self, depth: int) -> None:
        negative = False
        while sign := self._take("+", "-"):
            negative ^= sign == "-"
        self._power(depth)
        if negative:
            self.steps.append("neg")

    def _power(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise FormulaError("FORMULA_SYNTAX", "the formula is nested too deeply")
        self._atom(depth)
        while self._take("%"):
            self.steps.append("%")
        if self._take("^"):
            self._signed(depth + 1)
            self.steps.append("^")

    def _atom(self, depth: int) -> None:
        token = self.next
        self._at += 1
        if token in {"("}:
            self.sum(depth + 1)
            if not self._take(")"):
                raise FormulaError("FORMULA_SYNTAX", "a bracket is not closed")
        elif token and (token[0].isdigit() or token[0] == "."):
            self.steps.append(_bounded(Fraction(token)))
        elif token and token[0].isalpha():
            self.steps.append(f"name {token}")
        else:
            raise FormulaError(
                "FORMULA_SYNTAX", f"`{token}` stands where a value is expected" if token else "it ends early"
            )


def _applied(operator: str, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            if right == 0:
                raise FormulaError("DIVISION_BY_ZERO", "the formula divides by zero")
            return left / right
        case _:
            return _power(left, right)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise FormulaError("EXPONENT_OUT_OF_RANGE", f"exponents are whole numbers up to {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        raise FormulaError("DIVISION_BY_ZERO", "the formula divides by zero")
    digits = max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(int(exponent)) * 0.302
    if digits > MAX_DIGITS:
        raise FormulaError("VALUE_OUT_OF_RANGE", f"a value has more than {MAX_DIGITS} digits")
    return base ** int(exponent)


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_DIGITS * 3.322:
        raise FormulaError("VALUE_OUT_OF_RANGE", f"a value has more than {MAX_DIGITS} digits")
    return value
