"""Runs of single opcodes: one line per cause of disagreement, with examples."""

from __future__ import annotations

import argparse
import time

from certify import record
from certify.gates import gate_statements, measure_gates
from certify.grid import columns, few_columns
from certify.measure import measure_excluded, measure_legal, measure_mutations, sample_forms
from certify.oracle import Oracle
from certify.tally import Measure
from ptx_ls import isa

_FULL_LIMIT = 200_000
_FULL_MUTATIONS = 20_000
_GATED = 60
_FULL_GATED = 400
_EXCLUDED_SHARE = 0.5


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """The options of such a run."""
    group.add_argument("--opcode", nargs="*", default=[], help="only these (default: all)")
    group.add_argument("--sample", type=int, default=400, help="legal statements per form (400)")
    group.add_argument("--mutations", type=int, default=1500, help="mutations per opcode (1500)")
    group.add_argument("--gates", action="store_true", help="also versions and targets")
    group.add_argument("--full", action="store_true", help="everything, every version and target")
    group.add_argument("--examples", type=int, default=3, help="examples for each cause (3)")
    group.add_argument("--causes", type=int, default=12, help="causes shown (12)")


def report(database: isa.Database, oracle: Oracle, arguments: argparse.Namespace) -> int:
    """Prints what was found about each opcode; 1 when we reject anything that ptxas accepts."""
    n_false_alarms = 0
    for opcode in sorted(arguments.opcode or database.opcodes):
        instruction = database.instruction(opcode)
        if instruction is not None:
            n_false_alarms += _report_one(instruction, oracle, arguments)
    return 1 if n_false_alarms else 0


def _report_one(instruction: isa.Instruction, oracle: Oracle, arguments: argparse.Namespace) -> int:
    started = time.monotonic()
    opcode, seed = instruction.opcode, arguments.seed
    limit = _FULL_LIMIT if arguments.full else arguments.sample
    n_mutations = _FULL_MUTATIONS if arguments.full else arguments.mutations
    excluded = limit if arguments.full else int(limit * _EXCLUDED_SHARE)
    samples = sample_forms(instruction, limit, excluded, seed)
    legal, accepted = measure_legal(instruction, oracle, samples)
    mutations, _ = measure_mutations(instruction, oracle, accepted, n_mutations, seed)
    measures = [legal, measure_excluded(instruction, oracle, samples), mutations]
    if arguments.gates or arguments.full or arguments.record:
        chosen = columns(instruction.tables) if arguments.full else few_columns(instruction)
        statements = gate_statements(
            instruction, accepted, _FULL_GATED if arguments.full else _GATED
        )
        measures.append(measure_gates(instruction, oracle, statements, chosen))
    if arguments.record:
        verdicts = [(str(where), str(statement), True) for statement, where in accepted]
        record.write(opcode, [*verdicts, *mutations.verdicts], measures[-1].verdicts, seed)
    seconds = time.monotonic() - started
    print(f"{opcode}: {len(instruction.forms)} forms, {seconds:.1f} s")
    for measure in measures:
        print_measure(measure, arguments.causes, arguments.examples)
    heard = {statement.form for statement, _ in accepted}
    silent = [form.id for form in instruction.forms if form.id not in heard]
    if silent:
        print(f"  no statement of these forms was accepted: {', '.join(dict.fromkeys(silent))}")
    return sum(measure.n_false_alarms for measure in measures)


def print_measure(measure: Measure, n_causes: int, n_examples: int) -> None:
    """One line of counts, and the causes of disagreement with examples."""
    print(
        f"  {measure.name:<10} {measure.total:>7} compared: "
        f"{measure.both_accept} accepted by both, "
        f"{measure.both_reject} rejected by both, {measure.n_false_alarms} FALSE ALARMS, "
        f"{measure.n_misses} misses"
        + (f", {measure.n_named} named exceptions" if measure.named else "")
        + (f", {len(measure.crashes)} crashes of ptxas" if measure.crashes else "")
    )
    for title, causes in (
        ("FALSE ALARM (ptxas accepts)", measure.false_alarms),
        ("miss (ptxas rejects)", measure.misses),
    ):
        ranked = sorted(causes.items(), key=lambda item: -len(item[1]))
        for cause, examples in ranked[:n_causes]:
            print(f"    {title} x{len(examples)}  {cause}")
            for example in examples[:n_examples]:
                print(f"        {example}")
        if len(ranked) > n_causes:
            print(f"    ... and {len(ranked) - n_causes} more causes")
