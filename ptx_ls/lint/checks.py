"""The checks to run: those for rules that are not ignored, and for causes of their mismatches.

Instructions are always checked, because mismatches of any other class may follow from theirs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls.lint.check_input import CheckInput, RegisteredCheck
from ptx_ls.lint.optional import OPTIONAL
from ptx_ls.lint.rule import check_of
from ptx_ls.lint.rule_index import CHECKS, NEEDED_BY
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.shared_checks import SHARED_CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch


@lru_cache(maxsize=16)
def checks_on(ignored: frozenset[str]) -> tuple[RegisteredCheck, ...]:
    """Returns the checks to run if some rules are ignored."""
    own = tuple([_of_rule(*each) for each in CHECKS if each[0] not in ignored])
    if ignored <= OPTIONAL:
        return SHARED_CHECKS + own
    if ignored.issuperset(groups_of_rules()):
        return ()
    off = {name for name, rules in NEEDED_BY.items() if ignored.issuperset(rules)}
    return tuple([each for each in SHARED_CHECKS if not off.issuperset(each.finds)]) + own


def _of_rule(name: str, module: str, opcodes: tuple[str, ...]) -> RegisteredCheck:
    """Returns the check of a rule; the rule's module is imported when the check first runs."""

    def run(seen: CheckInput) -> Iterable[Mismatch]:
        if opcodes and not seen.text.shapes_of(opcodes):
            return ()
        return check_of(name, module)(seen)

    return RegisteredCheck(run, ())
