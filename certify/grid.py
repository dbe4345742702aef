"""The grid: every version with every target that it has, and the gates that matter there."""

from __future__ import annotations

from collections.abc import Iterator

from certify.oracle import Configuration
from certify.statements import Statement
from ptx_ls.isa import Form, Instruction, parse_target
from ptx_ls.isa.checking.gates import applies
from ptx_ls.isa.checking.match import place
from ptx_ls.isa.checking.operand_check import bind, bindings
from ptx_ls.isa.tables import IsaTables


def columns(tables: IsaTables) -> Iterator[Configuration]:
    """Every version with every target that it has, oldest first."""
    for number, version in tables.versions.items():
        for name, target in tables.targets.items():
            if parse_target(name) is None or number < target.since:
                continue
            if target.until is not None and number > target.until:
                continue
            yield Configuration(version.name, name)


def active_gates(form: Form, statement: Statement) -> tuple[int, ...]:
    """Numbers of the gates of a form (`until` ones last) whose conditions a statement meets."""
    placement = place(form.row, statement.modifiers, frozenset())
    choices = bindings(form.row, len(statement.operands))
    if not choices:
        return ()
    bound = bind(choices[0], statement.values)
    scope = form.scope(placement.values, bound)
    gates = (*form.row.gates, *form.row.until)
    return tuple(number for number, gate in enumerate(gates) if applies(gate, scope))


def few_columns(instruction: Instruction) -> Iterator[Configuration]:
    """The columns at which the database says that something changes, and those just before."""
    tables = instruction.tables
    numbers = list(tables.versions)
    named = {
        requirement[0]
        for form in instruction.forms
        for gate in (*form.row.gates, *form.row.until)
        for requirement in gate.requirements
    }
    ends = {
        requirement[0]
        for form in instruction.forms
        for gate in form.row.until
        for requirement in gate.requirements
    }
    chosen = {(9, 5), (1, 0)}
    for number in named & set(numbers):
        at = numbers.index(number)
        chosen |= {numbers[max(0, at - 1)], number}
        chosen |= {numbers[min(len(numbers) - 1, at + 1)]} if number in ends else set()
    for configuration in columns(tables):
        if configuration.number in chosen and configuration.target not in _SKIPPED_TARGETS:
            yield configuration


_SKIPPED_TARGETS = frozenset(
    "sm_11 sm_12 sm_37 sm_52 sm_61 sm_62 sm_72 sm_86 sm_87 sm_88 sm_101 sm_101a sm_101f sm_120 "
    "sm_121 sm_121a sm_121f sm_103f sm_110 sm_110f".split()
)  # fmt: skip
