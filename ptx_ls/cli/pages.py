"""Prints pages in Markdown: laid out on a terminal, as they are anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.output import write_output
from ptx_ls.cli.reports.tables import table

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.handbook.search import Hit

_MAX_WIDTH: Final = 100
"""Maximum width of readable text, even on a wider terminal."""


def add_colour_option(parser: ArgumentParser) -> None:
    """Adds the option that says whether pages are laid out and coloured."""
    parser.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help=(
            "when to lay out and colour pages instead of printing Markdown "
            "(default: auto, that is, on a terminal)"
        ),
    )


def show(markdown: str, options: Namespace) -> None:
    """Writes a page; in a file it is Markdown."""
    has_colour = console.has_colour(sys.stdout, options.color)
    is_read_there = console.is_terminal(sys.stdout) and options.color != "never"
    if options.output is None and (has_colour or is_read_there):
        markdown = _laid_out(markdown, has_colour=has_colour)
    write_output(options.output, [markdown])


def _laid_out(markdown: str, *, has_colour: bool) -> str:
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    width = min(console.width(sys.stdout), _MAX_WIDTH)
    # Colours of the terminal's own palette, without a background, suit dark and light ones.
    theme = Theme({"markdown.code": "cyan", "markdown.h1": "bold", "markdown.h2": "bold blue"})
    pages = Console(width=width, force_terminal=True, no_color=not has_colour, theme=theme)
    is_terminal = console.is_terminal(sys.stdout)
    with pages.capture() as captured:
        pages.print(Markdown(markdown, code_theme="ansi_dark", hyperlinks=is_terminal))
    return captured.get()


def hit_lines(hits: Sequence[Hit]) -> str:
    """Returns the pages that a search found, as the rows of a table."""
    return table([(hit.name, hit.kind, hit.line) for hit in hits], sys.stdout)
