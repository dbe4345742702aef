"""`python -m docs` writes the generated pages; `--check` only tells which are out of date."""

from __future__ import annotations

import argparse
import sys

from docs.generate import ROOT, stale, write


def main() -> int:
    """Runs the command; returns 1 if `--check` found pages to write."""
    parser = argparse.ArgumentParser(prog="./dev docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    changed = stale() if is_check else write()
    for path in changed:
        print(f"{'out of date' if is_check else 'written'}: {path.relative_to(ROOT).as_posix()}")
    return 1 if is_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
