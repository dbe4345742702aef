"""Lists which rounding modifiers each conversion by `cvt` takes, from the data about `cvt`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ptx_ls.handbook.page import Block, Table
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa import Context, Operand, OperandKind, database, is_legal

TYPES: Final = (
    ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".f16", ".bf16", ".f32", ".f64",
)  # fmt: skip
"""Scalar types that `cvt` converts."""
INTEGER_ROUNDING: Final = ".rzi"
FLOAT_ROUNDING: Final = ".rz"


def conversion_table() -> list[Block]:
    """Returns a row for each type of the source, and a column for each type of the result."""
    header = ("from, to", *map(code, TYPES))
    rows = tuple((code(source), *(_cell(result, source) for result in TYPES)) for source in TYPES)
    return [Table(header, rows)]


def saturation_table() -> list[Block]:
    """Returns the same table for `.sat`: `yes` where it is allowed."""
    header = ("from, to", *map(code, TYPES))
    rows = tuple(
        (code(source), *("yes" if _saturates(result, source) else "" for result in TYPES))
        for source in TYPES
    )
    return [Table(header, rows)]


def is_conversion(result: str, source: str, *modifiers: str) -> bool:
    """Whether `cvt` converts between two types with these modifiers."""
    instruction = database().instruction("cvt")
    operands = [Operand(OperandKind.REGISTER, _register(each)) for each in (result, source)]
    return instruction is not None and is_legal(
        instruction, [*modifiers, result, source], operands, Context()
    )


def _cell(result: str, source: str) -> str:
    kinds = [
        name
        for name, rounding in (("int", INTEGER_ROUNDING), ("float", FLOAT_ROUNDING))
        if is_conversion(result, source, rounding)
    ]
    without = ["none"] if is_conversion(result, source) else []
    return " or ".join((*without, *kinds))


def _saturates(result: str, source: str) -> bool:
    roundings: Iterable[tuple[str, ...]] = ((), (INTEGER_ROUNDING,), (FLOAT_ROUNDING,))
    return any(is_conversion(result, source, *each, ".sat") for each in roundings)


def _register(name: str) -> str:
    return f".b{database().type_facts[name][0]}"
