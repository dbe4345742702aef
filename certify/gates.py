"""The grid of versions and targets: one column of it is a version and a target that go together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from certify.cover import covering_first, in_turn
from certify.grid import active_gates
from certify.judging import error_at
from certify.linting import lint_one
from certify.measure import INDEPENDENT, Accepted, separate_samplers
from certify.oracle import Configuration, Oracle
from certify.tally import Measure
from ptx_ls.isa import Form, Instruction, Violation, parse_target
from ptx_ls.isa.version import runs_on

Signature = tuple[bool, ...]


def gate_statements(
    instruction: Instruction, accepted: Sequence[Accepted], limit: int
) -> list[Accepted]:
    """Statements of every form that bring every gate of it into play, up to `limit` in all.

    Every gate has a statement that it is about and one that it is not, even beyond the limit; then
    come statements with other sets of gates and with modifiers that were not there yet.
    """
    forms = {form.id: form for form in instruction.forms}
    by_form: dict[str, list[Accepted]] = defaultdict(list)
    for item in accepted:
        by_form[item[0].form].append(item)
    needed: list[Accepted] = []
    further: list[list[Accepted]] = []
    for name, group in by_form.items():
        first, others = _by_gates(forms[name], group)
        needed += first
        further.append(others)
    return [*needed, *in_turn(further)[: max(0, limit - len(needed))]]


def _by_gates(form: Form, group: Sequence[Accepted]) -> tuple[list[Accepted], list[Accepted]]:
    """Changes that make each gate apply, or not apply; then other changes of interest, in order."""
    active = {str(item[0]): active_gates(form, item[0]) for item in group}
    n_gates = len(form.row.gates) + len(form.row.until)

    def each_gate(item: Accepted) -> list[tuple[int, bool]]:
        own = active[str(item[0])]
        return [(number, number in own) for number in range(n_gates + 1)]

    first, rest = covering_first(group, each_gate)
    sets, rest = covering_first(rest, lambda item: [active[str(item[0])]])
    modifiers, _ = covering_first(rest, lambda item: item[0].modifiers)
    return first, in_turn([sets, modifiers])


class Judge:
    """Our verdicts on statements of one opcode, in any column.

    A verdict depends on version and target by nothing but the comparisons of the opcode's gates, so
    it is worked out once for each outcome of all of these.
    """

    def __init__(self, instruction: Instruction, statements: Sequence[Accepted]) -> None:
        self.instruction = instruction
        self.statements = tuple(statements)
        requirements = {
            requirement
            for form in instruction.forms
            for gate in (*form.row.gates, *form.row.until, *form.row.deprecated)
            for requirement in gate.requirements
        }
        self._versions = sorted({version for version, _ in requirements})
        self._targets = sorted({target for _, targets in requirements for target in targets})
        self._known: dict[Signature, list[Violation | None]] = {}

    def signature(self, configuration: Configuration) -> Signature:
        """The outcome of every comparison that a gate of the opcode makes."""
        number = configuration.number
        target = parse_target(configuration.target.partition(",")[0])
        return (
            *(number >= version for version in self._versions),
            *(number > version for version in self._versions),
            *(target is not None and runs_on(target, bound) for bound in self._targets),
        )

    def errors(self, configuration: Configuration) -> list[Violation | None]:
        """Our first error on each of the statements in a column."""
        signature = self.signature(configuration)
        if signature not in self._known:
            self._known[signature] = [
                error_at(self.instruction, statement, configuration)
                for statement, _ in self.statements
            ]
        return self._known[signature]

    def compare(
        self, measure: Measure, configuration: Configuration, errors: Sequence[str | None]
    ) -> None:
        """Counts one column; `errors` are those of ptxas on the statements."""
        where = f"[{configuration}]"
        ours = self.errors(configuration)
        compared = zip(self.statements, ours, errors, strict=True)
        for (statement, origin), violation, error in compared:
            if violation is None and error is None:
                measure.both_accept += 1
            elif violation is not None and error is not None:
                measure.both_reject += 1
            elif violation is None:
                said = lint_one(str(statement), where_asked((statement, origin), configuration))
                measure.count(statement, said, error, where)
            else:
                measure.count(statement, violation, error, where)


def ask_column(
    oracle: Oracle, statements: Sequence[Accepted], configuration: Configuration
) -> list[str | None]:
    """The verdicts of ptxas on all statements in one column.

    Statements that were accepted with separate textures and samplers are in such a module, too.
    """
    errors: list[str | None] = [None] * len(statements)
    groups: dict[Configuration, list[int]] = defaultdict(list)
    for index, item in enumerate(statements):
        groups[where_asked(item, configuration)].append(index)
    for where, indices in groups.items():
        found = oracle.judge([str(statements[index][0]) for index in indices], where)
        for index, error in zip(indices, found, strict=True):
            errors[index] = error
    return errors


def where_asked(item: Accepted, column: Configuration) -> Configuration:
    """The configuration of a column that has the texturing mode of a statement."""
    return separate_samplers(column) if INDEPENDENT in item[1].target else column


def measure_gates(
    instruction: Instruction,
    oracle: Oracle,
    statements: Sequence[Accepted],
    configurations: Iterable[Configuration],
) -> Measure:
    """Statements of one opcode in the given columns; its verdicts are all cells."""
    measure = Measure("gates")
    judge = Judge(instruction, statements)
    for configuration in configurations if statements else ():
        errors = ask_column(oracle, statements, configuration)
        judge.compare(measure, configuration, errors)
        for item, error in zip(statements, errors, strict=True):
            where = str(where_asked(item, configuration))
            measure.verdicts.append((where, str(item[0]), error is None))
    return measure
