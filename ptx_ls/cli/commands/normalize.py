"""`ptx-ls normalize`: prints the canonical text of a PTX file."""

from __future__ import annotations

from typing import Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.diffs.file_pairs import named_file
from ptx_ls.cli.diffs.reading import ModuleReader
from ptx_ls.cli.status import ExitStatus
from ptx_ls.comparison.canonical import canonical_text

_EPILOG: Final = """\
If `ptx-ls diff` reports two files as the same, their canonical texts are equal, except for the
order of functions and declarations. The names of registers, local variables and labels depend on
their use, not on their numbers, so a change to one statement changes few lines. Comments, source
locations, debug sections and unused registers are left out. Use the text only for comparison: ptxas
may reject it.

exit status:
  0  the text was written
  2  wrong arguments, or a file that cannot be read

examples:
  ptx-ls normalize kernel.ptx                      print the canonical text
  git config diff.ptx.textconv 'ptx-ls normalize'  compare canonical texts in `git diff`
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_paths(arguments)
    if len(options.paths) != 1:
        raise UsageError(f"expected one file, found {len(options.paths) or 'none'}")
    document = ModuleReader().document(named_file(options.paths[0]))
    if document is None:
        return ExitStatus.BAD_INPUT
    console.write(canonical_text(document))
    return ExitStatus.CLEAN


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls normalize",
        usage="ptx-ls normalize [OPTION...] FILE",
        description="Prints the canonical text of a file, so that other tools can compare it.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "paths", nargs="*", metavar="FILE", help="a file, or `-` for standard input"
    )
    return parser
