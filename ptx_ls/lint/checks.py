"""The checks to run: those for rules that are not ignored, and for causes of their mismatches.

Instructions are always checked, because mismatches of any other class may follow from theirs.
Rules about what a function computes look at functions without errors: a mistake in a statement
hides what it reads and writes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.check_input import CheckInput, RegisteredCheck
from ptx_ls.lint.rule import check_of
from ptx_ls.lint.rule_index import CHECKS, NEEDED_BY
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.rule_settings import OFF_BY_DEFAULT
from ptx_ls.lint.shared_checks import SHARED_CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch

COMPUTATION_GROUPS: Final = ("correctness", "suspicious", "performance")
"""The groups of rules about what a function computes."""


@lru_cache(maxsize=16)
def checks_on(ignored: frozenset[str]) -> tuple[RegisteredCheck, ...]:
    """Returns the checks to run if some rules are ignored; without `computation_checks_on`."""
    own = _own_checks(ignored, of_computation=False)
    if ignored <= OFF_BY_DEFAULT:
        return SHARED_CHECKS + own
    if ignored.issuperset(groups_of_rules()):
        return ()
    off = {name for name, rules in NEEDED_BY.items() if ignored.issuperset(rules)}
    return tuple([each for each in SHARED_CHECKS if not off.issuperset(each.finds)]) + own


@lru_cache(maxsize=16)
def computation_checks_on(ignored: frozenset[str]) -> tuple[RegisteredCheck, ...]:
    """Returns the checks to run for a function without errors if some rules are ignored."""
    return _own_checks(ignored, of_computation=True)


def _own_checks(ignored: frozenset[str], *, of_computation: bool) -> tuple[RegisteredCheck, ...]:
    return tuple(
        [
            _of_rule(name, module, opcodes)
            for name, module, opcodes in CHECKS
            if name not in ignored
            and (module.split(".")[-2] in COMPUTATION_GROUPS) is of_computation
        ]
    )


def _of_rule(name: str, module: str, opcodes: tuple[str, ...]) -> RegisteredCheck:
    """Returns the check of a rule; the rule's module is imported when the check first runs."""

    def run(seen: CheckInput) -> Iterable[Mismatch]:
        if opcodes and not seen.text.shapes_of(opcodes):
            return ()
        return check_of(name, module)(seen)

    return RegisteredCheck(run, ())
