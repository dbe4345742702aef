"""The checks to run: those for rules that are not ignored, and for causes of their mismatches.

Instructions are always checked, because mismatches of any other class may follow from theirs.
Rules about what a function computes look at functions without errors: a mistake in a statement
hides what it reads and writes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.check_input import Candidates, CheckInput, RegisteredCheck
from ptx_ls.lint.rule import check_of
from ptx_ls.lint.rule_index import CHECKS, NEEDED_BY
from ptx_ls.lint.rule_names import group_of_module, groups_of_rules
from ptx_ls.lint.rule_settings import OFF_BY_DEFAULT
from ptx_ls.lint.shared_checks import SHARED_CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

COMPUTATION_GROUPS: Final = (
    "correctness", "suspicious", "performance", "memory-performance", "synchronization", "async",
)  # fmt: skip
"""The groups of rules about what a function computes, and about what its threads do together."""


THREAD_GROUPS: Final = ("synchronization", "async")
"""The groups of rules about what threads do together, also in the functions that they call."""


@cache
def thread_rules() -> frozenset[str]:
    """Returns the names of the rules in these groups that have a check of their own."""
    return frozenset(
        [name for name, module, _, _ in CHECKS if group_of_module(module) in THREAD_GROUPS]
    )


@cache
def other_rules() -> frozenset[str]:
    """Returns the names of all other rules that have a check of their own."""
    return frozenset([name for name, _, _, _ in CHECKS]) - thread_rules()


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
            _of_rule(name, module, opcodes, given)
            for name, module, opcodes, given in CHECKS
            if name not in ignored
            and (group_of_module(module) in COMPUTATION_GROUPS) is of_computation
        ]
    )


def _of_rule(name: str, module: str, opcodes: tuple[str, ...], given: str) -> RegisteredCheck:
    """Returns the check of a rule; the rule's module is imported when the check first runs."""
    has_instructions = _selecting(opcodes)

    def run(seen: CheckInput) -> Iterable[Mismatch]:
        if not has_instructions(seen.text) or (given and not _candidates_of(given)(seen)):
            return ()
        return check_of(name, module)(seen)

    return RegisteredCheck(run, ())


def _selecting(opcodes: tuple[str, ...]) -> Callable[[RegionText], bool]:
    """Returns a test whether a text has an instruction that `Instructions(*opcodes)` selects."""
    if not opcodes:
        return lambda _: True
    names = tuple(dict.fromkeys(each.partition(".")[0] for each in opcodes))
    if names == opcodes:
        return lambda text: text.has_opcodes(names)
    wanted = [frozenset(each.split(".")) for each in opcodes]

    def has_instructions(text: RegionText) -> bool:
        found = (
            frozenset(shape.opcode.replace("::", ".").split(".")) for shape in text.shapes_of(names)
        )
        return any(each <= words for words in found for each in wanted)

    return has_instructions


@cache
def _candidates_of(path: str) -> Candidates:
    module, _, name = path.rpartition(".")
    found: Candidates = getattr(import_module(module), name)
    return found
