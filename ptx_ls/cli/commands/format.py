"""`ptx-ls format`: formats files and directories."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs, patches, pool, reformat
from ptx_ls.cli.arguments import (
    ArgumentParser,
    UsageError,
    add_paths,
    add_run_options,
    number_from,
)
from ptx_ls.cli.configured import (
    add_configuration_options,
    configurations_of,
    find,
    first_path,
    settings_text,
)
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.output import JSON, add_json_option, json_text
from ptx_ls.cli.progress import ProgressBar
from ptx_ls.cli.reformat import ReformatMode
from ptx_ls.cli.status import ExitStatus
from ptx_ls.formatting import OPTIONS, FormatStyle
from ptx_ls.source import Position, Range
from ptx_ls.source.english import counted
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from argparse import Namespace

    from ptx_ls.cli.reformat import LayoutReport
    from ptx_ls.files.configuration.discovery import Configurations

_EPILOG: Final = """\
examples:
  ptx-ls format kernel.ptx              format a file in place
  ptx-ls format --check .               list the files below this directory that would change
  ptx-ls format --diff kernel.ptx       print the changes as a patch
  ptx-ls format --range 5-9 kernel.ptx  format only the statements in lines 5 to 9
  ptx-ls format - <kernel.ptx           format standard input to standard output

exit status:
  0  all files are formatted
  1  with --check or --diff: a file is not formatted
  2  wrong arguments, or a file that cannot be read, parsed as PTX or written (the other files are
     formatted)
  3  a bug in ptx-ls itself (the other files are formatted)

Only white space changes. A file is not changed if it does not begin with `.version`, has a syntax
error, or has the name of a file in another language (`k.cu`, `k.sh`). Standard input in such a case
is written unchanged.
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_with_paths(arguments)
    configurations = configurations_of(options)
    found = find(options.paths, options, configurations)
    if options.range is not None and len(found) > 1:
        raise UsageError(f"--range needs exactly one file, found {len(found)}")
    if options.output_format == JSON and not options.check:
        raise UsageError("--output-format json requires --check")
    _require_styles(found, configurations)
    if options.show_settings:
        path = first_path(found)
        console.write(settings_text(path, configurations))
        return ExitStatus.CLEAN
    if not (options.check or options.diff):
        _copy_left_out(found)
    return _FormatRun(options, configurations).status(inputs.without_left_out(found))


def _copy_left_out(found: list[inputs.Input | Unreadable]) -> None:
    """Copies standard input that is left out, because an editor takes the output as the text."""
    for each in found:
        if isinstance(each, inputs.Input) and each.is_left_out and each.content is not None:
            console.write_bytes(each.content)


def _require_styles(found: list[inputs.Input | Unreadable], configurations: Configurations) -> None:
    """Checks what sets the style of each folder, so that a mistake is reported once.

    Raises:
        ConfigurationError: if there is one.
    """
    first = {os.path.dirname(each.path): each.path for each in reversed(found)}
    for path in first.values():
        configurations.style_of(path)


