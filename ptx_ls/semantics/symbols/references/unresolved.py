"""Finds symbols that a module uses but does not define.

Source: PTX ISA, "Linking Directives", and ptxas 13.5 with `-arch=sm_XX`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.semantics.calls.call_graph import CallGraph

_EXTERN: Final = ".extern"
_SHARED: Final = ".shared"
_OWN: Final = frozenset(
    {"vprintf", "vfprintf", "malloc", "free", "__assertfail", "cudaDeviceSynchronize"}
)
_OWN_PREFIXES: Final = ("__cuda_syscall_", "cnp")
"""Prefixes of the names of further functions that are built into ptxas."""
_BANK: Final = ".const["
"""The start of a constant bank, which the driver fills."""


class Needed(NamedTuple):
    """The first symbol that a module needs but does not define, and how many others there are.

    `region` is the number of the function that declares it.
    """

    symbol: Symbol
    region: int
    n_others: int


def needed(
    declared: Sequence[tuple[int, Symbol]],
    is_defined: Callable[[str], bool],
    graph: CallGraph,
) -> Needed | None:
    """Returns the first needed symbol without a definition; None if the module defines them all.

    Args:
        declared: declarations that are not definitions, with the numbers of their functions.
        is_defined: whether the module defines a name.
        graph: the call graph.
    """
    missing = {
        symbol.name: (region, symbol)
        for region, symbol in reversed(declared)
        if _is_needed(symbol, graph) and not is_defined(symbol.name)
    }
    if not missing:
        return None
    region, symbol = next(reversed(missing.values()))
    return Needed(symbol, region, len(missing) - 1)


def _is_needed(symbol: Symbol, graph: CallGraph) -> bool:
    """Whether ptxas requires a definition of a declared symbol."""
    name = symbol.name
    if _BANK in symbol.text:
        return False
    if symbol.kind is SymbolKind.VARIABLE:
        is_open = bool(symbol.dimensions) and not symbol.dimensions[0]
        return symbol.linkage == _EXTERN and not (is_open and symbol.space == _SHARED)
    if name in _OWN or name.startswith(_OWN_PREFIXES) or name in graph.aliases:
        return False
    return symbol.kind is SymbolKind.FUNCTION and name in graph.called
