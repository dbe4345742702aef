"""The size and alignment of the memory that a symbol names.

Source: PTX ISA, "Variables" and "Alignment".
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Final

from ptx_ls import isa
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind, n_values
from ptx_ls.syntax.literals import integer

_STORED: Final = (SymbolKind.VARIABLE, SymbolKind.PARAMETER)
_REGISTER: Final = ".reg"
_CHOSEN_BY_LINKER: Final = ".common"
"""The linkage of variables whose largest definition in all modules counts."""
_POINTER: Final = ".ptr"
_SHARED: Final = ".shared"


def has_storage(symbol: Symbol) -> bool:
    """Whether a symbol is a variable or a parameter in memory, of a known type."""
    return (
        symbol.kind in _STORED
        and symbol.space != _REGISTER
        and not symbol.count
        and element_bytes(symbol) > 0
    )


def element_bytes(symbol: Symbol) -> int:
    """Returns the size of an element of an array, or of a single variable; 0 if it is unknown."""
    bits = isa.database().type_facts.get(symbol.type, (0, ""))[0]
    return bits // 8 * symbol.vector_size


def bytes_of(symbol: Symbol) -> int | None:
    """Returns the size of a variable or parameter; None if the declaration does not tell.

    An array without a size that has initial values is as long as these.
    """
    if not has_storage(symbol) or symbol.linkage == _CHOSEN_BY_LINKER:
        return None
    sizes = [*symbol.dimensions]
    if sizes and sizes[0] is None:
        sizes[0] = n_values(symbol)
    found = [size for size in sizes if size]
    if len(found) < len(sizes):
        return None
    return element_bytes(symbol) * prod(found)


def most_bytes_of(symbol: Symbol) -> int | None:
    """Returns the size that a variable or parameter has at most; None if that is unknown.

    An array in shared memory without a size is as long as the launch of the kernel says, but a
    block has a limited amount of shared memory.
    """
    n_bytes = bytes_of(symbol)
    if n_bytes is None and symbol.space == _SHARED and has_storage(symbol):
        return _most_shared_bytes()
    return n_bytes


@cache
def _most_shared_bytes() -> int:
    """Returns the largest size of shared memory that a block can have on any target."""
    known = (each.limits for each in isa.database().targets.values())
    return max(each.shared for each in known if each is not None)


def alignment_of(symbol: Symbol) -> int:
    """Returns what the address of a variable or parameter is a multiple of; 1 if unknown."""
    natural = element_bytes(symbol) or 1
    if symbol.alignment is None or _POINTER in symbol.text.split():
        return natural
    return symbol.alignment or 1


def pointed_space(parameter: Symbol) -> str:
    """Returns the state space of `.ptr .SPACE` in the declaration of a parameter, or ""."""
    words = parameter.text.partition(_POINTER)[2].replace(".", " .").split()
    return words[0] if words and words[0] in (".global", ".shared", ".local", ".const") else ""


def pointed_alignment(parameter: Symbol) -> int:
    """Returns the N of `.ptr .align N` in the declaration of a parameter, a power of two, or 1."""
    words = parameter.text.partition(_POINTER)[2].replace(".", " .").split()
    if ".align" not in words[:-1]:
        return 1
    stated = integer(words[words.index(".align") + 1])
    return stated & -stated if stated else 1
