"""`python -m certify`: where the ISA database and ptxas disagree, opcode by opcode."""

from __future__ import annotations

import argparse
import sys
import time

from certify import record
from certify.measure import Measure, measure_forms, measure_gates, measure_mutations
from certify.oracle import CONFIGURATIONS, Oracle
from ptx_ls import isa
from ptx_ls.isa.compiler import IsaDataError
from ptx_ls.toolchain import ptxas

_FULL_LIMIT = 200_000
_FULL_MUTATIONS = 20_000
_GATED = 60
_FULL_GATED = 400


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m certify",
        description="Compare the ISA database with ptxas, and show where they disagree.",
    )
    parser.add_argument("--opcode", nargs="*", default=[], help="only these (default: all)")
    parser.add_argument("--sample", type=int, default=400, help="combinations a form (400)")
    parser.add_argument("--mutations", type=int, default=1500, help="mutations an opcode (1500)")
    parser.add_argument("--gates", action="store_true", help="also versions and targets")
    parser.add_argument("--full", action="store_true", help="everything, every version and target")
    parser.add_argument("--examples", type=int, default=3, help="examples for each cause (3)")
    parser.add_argument("--causes", type=int, default=12, help="causes shown (12)")
    parser.add_argument("--record", action="store_true", help="write tests/isa/verdicts")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    """Prints the report; 1 when we reject anything that ptxas accepts, 2 when it cannot run."""
    arguments = _arguments()
    program = ptxas.find()
    if program is None:
        print(f"ptxas was not found; install it with: {ptxas.INSTALL_HINT}", file=sys.stderr)
        return 2
    try:
        database = isa.database()
    except IsaDataError as error:
        print(error, file=sys.stderr)
        return 2
    for mistake in database.errors:
        print(mistake, file=sys.stderr)
    unknown = set(arguments.opcode) - database.opcodes
    if unknown:
        print(f"no data for {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    oracle = Oracle(program)
    try:
        return _report(database, oracle, arguments)
    finally:
        oracle.close()


def _report(database: isa.Database, oracle: Oracle, arguments: argparse.Namespace) -> int:
    newest = CONFIGURATIONS[0]
    if not oracle.knows(newest):
        print(f"{oracle.program} is too old: it does not take {newest}", file=sys.stderr)
        return 2
    n_false_alarms = 0
    for opcode in sorted(arguments.opcode or database.opcodes):
        for measure in _measures(database, oracle, opcode, arguments):
            n_false_alarms += measure.n_false_alarms
    return 1 if n_false_alarms else 0


def _measures(
    database: isa.Database, oracle: Oracle, opcode: str, arguments: argparse.Namespace
) -> list[Measure]:
    instruction = database.instruction(opcode)
    if instruction is None:
        return []
    started = time.monotonic()
    limit = _FULL_LIMIT if arguments.full else arguments.sample
    n_mutations = _FULL_MUTATIONS if arguments.full else arguments.mutations
    forms, accepted = measure_forms(instruction, oracle, limit, arguments.seed)
    mutations = measure_mutations(instruction, oracle, accepted, n_mutations, arguments.seed)
    measures = [forms, mutations]
    if arguments.record:
        record.write(opcode, accepted, mutations, arguments.seed)
    if arguments.gates or arguments.full:
        limit = _FULL_GATED if arguments.full else _GATED
        measures.append(measure_gates(instruction, oracle, accepted, limit, full=arguments.full))
    seconds = time.monotonic() - started
    print(f"{opcode}: {len(instruction.forms)} forms, {seconds:.1f} s")
    for measure in measures:
        _print_measure(measure, arguments)
    heard = {statement.form for statement, _ in accepted}
    silent = [form.id for form in instruction.forms if form.id not in heard]
    if silent:
        print(f"  no statement of these forms was accepted: {', '.join(dict.fromkeys(silent))}")
    return measures


def _print_measure(measure: Measure, arguments: argparse.Namespace) -> None:
    print(
        f"  {measure.name:<10} {measure.total:>7} compared: "
        f"{measure.both_accept} accepted by both, "
        f"{measure.both_reject} rejected by both, {measure.n_false_alarms} FALSE ALARMS, "
        f"{measure.n_misses} misses"
    )
    for title, causes in (
        ("FALSE ALARM (ptxas accepts)", measure.false_alarms),
        ("miss (ptxas rejects)", measure.misses),
    ):
        ranked = sorted(causes.items(), key=lambda item: -len(item[1]))
        for cause, examples in ranked[: arguments.causes]:
            print(f"    {title} x{len(examples)}  {cause}")
            for example in examples[: arguments.examples]:
                print(f"        {example}")
        if len(ranked) > arguments.causes:
            print(f"    ... and {len(ranked) - arguments.causes} more causes")


if __name__ == "__main__":
    sys.exit(main())
