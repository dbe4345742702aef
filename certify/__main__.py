"""`python -m certify`: the certification table, or where single opcodes and ptxas disagree."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from certify import families, older, opcodes, page, record, reference, results, table, whole
from certify.exceptions import read_exceptions, stale
from certify.oracle import CONFIGURATIONS, Oracle
from certify.workers import Budget
from ptx_ls import isa
from ptx_ls.isa.notation.compiler import IsaDataError
from ptx_ls.toolchain import ptxas

_BUDGET = Budget(
    legal=table.LEGAL_PER_FORM, excluded=100, mutations=300, least_mutations=900, gated=40, seed=1
)
_SHOWN = 20


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m certify",
        description="Compare the ISA database with ptxas. Without --opcode: everything, and the "
        "table of all figures with their goals.",
    )
    add = parser.add_argument
    add("--program", type=Path, help="the ptxas to compare with (default: the installed one)")
    add("--seed", type=int, default=1)
    recorded = "write tests/isa/verdicts; after a whole run also the record and its page"
    add("--record", action="store_true", help=recorded)
    group = parser.add_argument_group("whole runs")
    group.add_argument("--jobs", type=int, default=whole.default_jobs(), help="processes")
    group.add_argument("--json", type=Path, metavar="FILE", help="write all results to this file")
    group.add_argument("--scale", type=float, default=1.0,
                       help="share of the statements, for a quick look")  # fmt: skip
    group.add_argument("--only", nargs="*", default=[], metavar="OPCODE",
                       help="a whole run of these opcodes alone, to try it")  # fmt: skip
    add("--compare", type=Path, metavar="PTXAS", help="compare an older ptxas with the record")
    add("--reference", action="store_true", help="special registers, directives and pragmas only")
    add(
        "--families",
        action="store_true",
        help="every combination of modifiers of bulk, tensor and tcgen05 instructions only",
    )
    opcodes.add_arguments(parser.add_argument_group("runs of single opcodes"))
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Prints the report; 1 when a goal is missed, 2 when ptxas cannot be run."""
    arguments = _arguments(given)
    program: Path | None = arguments.program or ptxas.find()
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
    if arguments.reference or arguments.families:
        report = reference.report if arguments.reference else families.report
        whole_set, is_recorded = arguments.full, arguments.record
        return report(program, arguments.seed, full=whole_set, is_recorded=is_recorded)
    unknown = {*arguments.opcode, *arguments.only} - database.opcodes
    if unknown:
        print(f"no data for {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    oracle = Oracle(program)
    try:
        newest = CONFIGURATIONS[0]
        if not oracle.knows(newest):
            print(f"{program} is too old: it does not take {newest}", file=sys.stderr)
            return 2
        if arguments.compare:
            return _compare(oracle, arguments)
        if arguments.opcode:
            return opcodes.report(database, oracle, arguments)
    finally:
        oracle.close()
    return _certify(database, program, arguments)


def _certify(database: isa.Database, program: Path, arguments: argparse.Namespace) -> int:
    budget = _BUDGET.scaled(arguments.scale, arguments.seed)
    result = whole.run(database, program, budget, arguments.jobs, arguments.only)
    exceptions = read_exceptions()
    rows = table.figures(result, exceptions)
    facts = {"ptxas": version_of(program), "seed": arguments.seed}
    if arguments.json:
        arguments.json.write_text(results.as_json(result, rows, facts), encoding="utf-8")
    if arguments.record:
        for opcode, found in result.opcodes.items():
            record.write(opcode, found.verdicts, result.cells[opcode], arguments.seed)
        reference.record(result.reference, arguments.seed)
        results.write_record(result, rows, facts)
        page.PATH.write_text(page.page(database, results.read_record()), encoding="utf-8")
    print(f"ptxas {facts['ptxas']}, {result.seconds / 60:.1f} minutes\n")
    print(table.text(rows))
    for reason in sorted(table.reasons(result)):
        print(f"named exception: {reason}")
    for exception in stale(exceptions, table.reasons(result)):
        print(f"stale exception: {exception.opcode}: {exception.reason}")
    return 0 if all(row.is_met for row in rows) else 1


def _compare(newer: Oracle, arguments: argparse.Namespace) -> int:
    program = Oracle(arguments.compare)
    try:
        found = older.compare(program, newer, older.recorded())
    finally:
        program.close()
    outcome = found.summary(version_of(arguments.compare))
    if arguments.record:
        results.write_older(outcome)
        page.PATH.write_text(page.current(), encoding="utf-8")
    for key, value in outcome.items():
        print(f"{key}: {value}")
    for difference in found.unexplained[: arguments.examples * _SHOWN]:
        print(f"  {difference}")
    return 1 if found.unexplained else 0


def version_of(program: Path) -> str:
    """The version that a ptxas prints, such as `13.5.37`."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.rpartition(", V")[2].split("\n")[0].strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
