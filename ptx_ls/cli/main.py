"""The entry point of `ptx-ls`: runs the subcommand and returns its exit status."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from ptx_ls import __version__
from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.status import ExitStatus
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn


def process() -> NoReturn:
    """Runs the command line of the process, and ends the process.

    It exits at once, because freeing all objects one by one takes a tenth of a lint run.
    """
    status = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line (default: the process's) and returns the exit status."""
    console.prepare_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = run(given)
        sys.stdout.flush()
    except (UsageError, ConfigurationError) as error:
        console.complain(console.escaped(str(error)))
        status = ExitStatus.BAD_INPUT
    except BrokenPipeError:
        console.discard_output()
        status = ExitStatus.CLOSED_OUTPUT
    except console.OutputError as error:
        console.discard_output()
        console.complain(f"cannot write the output: {error}")
        status = ExitStatus.BAD_INPUT
    except KeyboardInterrupt:
        console.complain("interrupted")
        status = ExitStatus.INTERRUPTED
    except MemoryError:
        console.complain("not enough memory")
        status = ExitStatus.BAD_INPUT
    except Exception as error:  # noqa: BLE001  # the boundary: any exception is a bug
        if console.has_current_directory():
            console.complain_about_bug(error)
            status = ExitStatus.INTERNAL_ERROR
        else:
            console.complain("the current directory no longer exists")
            status = ExitStatus.BAD_INPUT
    return status


def run(arguments: list[str]) -> int:
    """Runs one subcommand, or options without a subcommand."""
    if not arguments:
        console.complain(usage().rstrip(), prefix="")
        return ExitStatus.BAD_INPUT
    name = arguments[0]
    if name in ("-h", "--help", "help"):
        console.write(usage())
        return ExitStatus.CLEAN
    if name in ("-V", "--version"):
        console.write(f"ptx-ls {__version__}\n")
        return ExitStatus.CLEAN
    if name == "--stdio":  # many editors start language servers like this
        return serve(arguments)
    command = COMMANDS.get(name)
    if command is None:
        raise UsageError(_unknown(name))
    return command(arguments[1:])


def lint(arguments: list[str]) -> int:
    """Check files and directories of PTX."""
    # Nothing that a lint run loads or makes is cyclic garbage, but the collector would go through
    # its millions of objects again and again, which takes a third of the time.
    gc.disable()
    from ptx_ls.cli.commands import lint as command

    return command.main(arguments)


def format_(arguments: list[str]) -> int:
    """Format columns, indentation and blank lines; only white space changes."""
    gc.disable()  # as for a lint run
    from ptx_ls.cli.commands import format as command

    return command.main(arguments)


def explain(arguments: list[str]) -> int:
    """Print the page of a rule: what it reports, why, and what to write instead."""
    from ptx_ls.cli.commands import rules as command

    return command.explain(arguments)


def rules(arguments: list[str]) -> int:
    """List the rules."""
    from ptx_ls.cli.commands import rules as command

    return command.list_rules(arguments)


def isa(arguments: list[str]) -> int:
    """Print the reference page of an instruction, register, directive, type, ..."""
    from ptx_ls.cli.commands import isa as command

    return command.main(arguments)


def requirements(arguments: list[str]) -> int:
    """Print the PTX ISA version and target that files need, and the lines that need them."""
    from ptx_ls.cli.commands import requirements as command

    return command.main(arguments)


def cfg(arguments: list[str]) -> int:
    """Draw the control flow of a function, as SVG or for Graphviz."""
    from ptx_ls.cli.commands import cfg as command

    return command.main(arguments)


def pressure(arguments: list[str]) -> int:
    """Print where the most registers are live, and how many."""
    gc.disable()  # as for a lint run
    from ptx_ls.cli.commands import pressure as command

    return command.main(arguments)


def sync(arguments: list[str]) -> int:
    """Print barriers and asynchronous operations, with the waits for them."""
    gc.disable()  # as for a lint run
    from ptx_ls.cli.commands import sync as command

    return command.main(arguments)


def cache(arguments: list[str]) -> int:
    """Print where `lint` stores its results, or delete the results."""
    from ptx_ls.cli.commands import cache as command

    return command.main(arguments)


def diff(arguments: list[str]) -> int:
    """Compare two files by meaning; ignore register names, comments and debug data."""
    gc.disable()  # as for a lint run
    from ptx_ls.cli.commands import diff as command

    return command.main(arguments)


def normalize(arguments: list[str]) -> int:
    """Print a canonical text of a file, for tools such as `git diff`."""
    from ptx_ls.cli.commands import normalize as command

    return command.main(arguments)


def serve(arguments: list[str]) -> int:
    """Start the language server."""
    from ptx_ls.cli.commands import serve as command

    return command.main(arguments)


def completions(arguments: list[str]) -> int:
    """Print a script that completes options and values in bash, fish or zsh."""
    from ptx_ls.cli.commands import completions as command

    return command.main(arguments)


def mcp(arguments: list[str]) -> int:
    """Start the MCP (Model Context Protocol) server, for agents."""
    from ptx_ls.cli.commands import mcp as command

    return command.main(arguments)


COMMANDS: Mapping[str, Callable[[list[str]], int]] = {
    command.__name__.rstrip("_"): command
    for command in (
        *(lint, format_, explain, rules, isa, requirements, cfg, pressure, sync, cache, diff),
        *(normalize, serve, mcp, completions),
    )
}


def usage() -> str:
    """Returns the help of the whole command."""
    parser = ArgumentParser(
        prog="ptx-ls",
        usage="ptx-ls COMMAND [ARGUMENT...]",
        description="Linter and language server for NVIDIA PTX.",
        epilog="`ptx-ls COMMAND --help` shows the options of a command.",
        add_help=False,
    )
    commands = parser.add_argument_group("commands")
    for name, command in COMMANDS.items():
        commands.add_argument(name, help=command.__doc__)
    options = parser.add_argument_group("options")
    options.add_argument("-h", "--help", action="store_true", help="print this")
    options.add_argument("-V", "--version", action="store_true", help="print the version")
    options.add_argument("--stdio", action="store_true", help="the same as `ptx-ls serve`")
    return parser.format_help()


def _unknown(name: str) -> str:
    if name.startswith("-") and name != "-":
        options = ("--help", "--version", "--stdio")
        return f"unknown option `{name}`{did_you_mean(name, options)}; see `ptx-ls --help`"
    if name == "-" or name.endswith(".ptx") or "/" in name or "\\" in name:
        return f"unknown command `{name}`; did you mean `ptx-ls lint {name}`?"
    return f"unknown command `{name}`{did_you_mean(name, COMMANDS)}; see `ptx-ls --help`"
