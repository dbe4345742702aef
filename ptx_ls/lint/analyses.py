"""Checks that run only while a rule that words what they find is on.

No filter of `lint.cascades` takes these mismatches for the cause of others, so the rest of the
diagnostics stays the same without them. The engine runs all other checks in any case.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ptx_ls.lint.rule import listeners
from ptx_ls.semantics.calls.return_address import ReturnAddress, check_return_address
from ptx_ls.semantics.calls.whole_program import check_program
from ptx_ls.semantics.constants.check import check_constants
from ptx_ls.semantics.constants.expressions import BadConstant
from ptx_ls.semantics.debug_info.foreign_lines import check_foreign_lines
from ptx_ls.semantics.declarations.memory_limits import TooMuchMemory, check_memory
from ptx_ls.semantics.declarations.parameter_space import check_parameter_space
from ptx_ls.semantics.declarations.samplers import BadSampler, IgnoredField, check_samplers
from ptx_ls.semantics.directives.ignored_directives import check_abi
from ptx_ls.semantics.directives.register_pragmas import RegisterPragma, check_register_pragmas
from ptx_ls.semantics.instructions.constant_pointers import ConstantPointer, check_constant_pointers
from ptx_ls.semantics.instructions.cta_groups import check_cta_groups
from ptx_ls.semantics.instructions.matrix_waits import MissingWait, check_waits
from ptx_ls.semantics.problems.module import (
    BadLine,
    ExcessiveRelease,
    IgnoredBudget,
    LargeParameters,
    MixedGroups,
    NoAbi,
    UnknownStack,
    Unresolved,
)
from ptx_ls.semantics.symbols.reserved_names import BadSize, ReservedName, check_declared_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


class AnalysisInput(NamedTuple):
    """A region to check, by its number in the module."""

    text: RegionText
    facts: RegionFacts
    module: ModuleFacts
    number: int


class Analysis(NamedTuple):
    """A check of a region, and the classes of the mismatches that it may find."""

    run: Callable[[AnalysisInput], Iterable[Mismatch]]
    finds: tuple[type[Any], ...]


ANALYSES: Final = (
    Analysis(lambda seen: check_declared_names(seen.facts), (ReservedName, BadSize)),
    Analysis(
        lambda seen: check_foreign_lines(seen.text, seen.facts, seen.module.context), (BadLine,)
    ),
    Analysis(
        lambda seen: check_parameter_space(seen.facts, seen.module.context), (LargeParameters,)
    ),
    Analysis(lambda seen: check_abi(seen.facts, seen.module.context), (NoAbi,)),
    Analysis(lambda seen: check_cta_groups(seen.text), (MixedGroups,)),
    Analysis(lambda seen: check_waits(seen.text), (MissingWait,)),
    Analysis(
        lambda seen: check_samplers(seen.text, seen.facts, seen.module), (BadSampler, IgnoredField)
    ),
    Analysis(lambda seen: check_constants(seen.text), (BadConstant,)),
    Analysis(
        lambda seen: check_memory(seen.text, seen.facts, seen.module, seen.number), (TooMuchMemory,)
    ),
    Analysis(
        lambda seen: check_program(seen.text, seen.facts, seen.module, seen.number),
        (UnknownStack, Unresolved, IgnoredBudget, ExcessiveRelease),
    ),
    Analysis(
        lambda seen: check_return_address(seen.text, seen.facts, seen.module), (ReturnAddress,)
    ),
    Analysis(
        lambda seen: check_register_pragmas(seen.text, seen.facts, seen.module), (RegisterPragma,)
    ),
    Analysis(lambda seen: check_constant_pointers(seen.text, seen.module), (ConstantPointer,)),
)


@lru_cache(maxsize=16)
def analyses_on(ignored: frozenset[str]) -> tuple[Analysis, ...]:
    """The analyses that find something for a rule which is not ignored."""
    if not ignored:
        return ANALYSES  # without the rules, which take time to import
    return tuple(each for each in ANALYSES if not listeners(each.finds) <= ignored)
