"""`ptx-ls cache`: shows where the cache is, or empties it."""

from __future__ import annotations

import os

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.cache.folder import VARIABLE, chosen_folder, is_cache, require_own
from ptx_ls.cli.cache.options import add_cache_folder
from ptx_ls.cli.cache.store import Store
from ptx_ls.cli.status import ExitStatus
from ptx_ls.files.search import reason_of

_MEGABYTE = 1_000_000


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse(arguments)
    folder = chosen_folder(options.cache_dir)
    if not folder:
        if VARIABLE in os.environ:
            raise UsageError(f"the cache is turned off, because {VARIABLE} is empty")
        raise UsageError("this user has no cache folder; set one with --cache-dir")
    if options.action == "path":
        console.write(f"{console.escaped(folder)}\n")
    elif os.path.lexists(folder):
        _clean(folder)
    return ExitStatus.CLEAN


def _clean(folder: str) -> None:
    """Deletes the entries of a cache.

    Raises:
        UsageError: if the folder is not a cache, or cannot be changed.
    """
    shown = console.escaped(folder)
    try:
        if not is_cache(folder):
            raise UsageError(f"{shown} is not a cache of ptx-ls: nothing was deleted")
        require_own(folder)
        n_bytes = Store(folder).clear()
    except OSError as error:
        raise UsageError(f"{shown}: {reason_of(error)}") from None
    console.complain(f"Deleted {n_bytes / _MEGABYTE:.1f} MB in {shown}", prefix="")


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls cache",
        usage="ptx-ls cache [OPTION...] path|clean",
        description="Shows where `ptx-ls lint` stores its results, or deletes them.",
    )
    parser.add_argument(
        "action",
        choices=["path", "clean"],
        metavar="path|clean",
        help="path: print the cache folder; clean: delete the results in the cache folder",
    )
    add_cache_folder(parser)
    return parser
