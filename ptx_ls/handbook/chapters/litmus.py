"""Draws litmus tests: the PTX of some threads side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ptx_ls.handbook.page import Code


def litmus_test(threads: Sequence[str]) -> Code:
    """Returns a column for each thread."""
    columns = [
        [f"Thread {number}", *thread.strip().splitlines()]
        for number, thread in enumerate(threads, 1)
    ]
    widths = [max(map(len, column)) for column in columns]
    rows = (
        " │ ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip_longest(*columns, fillvalue="")
    )
    head, *lines = rows
    rule = "─┼─".join("─" * width for width in widths)
    return Code("\n".join((head, rule, *lines)), "text")
