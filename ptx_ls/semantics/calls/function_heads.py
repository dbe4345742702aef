"""Facts in the head of a function that matter to its callers."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.tokens import Token, tokenize

_PRESERVE: Final = ".abi_preserve"


def kept_registers(symbol: Symbol) -> int | None:
    """How many registers a function keeps for its callers, None if its declaration does not say."""
    if symbol.kind is not SymbolKind.FUNCTION:
        return None
    count = preserved_count(symbol.text)
    return None if count is None else integer(count.string)


def preserved_count(head: str) -> Token | None:
    """Returns the number in the `.abi_preserve` of a head; None without one."""
    if _PRESERVE not in head:
        return None
    pairs = pairwise(tokenize(head))
    return next((count for name, count in pairs if name.string == _PRESERVE), None)


def takes_constants(function: Symbol | None) -> bool:
    """Whether a kernel has a parameter that is a pointer into constant memory."""
    if function is None or function.kind is not SymbolKind.KERNEL:
        return False
    return any((".ptr", ".const") in pairwise(dotted_words(it.text)) for it in function.parameters)
