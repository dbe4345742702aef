"""Verdicts on instructions and their caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.isa import Operand, Violation
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.record import InlineAsmPattern, Shape


class InstructionVerdict(NamedTuple):
    """A verdict. `needs_numbers`: whether it depends on numbers, which a shape does not have."""

    violations: tuple[Violation, ...] = ()
    form: str = ""
    needs_numbers: bool = False
    operands: tuple[Operand, ...] = ()


class NameBinding(NamedTuple):
    """The known names of a shape, in functions with certain register banks.

    `facts`: the facts of each name, None if it has to be looked up. `unbound`: the indices of names
    to look up, in a list that includes the opcode. `has_constant`: whether a name is assumed to be
    a constant or special register, which a declaration may hide. `is_branch`: whether it is a
    branch whose target is the only unbound name. `verdicts`: the verdicts by the facts of the
    unbound names, and by the numbers if these matter.
    """

    shape: Shape
    facts: tuple[Facts | None, ...]
    unbound: tuple[int, ...]
    has_constant: bool
    is_branch: bool
    verdicts: dict[tuple[Facts | str, ...], InstructionVerdict]


class BankCache:
    """Results that apply to all functions with the same register banks.

    `visits`: whether lines of a shape are examined one by one; `blocks`: whether a pattern of
    inline assembly is correct; `bindings`: the bindings of shapes with names to look up, None if
    the names cannot be told apart.
    """

    __slots__ = ("bindings", "blocks", "visits")

    def __init__(self) -> None:
        self.visits: dict[Shape, bool] = {}
        self.blocks: dict[InlineAsmPattern, bool] = {}
        self.bindings: dict[Shape, NameBinding | None] = {}
