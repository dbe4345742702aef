"""Finds the parameters that may be pointers, and the loads that read only a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol

_PARAMETER: Final = ".param"
_POINTER_BYTES: Final = 8
NARROW: Final = "32"
"""The end of the opcode of a load that reads half of a pointer."""


def wide_parameters(seen: CheckInput) -> dict[str, Symbol]:
    """Returns the parameters in memory that are as wide as a pointer, by their names."""
    function = seen.facts.function
    return {
        each.name: each
        for each in (function.parameters if function is not None else ())
        if each.space == _PARAMETER and not each.dimensions and bytes_of(each) == _POINTER_BYTES
    }


def come_from_outside(seen: CheckInput) -> bool:
    """Whether the pointers in parameters are from outside of the kernel.

    There, no pointer is to shared or local memory. Compilers of OpenCL, however, pass the offsets
    of shared arrays as pointers.
    """
    function = seen.facts.function
    return not seen.is_generated and function is not None and function.kind is SymbolKind.KERNEL


def narrow_loads(seen: CheckInput) -> list[int]:
    """Returns the lines with loads that read only a part of a parameter as wide as a pointer."""
    shapes = {
        each
        for each in seen.text.shapes_of(("ld",))
        if _PARAMETER in each.opcode and each.opcode.endswith(NARROW)
    }
    if not shapes:
        return []
    names = wide_parameters(seen)
    rows = seen.text.rows(seen.text.lines_of(seen.text.with_shapes(shapes)))
    return [row for row, line, _ in rows if loaded_name(line) in names]


def loaded_name(text: str) -> str:
    """Returns the name of the parameter that a load reads."""
    return text.partition("[")[2].partition("]")[0].partition("+")[0].strip()
