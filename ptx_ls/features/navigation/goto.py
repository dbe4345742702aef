"""Go to: what defines, declares, types or implements the name under the cursor.

A register is defined by the instructions that may have written the value it has there; it is
declared by its `.reg` line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import At, Cursor, cursor
from ptx_ls.flow.dataflow import reaching_definitions
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.semantics.symbols.name_lists import aliases, listed
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.syntax.operands import opcode_parts
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol

_INSTRUCTIONS: Final = (Kind.INSTRUCTION, Kind.BROKEN)
_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)


@dataclass(frozen=True, slots=True)
class DefinitionLink:
    """A place to go to. `origin` is the name under the cursor.

    `target` is the whole statement there, `selection` the name in it.
    """

    origin: Range
    target: Range
    selection: Range


def definition(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """What defines the name at a position.

    A register that is read: the instructions whose values may reach it, else its declaration. A
    function: its body, else a prototype. A label, variable or parameter: where it is declared.
    """
    under = _name(analysis, position)
    if under is None:
        return []
    written = _reaching(analysis, under)
    if written:
        return written
    declared = analysis.lookup(under.text, under.range.start)
    return [linked(analysis, under, declared)] if declared is not None else []


def declaration(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Where the name at a position is declared: of a function, what declares it ahead of its body.

    A register of a range `%r<10>` leads to the range.
    """
    under = _name(analysis, position)
    declared = analysis.lookup(under.text, under.range.start) if under is not None else None
    if under is None or declared is None:
        return []
    ahead = [
        other
        for other in analysis.module_declarations(under.text)
        if not other.symbol.is_definition and _is_same(declared, other)
    ]
    return [linked(analysis, under, other) for other in ahead or [declared]]


def type_definition(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """What gives the name at a position its type.

    A register: its bank. A call, or what is called through: the `.callprototype`. Any other name
    with a type: its declaration.
    """
    under = cursor(analysis, position)
    if under is None:
        return []
    called = _prototype(analysis, under)
    if called is not None:
        return [called]
    if under.at is not At.NAME:
        return []
    declared = analysis.lookup(under.text, under.range.start)
    has_type = declared is not None and (
        declared.symbol.type or declared.symbol.kind in (*_FUNCTIONS, SymbolKind.PROTOTYPE)
    )
    return [linked(analysis, under, declared)] if declared is not None and has_type else []


def implementation(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """The body of the function, or the definition of the variable, that a name means.

    An alias leads to the function it stands for, a list of call targets to each of them.
    """
    under = _name(analysis, position)
    declared = analysis.lookup(under.text, under.range.start) if under is not None else None
    if under is None or declared is None:
        return []
    if declared.symbol.kind is SymbolKind.CALL_TARGETS:
        functions = [
            analysis.module_symbol(each.name) for each in listed(analysis.document, declared)
        ]
        return [linked(analysis, under, each) for each in functions if each is not None]
    found = declared if declared.symbol.is_definition else _aliased(analysis, under.text)
    is_module = found is not None and found.symbol.kind in (*_FUNCTIONS, SymbolKind.VARIABLE)
    if found is None or not (is_module and found.symbol.is_definition):
        return []
    return [linked(analysis, under, found)]


def _name(analysis: Analysis, position: Position) -> Cursor | None:
    under = cursor(analysis, position)
    return under if under is not None and under.at is At.NAME else None


def _is_same(declared: LocatedSymbol, other: LocatedSymbol) -> bool:
    both = declared.symbol.kind, other.symbol.kind
    return both[0] is both[1] or all(kind in _FUNCTIONS for kind in both)


def linked(analysis: Analysis, under: Cursor, declared: LocatedSymbol) -> DefinitionLink:
    """The way from a name to where a symbol is declared."""
    statement = statement_at(analysis.document, declared.range.start)
    target = declared.range
    if statement is not None and statement.start <= target.start and target.end <= statement.end:
        target = Range(statement.start, statement.end)
    return DefinitionLink(under.range, target, declared.range)


def _reaching(analysis: Analysis, under: Cursor) -> list[DefinitionLink]:
    """Writes of the register under the cursor that reach it; none where it is only written."""
    statement = under.statement
    if statement.record.kind not in _INSTRUCTIONS or statement.is_long:
        return []
    _, identifiers = statement.parts()
    starts = [statement.position(identifier.start) for identifier in identifiers]
    accesses = accesses_in(statement.record, statement.text)
    if under.range.start not in starts or len(accesses) != len(identifiers):
        return []
    if not accesses[starts.index(under.range.start)].access.is_read:
        return []
    reaching = reaching_definitions(analysis, under.text, under.range.start)
    found = [_write(analysis, under, place) for place in reaching.definitions]
    if found and reaching.from_entry:
        declared = analysis.lookup(under.text, under.range.start)
        function = analysis.function_of(declared) if declared is not None else None
        if declared is not None and function and declared.symbol in function.parameters:
            found.insert(0, linked(analysis, under, declared))
    return found


def _write(analysis: Analysis, under: Cursor, place: Range) -> DefinitionLink:
    """A link to the name in an instruction that writes it."""
    statement = statement_at(analysis.document, place.start)
    selection = place
    if statement is not None and not statement.is_long:
        _, identifiers = statement.parts()
        for identifier, used in zip(
            identifiers, accesses_in(statement.record, statement.text), strict=False
        ):
            if used.access.is_write and identifier.name == under.text:
                start = statement.position(identifier.start)
                selection = Range(start, Position(start.line, start.column + len(under.text)))
                break
    return DefinitionLink(under.range, place, selection)


def _prototype(analysis: Analysis, under: Cursor) -> DefinitionLink | None:
    """The prototype that an indirect call names, for its opcode and for what it calls through."""
    statement = under.statement
    if statement.record.kind not in _INSTRUCTIONS:
        return None
    parts = opcode_parts(statement.parsed.tree)
    if not parts or parts[0][0] != "call":
        return None
    operands, identifiers = statement.parts()
    last = operands[-1].identifier if operands else -1
    if last < 0:
        return None
    called = {identifiers[last].start}
    called |= {identifiers[it.identifier].start for it in operands if it.identifier >= 0}
    is_asked = under.at is At.OPCODE or any(
        statement.position(start) == under.range.start for start in called
    )
    declared = analysis.lookup(identifiers[last].name, statement.position(identifiers[last].start))
    if not is_asked or declared is None:
        return None
    kinds = (SymbolKind.PROTOTYPE, SymbolKind.CALL_TARGETS, SymbolKind.FUNCTION)
    return linked(analysis, under, declared) if declared.symbol.kind in kinds else None


def _aliased(analysis: Analysis, name: str) -> LocatedSymbol | None:
    """The function that `.alias` gives another name."""
    for alias, function in aliases(analysis.document):
        if alias.name == name:
            return analysis.module_symbol(function.name)
    return None
