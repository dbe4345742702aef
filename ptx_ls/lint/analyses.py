"""Checks that run only while a rule that words what they find is on.

No filter of `lint.cascades` takes these mismatches for the cause of others, so the rest of the
diagnostics stays the same without them. A rule that alone has use for a check has it in its own
module; listed here are checks for several rules, and those that others build on. The engine runs
all other checks in any case.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.analysis import AnalysisInput, RegisteredCheck
from ptx_ls.lint.rule import check_of, listeners
from ptx_ls.lint.rule_index import CHECKS
from ptx_ls.semantics.calls.whole_program import check_program
from ptx_ls.semantics.declarations.samplers import BadSampler, IgnoredField, check_samplers
from ptx_ls.semantics.problems.module import (
    ExcessiveRelease,
    IgnoredBudget,
    UnknownStack,
    Unresolved,
)
from ptx_ls.semantics.symbols.reserved_names import BadSize, ReservedName, check_declared_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch


ANALYSES: Final = (
    RegisteredCheck(lambda seen: check_declared_names(seen.facts), (ReservedName, BadSize)),
    RegisteredCheck(
        lambda seen: check_samplers(seen.text, seen.facts, seen.module), (BadSampler, IgnoredField)
    ),
    RegisteredCheck(
        lambda seen: check_program(seen.text, seen.facts, seen.module, seen.number),
        (UnknownStack, Unresolved, IgnoredBudget, ExcessiveRelease),
    ),
)


@lru_cache(maxsize=16)
def analyses_on(ignored: frozenset[str]) -> tuple[RegisteredCheck, ...]:
    """The analyses that find something for a rule which is not ignored."""
    own = tuple([_of_rule(*each) for each in CHECKS if each[0] not in ignored])
    if not ignored:
        return ANALYSES + own  # without the rules, which take time to import
    return tuple(each for each in ANALYSES if not listeners(each.finds) <= ignored) + own


def _of_rule(name: str, module: str, opcodes: tuple[str, ...]) -> RegisteredCheck:
    """The check that a rule has itself; its module is imported by the first function to check."""

    def run(seen: AnalysisInput) -> Iterable[Mismatch]:
        if opcodes and not seen.text.shapes_of(opcodes):
            return ()
        return check_of(name, module)(seen)

    return RegisteredCheck(run, ())
