"""Whether a function computes anything that a rule may report, before its module is imported.

Several rules need each of these results, which are kept until the next function is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.conflicts import format_conflicts
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.instructions.checks.repeated_operands import repeats_in
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput

_SHORT_READERS: Final = ("prmt", "shfl")
_PARAMETER: Final = ".param"
_INITIAL: Final = "="
"""Contained in every declaration with an initial value."""


def has_unusual_constants(seen: CheckInput) -> bool:
    """Whether a constant of an instruction has an unusual value."""
    return bool(unusual_constants(seen.function))


def may_have_oversized_constants(seen: CheckInput) -> bool:
    """Whether a constant has an unusual value, or a variable an initial value.

    Also if an instruction that reads few bits may have one in a register.
    """
    return (
        has_unusual_constants(seen)
        or bool(seen.text.declarations_with(_INITIAL))
        or seen.text.has_opcodes(_SHORT_READERS)
    )


def has_repeats(seen: CheckInput) -> bool:
    """Whether an instruction has a register twice where two should differ."""
    return bool(repeats_in(seen.function))


def has_unusual_operands(seen: CheckInput) -> bool:
    """Whether an instruction has an unusual constant, or a register twice."""
    return has_repeats(seen) or has_unusual_constants(seen)


def has_format_conflicts(seen: CheckInput) -> bool:
    """Whether a value is read in a format that it does not have."""
    return bool(format_conflicts(seen.function, seen.module.never_returning))


def has_unset_registers(seen: CheckInput) -> bool:
    """Whether a path reads a register without a value, or a function returns registers.

    Compilers let registers be unset on paths where nothing needs them, so there, all paths count.
    """
    if not seen.text.shapes:
        return False
    flow = function_flow(seen.function, seen.module.never_returning)
    on_some_path = flow.trace.unset and not seen.is_generated
    is_unset = bool(flow.trace.never or on_some_path or flow.registers.results)
    return is_unset or has_results_in_memory(seen)


def has_results_in_memory(seen: CheckInput) -> bool:
    """Whether a function is a device function with a result in .param."""
    function = seen.facts.function
    return (
        function is not None
        and function.kind is SymbolKind.FUNCTION
        and any(each.space == _PARAMETER for each in function.returns)
    )


def has_unreached_blocks(seen: CheckInput) -> bool:
    """Whether no path leads to some block of a function."""
    if not seen.text.shapes:
        return False
    blocks = function_flow(seen.function, seen.module.never_returning).blocks
    if seen.is_generated and len({0, *blocks.after}) == blocks.n_blocks:
        return False  # something leads to each block; loops that nothing enters are rare there
    return len(blocks.reachable) < blocks.n_blocks
