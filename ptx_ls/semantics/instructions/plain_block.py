"""Declarations in inline assembly, which compilers repeat thousands of times.

They are in blocks on one line, such as `{ .reg .pred p; ... }`, or alone on their line.
"""

from __future__ import annotations

from functools import lru_cache

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols import declaration_reader
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Kind
from ptx_ls.syntax.statements import BLANKS


class PlainBlock(NamedTuple):
    """A block that declares all its registers before the first instruction.

    `head`: the text before the first instruction, the same in all lines with the pattern.
    `column`: that of the `{`. `symbols`: the symbols that it declares, as if it were on line 0.
    """

    head: str
    column: int
    symbols: tuple[Symbol, ...]


@lru_cache(maxsize=1 << 12)
def declared_in(form: InlineAsmPattern) -> PlainBlock | None:
    """Returns the declarations in a pattern; None if it is not a plain block."""
    kinds = [read.kind for read in form.records]
    inner = kinds[1:-1]
    n_declared = next((n for n, kind in enumerate(inner) if kind is not Kind.DECLARATION), 0)
    if kinds[0] is not Kind.OPEN or kinds[-1] is not Kind.CLOSE:
        return None
    if not set(inner[n_declared:]) <= {Kind.INSTRUCTION}:
        return None
    pieces = InlineAsmLine(form.text, form).pieces
    symbols = [
        symbol
        for piece in pieces[1 : 1 + n_declared]
        for symbol in declaration_reader.of_declaration(
            form.text[piece.start[1] : piece.end[1]], FunctionPosition(piece.start)
        )
    ]
    names = {symbol.name for symbol in symbols}
    if len(names) < len(symbols) or "_" in names or any(symbol.count for symbol in symbols):
        return None
    return PlainBlock(
        form.text[: pieces[1 + n_declared].start[1]], pieces[0].start[1], tuple(symbols)
    )


@lru_cache(maxsize=1 << 12)
def declared_on(line: str) -> Symbol | None:
    """Returns the only register that a line declares, as if on line 0; None for other lines."""
    text = line.strip(BLANKS)
    if not text.startswith(".reg") or "/" in text or "," in text:
        return None
    column = len(line) - len(line.lstrip(BLANKS))
    symbols = list(declaration_reader.of_declaration(text, FunctionPosition((0, column))))
    if len(symbols) != 1 or symbols[0].count or symbols[0].name == "_":
        return None
    return symbols[0]


def at_line(symbol: Symbol, line: int) -> Symbol:
    """Returns a copy of a symbol of line 0 on another line."""
    start, end = (line, symbol[2][1]), (line, symbol[3][1])
    return Symbol._make((*symbol[:2], start, end, *symbol[4:]))
