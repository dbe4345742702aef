"""The inputs of an expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ptx_ls.isa.operand import Operand


class ExpressionScope:
    """The inputs of an expression: slot values, bound operands, types and lookup tables."""

    __slots__ = ("operands", "tables", "types", "values")

    def __init__(
        self,
        values: Sequence[str],
        types: Mapping[str, tuple[int, str]],
        tables: Mapping[str, Mapping[str, int]],
        operands: Mapping[str, Operand] | None = None,
    ) -> None:
        self.values = values
        self.types = types
        self.tables = tables
        self.operands: Mapping[str, Operand] = operands if operands is not None else {}
