"""The measures of one opcode: its forms, and single mutations of them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from certify.cover import covering_first, in_turn
from certify.generator import Generator
from certify.grid import active_gates, columns
from certify.judging import error_at, first_error, judge
from certify.mutations import Mutator
from certify.oracle import CONFIGURATIONS, Configuration, Oracle
from certify.sampling import FormSample, Sampler
from certify.statements import Statement
from certify.tally import Comparison, Measure
from ptx_ls.isa import Instruction

Accepted = tuple[Statement, Configuration]


def sample_forms(
    instruction: Instruction, limit: int, excluded: int, seed: int
) -> list[FormSample]:
    """Statements of every form: at most about `limit` legal ones, `excluded` others, each."""
    generator = Generator(instruction, seed)
    return [Sampler(generator, form, limit, excluded).draw() for form in instruction.forms]


def measure_legal(
    instruction: Instruction, oracle: Oracle, samples: Iterable[FormSample]
) -> tuple[Measure, list[Accepted]]:
    """Statements that the database accepts: ptxas must accept each in the same configuration.

    Also gives the accepted statements with that configuration.
    """
    measure = Measure("legal")
    by_configuration: dict[Configuration, list[Statement]] = defaultdict(list)
    unique = {str(statement): statement for sample in samples for statement in sample.legal}
    places = Places(instruction)
    for statement in unique.values():
        configuration = places.first_legal(statement)
        if configuration is None:
            measure.count(statement, None, NOWHERE, "")
        else:
            by_configuration[configuration].append(statement)
    accepted = []
    for configuration, statements in by_configuration.items():
        modes = (configuration, separate_samplers(configuration))
        answers = oracle.judge_anywhere([str(statement) for statement in statements], modes)
        by_mode: dict[Configuration, list[Comparison]] = defaultdict(list)
        for statement, (where, error) in zip(statements, answers, strict=True):
            by_mode[where or configuration].append((statement, None, error or None))
            if where is not None:
                accepted.append((statement, where))
        for mode, compared in by_mode.items():
            measure.count_all(compared, mode)
    return measure, accepted


def separate_samplers(configuration: Configuration) -> Configuration:
    """The same with textures and samplers apart, a mode that no statement shows."""
    if INDEPENDENT in configuration.target or configuration.number < _SINCE_INDEPENDENT:
        return configuration
    return replace(configuration, target=f"{configuration.target}, {INDEPENDENT}")


INDEPENDENT = "texmode_independent"
_SINCE_INDEPENDENT = (1, 5)


NOWHERE = "no version and target has it, by the database"


class Places:
    """Finds where the database takes a statement."""

    def __init__(self, instruction: Instruction) -> None:
        self.instruction = instruction
        self._forms = {form.id: form for form in instruction.forms}
        self._known: dict[tuple[str, tuple[int, ...]], Configuration | None] = {}

    def first_legal(self, statement: Statement) -> Configuration | None:
        """The first usual configuration whose version and target suffice, else any of the grid."""
        for configuration in CONFIGURATIONS:
            if error_at(self.instruction, statement, configuration) is None:
                return configuration
        key = (statement.form, active_gates(self._forms[statement.form], statement))
        if key not in self._known:
            self._known[key] = self._search(statement)
        return self._known[key]

    def _search(self, statement: Statement) -> Configuration | None:
        for configuration in reversed(list(columns(self.instruction.tables))):
            if error_at(self.instruction, statement, configuration) is None:
                return configuration
        return None


def measure_excluded(
    instruction: Instruction, oracle: Oracle, samples: Iterable[FormSample]
) -> Measure:
    """Combinations that the database excludes: ptxas must reject them in every configuration."""
    measure = Measure("excluded")
    unique = {str(statement): statement for sample in samples for statement in sample.excluded}
    answers = oracle.judge_anywhere(list(unique))
    for statement, (configuration, error) in zip(unique.values(), answers, strict=True):
        violation = first_error(judge(instruction, statement, None), gates=False)
        where = f"[{configuration}]" if configuration else ""
        measure.count(statement, violation, error or None, where)
    return measure


def measure_mutations(
    instruction: Instruction,
    oracle: Oracle,
    accepted: Sequence[Accepted],
    limit: int,
    seed: int,
) -> tuple[Measure, Mutator]:
    """Single mutations of accepted statements, each in the configuration of its original.

    Also gives the mutator, which knows what was touched.
    """
    measure = Measure("mutations")
    mutator = Mutator(instruction, seed)
    by_configuration: dict[Configuration, dict[str, Statement]] = defaultdict(dict)
    for configuration, mutant in _mutants(mutator, accepted, limit, seed):
        by_configuration[configuration].setdefault(str(mutant), mutant)
    for configuration, mutants in by_configuration.items():
        errors = oracle.judge(list(mutants), configuration)
        ours = [error_at(instruction, mutant, configuration) for mutant in mutants.values()]
        measure.count_all(list(zip(mutants.values(), ours, errors, strict=True)), configuration)
        for text, error in zip(mutants, errors, strict=True):
            measure.verdicts.append((str(configuration), text, error is None))
    return measure, mutator


_ROUNDS = 12


def _mutants(
    mutator: Mutator, accepted: Sequence[Accepted], limit: int, seed: int
) -> Iterable[tuple[Configuration, Statement]]:
    """Up to `limit` different mutants, a few of each statement, in rounds over all of them.

    A few more where an operand of a form was not changed by then.
    """
    source = _sources(accepted, seed)
    each = max(4, limit // max(1, len(source)))
    seen: set[str] = {str(statement) for statement, _ in source}
    n_sources = len(seen)
    for _ in range(_ROUNDS):
        before = len(seen)
        for statement, configuration in source:
            for mutant in mutator.mutations(statement, each):
                text = str(mutant)
                if text not in seen:
                    seen.add(text)
                    yield configuration, mutant
            if len(seen) - n_sources >= limit:
                break
        if len(seen) == before or len(seen) - n_sources >= limit:
            break
    for statement, configuration in source:
        for mutant in mutator.untouched(statement):
            yield configuration, mutant


def _sources(accepted: Sequence[Accepted], seed: int) -> list[Accepted]:
    """Accepted statements by chance, forms in turn.

    Those come first that show a new modifier or another number of operands.
    """
    shuffled = list(accepted)
    random.Random(seed).shuffle(shuffled)  # noqa: S311  not for secrets
    by_form: dict[str, list[Accepted]] = defaultdict(list)
    for item in shuffled:
        by_form[item[0].form].append(item)
    groups = []
    for group in by_form.values():
        first, rest = covering_first(
            group, lambda item: (*item[0].modifiers, len(item[0].operands))
        )
        groups.append([*first, *rest])
    return in_turn(groups)
