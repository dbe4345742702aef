"""The types and values of constant expressions that are given as text.

Source: PTX ISA, "Constant Expressions".
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.constants.expressions import (
    ConstantFault,
    ExpressionToken,
    NoConstantError,
    Value,
    evaluate,
)
from ptx_ls.syntax.tokens import tokenize

_MAX_VALUED: Final = 4_096
"""Maximum length, in characters, of an expression to evaluate."""


def type_of(text: str) -> str:
    """Returns the type of an expression, `.f64` or `.s64`; "" if it is invalid."""
    value = _short_value(text)
    return "" if value is None else ".f64" if value.is_float else ".s64"


def value_of(text: str) -> float | None:
    """Returns the value of an expression, an `int` if it is an integer; None if it is unknown."""
    value = _short_value(text)
    return None if value is None else value.number


def integer_of(text: str) -> int | None:
    """Returns the value of an integer expression; None for others."""
    value = _short_value(text)
    if value is None or value.is_float or value.number is None:
        return None
    return int(value.number)


def _short_value(text: str) -> Value | None:
    """Returns the value of an expression; None if it is invalid or long.

    Callers also evaluate each part of an expression, which takes quadratic time.
    """
    return _value(text) if len(text) <= _MAX_VALUED else None


@lru_cache(maxsize=1 << 12)
def _value(text: str) -> Value | None:
    parts = [
        ExpressionToken(token.string, FUNCTION_START, FUNCTION_START)
        for token in tokenize(text)
        if token.string
    ]
    try:
        value, faults = evaluate(parts)
    except NoConstantError:
        return None
    return value if all(fault.fault is ConstantFault.ZERO for fault in faults) else None
