"""Versions and targets: what a form requires, and whether the module has it."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_ls.isa.checking.verdict import Context, Violation, ViolationKind
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import AvailabilityGate, FormRow, Requirement
from ptx_ls.isa.version import (
    describe_needs,
    describe_target,
    describe_version,
    meets_target,
    module_target,
    runs_on,
)


def applies(gate: AvailabilityGate, scope: ExpressionScope) -> bool:
    """Whether the condition of a gate holds."""
    return gate.condition is None or bool(evaluate(gate.condition, scope))


def _is_met(
    requirement: Requirement, version: tuple[int, int] | None, target: tuple[int, str] | None
) -> bool:
    return (version is None or version >= requirement[0]) and (
        target is None or meets_target(target, requirement)
    )


def describe_gate(gate: AvailabilityGate) -> str:
    """Describes what a gate requires: alternatives separated by "or"."""
    return describe_needs(gate.requirements)


def applying(
    gates: Iterable[AvailabilityGate], scope: ExpressionScope
) -> tuple[AvailabilityGate, ...]:
    """Returns the gates whose conditions hold, except those that ptxas does not check."""
    return tuple(gate for gate in gates if not gate.lenient and applies(gate, scope))


def is_open(
    gate: AvailabilityGate, version: tuple[int, int] | None, target: tuple[int, str] | None
) -> bool:
    """Whether a version and a target may pass a gate; they are None if unknown."""
    return any(_is_met(requirement, version, target) for requirement in gate.requirements)


def is_past(gate: AvailabilityGate, version: tuple[int, int], target: tuple[int, str]) -> bool:
    """Whether a module of that version for that target is too new for an `until` gate."""
    return _is_past(gate, Context(version), target)


def check_gates(form: FormRow, scope: ExpressionScope, context: Context) -> list[Violation]:
    """Returns violations of the form's gates, at most one each about version and target."""
    version, target = context.version, module_target(context.target)
    if version is None and target is None:
        return []
    found = [
        _violation(gate, context, target)
        for gate in form.gates
        if not is_open(gate, version, target) and applies(gate, scope)
    ]
    removed = list(_check_until(form.until, scope, context, target))
    violations = [*_strongest(found), *removed]
    if not removed:
        violations += _check_deprecated(form.deprecated, scope, context, target)
    return violations


def check_availability(gates: Iterable[AvailabilityGate], context: Context) -> list[Violation]:
    """Returns the violations, in the module that `context` describes, of gates without conditions.

    The part of each violation is `("opcode",)`; the caller knows what to underline.
    """
    target = module_target(context.target)
    closed = (gate for gate in gates if not is_open(gate, context.version, target))
    return [_violation(gate, context, target) for gate in closed]


def binding_gates(form: FormRow, context: Context) -> list[AvailabilityGate]:
    """Returns the form's gates that are closed in a module if their conditions hold."""
    version, target = context.version, module_target(context.target)
    if version is None and target is None:
        return []
    return [
        *(gate for gate in form.gates if not is_open(gate, version, target)),
        *(gate for gate in form.until if _is_past(gate, context, target)),
    ]


def _violation(
    gate: AvailabilityGate, context: Context, target: tuple[int, str] | None
) -> Violation:
    by_target = target is not None and not any(
        meets_target(target, requirement) for requirement in gate.requirements
    )
    if by_target and target is not None:
        kind, found = ViolationKind.TARGET, describe_target(target)
    else:
        version = context.version or (0, 0)
        kind, found = ViolationKind.VERSION, describe_version(version)
    required = describe_gate(gate)
    return Violation(
        kind,
        ("opcode",),
        found,
        required=required,
        note=gate.note,
        lenient=gate.lenient,
        needs=tuple(gate.requirements),
    )


def _strongest(violations: Iterable[Violation]) -> Iterable[Violation]:
    """Returns one violation of each kind, by the last gate, because special cases come last."""
    kept: dict[ViolationKind, Violation] = {}
    for violation in violations:
        other = kept.get(violation.kind)
        if other is None or other.lenient or not violation.lenient:
            kept[violation.kind] = violation
    return kept.values()


def _is_past(gate: AvailabilityGate, context: Context, target: tuple[int, str] | None) -> bool:
    """Whether the module is newer than the last version that the gate names for its target."""
    for last, targets in gate.requirements:
        newer = context.version is not None and context.version > last
        concerned = not targets or (
            target is not None and any(runs_on(target, bound) for bound in targets)
        )
        if newer and concerned:
            return True
    return False


def _check_until(
    gates: Iterable[AvailabilityGate],
    scope: ExpressionScope,
    context: Context,
    target: tuple[int, str] | None,
) -> Iterable[Violation]:
    for gate in gates:
        if _is_past(gate, context, target) and applies(gate, scope):
            last, targets = gate.requirements[0]
            where = f" for {', '.join(map(describe_target, targets))} and newer" if targets else ""
            required = f"PTX ISA {describe_version(last)} or older{where.replace(' for ', ' on ')}"
            yield Violation(
                ViolationKind.REMOVED,
                ("opcode",),
                f"after PTX ISA {describe_version(last)}{where}",
                required=required,
                note=gate.note,
                lenient=gate.lenient,
                last=gate.requirements[0],
            )


def _check_deprecated(
    gates: Iterable[AvailabilityGate],
    scope: ExpressionScope,
    context: Context,
    target: tuple[int, str] | None,
) -> Iterable[Violation]:
    """Yields violations of `deprecated` gates; a lenient gate (`~`) is advice from ptxas only."""
    for gate in gates:
        reached = context.version is not None and is_open(gate, context.version, target)
        if reached and applies(gate, scope):
            since = f"PTX ISA {describe_version(gate.requirements[0][0])}"
            note = "; ".join(filter(None, (f"deprecated since {since}", gate.note)))
            if gate.lenient:
                since, note = "", gate.note
            yield Violation(ViolationKind.DEPRECATED, ("opcode",), since, note=note, lenient=True)
