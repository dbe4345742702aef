"""What the head of a function says to its callers."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import INTEGER, integer
from ptx_ls.syntax.names import NAME_ENDS

ABI_PRESERVE: Final = LazyPattern(rf"\.abi_preserve\s++({INTEGER}){NAME_ENDS}", re.ASCII).search
_POINTER: Final = re.compile(r"\.ptr\s*+\.const\b", re.ASCII).search


def kept_registers(symbol: Symbol) -> int | None:
    """How many registers a function keeps for its callers, None if its declaration does not say."""
    if symbol.kind is not SymbolKind.FUNCTION:
        return None
    match = ABI_PRESERVE(symbol.text)
    return None if match is None else integer(match[1])


def takes_constants(function: Symbol | None) -> bool:
    """Whether a kernel has a parameter that is a pointer into constant memory."""
    if function is None or function.kind is not SymbolKind.KERNEL:
        return False
    return any(_POINTER(parameter.text) is not None for parameter in function.parameters)
