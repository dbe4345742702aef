"""A register that takes a name which a range declares: it goes back to where it was split from.

`.reg .b32 %r<9>; .reg .b32 sum;`: `sum` can be called `%r3` if nothing uses `%r3`, and then needs
no declaration of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.register_ranges import read_registers
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.occurrences import overlap
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.name_search import Sought
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.statement import Statement

_COMMAS: Final = re.compile(r"\s*+,\s*+").finditer


def joined_range(analysis: Analysis, wanted: Sought, new: str) -> Symbol | None:
    """The range that a register called `new` is one of; None unless it can become that one.

    The range has to be declared in its scope, before it, and with its type.
    """
    symbol = wanted.declared.symbol
    if symbol.kind is not SymbolKind.REGISTER or symbol.count:
        return None
    if _declaration(analysis, wanted) is None:
        return None
    home = region_facts(analysis.document.leaf(wanted.declared.region)).scope_at(symbol.start)
    renamed = wanted._replace(name=new)
    found = next((it for it in home.ranges.values() if overlap(it, renamed)), None)
    if found is None or found.start > symbol.start:
        return None
    return found if found.facts == symbol.facts else None


def own_declaration(analysis: Analysis, wanted: Sought) -> Range | None:
    """What has to go for a register to be declared no more: its name, or the whole statement."""
    statement = _declaration(analysis, wanted)
    read = read_registers(statement.text) if statement is not None else None
    if statement is None or read is None:
        return None
    if len(read[1]) == 1:
        return _with_line(analysis, statement)
    place = wanted.declared.range
    commas = [
        (
            statement.position(place_of(statement.text, match.start())),
            statement.position(place_of(statement.text, match.end())),
        )
        for match in _COMMAS(statement.text)
    ]
    before = [comma for comma in commas if comma[1] <= place.start]
    if before:
        return Range(before[-1][0], place.end)
    return Range(place.start, commas[0][1])


def _declaration(analysis: Analysis, wanted: Sought) -> Statement | None:
    """The `.reg` of a register, if it can be read to be changed."""
    statement = statement_at(analysis.document, wanted.declared.range.start)
    if statement is None or statement.record.kind is not Kind.DECLARATION:
        return None
    return statement if read_registers(statement.text) is not None else None


def _with_line(analysis: Analysis, statement: Statement) -> Range:
    """A statement, with its line if it is alone there."""
    start, end = statement.start, statement.end
    lines = analysis.document.lines
    before, behind = lines[start.line][: start.column], lines[end.line][end.column :]
    if not before.strip() and not behind.strip() and end.line + 1 < len(lines):
        return Range(Position(start.line, 0), Position(end.line + 1, 0))
    blank = len(before) - len(before.rstrip()) if before.strip() else 0
    return Range(Position(start.line, start.column - blank), end)
