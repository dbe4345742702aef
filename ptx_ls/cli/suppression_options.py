"""The options that add comments which suppress what is found."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.arguments import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from ptx_ls.cli.arguments import ArgumentParser

_END: Final = "*/"


def add_suppression_options(parser: ArgumentParser) -> None:
    """Adds the options that write comments."""
    group = parser.add_argument_group("suppression")
    group.add_argument(
        "--add-suppressions",
        action="store_true",
        help="suppress all current findings by adding a comment to each line with findings",
    )
    group.add_argument(
        "--reason",
        type=_reason,
        metavar="TEXT",
        help="the reason that --add-suppressions writes in the comments",
    )


def require_suppression_options(options: Namespace) -> None:
    """Checks that the options fit together.

    Raises:
        UsageError: if they do not.
    """
    if options.reason is not None and not options.add_suppressions:
        raise UsageError("--reason needs --add-suppressions")
    if not options.add_suppressions:
        return
    others = {
        "--fix": options.fix,
        "--unsafe-fixes": options.unsafe_fixes,
        "--diff": options.diff,
        "--watch": options.watch,
        "--update-baseline": options.update_baseline,
    }
    for other, is_given in others.items():
        if is_given:
            raise UsageError(f"--add-suppressions cannot be combined with {other}")


def _reason(text: str) -> str:
    from ptx_ls.lint.suppression.marks import MARK

    reason = text.strip()
    if not reason or not reason.isprintable() or _END in reason or MARK in reason:
        raise argparse.ArgumentTypeError(
            f"expected one line of printable text without `{_END}` and `{MARK}`"
        )
    return reason
