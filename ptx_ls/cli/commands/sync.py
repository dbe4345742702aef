"""`ptx-ls sync`: how the statements of a function synchronise, and what belongs together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, add_paths
from ptx_ls.cli.function_run import FunctionRun
from ptx_ls.cli.output import JSON, add_output_options, write_output
from ptx_ls.cli.status import ExitStatus
from ptx_ls.features.synchronization.outline import outlines
from ptx_ls.features.synchronization.outline_data import as_data
from ptx_ls.features.synchronization.outline_text import as_text, summary
from ptx_ls.features.synchronization.timeline_svg import svg
from ptx_ls.semantics.demangle import demangled

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from ptx_ls.features.synchronization.outline_model import SyncOutline

_SVG: Final = "svg"
_EPILOG: Final = """\
exit status:
  0  the files were read
  2  wrong arguments, a file that cannot be read, no function, or several functions for one picture

examples:
  ptx-ls sync kernel.ptx                                the outline of each function
  ptx-ls sync --function gemm kernels.ptx               one function, by part of its name
  ptx-ls sync --output-format svg kernel.ptx -o k.svg   a picture of one function
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_with_paths(arguments)
    run = FunctionRun(options, outlines)
    every = [*run.found()]
    found = [each for each in every if each[1].rows or options.output_format != _SVG]
    if not found or (options.output_format == _SVG and len(found) != 1):
        if run.status == ExitStatus.CLEAN:
            unread = [each for _, each in every if not each.is_known]
            console.complain(_not_one([each.name for _, each in found], unread, options))
        return ExitStatus.BAD_INPUT
    write_output(options.output, _shown(options.output_format, found), options.paths)
    return run.status


def _shown(output_format: str, found: list[tuple[str, SyncOutline]]) -> Iterator[str]:
    if output_format == JSON:
        yield json.dumps([as_data(each, path) for path, each in found], ensure_ascii=False) + "\n"
    elif output_format == _SVG:
        yield svg(found[0][1])
    else:
        texts = (as_text(each, path).split("\n") for path, each in found)
        yield "\n".join("\n".join(map(console.escaped, lines)) for lines in texts)


def _not_one(names: list[str], unread: list[SyncOutline], options: Namespace) -> str:
    wanted = options.function
    which = f" whose name contains `{console.escaped(wanted)}`" if wanted else ""
    if not names and unread:
        first = unread[0]
        return f"{console.escaped(demangled(first.name) or first.name)}{summary(first)}"
    if not names:
        what = " synchronises" if options.output_format == _SVG else " has a body"
        return f"no function{which}{what}"
    return f"{len(names)} functions{which}, but a picture shows one; choose it with --function"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls sync",
        description=(
            "Prints the barriers, mbarrier objects, asynchronous copies and matrix instructions of "
            "each function, and the operations that each wait completes."
        ),
        epilog=_EPILOG,
    )
    add_paths(parser)
    parser.add_argument(
        "--function", metavar="NAME", help="show only functions whose name contains NAME"
    )
    add_output_options(parser, ("text", JSON, _SVG), "svg is a picture")
    return parser
