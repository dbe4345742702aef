"""Finds results of which only the lower half matters, because they are addresses of small spaces.

Source: the machine code of ptxas 13.5, in which addresses in shared and local memory have 32 bits.
It computes no upper half of them, whatever the PTX has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_operands import memory_operands

if TYPE_CHECKING:
    from ptx_ls.lint.performance.computation import Computation
    from ptx_ls.values.decoding import DecodedInstruction

_SPACES: Final = (".shared", ".local")
_ADDING: Final = ("add", "sub", "mov")
_MAX_SUMS: Final = 4
"""Maximum number of instructions through which a result is followed to an access."""


def is_narrow_address(
    computation: Computation, instruction: DecodedInstruction, n_sums: int = 0
) -> bool:
    """Whether the result of an instruction is read only for addresses with 32 bits in hardware."""
    readers = computation.readers(instruction)
    if not readers or n_sums > _MAX_SUMS:
        return False
    result = instruction.operands[0].text
    return all(_is_narrow(computation, each, result, n_sums) for each in readers)


def _is_narrow(
    computation: Computation, reader: DecodedInstruction, result: str, n_sums: int
) -> bool:
    if reader.name in _ADDING:
        return is_narrow_address(computation, reader, n_sums + 1)
    shape = computation.shape(reader)
    accessed = memory_operands(shape) if shape is not None else ()
    if not accessed or not all(each.space.startswith(_SPACES) for each in accessed):
        return False
    numbers = {each.number for each in accessed}
    others = [it for number, it in enumerate(reader.operands) if number not in numbers]
    return not any(result in (it.text, *[part.text for part in it.elements]) for it in others)
