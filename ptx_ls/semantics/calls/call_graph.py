"""The call graph of a module, and what follows for a whole program.

ptxas reports how much stack a kernel takes, unless a function may call itself in the end or takes
stack of a size of its own making; and it resolves the functions that are called.
Calls through registers are followed where `.calltargets` names the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.calls.cycles import recursive_functions
from ptx_ls.semantics.calls.function_heads import kept_registers, takes_constants
from ptx_ls.semantics.declarations.shared_calls import (
    NOTHING,
    Held,
    SharedThrough,
    held_by,
    shared_through,
)
from ptx_ls.semantics.directives.register_pragma_values import (
    gives_registers,
    may_give_registers,
)
from ptx_ls.semantics.symbols.interface import Calls
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.interface import Interface
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol

STACK: Final = frozenset({"alloca", "stackrestore"})
"""Instructions that make the stack size depend on run time."""
BUDGET: Final = frozenset({"setmaxnreg"})
_ALIAS: Final = ".alias"
_TARGETS: Final = ".calltargets"


_NO_CALLS: Final = Calls()
"""The calls of most functions."""


class CallGraph(NamedTuple):
    """The calls of a module, as far as they matter to its functions.

    `called`: functions that are called and not defined. `aliases`: names that `.alias` gives to
    other functions. `recursive`: those that may call themselves, directly or not. `reaching`: those
    that are or call recursive ones. `growing` and `budgeting`: those that execute, or call what
    executes, instructions of `STACK` and of `BUDGET`. `kept`: functions that say how many registers
    they keep. `takes_constants`: a kernel takes pointers into constant memory. `by_hand`: functions
    that have registers by pragmas. `shared`: what kernels need in .shared because of what they
    call.
    """

    called: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    recursive: frozenset[str] = frozenset()
    reaching: frozenset[str] = frozenset()
    growing: frozenset[str] = frozenset()
    budgeting: frozenset[str] = frozenset()
    kept: frozenset[tuple[str, int]] = frozenset()
    takes_constants: bool = False
    by_hand: frozenset[str] = frozenset()
    shared: Mapping[str, SharedThrough] = NOTHING


def calls_of(
    text: RegionText,
    directives: Sequence[DirectiveStatement],
    outer: RegionFacts,
    read: Callable[[], RegionFacts],
) -> Calls:
    """Returns the calls of a function.

    `directives` are all of it. `outer`: what it declares outside of its body. `read` returns all
    that it declares; few functions need that.
    """
    callees: set[str] = set()
    has_indirect = False
    for _, call in call_sites(text):
        if call.targets is None:
            callees.add(call.name.text)
        else:
            has_indirect = True
    if has_indirect:
        for directive in directives:
            if directive.name == _TARGETS:
                callees.update(names_in(directive.text))
    others = (STACK | BUDGET) & text.contents.opcodes.keys()
    kept = {
        (symbol.name, count)
        for symbol in outer.exports
        if (count := kept_registers(symbol)) is not None
    }
    function = outer.function
    found = Calls(
        frozenset(callees),
        frozenset(others),
        has_indirect,
        frozenset(kept),
        takes_constants(function),
        _by_hand(directives, function, read),
        held_by(text, function, read, calls_registers=has_indirect),
    )
    return _NO_CALLS if found == _NO_CALLS else found


def _by_hand(
    directives: Iterable[DirectiveStatement],
    function: Symbol | None,
    read: Callable[[], RegionFacts],
) -> frozenset[str]:
    if function is None or not any(map(may_give_registers, directives)):
        return frozenset()
    if not gives_registers(read()):
        return frozenset()
    return frozenset({function.name})


def graph_of(
    regions: Sequence[Interface],
    is_defined: Callable[[str], bool],
    shared: AbstractSet[str] = frozenset(),
) -> CallGraph:
    """The calls of all functions together; `is_defined`: whether the module defines a function.

    `shared`: the variables of the module in .shared.

    What does not matter is left out, for a new graph makes all functions due.
    """
    edges: dict[str, frozenset[str]] = {}
    opcodes: dict[str, frozenset[str]] = {}
    called: set[str] = set()
    aliases: set[str] = set()
    held: dict[str, Held] = {}
    kernels: set[str] = set()
    for region in regions:
        function, calls = region.function, region.calls
        called |= calls.callees
        if function is not None:
            held[function.name] = calls.held
            if function.kind is SymbolKind.KERNEL:
                kernels.add(function.name)
            edges[function.name] = calls.callees
            opcodes[function.name] = calls.opcodes
        for directive in region.directives:
            if directive.name == _ALIAS:
                alias, *aliased = names_in(directive.text) or [""]
                edges.setdefault(alias, frozenset(aliased))
                aliases.add(alias)
    recursive = recursive_functions(edges)
    return CallGraph(
        frozenset(name for name in called if not is_defined(name)),
        frozenset(aliases),
        recursive,
        _callers(edges, recursive),
        _callers(edges, (name for name, found in opcodes.items() if found & STACK)),
        _callers(edges, (name for name, found in opcodes.items() if found & BUDGET)),
        frozenset().union(*[each.calls.kept for each in regions]),
        any(each.calls.takes_constants for each in regions),
        frozenset().union(*[each.calls.by_hand for each in regions]),
        shared_through(kernels, edges, held, shared),
    )


def _reached(edges: Mapping[str, Iterable[str]], names: Iterable[str]) -> set[str]:
    """Returns some functions and all that they reach by calls."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += edges.get(name, ())
    return found


def _callers(edges: Mapping[str, frozenset[str]], names: Iterable[str]) -> frozenset[str]:
    """Returns some functions and all that reach them by calls."""
    callers: dict[str, list[str]] = {}
    for name, callees in edges.items():
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    return frozenset(_reached(callers, names))
