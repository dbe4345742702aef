"""The three measures: forms, single mutations, versions and targets."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from certify.mutations import Mutator
from certify.oracle import CONFIGURATIONS, Configuration, Oracle
from certify.statements import Generator, Statement
from ptx_ls.isa import Context, Instruction, Verdict, Violation, ViolationKind, check
from ptx_ls.isa.version import parse_target, parse_version

_GATING = frozenset({ViolationKind.VERSION, ViolationKind.TARGET, ViolationKind.REMOVED})


@dataclass
class Measure:
    """How often database and ptxas agree; examples of where they do not, by cause."""

    name: str
    both_accept: int = 0
    both_reject: int = 0
    false_alarms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """We say error, ptxas accepts."""
    misses: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """ptxas rejects, we say nothing."""
    verdicts: list[tuple[str, str, bool]] = field(default_factory=list)
    """(configuration, statement, accepted by ptxas), to be recorded."""

    @property
    def n_false_alarms(self) -> int:
        """Count of our errors on what ptxas accepts: bugs."""
        return sum(map(len, self.false_alarms.values()))

    @property
    def n_misses(self) -> int:
        """Count of what ptxas rejects in silence of ours."""
        return sum(map(len, self.misses.values()))

    @property
    def total(self) -> int:
        """Everything compared."""
        return self.both_accept + self.both_reject + self.n_false_alarms + self.n_misses

    def count(
        self, statement: Statement, violation: Violation | None, error: str | None, where: str
    ) -> None:
        """Adds one comparison; `violation` is ours, `error` that of ptxas."""
        if violation is None and error is None:
            self.both_accept += 1
        elif violation is not None and error is not None:
            self.both_reject += 1
        elif violation is not None:
            self.false_alarms[_cause(statement, violation)].append(f"{statement}   {where}")
        else:
            cause = f"{statement.cause or statement.form}: {error}"
            self.misses[cause].append(f"{statement}   {where}")


def _cause(statement: Statement, violation: Violation) -> str:
    said = " ".join(
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
    return f"{statement.cause or statement.form}: {said}"


def judge(
    instruction: Instruction, statement: Statement, configuration: Configuration | None
) -> Verdict:
    """Our verdict on a statement; without a configuration, version and target are unknown."""
    context = Context()
    if configuration is not None:
        target = tuple(part.strip() for part in configuration.target.split(","))
        context = Context(configuration.number, target)
    return check(instruction, statement.modifiers, statement.values, context)


def first_error(verdict: Verdict, *, gates: bool) -> Violation | None:
    """The first violation that is an error; version and target errors only with `gates`."""
    for violation in verdict.violations:
        if not violation.lenient and (gates or violation.kind not in _GATING):
            return violation
    return None


def measure_forms(
    instruction: Instruction, oracle: Oracle, limit: int, seed: int
) -> tuple[Measure, list[tuple[Statement, Configuration]]]:
    """Every combination of modifiers of every form (or a sample), against any configuration.

    Also gives the statements both accept, each with a configuration that does.
    """
    measure = Measure("forms")
    generator = Generator(instruction, seed)
    unique: dict[str, Statement] = {}
    for form in instruction.forms:
        for statement in generator.statements(form, limit):
            unique.setdefault(str(statement), statement)
    statements = list(unique.values())
    answers = oracle.judge_anywhere([str(statement) for statement in statements])
    accepted = []
    for statement, (configuration, error) in zip(statements, answers, strict=True):
        verdict = judge(instruction, statement, None)
        violation = first_error(verdict, gates=False)
        measure.count(statement, violation, error or None, "")
        if configuration is not None and violation is None:
            accepted.append((statement, configuration))
    return measure, accepted


def measure_mutations(
    instruction: Instruction,
    oracle: Oracle,
    accepted: Sequence[tuple[Statement, Configuration]],
    limit: int,
    seed: int,
) -> Measure:
    """Single mutations of accepted statements, each in the configuration of its original."""
    measure = Measure("mutations")
    mutator = Mutator(sorted(instruction.known), FOREIGN_MODIFIERS, seed)
    source = list(accepted)
    random.Random(seed).shuffle(source)  # noqa: S311  not for secrets
    by_configuration: dict[Configuration, dict[str, Statement]] = defaultdict(dict)
    each = max(4, limit // max(1, len(source)))
    count = 0
    for statement, configuration in source:
        for mutant in mutator.mutations(statement, each):
            by_configuration[configuration].setdefault(str(mutant), mutant)
            count += 1
        if count >= limit:
            break
    for configuration, mutants in by_configuration.items():
        verdicts = oracle.judge(list(mutants), configuration)
        for (text, mutant), error in zip(mutants.items(), verdicts, strict=True):
            violation = first_error(judge(instruction, mutant, configuration), gates=True)
            measure.count(mutant, violation, error, f"[{configuration}]")
            measure.verdicts.append((str(configuration), text, error is None))
    return measure


FOREIGN_MODIFIERS = (
    ".f32 .u32 .b64 .s8 .f16x2 .bf16 .pred .sat .ftz .rn .rz .wide .hi .lo .cc .global .shared "
    ".v2 .v4 .sync .aligned .relaxed .gpu .and .eq .uni .approx .full .cluster .nosuch"
).split()
"""Modifiers of other instructions, a handful."""


def measure_gates(
    instruction: Instruction,
    oracle: Oracle,
    accepted: Sequence[tuple[Statement, Configuration]],
    limit: int,
    *,
    full: bool,
) -> Measure:
    """Accepted statements under every version and target that go together."""
    measure = Measure("gates")
    modes: dict[str, list[Statement]] = defaultdict(list)
    for statement, configuration in accepted:
        modes[configuration.target.partition(",")[2]].append(statement)
    for mode, group in modes.items():
        statements = _spread(group, limit * len(group) // len(accepted) + 1)
        for cell in grid(instruction, full=full):
            has_mode = mode and cell.number >= _FIRST_WITH_MODES
            configuration = replace(cell, target=f"{cell.target},{mode}") if has_mode else cell
            verdicts = oracle.judge([str(statement) for statement in statements], configuration)
            for statement, error in zip(statements, verdicts, strict=True):
                violation = first_error(judge(instruction, statement, configuration), gates=True)
                measure.count(statement, violation, error, f"[{configuration}]")
    return measure


_FIRST_WITH_MODES = (1, 5)
"""The version that brought `texmode_independent`."""


def _spread(statements: Sequence[Statement], limit: int) -> list[Statement]:
    """A sample that has something of every form."""
    by_form: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_form[statement.form].append(statement)
    each = max(1, limit // max(1, len(by_form)))
    chosen: list[Statement] = []
    for group in by_form.values():
        step = max(1, len(group) // each)
        chosen.extend(group[::step][:each])
    return chosen


def grid(instruction: Instruction, *, full: bool) -> Iterable[Configuration]:
    """Versions and targets to try: all, or those where the database says something changes."""
    database = instruction.database
    numbers = list(database.versions)
    chosen = set(numbers)
    if not full:
        named = {
            requirement[0]
            for form in instruction.forms
            for gate in (*form.row.gates, *form.row.until)
            for requirement in gate.requirements
        }
        chosen = {number for number in named if number in numbers}
        chosen |= {
            numbers[max(0, numbers.index(number) - 1)] for number in chosen if number in numbers
        }
        chosen |= {(9, 5), (1, 0)}
        last_bounds = {
            numbers[min(len(numbers) - 1, numbers.index(number) + 1)] for number in chosen
        }
        chosen |= last_bounds if any(form.row.until for form in instruction.forms) else set()
    for number in sorted(chosen):
        for name, target in database.targets.items():
            if parse_target(name) is None or number < target.since or target.renamed:
                continue
            if not full and name in _SKIPPED_TARGETS:
                continue
            yield Configuration(database.versions[number].name, name)


_SKIPPED_TARGETS = frozenset(
    "sm_11 sm_12 sm_37 sm_52 sm_61 sm_62 sm_72 sm_86 sm_87 sm_88 sm_120 sm_121 sm_121a sm_121f "
    "sm_103f sm_110 sm_110f".split()
)  # fmt: skip


def configuration_of(text: str) -> Configuration:
    """Reads `9.5/sm_90a`."""
    version, _, target = text.partition("/")
    parse_version(version)
    return Configuration(version, target)


__all__ = ["CONFIGURATIONS", "Measure", "measure_forms", "measure_gates", "measure_mutations"]
