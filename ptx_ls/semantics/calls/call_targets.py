"""Finds the functions that calls may reach, directly or through registers.

Source: PTX ISA, "call", ".calltargets" and ".callprototype".
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.statements import statement_at
from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.symbols import function_heads
from ptx_ls.semantics.symbols.references.name_lists import directive_of, listed, names_in
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source import Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import identifiers_in
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol

_PROTOTYPE: Final = ".callprototype"
_FUNCTION: Final = ".func"
_NAMING: Final = ("mov", "[")
"""A line that takes the address of a function, or uses a table, contains one of these texts."""
_MAX_TABLES: Final = 1000


class CallPlace(NamedTuple):
    """A call in the document.

    `name` is the function or the register with its address; `through` is the name of the prototype,
    target list or table of an indirect call, "" for a direct one. `range` is that of `name`.
    """

    name: str
    through: str
    range: Range


def calls_in(analysis: Analysis, region: int) -> Iterator[CallPlace]:
    """Yields the calls in a function in the order of the text."""
    located = analysis.document.functions[region]
    for found, call in call_sites(region_text(located.function)):
        start = located.position(position(found, call.name.start))
        place = Range.on_line(start.line, start.column, start.column + len(call.name.text))
        yield CallPlace(call.name.text, call.targets.text if call.targets else "", place)


def targets(analysis: Analysis, call: CallPlace) -> list[LocatedSymbol]:
    """Returns the functions that a call names: directly, in its target list, or in its table.

    Returns [] for a call through a prototype, which only gives a signature.
    """
    if not call.through:
        found = analysis.module_symbol(call.name)
        return [found] if found is not None else []
    declared = analysis.lookup(call.through, call.range.start)
    if declared is None:
        return []
    names: list[str] = []
    if declared.symbol.kind is SymbolKind.CALL_TARGETS:
        names = [each.name for each in listed(analysis.document, declared)]
    elif declared.symbol.kind is SymbolKind.VARIABLE:
        statement = statement_at(analysis.document, declared.range.start)
        names = [each.name for each in names_in(statement)] if statement is not None else []
    functions = [analysis.module_symbol(name) for name in dict.fromkeys(names)]
    return [it for it in functions if it is not None and it.symbol.kind is SymbolKind.FUNCTION]


def fits(analysis: Analysis, call: CallPlace, function: Symbol) -> bool:
    """Whether a call goes through a prototype that has the signature of a function."""
    declared = analysis.lookup(call.through, call.range.start) if call.through else None
    if declared is None or declared.symbol.kind is not SymbolKind.PROTOTYPE:
        return False
    directive = directive_of(analysis.document, declared)
    if directive is None:
        return False
    head = directive.text.replace(_PROTOTYPE, _FUNCTION, 1)
    prototype = function_heads.of_function(head, FUNCTION_START)
    return prototype is not None and _signature(prototype) == _signature(function)


def addresses_taken(analysis: Analysis, region: int) -> list[LocatedSymbol]:
    """Returns the functions whose addresses a function may use, each once.

    It moves the address of a function to a register, or names a table that contains the address.
    """
    known = analysis.module_names()
    found: dict[str, LocatedSymbol] = {}
    for line in region_text(analysis.document.leaf(region)).lines:
        if not any(sign in line for sign in _NAMING):
            continue
        for word in identifiers_in(line.partition("//")[0]):
            if known.is_function(word):
                if "mov" in line:
                    _add(found, analysis, [word])
            elif known.is_variable(word):
                _add(found, analysis, _table(analysis, analysis.module_symbol(word)))
    return list(found.values())


def in_tables(analysis: Analysis) -> list[LocatedSymbol]:
    """Returns the functions whose addresses are in variables of a module, each once.

    Searches only the first `_MAX_TABLES` variables.
    """
    known = analysis.module_names()
    found: dict[str, LocatedSymbol] = {}
    for name in islice(known.in_order(is_function=False), _MAX_TABLES):
        _add(found, analysis, _table(analysis, analysis.module_symbol(name)))
    return list(found.values())


def _table(analysis: Analysis, declared: LocatedSymbol | None) -> list[str]:
    """Returns the names in the initialized declaration of a variable."""
    if declared is None or declared.symbol.kind is not SymbolKind.VARIABLE:
        return []
    statement = statement_at(analysis.document, declared.range.start)
    if statement is None or len(statement.text) > MAX_STATEMENT_LENGTH or "=" not in statement.text:
        return []
    return [each.name for each in names_in(statement)]


def _add(found: dict[str, LocatedSymbol], analysis: Analysis, names: Iterable[str]) -> None:
    for name in names:
        declared = analysis.module_symbol(name) if name not in found else None
        if declared is not None and declared.symbol.kind is SymbolKind.FUNCTION:
            found[name] = declared


def _signature(function: Symbol) -> tuple[object, ...]:
    def of(parameters: tuple[Symbol, ...]) -> tuple[object, ...]:
        return tuple(
            (each.space, each.type, each.vector_size, each.dimensions) for each in parameters
        )

    return of(function.returns), of(function.parameters)
