"""Parses arguments with argparse, but proposes similar names, and raises instead of exiting."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

from ptx_ls.source.near_names import nearest
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Callable


STANDARD_STREAM: Final = "-"
"""The path of standard input, or of standard output."""
UNNAMED: Final = "<stdin>"
"""The name of standard input, unless the command line has one."""
_DESCRIBE: Final = "\0"
"""An argument that asks for the parser itself; no process can receive one with a NUL."""


class _Described(Exception):  # noqa: N818  # not an error
    """Carries the parser of a command from where its arguments would be parsed."""

    def __init__(self, parser: ArgumentParser) -> None:
        super().__init__()
        self.parser = parser


class UsageError(Exception):
    """The command line is wrong; the message says why, in one line."""


class ArgumentParser(argparse.ArgumentParser):
    """Takes options before, between and after paths, and raises `UsageError`."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  # argparse's own
        # argparse makes a formatter for each option; without a width, it asks for the terminal's,
        # and imports what takes longer than all else here.
        super().__init__(
            allow_abbrev=False,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=80),
            **settings,
        )

    def format_help(self) -> str:
        """Returns the help, as wide as the terminal."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """Parses the arguments of a subcommand.

        Raises:
            UsageError: if they are wrong.
        """
        if arguments == [_DESCRIBE]:
            raise _Described(self)
        options, unknown = self.parse_known_intermixed_args(arguments)
        if unknown:
            name = unknown[0].partition("=")[0]
            known = [option for option in self._option_string_actions if option.startswith("--")]
            what = "unknown option" if name.startswith("-") else "unexpected argument"
            near = nearest(name.lstrip("-"), [option.removeprefix("--") for option in known])
            proposed = f" (did you mean `--{near}`?)" if near else ""
            self.error(f"{what} `{name}`{proposed}")
        return options

    def parse_with_paths(self, arguments: list[str]) -> argparse.Namespace:
        """Parses the arguments of a subcommand that takes paths; what follows `--` are paths.

        Raises:
            UsageError: if they are wrong, or name no path.
        """
        options = self.parse_paths(arguments)
        if not options.paths:
            raise UsageError(
                f"expected a PATH, such as `{self.prog} .` for all files below this directory"
            )
        return options

    def parse_paths(self, arguments: list[str]) -> argparse.Namespace:
        """Does what `parse_with_paths` does, but the arguments need not name a path."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        options = self.parse(arguments[:end])
        options.paths.extend(arguments[end + 1 :])  # argparse mistakes them for options
        if not options.paths and getattr(options, "stdin_filename", UNNAMED) != UNNAMED:
            options.paths.append(STANDARD_STREAM)
        return options

    def error(self, message: str) -> NoReturn:
        """Raises the error that argparse would print before it exits."""
        raise UsageError(f"{message}; see `{self.prog} --help`")


def parser_of(command: Callable[[list[str]], int]) -> ArgumentParser:
    """Returns the parser with which a command reads its arguments; the command does nothing."""
    try:
        command([_DESCRIBE])
    except _Described as described:
        return described.parser
    raise TypeError(f"{command} does not parse its arguments")


def add_paths(parser: ArgumentParser, standard_input: str = "standard input") -> None:
    """Adds the argument for files; `standard_input` describes what `-` means."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file, a directory to search for *.ptx files (hidden directories are skipped), or"
        f" `-` for {standard_input}",
    )


def add_run_options(parser: ArgumentParser) -> None:
    """Adds the options of every command that processes files."""
    parser.add_argument(
        "-j",
        "--jobs",
        type=number_from(1),
        metavar="N",
        help="maximum number of processes (default: one per processor)",
    )
    parser.add_argument(
        "--stdin-filename",
        default=UNNAMED,
        metavar="NAME",
        help="read standard input as if it were this file: reports show the name, and the settings "
        "of the file apply",
    )
    add_colour_option(parser)
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print no summary and no progress"
    )


def add_colour_option(parser: ArgumentParser) -> None:
    """Adds the option that says whether output has colours."""
    parser.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="when to colour the output (default: auto, that is, on a terminal)",
    )


def number_from(least: int, most: int | None = None) -> Callable[[str], int]:
    """Returns a function that reads a number of at least `least` and at most `most`, for argparse.

    The function raises `argparse.ArgumentTypeError` for anything else.
    """
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        if text.isascii() and text.isdigit():
            number = decimal(text)
            if least <= number and (most is None or number <= most):
                return number
        raise argparse.ArgumentTypeError(f"expected a whole number {bounds}, found `{text}`")

    return read
