"""What a block of inline assembly on one line declares, for all blocks of its form at once.

Compilers expand the same few blocks thousands of times: `{ .reg .pred p; ... }`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ptx_ls.semantics import declarations
from ptx_ls.semantics.symbols import Symbol
from ptx_ls.syntax.record import Kind, PlainRun, RunForm


class PlainBlock(NamedTuple):
    """A block that declares its registers before anything else.

    `head`: the text of its line up to the first instruction, where no register's number is.
    `column`: that of its brace. `symbols`: what it declares, on line 0.
    """

    head: str
    column: int
    symbols: tuple[Symbol, ...]


@lru_cache(maxsize=1 << 12)
def declared_in(form: RunForm) -> PlainBlock | None:
    """The declarations of a form of block; None if it is no plain block, or declares otherwise."""
    kinds = [read.kind for read in form.records]
    inner = kinds[1:-1]
    n_declared = next((n for n, kind in enumerate(inner) if kind is not Kind.DECLARATION), 0)
    if kinds[0] is not Kind.OPEN or kinds[-1] is not Kind.CLOSE:
        return None
    if not set(inner[n_declared:]) <= {Kind.INSTRUCTION}:
        return None
    pieces = PlainRun(form.text, form).pieces
    symbols = [
        symbol
        for piece in pieces[1 : 1 + n_declared]
        for symbol in declarations.of_declaration(
            form.text[piece.start[1] : piece.end[1]], piece.start
        )
    ]
    names = {symbol.name for symbol in symbols}
    if len(names) < len(symbols) or "_" in names or any(symbol.count for symbol in symbols):
        return None
    return PlainBlock(
        form.text[: pieces[1 + n_declared].start[1]], pieces[0].start[1], tuple(symbols)
    )
