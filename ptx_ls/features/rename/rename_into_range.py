"""Renames a register to a name that a range declares, so that it joins the range.

`.reg .b32 %r<9>; .reg .b32 sum;`: `sum` can be called `%r3` if nothing uses `%r3`, and then needs
no declaration of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.action import removal
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.references.occurrences import overlap
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import tokenize
from ptx_ls.syntax.written.register_declarations import declared_registers

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.references.name_search import Sought
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.statement import Statement


def joined_range(analysis: Analysis, wanted: Sought, new: str) -> Symbol | None:
    """Returns the range that a register joins under the name `new`; None if there is none.

    The range has to be declared in the same scope, before the register, and with its type.
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
    """Returns the range that declares only this register: its name, or the whole statement."""
    statement = _declaration(analysis, wanted)
    read = declared_registers(statement.text) if statement is not None else None
    if statement is None or read is None:
        return None
    if len(read[1]) == 1:
        return removal(analysis.document, statement)
    place = wanted.declared.range
    tokens = list(tokenize(statement.text))
    starts = [statement.position(token.start) for token in tokens]
    at = starts.index(place.start)
    if tokens[at - 1].string != ",":
        return Range(place.start, starts[at + 2])
    _, end = tokens[at - 2].placed(statement.start)
    return Range(Position(*end), place.end)


def _declaration(analysis: Analysis, wanted: Sought) -> Statement | None:
    """Returns the `.reg` statement of a register; None if it cannot be changed."""
    statement = statement_at(analysis.document, wanted.declared.range.start)
    if statement is None or statement.record.kind is not Kind.DECLARATION:
        return None
    return statement if declared_registers(statement.text) is not None else None
