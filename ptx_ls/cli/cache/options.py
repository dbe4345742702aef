"""The options that choose the cache of a run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.cli import console
from ptx_ls.cli.cache.folder import VARIABLE, chosen_folder, make_folder
from ptx_ls.files.search import reason_of

if TYPE_CHECKING:
    from argparse import Namespace, _ActionsContainer

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.cli.cache.results import LintCache
    from ptx_ls.files.configuration.discovery import Configurations


def add_cache_options(parser: ArgumentParser) -> None:
    """Adds the options that choose the cache."""
    group = parser.add_argument_group("cache").add_mutually_exclusive_group()
    add_cache_folder(group)
    group.add_argument(
        "--no-cache", action="store_true", help="check all files, and do not store the results"
    )


def add_cache_folder(group: _ActionsContainer) -> None:
    """Adds the option for the folder of the cache to a parser, or to a group of options."""
    group.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        help=f"the cache folder (default: {VARIABLE}, or a folder in the user's cache folder)",
    )


def cache_of(options: Namespace, configurations: Configurations) -> LintCache | None:
    """Returns the cache of a run; None if it is turned off or cannot be used.

    If the user named its folder, the reason why it cannot be used is printed.

    Raises:
        UsageError: if the name of the folder is empty.
    """
    folder = chosen_folder(options.cache_dir)
    is_on = configurations.of_folder(os.getcwd()).get("", "cache", True)
    if options.no_cache or not is_on or not folder:
        return None
    from ptx_ls.cli.cache.program import program_digest
    from ptx_ls.cli.cache.results import LintCache
    from ptx_ls.cli.cache.store import Store

    try:
        make_folder(folder)
        return LintCache(Store(folder), program_digest())
    except OSError as error:
        if options.cache_dir or os.environ.get(VARIABLE):
            console.complain(f"running without a cache: {reason_of(error)}")
        return None
