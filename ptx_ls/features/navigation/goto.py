"""Go to the definition, declaration, type or implementation of the name at the cursor.

A register is defined by the instructions whose values may reach the cursor, and declared by its
`.reg` line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import At, Cursor, cursor, declared_at
from ptx_ls.flow.dataflow import reaching_definitions
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.semantics.symbols.references.name_lists import aliases, listed
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol


@dataclass(frozen=True, slots=True)
class DefinitionLink:
    """A place to go to from the name `origin`.

    `target` is the whole statement there, `selection` the name in it.
    """

    origin: Range
    target: Range
    selection: Range


def definition(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Returns what defines the name at a position.

    A register that is read: the instructions whose values may reach it, else its declaration. A
    function: its body, else a prototype. A label, variable or parameter: its declaration.
    """
    found = declared_at(analysis, position)
    return (_reaching(analysis, *found) or [linked(analysis, *found)]) if found is not None else []


def declaration(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Returns the declarations of the name at a position; for a function, those before its body.

    A register of a range `%r<10>` leads to the range.
    """
    found = declared_at(analysis, position)
    if found is None:
        return []
    under, declared = found
    ahead = [
        other
        for other in analysis.module_declarations(under.text)
        if not other.symbol.is_definition and _is_same(declared.symbol, other.symbol)
    ]
    return [linked(analysis, under, other) for other in ahead or [declared]]


def type_definition(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Returns the type of the name at a position.

    A register: its bank. An indirect call and its address: the `.callprototype`. Any other name
    with a type: its declaration.
    """
    under = cursor(analysis, position)
    if under is None:
        return []
    called = _prototype(analysis, under)
    if called is not None:
        return [called]
    found = declared_at(analysis, position)
    if found is None:
        return []
    symbol = found[1].symbol
    has_type = symbol.type or symbol.is_function or symbol.kind is SymbolKind.PROTOTYPE
    return [linked(analysis, *found)] if has_type else []


def implementation(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Returns the body of the function, or the definition of the variable, that a name refers to.

    An alias leads to its function, a list of call targets to each of its functions.
    """
    found = declared_at(analysis, position)
    if found is None:
        return []
    under, declared = found
    if declared.symbol.kind is SymbolKind.CALL_TARGETS:
        functions = [
            analysis.module_symbol(each.name) for each in listed(analysis.document, declared)
        ]
        return [linked(analysis, under, each) for each in functions if each is not None]
    defined = declared if declared.symbol.is_definition else _aliased(analysis, under.text)
    if defined is None or not defined.symbol.is_definition:
        return []
    is_module = defined.symbol.is_function or defined.symbol.kind is SymbolKind.VARIABLE
    return [linked(analysis, under, defined)] if is_module else []


def _is_same(one: Symbol, other: Symbol) -> bool:
    return one.kind is other.kind or (one.is_function and other.is_function)


def linked(analysis: Analysis, under: Cursor, declared: LocatedSymbol) -> DefinitionLink:
    """Returns the link from a name to the declaration of a symbol."""
    statement = statement_at(analysis.document, declared.range.start)
    target = declared.range
    if statement is not None and statement.start <= target.start and target.end <= statement.end:
        target = Range(statement.start, statement.end)
    return DefinitionLink(under.range, target, declared.range)


def _reaching(analysis: Analysis, under: Cursor, declared: LocatedSymbol) -> list[DefinitionLink]:
    """Returns the writes that reach the register at the cursor; none if it is only written."""
    statement = under.statement
    if not statement.is_instruction or statement.is_long:
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
        function = analysis.function_of(declared)
        if function and declared.symbol in function.parameters:
            found.insert(0, linked(analysis, under, declared))
    return found


def _write(analysis: Analysis, under: Cursor, place: Range) -> DefinitionLink:
    """Returns a link to the name in an instruction that writes it."""
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
    """Returns the prototype of an indirect call with the cursor at its opcode or its address."""
    statement = under.statement
    if not statement.is_instruction:
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
    """Returns the function that a name is an alias of; None if it is not an alias."""
    for alias, function in aliases(analysis.document):
        if alias.name == name:
            return analysis.module_symbol(function.name)
    return None