class _FormatRun:
    """One run over a list of files: prints the results, and counts them."""

    def __init__(self, options: Namespace, configurations: Configurations) -> None:
        self._configurations = configurations
        self._mode = ReformatMode.WRITE
        if options.check or options.diff:
            self._mode = ReformatMode.DIFF if options.diff else ReformatMode.CHECK
        self._part: Range | None = options.range
        self._n_jobs: int = options.jobs or pool.default_jobs()
        self._is_quiet: bool = options.quiet
        self._colour: str = options.color
        self._has_colour = console.has_colour(sys.stdout, options.color)
        self._files: list[dict[str, object]] | None = [] if options.output_format == JSON else None
        self._n_changed = self._n_same = 0
        self._fault = ExitStatus.CLEAN

    def status(self, found: list[inputs.Input | Unreadable]) -> ExitStatus:
        """Formats the files, and returns the exit status."""
        files = [each for each in found if not isinstance(each, Unreadable)]
        work = partial(
            reformat.reformat,
            configurations=self._configurations,
            mode=self._mode,
            part=self._part,
        )
        is_shown = not self._is_quiet
        progress = ProgressBar(
            len(files), is_wanted=is_shown, verb="Formatting", colour=self._colour
        )
        with pool.running(files, work, reformat.lost, self._n_jobs) as reports, progress:
            for each in found:
                if isinstance(each, Unreadable):
                    with progress.hidden():
                        self._fail(each.path, each.reason, ExitStatus.BAD_INPUT)
                    continue
                report = next(reports)
                progress.n_done += 1
                with progress.hidden():
                    self._take(report)
        if self._files is not None:
            console.write(json_text(self._files))
        if is_shown and (self._n_changed or self._n_same) and not self._is_filter(files):
            console.complain(self._summary(), prefix="")
        has_failed = self._n_changed and self._mode is not ReformatMode.WRITE
        return max(self._fault, ExitStatus.FINDINGS if has_failed else ExitStatus.CLEAN)

    def _is_filter(self, files: list[inputs.Input]) -> bool:
        """Whether the command only copies standard input to standard output, formatted."""
        return self._mode is ReformatMode.WRITE and all(file.content is not None for file in files)

    def _take(self, report: LayoutReport) -> None:
        if report.status is not ExitStatus.CLEAN:
            sys.stderr.write(report.details)
            self._fail(report.path, report.message, report.status)
            console.write_bytes(report.content)  # an editor takes it as the new text
            return
        self._n_changed += report.is_changed
        self._n_same += not report.is_changed
        if report.content:
            console.write_bytes(report.content)
        elif report.text:
            patches.show(report.text, has_colour=self._has_colour)
        elif self._files is not None:
            path = console.valid_text(report.path)
            self._files.append({"path": path, "is_formatted": not report.is_changed})
        elif report.is_changed and self._mode is ReformatMode.CHECK:
            console.write(f"Would reformat {_shown(report.path)}\n")

    def _fail(self, path: str, message: str, status: ExitStatus) -> None:
        console.complain(f"{_shown(path)}: {message}")
        self._fault = max(self._fault, status)

    def _summary(self) -> str:
        verb = "reformatted" if self._mode is ReformatMode.WRITE else "would be reformatted"
        parts = [(self._n_changed, verb), (self._n_same, "already formatted")]
        return ", ".join(f"{counted(count, 'file')} {words}" for count, words in parts if count)


def _range(text: str) -> Range:
    """Reads a range such as `5-9` or `5:3-9:1`; lines and columns are counted from 1.

    Raises:
        argparse.ArgumentTypeError: if it is invalid.
    """
    first, dash, last = text.partition("-")
    try:
        start = _place(first) if first else Position(0, 0)
        end = _place(last, is_end=True) if last else Position(sys.maxsize, 0)
    except ValueError:
        dash = ""
    if not dash or text == dash:
        raise argparse.ArgumentTypeError(f"expected START-END, such as `5-9`, found `{text}`")
    if end <= start:
        raise argparse.ArgumentTypeError(f"the range `{text}` is empty")
    return Range(start, end)


def _place(text: str, *, is_end: bool = False) -> Position:
    """Reads a line, or a line and a column; `is_end`: a line alone ends where the next begins.

    Raises:
        ValueError: if it is invalid.
    """
    line, colon, column = text.partition(":")
    if colon:
        return Position(_ordinal(line) - 1, _ordinal(column) - 1)
    return Position(_ordinal(line) - (not is_end), 0)


def _ordinal(text: str) -> int:
    if not text.isascii() or not text.isdigit() or decimal(text) < 1:
        raise ValueError(text)
    return decimal(text)


def _shown(path: str) -> str:
    return console.escaped(path) or repr(path)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls format",
        usage="ptx-ls format [OPTION...] PATH...",
        description="Formats the indentation, columns and blank lines of PTX.",
        epilog=_EPILOG,
    )
    add_paths(parser, "standard input, whose formatted text goes to standard output")
    parser.add_argument(
        "--check", action="store_true", help="list the files that would change, and change none"
    )
    parser.add_argument("--diff", action="store_true", help="print a patch, and change no file")
    parser.add_argument(
        "--output-format",
        choices=["concise", JSON],
        default="concise",
        help="the format of the output; json prints the files that --check finds, and requires "
        "--check (default: concise)",
    )
    add_json_option(parser, "concise")
    parser.add_argument(
        "--range",
        type=_range,
        metavar="START-END",
        help=(
            "format only the statements in a range of lines (`5-9`, `5-` or `-9`) or between two "
            "positions LINE:COLUMN (`5:3-9:1`)"
        ),
    )
    style = parser.add_argument_group("style")
    for option in OPTIONS:
        name, default = "--" + option.field.replace("_", "-"), getattr(FormatStyle(), option.field)
        if option.is_switch:
            style.add_argument(name, action="store_true", default=None, help=option.about)
        else:
            style.add_argument(
                name,
                type=number_from(option.least, option.most),
                metavar="N",
                help=f"{option.about} (default: {default})",
            )
    add_configuration_options(parser)
    add_run_options(parser)
    return parser
