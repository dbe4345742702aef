"""Finds, reads and writes the files to process; a path that cannot be read comes with a reason."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from ptx_ls.cli.arguments import STANDARD_STREAM, UNNAMED, UsageError
from ptx_ls.files import search
from ptx_ls.files.languages import OtherLanguageError, other_language, other_language_of
from ptx_ls.files.named import read_named
from ptx_ls.files.search import SUFFIX, Unreadable, reason_of
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.cli.linting.baseline import Identity
    from ptx_ls.document.document import Document
    from ptx_ls.files.configuration.exclusion import Exclusion
    from ptx_ls.files.search import FoundFile, IsLeftOut

__all__ = [
    "Input",
    "NotPtxError",
    "Unreadable",
    "expanded",
    "find",
    "read",
    "reason_of",
    "require_own_language",
    "require_ptx",
    "without_left_out",
    "write",
]

_LIST = "@"
"""Begins the name of a file with paths."""


class NotPtxError(ValueError):
    """A file is not rewritten because it cannot be parsed as PTX; the argument is the reason."""

    def __str__(self) -> str:
        return f"not changed, because it cannot be parsed as PTX: {self.args[0]}"


class Input(NamedTuple):
    """A file to process.

    Attributes:
        path: as the output names it.
        size: in bytes.
        content: the bytes, if they are not from a file.
        known: how many diagnostics of each identity a baseline has; None without a baseline.
        is_left_out: whether it is standard input with the name of a file that is left out.
    """

    path: str
    size: int
    content: bytes | None = None
    known: Mapping[Identity, int] | None = None
    is_left_out: bool = False


def find(
    paths: Iterable[str],
    stdin_name: str = UNNAMED,
    exclusion: Exclusion | None = None,
    *,
    is_forced: bool = False,
) -> list[Input | Unreadable]:
    """Returns the named files in order, directories as their sorted files, and each file once.

    Args:
        paths: files, directories (searched for `*.ptx`), patterns such as `**/*.ptx`, `@FILE` for a
            file with a path on each line, and `-` for standard input.
        stdin_name: the path that the output shows for standard input.
        exclusion: the files to leave out.
        is_forced: whether to leave out even those that `paths` name. Standard input is found, and
            `is_left_out` says so.
    """
    found: dict[str, Input | Unreadable] = {}
    for path in expanded(paths):
        if path == STANDARD_STREAM:
            if path not in found:
                found[path] = _standard_input(stdin_name, exclusion if is_forced else None)
        else:
            for each in _named(path, exclusion, is_forced=is_forced):
                found.setdefault(os.path.normcase(os.path.abspath(each.path)), each)
    return list(found.values())


def without_left_out(found: Iterable[Input | Unreadable]) -> list[Input | Unreadable]:
    """Returns what `find` returned without standard input that is left out."""
    return [each for each in found if isinstance(each, Unreadable) or not each.is_left_out]


def read(file: Input) -> bytes:
    """Returns the bytes of a file.

    Raises:
        OSError: if it cannot be read.
    """
    if file.content is not None:
        return file.content
    with open(file.path, "rb") as stream:
        return stream.read()


def require_own_language(path: str, document: Document) -> None:
    """Checks that a file with some content is not in another language by its name.

    Raises:
        OtherLanguageError: if it is, unless it begins as PTX does.
    """
    from ptx_ls.semantics.recognition import begins_as_ptx

    reason = other_language_of(path, document.lines[0])
    if reason and not begins_as_ptx(document.lines, document.records):
        raise OtherLanguageError(f"not PTX: {reason}")


def require_ptx(file: Input, document: Document) -> None:
    """Checks that a file may be rewritten; `document` is its content.

    Raises:
        NotPtxError: if its name or its text is that of another language, or cannot be read.
    """
    from ptx_ls.semantics.recognition import why_not_ptx

    reason = other_language(file.path) or why_not_ptx(document)
    if reason:
        raise NotPtxError(reason)


def write(file: Input, content: bytes, before: bytes) -> None:
    """Replaces `before`, which was read from a file, with `content`.

    Raises:
        OSError: if it cannot be written; it is then unchanged.
    """
    from ptx_ls.files.writing import overwrite

    overwrite(file.path, content, before)


def expanded(paths: Iterable[str]) -> Iterator[str]:
    """Yields the paths, those in the file for `@FILE`, and those that a pattern matches.

    Raises:
        UsageError: if such a file cannot be read.
    """
    for path in paths:
        if os.path.exists(path) or os.path.islink(path):
            yield path
        elif path.startswith(_LIST) and os.path.lexists(path[1:]):
            yield from _listed(path[1:])
        elif any(wildcard in path for wildcard in "*?["):
            import glob

            yield from sorted(glob.glob(path, recursive=True)) or [path]
        else:
            yield path


def _listed(path: str) -> list[str]:
    """Returns the paths on the lines of a file.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        text = read_named(path).decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise UsageError(f"{_LIST}{path}: {reason_of(error)}") from None
    lines = text.replace("\r\n", "\n").split("\n")
    return [line for line in lines if line.strip()]


def _standard_input(name: str, exclusion: Exclusion | None) -> Input | Unreadable:
    if sys.stdin is None or sys.stdin.closed:  # without a console
        return Unreadable(name, "standard input is closed")
    try:
        content = sys.stdin.buffer.read()
    except OSError as error:
        return Unreadable(name, reason_of(error))
    is_left_out = exclusion is not None and name != UNNAMED and exclusion.excludes_named(name)
    return Input(name, len(content), content, is_left_out=is_left_out)


def _named(
    path: str, exclusion: Exclusion | None, *, is_forced: bool
) -> Iterator[Input | Unreadable]:
    """Yields the files that one path of the command line names."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        yield search.missing(path, error)
        return
    is_folder = stat.S_ISDIR(status.st_mode)
    if is_forced and exclusion is not None:
        excludes = exclusion.excludes_folder if is_folder else exclusion.excludes_named
        if excludes(path):
            return
    if not is_folder:
        yield _input(search.classified(path, status))
        return
    is_left_out = None if exclusion is None else exclusion.excludes
    found = [_input(each) for each in _files_below(path, is_left_out)]
    if not found:
        is_empty = is_left_out is None or next(_files_below(path), None) is None
        which = "" if is_empty else ", except files that are excluded or that git ignores"
        yield Unreadable(path, f"no {SUFFIX} file in this directory{which}")
    yield from sorted(found, key=lambda each: each.path.split(os.sep))


def _files_below(
    path: str, is_left_out: IsLeftOut | None = None
) -> Iterator[FoundFile | Unreadable]:
    for each in search.below(path, is_left_out):
        if not isinstance(each, search.Listing):
            yield each


def _input(found: FoundFile | Unreadable) -> Input | Unreadable:
    return found if isinstance(found, Unreadable) else Input(found.path, found.size)
