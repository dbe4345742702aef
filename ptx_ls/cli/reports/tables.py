"""Tables of text: as wide as the terminal, or with a row on each line anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from ptx_ls.cli import console

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]], stream: TextIO) -> str:
    """Returns rows of equally many cells as lines; the cells of a column begin below each other.

    The last column takes several lines if the terminal that `stream` writes to is too narrow.
    """
    if rows and console.is_terminal(stream):
        return _wrapped(rows, console.width(stream))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def _wrapped(rows: Sequence[Sequence[str]], width: int) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for number in range(len(rows[0])):
        is_last = number + 1 == len(rows[0])
        grid.add_column(no_wrap=not is_last, overflow="fold" if is_last else "ellipsis")
    for row in rows:
        grid.add_row(*[Text(cell) for cell in row])
    terminal = Console(width=width, color_system=None, force_terminal=True)
    with terminal.capture() as captured:
        terminal.print(grid)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())
