"""Computes results of instructions on registers, with the executable semantics of the database."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.execution import evaluate
from tests.support.straight_line import NotComputableError, _specs

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lint.scheduling.program import Statement

_ROUNDED: Final = frozenset({"add", "sub", "mul", "mad", "fma", "div", "max", "min", "cvt"})
_FLOATS: Final = frozenset({".f16", ".bf16", ".f16x2", ".bf16x2", ".f32", ".f64"})
"""Results of floats are not computed: small numbers would vanish when they are multiplied."""


@lru_cache(maxsize=1 << 12)
def _operands(statement: Statement) -> tuple[tuple[str, str, str], ...]:
    """Returns the name, the role and the type of each operand; none if they are unknown."""
    try:
        found = _specs(statement.opcode, list(statement.modifiers), len(statement.operands))
    except NotComputableError:
        return ()
    return tuple((each.name, each.role, each.type) for each in found)


@lru_cache(maxsize=1 << 18)
def _result(statement: Statement, values: tuple[int, ...]) -> int:
    """Returns the first result; a number that depends on all operands if it is unknown."""
    specs = _operands(statement)
    is_rounded = statement.opcode in _ROUNDED and not _FLOATS.isdisjoint(statement.modifiers)
    if specs and not is_rounded:
        given = {name: None if role == "write" else 0 for name, role, _ in specs}
        sources = [name for name, role, _ in specs if role != "write"]
        if len(sources) == len(values):
            outcome = evaluate(
                statement.opcode,
                statement.modifiers,
                given | dict(zip(sources, values, strict=True)),
            )
            found = None if outcome is None else outcome.results.get(specs[0][0])
            if isinstance(found, int):
                return found
    return zlib.crc32(repr((statement.opcode, statement.modifiers, values)).encode())


def compute(statement: Statement, value_of: Callable[[str, int], int]) -> int:
    """Returns the result of an instruction; `value_of` returns an operand of a width."""
    specs = _operands(statement)
    values = []
    for number, text in enumerate(statement.operands[1:], 1):
        type_ = specs[number][2] if len(specs) == len(statement.operands) else ""
        values.append(value_of(text, _width(type_)))
    return _result(statement, tuple(values))


def _width(type_: str) -> int:
    digits = "".join(filter(str.isdigit, type_))
    return 1 if type_ == ".pred" else int(digits or 32)


def float_bits(text: str, width: int) -> int:
    """Returns the bits of a number with a point."""
    wanted, whole = ("<d", "<Q") if width == 64 else ("<f", "<I")
    return int(struct.unpack(whole, struct.pack(wanted, float(text)))[0])
