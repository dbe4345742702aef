"""Finds out what the parts of an address are computed from, such as a shifted variable address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import reads_with, record_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import names_of
from ptx_ls.values.code_place import ENTRY

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_DEFINITIONS: Final = 64
"""Number of definitions to look at."""
_COMPUTING: Final = frozenset(
    (
        *("mov", "add", "sub", "mul", "mad", "mul24", "mad24", "div", "rem", "neg", "abs", "min"),
        *("max", "cvt", "shl", "shr", "shf", "and", "or", "xor", "not", "lop3", "bfe", "bfi"),
        *("selp", "slct", "prmt", "brev", "clz", "popc", "cnot", "bmsk", "szext", "bfind"),
    )
)
"""Opcodes whose result depends only on their operands."""
_SPECIAL: Final = "%"
_SIZES: Final = "smem"
"""A part of the names of the special registers that hold sizes and offsets of shared memory."""
_WARP_SIZE: Final = "WARP_SZ"


class TermSources(NamedTuple):
    """The kinds of sources that a number is computed from.

    `has_variable`: whether the address of a variable may be in it. `has_data`: whether that is true
    of a number from memory, from a parameter or from another thread.
    """

    has_variable: bool
    has_data: bool


def is_size_of_memory(name: str) -> bool:
    """Whether a special register is a size or an offset of shared memory."""
    return _SIZES in name


def sources_of(definition: int, flow: FunctionFlow) -> TermSources:
    """Returns what a definition of a register is computed from."""
    waiting, seen = [definition], set[int]()
    has_data = False
    while waiting:
        write = waiting.pop()
        if write in seen:
            continue
        seen.add(write)
        record = None if write == ENTRY else record_of(flow, write)
        if not isinstance(record, Shape) or len(seen) > _MAX_DEFINITIONS:
            return TermSources(has_variable=True, has_data=True)
        if record.name not in _COMPUTING:
            has_data = True
        elif _names_variable(write, record, flow):
            return TermSources(has_variable=True, has_data=has_data)
        else:
            for read in reads_with(flow, write):
                waiting += flow.definitions(read).writes
    return TermSources(has_variable=False, has_data=has_data)


def _names_variable(write: int, shape: Shape, flow: FunctionFlow) -> bool:
    """Whether an instruction names something that is neither a register nor a number."""
    registers = {flow.name_of(each) for each in flow.index.statement(write)}
    others = {*names_of(shape, flow.statement(write).text)} - registers - {_WARP_SIZE}
    return any(not each.startswith(_SPECIAL) or is_size_of_memory(each) for each in others)
