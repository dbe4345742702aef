"""Operands and values that do not fit because their declaration is wrong."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.causes.relation import Relation
from ptx_ls.semantics.declarations.signature_check import BadSignature
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.declarations import BadDeclaration, Inconsistent
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.semantics.problems.values import BadInitialValue
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch

_OF_DECLARATIONS: Final = frozenset(
    {
        ViolationKind.OPERAND_KIND,
        ViolationKind.OPERAND_TYPE,
        ViolationKind.OPERAND_WIDTH,
        ViolationKind.STATE_SPACE,
        ViolationKind.VECTOR_SIZE,
    }
)


def is_of_declaration(mismatch: InstructionMismatch) -> bool:
    """Whether an operand would fit if its declaration were different."""
    violation = mismatch.violation
    if violation.kind is ViolationKind.VECTOR_SIZE and mismatch.operand.startswith("{"):
        return False
    return violation.kind in _OF_DECLARATIONS and not violation.lenient


def _of_wrong_type(causes: Sequence[BadDeclaration | BadSignature], _: CheckInput) -> Follows:
    names = {cause.symbol.name for cause in causes}
    banks = {cause.symbol.name for cause in causes if cause.symbol.count}

    def follows(effect: Mismatch) -> bool:
        match effect:
            case BadCall(argument=name):
                return name in names
            case BadInitialValue(symbol=symbol):
                return symbol.name in names
            case Inconsistent(parts=parts) if parts is not None:
                return parts[1].name in names
            case InstructionMismatch() if is_of_declaration(effect):
                words = names_in(effect.operand)
                is_of_bank = any(word.rstrip(string.digits) in banks for word in words)
                return is_of_bank or not names.isdisjoint(words)
        return False

    return follows


RELATIONS: Final = (
    Relation(
        (BadCall, BadInitialValue, Inconsistent, InstructionMismatch),
        (BadDeclaration, BadSignature),
        _of_wrong_type,
    ),
)
