"""Tables of text: as wide as the terminal, or with a row on each line anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TextIO

from ptx_ls.cli import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table


_LEAST_WIDTH: Final = 30
"""Minimum width of a last column; in less room, it goes below the others."""
_GAP: Final = "  "
_MARGIN: Final = 4
"""Number of spaces before it there."""


def table(rows: Sequence[Sequence[str]], stream: TextIO) -> str:
    """Returns rows of equally many cells as lines; the cells of a column begin below each other.

    The last column takes several lines if the terminal that `stream` writes to is too narrow.
    """
    if rows and console.is_terminal(stream):
        return _fitted(rows, console.width(stream))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        _GAP.join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def _fitted(rows: Sequence[Sequence[str]], width: int) -> str:
    """Returns a table that is not wider than a terminal."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    *others, last = widths
    room = width - sum(each + len(_GAP) for each in others)
    terminal = Console(width=width, color_system=None, force_terminal=True)
    with terminal.capture() as captured:
        if room >= min(last, _LEAST_WIDTH):
            terminal.print(_grid(rows, widths))
        else:
            for row in rows:
                terminal.print(_grid([row[:-1]], others))
                if row[-1]:
                    terminal.print(Padding(Text(row[-1]), (0, 0, 0, _MARGIN)))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _grid(rows: Sequence[Sequence[str]], widths: Sequence[int]) -> Table:
    """Returns a table of columns with these widths at least; the last one is folded."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, len(_GAP)))
    for width in widths[:-1]:
        grid.add_column(no_wrap=True, overflow="ellipsis", min_width=width)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*[Text(cell) for cell in row])
    return grid
