"""Finds the parameters and special registers from which values are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.structure.loop_forest import NO_LOOP
from ptx_ls.syntax.register_events import GUARDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput

PARAMETER: Final = ""
"""Any parameter of a kernel, among the names of special registers."""
_MAX_FOLLOWED: Final = 32
"""Maximum number of definitions that one value is traced back through."""
_COMPUTING: Final = frozenset(
    {
        *("mov", "cvt", "add", "sub", "neg", "abs", "mul", "mad", "mul24", "mad24", "div", "rem"),
        *("min", "max", "and", "or", "xor", "not", "shl", "shr", "shf", "lop3", "bfe", "bfi"),
        *("selp", "setp", "clz", "popc", "prmt"),
    }
)
"""Opcodes whose results depend on nothing but their operands."""


def origins_of(given: FunctionInput, definitions: Iterable[int]) -> frozenset[str] | None:
    """Returns from what the results of some instructions are computed before all loops.

    None if they also depend on memory, on other threads, or on the iteration of a loop.
    """
    found, seen, waiting = set[str](), set[int](), [*definitions]
    while waiting:
        definition = waiting.pop()
        if definition in seen:
            continue
        seen.add(definition)
        if len(seen) > _MAX_FOLLOWED:
            return None
        made = given.decoder.of_use(definition)
        if made.name == "ld" and given.is_kernel and ".param" in made.modifiers:
            found.add(PARAMETER)
        elif made.name not in _COMPUTING or _is_repeated(given, made):
            return None
        else:
            found.update(it.text for it in made.sources if given.special_width(it.text))
            waiting += given.definitions_of(made)
    return frozenset(found)


def _is_repeated(given: FunctionInput, instruction: DecodedInstruction) -> bool:
    """Whether an instruction may run several times, or not always."""
    is_guarded = bool(given.flow.uses.ways[instruction.uses.start] & GUARDS)
    return is_guarded or given.flow.graph.loop_forest.innermost(instruction.block) != NO_LOOP
