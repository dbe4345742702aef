"""Checks for faults that ptxas reports only if a module is compiled as a whole program.

Source: PTX ISA, "Linking Directives", "Stack Manipulation Instructions" and "setmaxnreg", and the
messages of ptxas 13.5 with `-arch=sm_XX`. With `-c`, other modules may define the functions and
variables that are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_graph import BUDGET, STACK
from ptx_ls.semantics.calls.call_sites import call_sites, position, statements_with
from ptx_ls.semantics.directives.ignored_directives import gives_registers
from ptx_ls.semantics.problems.module import (
    BudgetFault,
    ExcessiveRelease,
    IgnoredBudget,
    UnknownStack,
    Unresolved,
)
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_DEBUG: Final = "debug"


def check_program(
    text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[UnknownStack | Unresolved | IgnoredBudget | ExcessiveRelease]:
    """Yields those faults of a whole program that are reported in this function."""
    if module.needed is not None and module.needed.region == region:
        symbol, _, n_others = module.needed
        yield Unresolved(symbol, n_others, symbol.start, symbol.end)
    kernel = facts.function
    if kernel is None or kernel.kind is not SymbolKind.KERNEL:
        return
    graph = module.graph
    if kernel.name in graph.growing or kernel.name in graph.reaching:
        yield from _stack(kernel.name, text, module)
    if kernel.name in graph.budgeting:
        from ptx_ls.semantics.instructions.checks.register_release import check_release  # noqa: PLC0415  seldom

        ignored = [*_budget(text, module)]
        yield from ignored or check_release(text, module.context)


def _stack(kernel: str, text: RegionText, module: ModuleFacts) -> Iterator[UnknownStack]:
    """Yields the first instruction or call that makes the stack size of a kernel unknown."""
    graph = module.graph
    for found in statements_with(text, STACK):
        opcode, start, end = _opcode(found, STACK)
        yield UnknownStack(kernel, opcode, False, start, end)
        return
    for callees, is_recursive in ((graph.reaching, True), (graph.growing, False)):
        for name, start, end in _calls(text, callees):
            yield UnknownStack(kernel, name, is_recursive, start, end)
            return


def _budget(text: RegionText, module: ModuleFacts) -> Iterator[IgnoredBudget]:
    """Yields the first `setmaxnreg`, or call that leads to one, that ptxas ignores in a kernel."""
    fault = _budget_fault(text, module)
    if fault is None:
        return
    for found in statements_with(text, BUDGET):
        _, start, end = _opcode(found, BUDGET)
        yield IgnoredBudget(fault, "", start, end)
        return
    for name, start, end in _calls(text, module.graph.budgeting):
        yield IgnoredBudget(fault, name, start, end)
        return


def _budget_fault(text: RegionText, module: ModuleFacts) -> BudgetFault | None:
    if _DEBUG in module.context.target:
        return BudgetFault.DEBUG
    heads = text.of_kind(Kind.FUNCTION)
    if any(not gives_registers(head.text, module.context) for head in heads):
        return BudgetFault.NO_COUNT
    is_indirect = any(call.targets is not None for _, call in call_sites(text))
    return BudgetFault.INDIRECT if is_indirect else None


def _calls(
    text: RegionText, callees: AbstractSet[str]
) -> Iterator[tuple[str, FunctionPosition, FunctionPosition]]:
    """Yields the calls of the given functions, and all calls through registers."""
    for found, call in call_sites(text):
        name, start, end = call.name
        if name in callees or call.targets is not None:
            yield name, position(found, start), position(found, end)


def _opcode(
    found: Found, opcodes: AbstractSet[str]
) -> tuple[str, FunctionPosition, FunctionPosition]:
    """Returns the opcode of an instruction, with its start and end."""
    start, opcode = min(
        (index, opcode) for opcode in opcodes if (index := found.text.find(opcode)) >= 0
    )
    return opcode, position(found, start), position(found, start + len(opcode))
