"""Facts in the head of a function that matter to its callers."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.written.directive_arguments import number_after

ABI_PRESERVE: Final = ".abi_preserve"


def kept_registers(symbol: Symbol) -> int | None:
    """How many registers a function keeps for its callers, None if its declaration does not say."""
    if symbol.kind is not SymbolKind.FUNCTION:
        return None
    count = number_after(ABI_PRESERVE, symbol.text)
    return None if count is None else integer(count.string)


def takes_constants(function: Symbol | None) -> bool:
    """Whether a kernel has a parameter that is a pointer into constant memory."""
    if function is None or function.kind is not SymbolKind.KERNEL:
        return False
    return any((".ptr", ".const") in pairwise(dotted_words(it.text)) for it in function.parameters)
