"""The work of the processes of a whole run: opcodes one by one, then columns of the grid."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path

from certify.gates import Judge, ask_column, gate_statements
from certify.measure import (
    Accepted,
    measure_excluded,
    measure_legal,
    measure_mutations,
    sample_forms,
)
from certify.oracle import Configuration, Oracle
from certify.sampling import FormSample
from certify.tally import Measure
from ptx_ls import isa

_POOL = 3000
"""Verdicts on an opcode among which those to be recorded are chosen."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of each opcode is compared."""

    legal: int
    """Legal statements of a form."""
    excluded: int
    """Excluded statements of a form."""
    mutations: int
    """Mutations of a form."""
    least_mutations: int
    """Mutations of an opcode with few forms."""
    gated: int
    """Statements of an opcode in the grid, if its gates do not need more."""
    seed: int

    def scaled(self, share: float, seed: int) -> Budget:
        """So much of it, with another seed."""

        def some(count: int) -> int:
            return max(1, int(count * share))

        return Budget(
            some(self.legal),
            some(self.excluded),
            some(self.mutations),
            some(self.least_mutations),
            some(self.gated),
            seed,
        )


@dataclass(frozen=True, slots=True)
class FormFacts:
    """How a form was sampled."""

    opcode: str
    form: str
    n_combinations: int
    n_legal: int
    n_accepted: int
    is_enumerated: bool


@dataclass(frozen=True, slots=True)
class Touched:
    """How many modifiers and operands of an opcode were mutated, and which operands were not.

    Operands are those that legal statements of a form have: one that only ptxas takes is none.
    """

    modifiers: int
    all_modifiers: int
    operands: int
    operands_left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpcodeResult:
    """The outcome of one opcode, gates apart."""

    opcode: str
    legal: Measure
    excluded: Measure
    mutations: Measure
    forms: tuple[FormFacts, ...]
    touched: Touched
    gated: tuple[Accepted, ...]
    """Statements for the grid."""
    verdicts: tuple[tuple[str, str, bool], ...]
    """Some verdicts, to be recorded."""
    seconds: float


Gated = Sequence[tuple[str, tuple[Accepted, ...]]]
"""The statements for the grid of each opcode."""

_oracle: Oracle | None = None
_judges: tuple[Judge, ...] = ()


def start(program: Path, gated: Gated = ()) -> None:
    """Prepares this process; `gated` are the statements of each opcode for columns."""
    global _oracle, _judges  # noqa: PLW0603  a process of a pool has no other place for them
    if _oracle is not None:
        _oracle.close()
    _oracle = Oracle(program)
    Finalize(
        None, _oracle.close, exitpriority=1
    )  # a process of a pool does nothing else at its end
    database = isa.database()
    judges = []
    for opcode, statements in gated:
        instruction = database.instruction(opcode)
        if instruction is not None:
            judges.append(Judge(instruction, statements))
    _judges = tuple(judges)


def oracle() -> Oracle:
    """The ptxas of this process. Raises RuntimeError before `start`."""
    if _oracle is None:
        raise RuntimeError("this process was not prepared")
    return _oracle


def run_opcode(opcode: str, budget: Budget) -> OpcodeResult:
    """Forms and mutations of one opcode."""
    started = time.monotonic()
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        raise ValueError(f"no data for {opcode}")
    samples = sample_forms(instruction, budget.legal, budget.excluded, budget.seed)
    legal, accepted = measure_legal(instruction, oracle(), samples)
    excluded = measure_excluded(instruction, oracle(), samples)
    n_mutations = max(budget.least_mutations, budget.mutations * len(instruction.forms))
    mutations, mutator = measure_mutations(
        instruction, oracle(), accepted, n_mutations, budget.seed
    )
    heard = [statement.form for statement, _ in accepted]
    forms = tuple(
        FormFacts(
            opcode, sample.form, sample.n_combinations, len(sample.legal),
            heard.count(sample.form), sample.is_enumerated,
        )
        for sample in samples
    )  # fmt: skip
    verdicts = [(str(where), str(statement), True) for statement, where in accepted]
    pool = sorted({*verdicts, *mutations.verdicts})
    mutations.verdicts.clear()
    chance = random.Random(budget.seed)  # noqa: S311  not for secrets
    return OpcodeResult(
        opcode,
        legal,
        excluded,
        mutations,
        forms,
        _touched(instruction, samples, set(mutator.touched)),
        tuple(gate_statements(instruction, accepted, budget.gated)),
        tuple(chance.sample(pool, min(_POOL, len(pool)))),
        time.monotonic() - started,
    )


def _touched(
    instruction: isa.Instruction, samples: Iterable[FormSample], sites: set[str]
) -> Touched:
    modifiers = [
        token
        for token in instruction.known
        if f"modifier {token}" in sites or f"insert {token}" in sites
    ]
    places = [
        f"{sample.form} operand {index}"
        for sample in samples
        for index in range(max((len(found.operands) for found in sample.legal), default=0))
    ]
    left = tuple(f"{instruction.opcode} {place}" for place in places if place not in sites)
    return Touched(len(modifiers), len(instruction.known), len(places) - len(left), left)


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """The outcome of one column of the grid."""

    configuration: Configuration
    is_valid: bool
    """False when ptxas takes no such module."""
    measures: dict[str, Measure]
    """By opcode."""
    accepted: dict[str, bytes]
    """For each statement of an opcode 1 when ptxas accepts it, else 0."""


def run_column(configuration: Configuration) -> ColumnResult:
    """All statements for the grid in one column."""
    statements = [item for judge in _judges for item in judge.statements]
    errors = ask_column(oracle(), statements, configuration)
    if configuration in oracle().refused:
        return ColumnResult(configuration, is_valid=False, measures={}, accepted={})
    measures, accepted, at = {}, {}, 0
    for judge in _judges:
        own = errors[at : at + len(judge.statements)]
        at += len(judge.statements)
        measure = Measure("gates")
        judge.compare(measure, configuration, own)
        opcode = judge.instruction.opcode
        measures[opcode] = measure
        accepted[opcode] = bytes(error is None for error in own)
    return ColumnResult(configuration, is_valid=True, measures=measures, accepted=accepted)
