"""The call graph of a module, for the checks of whole programs.

ptxas cannot compute the stack size of a kernel that reaches a recursive function or one that
allocates stack at run time. Calls through registers are followed if `.calltargets` lists the
functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.calls.cycles import recursive_functions, with_callers
from ptx_ls.semantics.calls.function_heads import kept_registers, takes_constants
from ptx_ls.semantics.calls.thread_effects import is_of_threads
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
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reversed_edges
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.interface import Interface
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol

STACK: Final = frozenset({"alloca", "stackrestore"})
"""Instructions that make the stack size known only at run time."""
BUDGET: Final = frozenset({"setmaxnreg"})
"""Instructions that change the number of registers per thread."""
_ALIAS: Final = ".alias"
_TARGETS: Final = ".calltargets"


_NO_CALLS: Final = Calls()
"""The shared value for functions that call nothing and do not matter to their callers."""


class CallGraph(NamedTuple):
    """The calls of a module that matter to its functions.

    `called`: functions that are called but not defined. `aliases`: names that `.alias` defines.
    `recursive`: functions that may call themselves, directly or not. `reaching`: functions that are
    recursive or reach a recursive one by calls. `growing` and `budgeting`: functions that contain
    instructions in `STACK` or `BUDGET`, or reach a function that does. `kept`: functions with the
    numbers of registers in their `.abi_preserve`. `takes_constants`: whether a kernel has a pointer
    to constant memory as a parameter. `by_hand`: functions whose pragmas assign registers.
    `shared`: the .shared variables that kernels need because of functions that they reach.
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

    `directives`: all of the function. `outer`: its declarations outside of the body. `read` returns
    all its declarations, which are needed for few functions.
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
        is_of_threads(text, function),
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
    """Returns the call graph of a module.

    It omits calls that matter to no check, as all functions are checked again when it changes.
    `is_defined`: whether the module defines a function. `shared`: the module's .shared variables.
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
    recursive, callers = recursive_functions(edges), reversed_edges(edges)
    return CallGraph(
        frozenset(name for name in called if not is_defined(name)),
        frozenset(aliases),
        recursive,
        with_callers(recursive, callers),
        with_callers((name for name, found in opcodes.items() if found & STACK), callers),
        with_callers((name for name, found in opcodes.items() if found & BUDGET), callers),
        frozenset().union(*[each.calls.kept for each in regions]),
        any(each.calls.takes_constants for each in regions),
        frozenset().union(*[each.calls.by_hand for each in regions]),
        shared_through(kernels, edges, held, shared),
    )
