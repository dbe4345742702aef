"""Which device functions concern other threads, themselves or by the functions that they call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.cycles import recursive_functions, with_callers
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reversed_edges

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.interface import Interface
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Shape

_REPLACEABLE: Final = ".weak"
"""The linkage of functions that another module may replace."""
_OF_THREADS: Final = frozenset(
    {"activemask", "atom", "bar", "barrier", "clusterlaunchcontrol", "cp", "elect", "fabric",
     "fence", "griddepcontrol", "ldmatrix", "mapa", "match", "mbarrier", "membar", "mma",
     "movmatrix", "multimem", "red", "redux", "setmaxnreg", "shfl", "stmatrix", "tcgen05",
     "tensormap", "vote", "wgmma", "wmma"}
)  # fmt: skip
_SHARING: Final = frozenset(
    {"acquire", "async", "mmio", "relaxed", "release", "shared", "shared::cluster", "shared::cta",
     "sync", "volatile"}
)  # fmt: skip


def concerns_threads(shape: Shape) -> bool:
    """Whether an instruction may share data with other threads or wait for them.

    Plain accesses to global memory do not: threads mostly have data of their own there.
    """
    words = shape.opcode.split(".")
    return not (_OF_THREADS.isdisjoint(words[:1]) and _SHARING.isdisjoint(words))


def is_known_function(symbol: Symbol | None) -> bool:
    """Whether calls of a function execute the body that the module has for it."""
    return (
        symbol is not None
        and symbol.kind is SymbolKind.FUNCTION
        and symbol.is_definition
        and symbol.linkage != _REPLACEABLE
    )


def is_of_threads(text: RegionText, symbol: Symbol | None) -> bool:
    """Whether a function is a known device function that concerns other threads itself."""
    return is_known_function(symbol) and any(map(concerns_threads, text.shapes))


class KnownFunction(NamedTuple):
    """A device function of a module.

    `callees`: the functions that it calls. `is_open`: whether it calls others, too.
    `is_of_threads`: whether an instruction of its own concerns other threads.
    """

    name: str
    callees: frozenset[str]
    is_open: bool
    is_of_threads: bool


def known_function(interface: Interface) -> KnownFunction | None:
    """Returns the device function of which a part of a module has the body."""
    symbol, calls = interface.function, interface.calls
    if symbol is None or not is_known_function(symbol):
        return None
    return KnownFunction(symbol.name, calls.callees, calls.has_indirect, calls.is_of_threads)


class ThreadEffects(NamedTuple):
    """The device functions of a module that concern other threads, and those that do not.

    `sharing`: those that concern other threads, also by the functions that they call.
    `plain`: those that surely do not.
    """

    sharing: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()


NO_EFFECTS: Final = ThreadEffects()


def thread_effects(functions: Iterable[KnownFunction]) -> ThreadEffects:
    """Returns which of the device functions of a module concern other threads."""
    known = {each.name: each for each in functions}
    edges = {name: each.callees for name, each in known.items()}
    callers = reversed_edges(edges)
    sharing = with_callers((name for name, it in known.items() if it.is_of_threads), callers)
    opaque = {name for name, it in known.items() if it.is_open or not it.callees <= known.keys()}
    opaque |= recursive_functions(edges)
    plain = known.keys() - sharing - with_callers(opaque, callers)
    return ThreadEffects(sharing, frozenset(plain))
