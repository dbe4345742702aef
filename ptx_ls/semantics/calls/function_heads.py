"""Facts in the head of a function that other functions depend on."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.written.directive_arguments import number_after

ABI_PRESERVE: Final = ".abi_preserve"


def kept_registers(symbol: Symbol) -> int | None:
    """Returns the number in the `.abi_preserve` of a device function; None if it has none."""
    if symbol.kind is not SymbolKind.FUNCTION:
        return None
    count = number_after(ABI_PRESERVE, symbol.text)
    return None if count is None else integer(count.string)


def takes_constants(function: Symbol | None) -> bool:
    """Whether a function is a kernel with a pointer to constant memory as a parameter."""
    if function is None or function.kind is not SymbolKind.KERNEL:
        return False
    return any((".ptr", ".const") in pairwise(dotted_words(it.text)) for it in function.parameters)
