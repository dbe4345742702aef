"""Judges a whole instruction: finds its form, then says what is wrong with it.

Every form whose slots take the modifiers is tried. The first without a violation is chosen, else
the one whose violations cost the least. If no form takes the modifiers, `isa.diagnosis` says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ptx_ls.isa.checking import flatten
from ptx_ls.isa.checking.attempts import FormTrial, attempts
from ptx_ls.isa.checking.gates import check_gates
from ptx_ls.isa.checking.ignored_modifiers import (
    ignored_modifiers,
    passes_over,
    repeated,
    sizes_agree,
)
from ptx_ls.isa.checking.match import Placement, place
from ptx_ls.isa.checking.nearest import forms_lacking
from ptx_ls.isa.checking.scalar_check import spec_type
from ptx_ls.isa.checking.verdict import OF_MODIFIERS, Context, Verdict, Violation, ViolationKind
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import OperandRow
from ptx_ls.isa.operand import Operand
from ptx_ls.source.named_tuple import NamedTuple

_COSTS = {
    ViolationKind.OPERAND_COUNT: 40,
    ViolationKind.ILLEGAL_MODIFIER: 25,
    ViolationKind.MISSING_MODIFIER: 25,
    ViolationKind.VERSION: 1,
    ViolationKind.TARGET: 1,
    ViolationKind.REMOVED: 1,
}
_DEFAULT_COST = 10
_LENIENT_COST = 0.01
_OTHER_SIZE_COST = 9
"""The cost of a vector of another size, which is closer than an operand of another kind."""


class Written(NamedTuple):
    """An instruction as it is written, and the version and targets of its module."""

    instruction: Instruction
    modifiers: Sequence[str]
    operands: Sequence[Operand]
    context: Context


class FormMatch(NamedTuple):
    """An instruction compared with the forms of its opcode.

    Attributes:
        verdict: the verdict of the best form that takes all modifiers; None if no form does.
        skipped: the indices of modifiers that are repeated harmlessly.
        surplus: lenient violations by these modifiers, and by others that ptxas ignores.
    """

    verdict: Verdict | None
    skipped: frozenset[int]
    surplus: list[Violation]

    @property
    def has_legal_modifiers(self) -> bool:
        """Whether some form allows the modifiers together, so that only operands can be wrong."""
        if self.verdict is None:
            return False
        return all(one.lenient or one.kind not in OF_MODIFIERS for one in self.verdict.violations)


def check(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    """Judges `opcode.modifiers operands` in the module that `context` describes. Never raises.

    A module newer than the data gets no error: unknown parts may be legal there.
    """
    verdict, skipped, surplus = read_once(instruction, modifiers, operands, context)
    if verdict is None:
        from ptx_ls.isa.diagnosis.mismatch import describe_mismatch

        verdict = describe_mismatch(instruction, modifiers, operands, skipped)
    violations = (*verdict.violations, *surplus)
    if is_newer(instruction, context):
        violations = tuple(violation for violation in violations if violation.lenient)
    return Verdict(verdict.form, verdict.slots, violations, verdict.operand_specs)


def is_legal(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> bool:
    """Whether `check` accepts the instruction; faster, because it does not look for a reason."""
    verdict, _, _ = read_once(instruction, modifiers, operands, context)
    is_accepted = verdict is not None and verdict.is_accepted
    return is_accepted or is_newer(instruction, context)


def is_newer(instruction: Instruction, context: Context) -> bool:
    """Whether the module is newer than the data, so that any instruction in it may be legal."""
    return context.version is not None and context.version > instruction.tables.newest_version


def read(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> FormMatch:
    """Finds the forms that take the modifiers, and judges the operands against them.

    Keeps what it finds for a correct instruction, as it is the same in other contexts.
    """
    fit = _first_fit(instruction, tuple(modifiers), tuple(operands))
    if fit is not None and not check_gates(fit.form.row, fit.scope, context):
        return FormMatch(fit.verdict, frozenset(), [])
    return read_once(instruction, modifiers, operands, context)


def read_once(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> FormMatch:
    """Does what `read` does, for an instruction that is probably wrong: keeps nothing."""
    again = repeated(instruction, modifiers)
    skipped = frozenset(index for index, _ in again)
    surplus = [violation for _, violation in again]
    complete = complete_forms(instruction, modifiers, skipped)
    if complete:
        return FormMatch(_judge(complete, modifiers, operands, context), skipped, surplus)
    ignored = ignored_modifiers(instruction, modifiers, skipped)
    if ignored and sizes_agree([modifiers[index] for index in ignored], operands):
        complete = [
            (form, placement)
            for form, placement in complete_forms(instruction, modifiers, skipped.union(ignored))
            if passes_over(instruction, form, modifiers, ignored)
        ]
    if not complete:
        return FormMatch(None, skipped, surplus)
    surplus += [
        Violation(
            ViolationKind.UNKNOWN_MODIFIER, ("modifier", index), modifiers[index], lenient=True
        )
        for index in ignored
    ]
    return FormMatch(_judge(complete, modifiers, operands, context), skipped, surplus)


class _Fit(NamedTuple):
    """A form that an instruction matches, in each context that passes the gates of the form."""

    form: Form
    scope: ExpressionScope
    verdict: Verdict


@lru_cache(maxsize=4096)
def _first_fit(
    instruction: Instruction, modifiers: tuple[str, ...], operands: tuple[Operand, ...]
) -> _Fit | None:
    """Returns the first form that an instruction matches, whatever the context; None for none."""
    if repeated(instruction, modifiers):
        return None
    for form, placement in complete_forms(instruction, modifiers, frozenset()):
        for attempt in attempts(form, placement, modifiers, operands):
            if not attempt.violations:
                verdict = _verdict(form, placement, attempt, [])
                return _Fit(form, attempt.scope, verdict)
    return None


def complete_forms(
    instruction: Instruction, modifiers: Sequence[str], skipped: frozenset[int]
) -> list[tuple[Form, Placement]]:
    """Returns the forms that take all modifiers except those at the indices `skipped`."""
    wanted = [each for index, each in enumerate(modifiers) if index not in skipped]
    (takers,) = forms_lacking(instruction, wanted, 0)
    placed = ((form, place(form.row, modifiers, skipped, explain=False)) for form in takers)
    return [(form, placement) for form, placement in placed if placement.is_complete]


def _judge(
    candidates: Sequence[tuple[Form, Placement]],
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    """Returns the best verdict on the operands as written, or else as `flatten` gathers them."""
    verdict = _best(candidates, modifiers, operands, context)
    if verdict.is_accepted or any(each.kind in _GATED for each in verdict.violations):
        return verdict
    index = flatten.incomplete_address(candidates[0][0].row, operands)
    if index is None:
        return verdict
    gathered = _best(candidates, modifiers, flatten.gather(operands, index), context)
    return flatten.spread(gathered, operands, index) if gathered.is_accepted else verdict


_GATED = frozenset({ViolationKind.VERSION, ViolationKind.TARGET, ViolationKind.REMOVED})


def _best(
    candidates: Sequence[tuple[Form, Placement]],
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    best: tuple[Form, Placement, FormTrial, list[Violation]] | None = None
    best_cost = 0.0
    for form, placement in candidates:
        for attempt in attempts(form, placement, modifiers, operands):
            violations = attempt.violations
            if attempt.is_bound:
                violations = [*violations, *check_gates(form.row, attempt.scope, context)]
            cost = sum(map(_cost, violations))
            if best is None or cost < best_cost:
                best, best_cost = (form, placement, attempt, violations), cost
            if cost == 0:
                return _verdict(form, placement, attempt, violations)
    return Verdict() if best is None else _verdict(*best)


def _cost(violation: Violation) -> float:
    if violation.lenient:
        return _LENIENT_COST
    if violation.kind is ViolationKind.VECTOR_SIZE and violation.found.isdecimal():
        return _OTHER_SIZE_COST
    return _COSTS.get(violation.kind, _DEFAULT_COST)


def _verdict(
    form: Form, placement: Placement, attempt: FormTrial, violations: list[Violation]
) -> Verdict:
    slots = form.by_slot(placement.values)
    specs = tuple([resolve(row, attempt.scope) for row in attempt.rows])
    return Verdict(form, slots, tuple(violations), specs)


def resolve(row: OperandRow, scope: ExpressionScope) -> OperandSpec:
    """Returns the specification of an operand, with types resolved for the written modifiers."""
    return OperandSpec(row, tuple(spec_type(spec, scope) for spec in row.specs))
