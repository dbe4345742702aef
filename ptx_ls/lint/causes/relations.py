"""All relations between problems, and a filter for problems that do not follow from others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.causes import (
    first_sign,
    header,
    out_of_place,
    unknown_names,
    unreadable,
    within_statement,
    wrong_declarations,
)
from ptx_ls.lint.grouping import GROUPED_TOGETHER
from ptx_ls.semantics.problems.instructions import InstructionMismatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.causes.relation import Follows, MismatchClass, Relation
    from ptx_ls.lint.check_input import CheckInput, Trigger
    from ptx_ls.semantics.problems.mismatch import Mismatch

RELATIONS: Final = (
    *within_statement.RELATIONS,
    *unreadable.RELATIONS,
    *out_of_place.RELATIONS,
    *unknown_names.RELATIONS,
    *header.RELATIONS,
    *wrong_declarations.RELATIONS,
)
OF_FIRST_SIGN: Final = first_sign.RELATIONS
"""Relations that hold only if the first sign does not follow from another problem."""


def without_effects(mismatches: list[Mismatch], function: CheckInput) -> list[Mismatch]:
    """Returns the problems of a function that do not follow from others, in the same order.

    A problem is omitted even if it follows from one that is omitted itself, so only first causes
    are left.
    """
    direct = _without(RELATIONS, mismatches, function)
    return _without(OF_FIRST_SIGN, direct, function)


def _without(
    relations: Sequence[Relation], mismatches: list[Mismatch], function: CheckInput
) -> list[Mismatch]:
    """Returns the problems that do not follow from another one by any of the relations."""
    found: dict[MismatchClass, list[Mismatch]] = {}
    for mismatch in mismatches:
        found.setdefault(type(mismatch), []).append(mismatch)
    tests: dict[MismatchClass, list[Follows]] = {}
    for relation in relations:
        affected = [each for each in relation.effects or found if each in found]
        causes = [cause for each in relation.causes for cause in found.get(each, ())]
        if not affected or not (causes or relation.is_wide):
            continue
        follows = relation.test(causes, function)
        if follows is not None:
            for each in affected:
                tests.setdefault(each, []).append(follows)
    if not tests:
        return mismatches
    return [m for m in mismatches if not any(it(m) for it in tests.get(type(m), ()))]


def with_causes(worded: frozenset[Trigger]) -> frozenset[Trigger]:
    """Returns the classes and kinds `worded`, and those that may cause problems of these classes.

    All of these have to be found, so that a rule reports the same problems whether or not other
    rules are ignored.
    """
    found = set(worded)
    if any(isinstance(trigger, ViolationKind) for trigger in worded):
        found.add(InstructionMismatch)
    n_before = -1
    while n_before < len(found):
        n_before = len(found)
        if not found.isdisjoint(GROUPED_TOGETHER):
            found.update(GROUPED_TOGETHER)
        for relation in (*RELATIONS, *OF_FIRST_SIGN):
            if (found and not relation.effects) or not found.isdisjoint(relation.effects):
                found.update(relation.causes)
    return frozenset(found)
