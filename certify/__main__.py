"""`python -m certify`: the certification table, or where single opcodes and ptxas disagree."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from certify import opcodes
from certify.oracle import CONFIGURATIONS, Oracle
from ptx_ls import isa
from ptx_ls.isa.compiler import IsaDataError
from ptx_ls.toolchain import ptxas


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m certify",
        description="Compare the ISA database with ptxas, and show where they disagree.",
    )
    parser.add_argument("--program", type=Path, help="the ptxas to ask (default: the one found)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write tests/isa/verdicts")
    opcodes.add_arguments(parser.add_argument_group("runs of single opcodes"))
    return parser.parse_args()


def main() -> int:
    """Prints the report; 1 when a goal is missed, 2 when ptxas cannot be run."""
    arguments = _arguments()
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
    unknown = set(arguments.opcode) - database.opcodes
    if unknown:
        print(f"no data for {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    oracle = Oracle(program)
    try:
        newest = CONFIGURATIONS[0]
        if not oracle.knows(newest):
            print(f"{program} is too old: it does not take {newest}", file=sys.stderr)
            return 2
        return opcodes.report(database, oracle, arguments)
    finally:
        oracle.close()


if __name__ == "__main__":
    sys.exit(main())
