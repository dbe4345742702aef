"""The function whose values are evaluated, with all that its instructions refer to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.values.decoding import Decoder, named_part
from ptx_ls.values.launch import launch_sizes
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.launch import LaunchSizes


OF_FULL_WARPS: Final = ("mma", "wmma", "ldmatrix", "stmatrix", "movmatrix")
"""The opcodes of instructions that all lanes of a warp must execute together."""
_CHANGING: Final = ("mov", "cvta", "st")
"""The opcodes of instructions that take the address of a parameter, or write it."""


class FunctionInput:
    """A function whose values are evaluated.

    Attributes:
        flow: its control flow and registers.
        decoder: reads its instructions.
    """

    def __init__(self, flow: FunctionFlow, module: ModuleFacts) -> None:
        self.flow, self._module = flow, module
        self.decoder = Decoder(flow)

    @cached_property
    def bounds(self) -> LaunchSizes:
        """The sizes that the function may be launched with."""
        return launch_sizes(self.flow.text)

    @cached_property
    def is_kernel(self) -> bool:
        """Whether it is a kernel."""
        function = self.flow.facts.function
        return function is not None and function.kind is SymbolKind.KERNEL

    @cached_property
    def has_full_warps(self) -> bool:
        """Whether the function has instructions that all lanes of a warp must execute."""
        return self.flow.text.has_opcodes(OF_FULL_WARPS)

    def symbol(self, instruction: DecodedInstruction, name: str) -> Symbol | None:
        """Returns the declaration that a name in an instruction means."""
        return self.decoder.symbol(instruction, name) or self._module.lookup(name)

    def definitions_of(self, instruction: DecodedInstruction) -> list[int]:
        """Returns the definitions of all registers that an instruction reads."""
        flow = self.flow
        read = [each for each in instruction.uses if flow.uses.ways[each] & READS]
        return [each for use in read for each in flow.definitions(use).writes]

    def guard_at_end(self, block: int, code: int | None = None) -> int | None:
        """Returns the use that is the guard of the last instruction of a block.

        None if it has no guard, or another register than `code` is its guard.
        """
        index, uses = self.flow.index, self.flow.uses
        last = index.firsts[block + 1] - 1
        if last < index.firsts[block]:
            return None
        first = index.first(last)
        is_guard = uses.ways[first] & GUARDS and code in (None, uses.codes[first])
        return first if is_guard else None

    def register_and_offset(
        self, instruction: DecodedInstruction, operand: OperandSyntax
    ) -> tuple[int, int] | None:
        """Returns the use of the register in an operand such as `%rd1+8`, and the offset."""
        found = named_part(operand)
        use = found and self.decoder.reading_use(instruction, found[0])
        return (use, found[1]) if found is not None and use is not None else None

    def input_parameter(self, instruction: DecodedInstruction, name: str) -> Symbol | None:
        """Returns a parameter in memory that the function gets and cannot change, or None."""
        function = self.flow.facts.function
        symbol = self.symbol(instruction, name)
        if function is None or symbol is None or symbol.kind is not SymbolKind.PARAMETER:
            return None
        is_own = any(each.name == name for each in function.parameters)
        return symbol if is_own and name not in self._changed_parameters else None

    @cached_property
    def _changed_parameters(self) -> frozenset[str]:
        """The parameters of a device function that it may change, as it takes their addresses."""
        if self.is_kernel:
            return frozenset()
        statements = self.flow.text.statements_of(self.flow.text.with_opcodes(_CHANGING))
        return frozenset(
            access.name for found in statements for access in accesses_in(found.record, found.text)
        )

    def special_width(self, name: str) -> int:
        """Returns the number of bits of a special register, such as `%tid.x`; 0 if unknown."""
        register = _special_register(name)
        type_ = INTEGER_TYPES.get(register.types[-1][1]) if register is not None else None
        return type_.width if type_ is not None else 0

    def is_constant_special(self, name: str) -> bool:
        """Whether a thread reads the same value from a special register each time."""
        register = _special_register(name)
        return register is not None and not register.volatile


def _special_register(name: str) -> SpecialRegister | None:
    return find_special_register(isa.database().special_registers, name.partition(".")[0])
