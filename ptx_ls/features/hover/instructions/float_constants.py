"""Decides what the pseudo-code of an instruction asks of float constants: `isnan(1.0)` is false."""

from __future__ import annotations

import math
from typing import Final

from ptx_ls.isa.execution.tree import Expression, FunctionCall, Number, map_parts
from ptx_ls.syntax.literals import number

_MIN_NORMAL: Final = 2.0**-14
"""The smallest normal `.f16`; that of every other type is smaller."""


def with_decided_floats(node: Expression) -> Expression:
    """Returns an expression without tests and flushes of floats whose outcome is known.

    `isnan` of a constant is 0 or 1. `ftz`, which flushes subnormal numbers to zero, is omitted
    around a constant that it keeps, and around another `ftz`.
    """
    node = map_parts(node, with_decided_floats)
    match node:
        case FunctionCall("isnan", (Number(text),)):
            value = number(text)
            return node if value is None else Number(str(int(math.isnan(value))))
        case FunctionCall("ftz", (FunctionCall("ftz", _) as inner,)):
            return inner
        case FunctionCall("ftz", (Number(text) as constant,)):
            value = number(text)
            is_kept = value is not None and (value == 0 or not abs(value) < _MIN_NORMAL)
            return constant if is_kept else node
    return node
