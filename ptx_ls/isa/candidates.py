"""The forms that an incomplete instruction may have once it is complete."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_ls.isa.checking.filling import Filler, constraints_of, rules_of
from ptx_ls.isa.checking.match import place, takes
from ptx_ls.isa.checking.operand_check import bindings, check_operand
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.choices import requirement
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import OperandRow
from ptx_ls.isa.operand import Operand
from ptx_ls.source.named_tuple import NamedTuple

_MAX_BINDINGS = 16


class Candidate(NamedTuple):
    """A form that the typed part of an instruction fits.

    `typed`: the modifiers in its slots, "" for empty ones. `values`: the same, with required slots
    filled legally. `rows`: the places of all operands, beginning with those of the given operands.
    `fits`: whether the given operands are legal there. `requires`: the version or target
    that the module lacks; "" if it lacks none.
    """

    form: Form
    typed: tuple[str, ...]
    values: tuple[str, ...]
    rows: tuple[OperandRow, ...]
    fits: bool
    requires: str
    is_complete: bool

    @property
    def scope(self) -> ExpressionScope:
        """The scope in which expressions of the form are evaluated."""
        return self.form.scope(self.values)


def candidates(
    instruction: Instruction, modifiers: Sequence[str], given: Sequence[Operand], context: Context
) -> list[Candidate]:
    """Returns the forms that take these modifiers and first operands, the most likely first.

    Forms that the operands do not fit come last. Never raises.
    """
    found = []
    wanted, none = frozenset(modifiers), frozenset[int]()
    for form in instruction.forms:
        if not takes(form.row, wanted):
            continue
        placement = place(form.row, modifiers, none, explain=False)
        if placement.leftover or placement.out_of_order:
            continue
        legal = Filler(form, constraints_of(form, context)).filled(placement.values)
        values = legal or Filler(form, rules_of(form)).filled(placement.values)
        if values is None:
            continue
        requires = "" if legal is not None else requirement(form, values, context)
        typed = form.scope(placement.values)
        rows, fits = _rows(form, typed, given)
        found.append(
            Candidate(
                form,
                tuple(placement.values),
                tuple(values),
                rows,
                fits,
                requires,
                not placement.missing,
            )
        )
    return sorted(found, key=_unlikeliness)


def _unlikeliness(candidate: Candidate) -> tuple[bool, bool, bool]:
    return not candidate.fits, bool(candidate.requires), not candidate.is_complete


def _rows(
    form: Form, scope: ExpressionScope, given: Sequence[Operand]
) -> tuple[tuple[OperandRow, ...], bool]:
    """Returns the longest list of operand places that the operands fit, or all; and if they fit."""
    for count in range(len(form.operands), len(given) - 1, -1):
        for rows in bindings(form.row, count)[:_MAX_BINDINGS]:
            if all(_fits(rows[n], operand, scope, n) for n, operand in enumerate(given)):
                return rows, True
    return form.operands, False


def _fits(row: OperandRow, operand: Operand, scope: ExpressionScope, index: int) -> bool:
    return all(violation.lenient for violation in check_operand(row, operand, scope, index))
