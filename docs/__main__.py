"""`python -m docs` writes the generated files; `--check` only lists which are out of date."""

from __future__ import annotations

import argparse
import sys

from docs.folders import ROOT
from docs.generate import stale, write
from docs.generators.side_by_side import record


def main() -> int:
    """Runs the command; returns 1 if `--check` found files to write."""
    parser = argparse.ArgumentParser(prog="./dev docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--record", action="store_true", help="run ptxas again on the files of docs/side-by-side.md"
    )
    options = parser.parse_args()
    if options.record:
        record()
    is_check = options.check
    changed = stale() if is_check else write()
    for path in changed:
        print(f"{'out of date' if is_check else 'written'}: {path.relative_to(ROOT).as_posix()}")
    return 1 if is_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
