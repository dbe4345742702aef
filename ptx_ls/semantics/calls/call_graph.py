"""Which functions call which, and what follows for a whole program.

ptxas tells how much stack a kernel takes, unless a function may call itself in the end or takes
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
from ptx_ls.semantics.directives.register_pragma_values import gives_registers
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

STACK: Final = frozenset({"alloca", "stackrestore"})
"""Instructions that make the stack's size one of run time."""
BUDGET: Final = frozenset({"setmaxnreg"})
_ALIAS: Final = ".alias"
_TARGETS: Final = ".calltargets"


class Calls(NamedTuple):
    """What a region calls, by name; `opcodes`: of what else it has that matters to its callers.

    `kept`, `takes_constants` and `by_hand` as in `CallGraph`, of its own functions. `held`: what it
    needs in .shared.
    """

    callees: frozenset[str] = frozenset()
    opcodes: frozenset[str] = frozenset()
    has_indirect: bool = False
    kept: frozenset[tuple[str, int]] = frozenset()
    takes_constants: bool = False
    by_hand: frozenset[str] = frozenset()
    held: Held = Held()


class CallGraph(NamedTuple):
    """What of the calls of a module matters to its regions.

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


def calls_of(text: RegionText, facts: RegionFacts) -> Calls:
    """What a region calls."""
    callees: set[str] = set()
    has_indirect = False
    for _, match in call_sites(text):
        if match["list"] is None:
            callees.add(match["name"])
        else:
            has_indirect = True
    if has_indirect:
        for directive in facts.directives:
            if directive.name == _TARGETS:
                callees.update(names_in(directive.text))
    others = (STACK | BUDGET) & text.contents.opcodes.keys()
    kept = {
        (symbol.name, count)
        for symbol in facts.exports
        if (count := kept_registers(symbol)) is not None
    }
    return Calls(
        frozenset(callees),
        frozenset(others),
        has_indirect,
        frozenset(kept),
        takes_constants(facts.function),
        _by_hand(facts),
        held_by(text, facts, calls_registers=has_indirect),
    )


def _by_hand(facts: RegionFacts) -> frozenset[str]:
    function = facts.function
    if function is None or not gives_registers(facts):
        return frozenset()
    return frozenset({function.name})


def graph_of(
    regions: Sequence[tuple[RegionFacts, Calls]],
    is_defined: Callable[[str], bool],
    shared: AbstractSet[str] = frozenset(),
) -> CallGraph:
    """The calls of all regions together; `is_defined`: whether the module defines a function.

    `shared`: the variables of the module in .shared.

    What does not matter is left out, for a new graph makes all regions due.
    """
    edges: dict[str, frozenset[str]] = {}
    opcodes: dict[str, frozenset[str]] = {}
    called: set[str] = set()
    aliases: set[str] = set()
    held: dict[str, Held] = {}
    kernels: set[str] = set()
    for facts, calls in regions:
        called |= calls.callees
        if facts.function is not None:
            held[facts.function.name] = calls.held
            if facts.function.kind is SymbolKind.KERNEL:
                kernels.add(facts.function.name)
            edges[facts.function.name] = calls.callees
            opcodes[facts.function.name] = calls.opcodes
        for directive in facts.directives:
            if directive.name == _ALIAS:
                alias, *function = names_in(directive.text) or [""]
                edges.setdefault(alias, frozenset(function))
                aliases.add(alias)
    recursive = recursive_functions(edges)
    return CallGraph(
        frozenset(name for name in called if not is_defined(name)),
        frozenset(aliases),
        recursive,
        _callers(edges, recursive),
        _callers(edges, (name for name, found in opcodes.items() if found & STACK)),
        _callers(edges, (name for name, found in opcodes.items() if found & BUDGET)),
        frozenset().union(*(calls.kept for _, calls in regions if calls.kept)),
        any(calls.takes_constants for _, calls in regions),
        frozenset().union(*(calls.by_hand for _, calls in regions if calls.by_hand)),
        shared_through(kernels, edges, held, shared),
    )


def _reached(edges: Mapping[str, Iterable[str]], names: Iterable[str]) -> set[str]:
    """What some functions are or call."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += edges.get(name, ())
    return found


def _callers(edges: Mapping[str, frozenset[str]], names: Iterable[str]) -> frozenset[str]:
    """What some functions are, or what calls them."""
    callers: dict[str, list[str]] = {}
    for name, callees in edges.items():
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    return frozenset(_reached(callers, names))
