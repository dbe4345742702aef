"""The options that choose the reports of a run."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ptx_ls.cli import console
from ptx_ls.cli.arguments import STANDARD_STREAM, UsageError, number_from
from ptx_ls.cli.output import add_json_option
from ptx_ls.cli.reports.choice import Destination, OutputFormat
from ptx_ls.cli.reports.report import Look
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from argparse import Namespace

    from ptx_ls.cli.arguments import ArgumentParser


def add_report_options(parser: ArgumentParser, most_alike: int) -> None:
    """Adds the options; `most_alike`: the default number of similar diagnostics."""
    formats = [each.value for each in OutputFormat]
    parser.add_argument(
        "--output-format",
        choices=formats,
        default=OutputFormat.FULL.value,
        metavar="FORMAT",
        help=f"the format of the report: {', '.join(formats)} (default: full)",
    )
    add_json_option(parser, OutputFormat.FULL.value)
    parser.add_argument(
        "--output",
        action="append",
        type=_file_output,
        default=[],
        metavar="FORMAT:FILE",
        help="also write a report to a file, such as `sarif:findings.sarif`; may be repeated",
    )
    parser.add_argument(
        "--statistics",
        action="store_true",
        help="print the number of findings of each rule instead of a report",
    )
    parser.add_argument(
        "--max-alike",
        type=number_from(0),
        default=most_alike,
        metavar="N",
        help=(
            "show at most N of the findings in a file that differ only in names and numbers; "
            f"0 shows all (default: {most_alike}; only for full, concise and grouped)"
        ),
    )


def outputs_of(options: Namespace) -> tuple[Destination, ...]:
    """Returns the reports that the options ask for, that of standard output first.

    Raises:
        UsageError: if two of them are for one file.
    """
    paths = [path for _, path in options.output]
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"--output: two reports cannot be written to the same file `{path}`")
    has_colour = console.has_colour(sys.stdout, options.color)
    look = Look(
        has_colour,
        console.width(sys.stdout),
        options.max_alike,
        has_links=has_colour and console.is_terminal(sys.stdout),
    )
    files = [
        Destination(form, Look(most_alike=look.most_alike), path) for form, path in options.output
    ]
    if options.statistics:
        return tuple(files)
    return Destination(OutputFormat(options.output_format), look), *files


def _file_output(text: str) -> tuple[OutputFormat, str]:
    name, _, path = text.partition(":")
    formats = [each.value for each in OutputFormat]
    if name not in formats and not path:
        shown = console.escaped(text)
        raise argparse.ArgumentTypeError(
            f"expected FORMAT:FILE, such as `sarif:findings.sarif`, found `{shown}`"
        )
    if name not in formats:
        near = did_you_mean(name, formats)
        raise argparse.ArgumentTypeError(f"unknown format `{console.escaped(name)}`{near}")
    if not path:
        raise argparse.ArgumentTypeError(f"expected `{name}:FILE`, found `{name}`")
    if path == STANDARD_STREAM:
        raise argparse.ArgumentTypeError(
            f"expected a file; --output-format {name} writes to standard output"
        )
    return OutputFormat(name), path
