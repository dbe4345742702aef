"""Which classes of mismatches the filters read as causes.

A check runs if a rule that is on words what it finds, or if a filter may take that for the cause
of what such a rule words: so turning a rule off changes nothing that others report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.causes.relations import OF_FIRST_SIGN, RELATIONS
from ptx_ls.semantics.declarations.signature_check import BadSignature
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    Inconsistent,
)
from ptx_ls.semantics.problems.instructions import (
    BadGuard,
    BadSyntax,
    InstructionMismatch,
    LooseBrace,
    MisplacedInstruction,
)
from ptx_ls.semantics.problems.values import BadInitialValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.lint.analysis import Trigger

MismatchClass = type[Any]


class Influence(NamedTuple):
    """Mismatches of the classes `affected` may follow from those of the classes `causes`.

    Affected are mismatches that are left out, changed or told with others; any if it is empty.
    """

    affected: tuple[MismatchClass, ...]
    causes: tuple[MismatchClass, ...]


_BROKEN: Final = (BadSyntax, BadDeclaration, BadDirective)
"""Statements that cannot be read, or halves of them: they may declare names that are missed."""
_SIGNS: Final = (LooseBrace, MisplacedInstruction, BadDeclaration, BadDirective)
"""What shows that a statement is not inside of the function where it belongs."""
CAUSES: Final[Mapping[str, tuple[Influence, ...]]] = {
    "of_wrong_declarations": (
        Influence(
            (BadCall, BadInitialValue, Inconsistent, InstructionMismatch),
            (BadDeclaration, BadSignature),
        ),
        Influence(
            (InstructionMismatch, BadGuard, BadCall), (InstructionMismatch, BadGuard, BadCall)
        ),
    ),
}
"""What each filter that `independent` calls reads."""


def with_causes(worded: frozenset[Trigger]) -> frozenset[Trigger]:
    """Classes and kinds of mismatches, and classes that these may follow from, however far.

    Mismatches of all of these have to be found for the filters to keep the same of the first ones.
    """
    influences = [each for group in CAUSES.values() for each in group]
    found = set(worded)
    if any(isinstance(trigger, ViolationKind) for trigger in worded):
        found.add(InstructionMismatch)
    n_before = -1
    while n_before < len(found):
        n_before = len(found)
        for affected, causes in (*influences, *[each[:2] for each in (*RELATIONS, *OF_FIRST_SIGN)]):
            if (found and not affected) or not found.isdisjoint(affected):
                found.update(causes)
    return frozenset(found)
