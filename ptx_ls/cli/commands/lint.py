"""`ptx-ls lint`: lints files and directories."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import (
    STANDARD_STREAM,
    ArgumentParser,
    UsageError,
    add_paths,
    add_run_options,
)
from ptx_ls.cli.cache.options import add_cache_options
from ptx_ls.cli.configured import (
    add_configuration_options,
    add_rule_options,
    configurations_of,
    find,
    first_path,
    settings_text,
)
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.linting.baseline import (
    add_baseline_options,
    use_of,
)
from ptx_ls.cli.linting.fixing import add_fix_options
from ptx_ls.cli.linting.run import LintRun, complain_about
from ptx_ls.cli.reports.options import add_report_options
from ptx_ls.cli.status import ExitStatus
from ptx_ls.cli.suppression_options import add_suppression_options, require_suppression_options
from ptx_ls.cli.targets.options import add_target_options, target_values
from ptx_ls.files.configuration.keys import NEVER
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from argparse import Namespace

    from ptx_ls.cli.linting.watch import ReportReuse
    from ptx_ls.files.configuration.discovery import Configurations

_MAX_ALIKE: Final = 50
_EPILOG: Final = """\
exit status:
  0  no finding at or above the severity of --fail-on
  1  at least one such finding; with --diff: at least one fix
  2  wrong arguments, a file that cannot be read, or a file that cannot be fixed because it cannot
     be parsed as PTX (the other files are linted)
  3  a bug in ptx-ls itself (the other files are linted)

Without a PATH, the current directory is checked. Findings go to standard output, everything else
to standard error.
A comment `// ptx-ls: ignore[RULE, ...] reason` suppresses findings on its line. Alone on a line, it
also suppresses findings in the next statement. `ignore-function` does so in a function,
`ignore-start` and `ignore-end` in the lines between them, and `ignore-file` in the whole file.
The environment variables NO_COLOR and FORCE_COLOR turn colours off and on. PTX_LS_DEBUG=1 prints
the traceback of an internal error.
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_paths(arguments)
    paths = options.paths or [os.curdir]
    require_suppression_options(options)
    _require_files(options, is_input_named=STANDARD_STREAM in paths)
    if options.watch and not (options.show_files or options.show_settings):
        return _watched(options, paths)
    configurations, found = _search(options, paths)
    is_input_listed = any(isinstance(it, inputs.Input) and it.content is not None for it in found)
    _require_files(options, is_input_named=is_input_listed)
    if options.show_files:
        return _show(found)
    if options.show_settings:
        path = first_path(found)
        console.write(settings_text(path, configurations))
        return ExitStatus.CLEAN
    return LintRun(options, configurations).status(found)


def _search(
    options: Namespace, paths: list[str]
) -> tuple[Configurations, list[inputs.Input | Unreadable]]:
    configurations = configurations_of(options, target_values(options))
    return configurations, inputs.without_left_out(find(paths, options, configurations))


def _watched(options: Namespace, paths: list[str]) -> int:
    """Lints again and again, until the user interrupts it."""
    from ptx_ls.cli.linting.watch import WatchedRun, require_watchable

    def lint(
        configurations: Configurations, found: list[inputs.Input | Unreadable], reuse: ReportReuse
    ) -> int:
        return LintRun(options, configurations, reuse).status(found)

    require_watchable(options, paths, use_of(options))
    others = [each for each in (options.config, options.baseline) if each]
    run = WatchedRun(
        paths,
        others,
        partial(_search, options, paths),
        lint,
        is_quiet=options.quiet,
    )
    return run.status()


def _require_files(options: Namespace, *, is_input_named: bool) -> None:
    for option in ("--fix", "--add-suppressions"):
        is_given = getattr(options, option[2:].replace("-", "_"))
        if is_given and not options.diff and is_input_named:
            raise UsageError(f"{option} changes files, but standard input is not a file")
        if is_given and options.scheduler is not None:
            raise UsageError(
                f"{option} changes files on this machine, but --scheduler checks files on other "
                "machines"
            )


def _show(found: list[inputs.Input | Unreadable]) -> ExitStatus:
    """Prints the paths of the files, and complains about those that cannot be read."""
    status = ExitStatus.CLEAN
    for each in found:
        if isinstance(each, Unreadable):
            complain_about(each.path, each.reason)
            status = ExitStatus.BAD_INPUT
        else:
            console.write(f"{console.escaped(each.path)}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls lint",
        usage="ptx-ls lint [OPTION...] [PATH...]",
        description="Checks PTX and prints the problems that it finds.",
        epilog=_EPILOG,
    )
    add_paths(parser)
    add_report_options(parser, most_alike=_MAX_ALIKE)
    parser.add_argument(
        "--severity",
        choices=[severity.value for severity in Severity],
        default=Severity.INFORMATION.value,
        help="the lowest severity to report (default: information; hints are for editors)",
    )
    parser.add_argument(
        "--fail-on",
        choices=[*(severity.value for severity in Severity), NEVER],
        help=(
            "the lowest severity that makes the exit status 1; findings at or above it are "
            "always reported (default: error, or as configured for the current directory)"
        ),
    )
    add_fix_options(parser)
    parser.add_argument("--exit-zero", action="store_true", help="the same as --fail-on never")
    parser.add_argument(
        "--show-files", action="store_true", help="print the files that would be checked"
    )
    parser.add_argument(
        "--watch", action="store_true", help="check again whenever a file changes; Ctrl-C stops"
    )
    add_target_options(parser)
    add_rule_options(parser)
    add_suppression_options(parser)
    add_baseline_options(parser)
    add_configuration_options(parser)
    add_cache_options(parser)
    add_run_options(parser)
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="check the files on the Dask cluster at ADDRESS, such as tcp://127.0.0.1:8786; needs "
        "`pip install 'ptx-ls[dask]'`",
    )
    return parser
