"""`ptx-ls pressure`: how many registers are alive, and where most are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, add_paths
from ptx_ls.cli.function_run import FunctionRun
from ptx_ls.cli.output import JSON, add_output_options, write_output
from ptx_ls.cli.status import ExitStatus
from ptx_ls.features.pressure.pressure import pressures
from ptx_ls.features.pressure.pressure_svg import svg
from ptx_ls.features.pressure.pressure_text import as_data, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.pressure.pressure import Pressure

_SVG: Final = "svg"
_EPILOG: Final = """\
exit status:
  0  the files were read
  2  wrong arguments, a file that cannot be read, or several functions for one picture

examples:
  ptx-ls pressure kernel.ptx                                the highest pressure in each function
  ptx-ls pressure --function saxpy kernels.ptx              one function, by part of its name
  ptx-ls pressure --output-format svg kernel.ptx -o k.svg   a picture of one function
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_with_paths(arguments)
    run = FunctionRun(options, pressures)
    found = [*run.found()]
    is_missing = not found and options.function is not None
    if is_missing or (options.output_format == _SVG and len(found) != 1):
        if run.status == ExitStatus.CLEAN:
            console.complain(_not_one([each.name for _, each in found], options.function))
        return ExitStatus.BAD_INPUT
    write_output(options.output, _shown(options.output_format, found), options.paths)
    return run.status


def _shown(output_format: str, found: list[tuple[str, Pressure]]) -> Iterator[str]:
    if output_format == JSON:
        yield json.dumps([as_data(each, path) for path, each in found], ensure_ascii=False) + "\n"
    elif output_format == _SVG:
        yield svg(found[0][1])
    else:
        for path, each in found:
            yield "\n".join(map(console.escaped, as_text(each, path).split("\n")))


def _not_one(names: list[str], wanted: str | None) -> str:
    which = f" whose name contains `{console.escaped(wanted)}`" if wanted else ""
    if not names:
        return f"no function{which} uses registers"
    return f"{len(names)} functions{which}, but a picture shows one; choose it with --function"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls pressure",
        description=(
            "Prints how many registers are live at the point of highest pressure in each "
            "function and loop."
        ),
        epilog=_EPILOG,
    )
    add_paths(parser)
    parser.add_argument(
        "--function", metavar="NAME", help="show only functions whose name contains NAME"
    )
    add_output_options(
        parser, ("text", JSON, _SVG), "json includes every line, and svg is a picture"
    )
    return parser
