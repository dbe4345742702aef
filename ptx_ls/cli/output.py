"""The form of a command's output, and where it goes: standard output, or a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import STANDARD_STREAM, UsageError
from ptx_ls.files.search import is_ptx, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.cli.arguments import ArgumentParser

JSON: Final = "json"


def add_output_options(parser: ArgumentParser, formats: tuple[str, ...], about: str = "") -> None:
    """Adds `--output-format` and `--output`.

    Args:
        parser: that of the command.
        formats: the forms of output; the first one is the default. If one is JSON, `--json` is
            short for it.
        about: more about the forms, for the help.
    """
    parser.add_argument(
        "--output-format",
        choices=formats,
        default=formats[0],
        help=f"the format of the output{f'; {about}' if about else ''} (default: {formats[0]})",
    )
    if JSON in formats:
        add_json_option(parser, formats[0])
    add_output_file(parser)


def add_json_option(parser: ArgumentParser, default: str) -> None:
    """Adds `--json`, which is short for `--output-format json`; `default`: of that option."""
    parser.add_argument(
        "--json",
        action="store_const",
        dest="output_format",
        const=JSON,
        default=default,
        help="the same as --output-format json",
    )


def add_output_file(parser: ArgumentParser) -> None:
    """Adds `--output`."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of standard output"
    )


def json_text(value: object) -> str:
    """Returns a value as indented JSON, for a report that people may read, too."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write_output(output: str | None, parts: Iterable[str], sources: Iterable[str] = ()) -> None:
    """Writes the output of a command; a file is replaced as a whole.

    Args:
        output: a path; None or `-` for standard output.
        parts: the parts of the text.
        sources: the files that the command reads.

    Raises:
        UsageError: if the file cannot be written, is PTX, or is one of `sources`.
    """
    if output in (None, STANDARD_STREAM):
        for part in parts:
            console.write(part)
        return
    shown = console.escaped(output)
    if holds_ptx(output, sources):
        raise UsageError(f"{shown}: not overwritten, because it is a PTX file")
    from ptx_ls.files.writing import write_whole

    try:
        write_whole(output, "".join(parts).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{shown}: {reason_of(error)}") from None


def holds_ptx(path: str, sources: Iterable[str]) -> bool:
    """Whether a path leads to a file that is PTX by its name, or one of the files that are read."""
    if not os.path.isfile(path):
        return False
    return is_ptx(os.path.realpath(path)) or any(_is_same_file(path, each) for each in sources)


def _is_same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
