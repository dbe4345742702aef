"""The verdict of the database on a statement."""

from __future__ import annotations

from certify.oracle import Configuration
from certify.statements import Statement
from ptx_ls.isa import Context, Instruction, Verdict, Violation, ViolationKind, check

_GATING = frozenset({ViolationKind.VERSION, ViolationKind.TARGET, ViolationKind.REMOVED})


def context_of(configuration: Configuration) -> Context:
    """The module that a configuration describes."""
    target = tuple(part.strip() for part in configuration.target.split(","))
    return Context(configuration.number, target)


def judge(
    instruction: Instruction, statement: Statement, configuration: Configuration | None
) -> Verdict:
    """Our verdict on a statement; without a configuration, version and target are unknown."""
    context = Context() if configuration is None else context_of(configuration)
    return check(instruction, statement.modifiers, statement.values, context)


def first_error(verdict: Verdict, *, gates: bool) -> Violation | None:
    """The first violation that is an error; version and target errors only with `gates`."""
    for violation in verdict.violations:
        if not violation.lenient and (gates or violation.kind not in _GATING):
            return violation
    return None


def error_at(
    instruction: Instruction, statement: Statement, configuration: Configuration
) -> Violation | None:
    """Our first error on a statement in a configuration, gates included; None when it is legal."""
    return first_error(judge(instruction, statement, configuration), gates=True)


def is_legal(instruction: Instruction, statement: Statement) -> bool:
    """True when the database takes the statement, versions and targets aside."""
    return first_error(judge(instruction, statement, None), gates=False) is None


def describe_violation(violation: Violation) -> str:
    """Our reason in one line."""
    return " ".join(
        part
        for part in (
            violation.kind.value,
            violation.found and f"'{violation.found}'",
            violation.expected and f"expected {', '.join(violation.expected[:6])}",
            violation.required and f"requires {violation.required}",
            violation.note and f"({violation.note})",
        )
        if part
    )
