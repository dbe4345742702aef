"""Call hierarchy: the callers and callees of a function in one document.

Indirect calls count if they may reach the function: if their list of targets or table names it, or
if their prototype has its signature and its address is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.structure.module_symbols import ModuleSymbol, module_symbol
from ptx_ls.semantics.calls.call_targets import addresses_taken, calls_in, fits, in_tables, targets
from ptx_ls.semantics.symbols import declaration_reader
from ptx_ls.semantics.symbols.references.name_lists import names_in
from ptx_ls.source import Position, Range
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.calls.call_targets import CallPlace

_PROTOTYPE: Final = ".callprototype"
_ALIAS: Final = ".alias"


@dataclass(slots=True)
class CallSite:
    """A function at the other end of calls, and the places of the calls."""

    function: ModuleSymbol
    places: list[Range] = field(default_factory=list)


def prepare(analysis: Analysis, position: Position) -> ModuleSymbol | None:
    """Returns the function that the name, or the call, at a position refers to."""
    under = cursor(analysis, position)
    if under is None:
        return None
    name, place = under.text, under.range.start
    if under.at is At.OPCODE and under.text == "call":
        _, identifiers = under.statement.parts()
        callee = [it for it in identifiers if analysis.module_symbol(it.name) is not None]
        if not callee:
            return None
        name, place = callee[0].name, under.statement.position(callee[0].start)
    elif under.at is not At.NAME:
        return None
    declared = analysis.lookup(name, place)
    if declared is None or not declared.symbol.is_function:
        return None
    return module_symbol(analysis.document, declared)


def named(analysis: Analysis, name: str) -> LocatedSymbol | None:
    """Returns the function called `name`: its body rather than a declaration."""
    declared = analysis.module_symbol(name)
    return declared if declared is not None and declared.symbol.is_function else None


def outgoing(analysis: Analysis, declared: LocatedSymbol) -> list[CallSite]:
    """Returns what a function calls, in the order of the calls.

    A call through a prototype may reach functions of its signature whose address the function
    takes; if there are none, as for virtual methods, those in tables of the module.
    """
    if not declared.symbol.is_definition:
        return []
    found: dict[str, CallSite] = {}
    taken: list[LocatedSymbol] | None = None
    kept: list[LocatedSymbol] | None = None
    for call in calls_in(analysis, declared.region):
        reached = targets(analysis, call)
        if not reached and call.through:
            if taken is None:
                taken = addresses_taken(analysis, declared.region)
            reached = [each for each in taken if fits(analysis, call, each.symbol)]
            if not reached:
                kept = in_tables(analysis) if kept is None else kept
                reached = [each for each in kept if fits(analysis, call, each.symbol)]
        for each in reached:
            _add(found, analysis, each, call)
    return list(found.values())


def tables(analysis: Analysis, places: Iterable[Range]) -> list[LocatedSymbol]:
    """Returns the variables whose initial values contain the function that the places refer to."""
    found: dict[str, LocatedSymbol] = {}
    for place in places:
        statement = statement_at(analysis.document, place.start)
        if statement is None or statement.record.kind is not Kind.DECLARATION:
            continue
        for symbol in declaration_reader.of_declaration(statement.text, FUNCTION_START):
            declared = analysis.module_symbol(symbol.name)
            if declared is not None:
                found.setdefault(symbol.name, declared)
    return list(found.values())


def other_names(
    analysis: Analysis, declared: LocatedSymbol, places: Iterable[Range]
) -> list[LocatedSymbol]:
    """Returns the aliases of a function, found at the places that refer to it."""
    found: list[LocatedSymbol] = []
    for place in places:
        statement = statement_at(analysis.document, place.start)
        if statement is None or not statement.text.startswith(_ALIAS):
            continue
        alias, *function = (each.name for each in names_in(statement))
        own = analysis.module_symbol(alias)
        if function == [declared.symbol.name] and own is not None:
            found.append(own)
    return found


def is_address_taken(analysis: Analysis, places: Iterable[Range]) -> bool:
    """Whether one of the places that refer to a function takes its address."""
    for place in places:
        statement = statement_at(analysis.document, place.start)
        if statement is None:
            continue
        if statement.record.kind is Kind.DECLARATION:
            return True
        if statement.record.kind is Kind.INSTRUCTION:
            parts = opcode_parts(statement.parsed.tree)
            if parts and parts[0][0] != "call":
                return True
    return False


def prototype_lines(
    lines: Sequence[str], should_stop: Callable[[], bool] = lambda: False
) -> list[int]:
    """Returns the numbers of the lines that contain a prototype; callable on any thread."""
    if should_stop():
        return []
    return [number for number, text in enumerate(lines) if _PROTOTYPE in text]


def incoming(
    analysis: Analysis,
    declared: LocatedSymbol,
    places: Sequence[Range],
    prototypes: Iterable[int],
) -> list[CallSite]:
    """Returns the callers of a function, in the order of the text.

    `places`: all that refer to it, its `other_names` or its `tables`. `prototypes`
    are the `prototype_lines` of the document; they are needed only if its address is taken.
    """
    found: dict[str, CallSite] = {}
    aliases = other_names(analysis, declared, places)
    names = {declared.symbol.name, *(each.symbol.name for each in aliases)}
    prototypes = list(prototypes)
    is_taken = bool(prototypes)
    numbers = {analysis.region_at(place.start) for place in places}
    numbers |= {analysis.region_at(Position(line, 0)) for line in prototypes}
    for number in sorted(numbers):
        for call in calls_in(analysis, number):
            if _reaches(analysis, call, declared, names, is_taken=is_taken):
                caller = analysis.function_at(call.range.start)
                if caller is not None:
                    _add(found, analysis, caller, call)
    return list(found.values())


def _reaches(
    analysis: Analysis,
    call: CallPlace,
    declared: LocatedSymbol,
    names: Container[str],
    *,
    is_taken: bool,
) -> bool:
    if not call.through:
        return call.name in names
    if any(each.symbol.name in names for each in targets(analysis, call)):
        return True
    return is_taken and fits(analysis, call, declared.symbol)


def _add(
    found: dict[str, CallSite], analysis: Analysis, other: LocatedSymbol, call: CallPlace
) -> None:
    name = other.symbol.name
    if name not in found:
        found[name] = CallSite(module_symbol(analysis.document, other))
    found[name].places.append(call.range)
