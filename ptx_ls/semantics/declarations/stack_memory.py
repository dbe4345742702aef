"""The memory that `alloca` allocates, as a variable in .local.

Source: PTX ISA, "Stack Manipulation Instructions: alloca".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import Found

ALLOCATING: Final = "alloca"
_POINTER, _SIZE, _ALIGNMENT = range(3)
_LEAST_ALIGNMENT: Final = 8


def allocated_memory(found: Found) -> Symbol | None:
    """Returns what an `alloca` allocates, with the name of the register that gets its address.

    Its size is unknown if it is in a register.
    """
    if not isinstance(found.record, Shape):
        return None
    written = written_operands(found.record, found.text)
    if len(written) <= _SIZE:
        return None
    pointer = written[_POINTER]
    alignment = integer(written[_ALIGNMENT].text) if len(written) > _ALIGNMENT else None
    return Symbol(
        pointer.text,
        SymbolKind.VARIABLE,
        shifted(pointer.start, found.start),
        shifted(pointer.end, found.start),
        ".b8",
        ".local",
        dimensions=(integer(written[_SIZE].text),),
        alignment=max(alignment or 0, _LEAST_ALIGNMENT),
        text=found.text.strip(),
    )


def is_allocated(symbol: Symbol) -> bool:
    """Whether a symbol is what an `alloca` allocates."""
    return symbol.kind is SymbolKind.VARIABLE and symbol.text.startswith(ALLOCATING)
