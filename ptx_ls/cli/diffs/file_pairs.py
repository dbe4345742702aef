"""The pairs of files that a comparison of two files or directories is about."""

from __future__ import annotations

import os
import stat

from ptx_ls.cli import inputs
from ptx_ls.cli.arguments import STANDARD_STREAM, UsageError
from ptx_ls.cli.inputs import Input, Unreadable
from ptx_ls.files.search import SUFFIX
from ptx_ls.source.named_tuple import NamedTuple


class FilePair(NamedTuple):
    """Two files to compare; None in place of one that does not exist."""

    old: Input | Unreadable | None
    new: Input | Unreadable | None


def file_pairs(old: str, new: str) -> list[FilePair]:
    """Returns the files to compare: two files, or those of two directories by relative name.

    A file is compared with the file of the same name in a directory. `-` is standard input, and
    the null device is an empty file.

    Raises:
        UsageError: if both are standard input, or directories without PTX files.
    """
    if old == new == STANDARD_STREAM:
        raise UsageError("only one of the files can be `-` (standard input)")
    if os.path.isdir(old) and os.path.isdir(new):
        one, two = _below(old), _below(new)
        if not one and not two:
            raise UsageError(f"neither directory contains a {SUFFIX} file")
        names = sorted({*one, *two}, key=lambda name: name.split(os.sep))
        return [FilePair(one.get(name), two.get(name)) for name in names]
    if STANDARD_STREAM not in (old, new):
        if os.path.isdir(old):
            old = os.path.join(old, os.path.basename(new))
        elif os.path.isdir(new):
            new = os.path.join(new, os.path.basename(old))
    return [FilePair(named_file(old), named_file(new))]


def named_file(path: str) -> Input | Unreadable | None:
    """Returns one file that is named by its path; a FIFO, too, as shells name the output of one."""
    if path == os.devnull:
        return None
    if path == STANDARD_STREAM:
        return inputs.find([path])[0]
    try:
        if stat.S_ISFIFO(os.stat(path).st_mode):
            return Input(path, 0)
    except (OSError, ValueError) as error:
        return Unreadable(path, inputs.reason_of(error))
    if os.path.isdir(path):
        return Unreadable(path, "a directory, not a file")
    return inputs.find([path])[0]


def _below(directory: str) -> dict[str, Input | Unreadable]:
    """Returns the files of a directory by their relative names."""
    return {
        os.path.relpath(file.path, directory): file
        for file in inputs.find([directory])
        if isinstance(file, Input) or file.path != directory
    }
