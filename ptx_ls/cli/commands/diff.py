"""`ptx-ls diff`: compares two PTX files, or those of two directories, by meaning."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError, add_colour_option, number_from
from ptx_ls.cli.diffs.file_pairs import FilePair, file_pairs, named_file
from ptx_ls.cli.diffs.reading import ModuleReader
from ptx_ls.cli.diffs.report import FileDifference, file_difference
from ptx_ls.cli.output import add_output_options, json_text, write_output
from ptx_ls.cli.status import ExitStatus
from ptx_ls.comparison.comparison import compare
from ptx_ls.semantics.demangle import demangled

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from ptx_ls.comparison.result import FunctionDifference

_N_GIT_ARGUMENTS: Final = (7, 9)
"""Numbers of arguments that git passes to an external diff; 9 for a renamed file."""
_EPILOG: Final = """\
The comparison ignores names of registers, labels, parameters and local variables, as long as a
consistent renaming makes the functions equal. It also ignores comments, source locations, debug
sections, unused registers, the order of functions and declarations, and the parts of names that
compilers choose, such as hashes.

exit status:
  0  the files are the same
  1  the files differ
  2  wrong arguments, or a file that cannot be read

examples:
  ptx-ls diff old.ptx new.ptx                      show the changes in each function
  ptx-ls diff --summary build-12.4/ build-12.8/    summarise the changes in all files
  git show HEAD:k.ptx | ptx-ls diff - k.ptx        show the changes since the last commit
  ptx-ls diff --output-format html -o d.html a.ptx b.ptx    side by side, for a browser
  git config diff.ptx.command 'ptx-ls diff --git'  use `ptx-ls diff` in `git diff`
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_paths(arguments)
    run = _DiffRun(options)
    if options.git:
        run.status(_git_pairs(options.paths))
        return ExitStatus.CLEAN  # after any other status, git shows no further files
    return run.status(_pairs(options.paths))


def _pairs(paths: Sequence[str]) -> list[FilePair]:
    if len(paths) != 2:  # noqa: PLR2004  the old one and the new one
        raise UsageError(f"expected two files or directories, found {len(paths) or 'none'}")
    return file_pairs(*paths)


def _git_pairs(arguments: Sequence[str]) -> list[FilePair]:
    """Returns the pair that git passes: path, old file, its hash and mode, and the same of the new.

    For a file with conflicts, there is only the path, and nothing to compare.
    """
    if len(arguments) == 1:
        return []
    if len(arguments) not in _N_GIT_ARGUMENTS:
        raise UsageError(f"--git: expected 7 arguments from git, found {len(arguments) or 'none'}")
    return [FilePair(named_file(arguments[1]), named_file(arguments[4]))]


class _DiffRun:
    """One run over pairs of files."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._reader = ModuleReader()
        self._status = ExitStatus.CLEAN
        self._is_found = False

    def status(self, pairs: Sequence[FilePair]) -> ExitStatus:
        """Writes the differences, and returns the exit status."""
        options = self._options
        found = (each for each in map(self._compared, pairs) if each is not None)
        write_output(options.output, self._written(found, len(pairs)), options.paths)
        if options.function is not None and not self._is_found and pairs:
            name = console.escaped(options.function)
            console.complain(f"no function `{name}` in the files")
            self._raise_to(ExitStatus.BAD_INPUT)
        return self._status

    def _written(self, found: Iterator[FileDifference], n_pairs: int) -> Iterator[str]:
        """Yields the parts of the output."""
        options = self._options
        if options.quiet:
            for _ in found:
                pass
        elif options.output_format == "json":
            from ptx_ls.cli.diffs.json_form import difference_object

            objects = [difference_object(each) for each in found]
            yield json_text(objects)
        elif options.output_format == "html":
            from ptx_ls.cli.diffs.html import difference_page

            yield from difference_page(found, options.unified)
        elif n_pairs == 1:
            yield from map(self._text, found)
        else:
            yield from self._texts(found)

    def _texts(self, found: Iterator[FileDifference]) -> Iterator[str]:
        """Yields the differences of several files, and how many files there are."""
        n_same = n_different = 0
        for each in found:
            n_same += each.is_same
            n_different += not each.is_same
            if not each.is_same:
                yield f"{self._text(each)}\n"
        differing = "1 file differs" if n_different == 1 else f"{n_different or 'no'} files differ"
        same = "1 is" if n_same == 1 else f"{n_same} are"
        yield f"{differing}, {same} the same\n"

    def _text(self, found: FileDifference) -> str:
        from ptx_ls.cli.diffs.text import difference_text

        options = self._options
        has_colour = options.output is None and console.has_colour(sys.stdout, options.color)
        return difference_text(
            found, options.unified, has_colour=has_colour, is_summary=options.summary
        )

    def _compared(self, pair: FilePair) -> FileDifference | None:
        """Returns the differences of two files; None if one cannot be read, or is not wanted."""
        old, new = (self._reader.document(file) for file in pair)
        if old is None or new is None:
            self._raise_to(ExitStatus.BAD_INPUT)
            return None
        found = self._chosen(file_difference(*self._names(pair), compare(old, new)))
        if self._options.function is not None and not found.functions:
            return None
        if pair.old is None or pair.new is None:
            found = replace(found, facts=(), is_one_sided=True)  # all of it differs
        if self._options.requirements and not found.is_same:
            from ptx_ls.cli.diffs.needs import with_needs

            found = with_needs(found, old.text, new.text)
        self._raise_to(ExitStatus.CLEAN if found.is_same else ExitStatus.FINDINGS)
        return found

    def _names(self, pair: FilePair) -> tuple[str, str]:
        """Returns the paths of a pair, as shown."""
        if self._options.git:
            paths = self._options.paths
            return (
                f"a/{paths[0]}",
                f"b/{paths[7] if len(paths) > min(_N_GIT_ARGUMENTS) else paths[0]}",
            )
        old, new = (os.devnull if file is None else file.path for file in pair)
        return old, new

    def _chosen(self, found: FileDifference) -> FileDifference:
        """Returns the differences of the functions that the user asked for."""
        wanted = self._options.function
        if wanted is None:
            return found
        functions = [each for each in found.functions if _is_named(each, wanted)]
        self._is_found = self._is_found or bool(functions)
        return replace(found, facts=(), functions=functions)

    def _raise_to(self, status: ExitStatus) -> None:
        self._status = max(self._status, status)


def _is_named(function: FunctionDifference, wanted: str) -> bool:
    return any(
        wanted in name or wanted in (demangled(name) or "")
        for name in (function.name, function.old_name)
    )


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls diff",
        usage="ptx-ls diff [OPTION...] OLD NEW",
        description="Compares PTX by meaning, function by function.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="OLD NEW",
        help="two files or directories; `-` is standard input",
    )
    add_output_options(parser, ("text", "json", "html"), "html shows the texts side by side")
    parser.add_argument(
        "-U",
        "--unified",
        type=number_from(0),
        default=3,
        metavar="N",
        help="show N equal statements around each difference (default: 3)",
    )
    parser.add_argument(
        "--summary",
        action="store_true",
        help="list the functions that differ, but not their statements",
    )
    parser.add_argument(
        "--function", metavar="NAME", help="compare only functions whose name contains NAME"
    )
    parser.add_argument(
        "--requirements",
        action="store_true",
        help="also compare the lowest version and target that each file needs; takes longer",
    )
    parser.add_argument(
        "--git",
        action="store_true",
        help="accept the arguments that git passes to an external diff command",
    )
    add_colour_option(parser)
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print nothing; the exit status says whether the files differ",
    )
    return parser
