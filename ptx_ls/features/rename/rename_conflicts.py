"""Conflicts of a new name: with other declarations, and with names that it would hide."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ptx_ls.document.statements import statement_at
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.references.name_search import Sought, candidates_in_function
from ptx_ls.semantics.symbols.references.occurrences import is_code, overlap
from ptx_ls.syntax.record import FUNCTION_HEADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Scope, Symbol
    from ptx_ls.source import Range


def conflict(
    analysis: Analysis,
    wanted: Sought,
    new: str,
    places: Sequence[Range],
    joined: Symbol | None = None,
) -> str | None:
    """Returns why a symbol cannot be called `new`, in words; None if it can.

    `places`: all that refer to it. `joined`: the range that declares `new`, if it joins one.
    """
    renamed = wanted._replace(name=new)
    if wanted.is_module:
        return _in_module(analysis, renamed, places)
    return _in_function(analysis, renamed, places, joined)


def _in_module(analysis: Analysis, renamed: Sought, places: Sequence[Range]) -> str | None:
    taken = analysis.module_symbol(renamed.name)
    if taken is not None:
        return f"the module declares `{renamed.name}` on line {taken.range.start.line + 1}"
    local: dict[int, list[Symbol]] = {}
    for place in places:
        index = analysis.region_at(place.start)
        if index not in local:
            facts = region_facts(analysis.document.leaf(index))
            local[index] = [
                symbol
                for symbol in facts.symbols
                if overlap(symbol, renamed) and not any(symbol is it for it in facts.exports)
            ]
        if local[index] and not _is_in_head(analysis, place):
            return _hidden(analysis, index, local[index][0], place)
    return None


def _is_in_head(analysis: Analysis, place: Range) -> bool:
    """Whether a place is in the head of a function, where nothing inside hides a name."""
    statement = statement_at(analysis.document, place.start)
    return statement is not None and statement.record.kind in FUNCTION_HEADS


def _hidden(analysis: Analysis, index: int, symbol: Symbol, place: Range) -> str:
    line, used = _line(analysis, index, symbol), place.start.line + 1
    return f"`{symbol.spelling}` on line {line} would hide the new name on line {used}"


def _in_function(
    analysis: Analysis, renamed: Sought, places: Sequence[Range], joined: Symbol | None
) -> str | None:
    declared = renamed.declared
    facts = region_facts(analysis.document.leaf(declared.region))
    home = facts.scope_at(declared.symbol.start)
    for symbol in _overlapping(home, renamed):
        if symbol != joined and not _is_itself(symbol, renamed):
            line = _line(analysis, declared.region, symbol)
            return f"`{symbol.spelling}` is declared in the same scope, on line {line}"
    seen: set[int] = set()
    for place in places if facts.blocks_in(home) else ():
        inner = analysis.scope_at(place.start)
        for scope in _around(inner) if _encloses(home, inner) else ():
            if scope is home or id(scope) in seen:
                break
            seen.add(id(scope))
            hiding = next(_overlapping(scope, renamed), None)
            if hiding is not None:
                return _hidden(analysis, declared.region, hiding, place)
    return _captured(analysis, renamed, facts, joined)


def _around(scope: Scope | None) -> Iterator[Scope]:
    """Yields a scope and those around it, the innermost first."""
    while scope is not None:
        yield scope
        scope = scope.parent


def _encloses(home: Scope, scope: Scope) -> bool:
    return any(it is home for it in _around(scope))


def _captured(
    analysis: Analysis, renamed: Sought, facts: RegionFacts, joined: Symbol | None
) -> str | None:
    """Returns why uses of an outer symbol would change their meaning; None if none would.

    If the symbol joins a range, the register that it becomes must not be used yet.
    """
    document = analysis.document
    home = facts.scope_at(renamed.declared.symbol.start)
    own: set[int] | None = None
    for place in candidates_in_function(document, renamed):
        if place == renamed.declared.range or not is_code(analysis, renamed.name, place):
            continue
        text = document.lines[place.start.line]
        found = analysis.lookup(text[place.start.column : place.end.column], place.start)
        if found is None or found.range == place:
            continue  # a declaration always names its own symbol
        if found.symbol == joined:
            return f"line {place.start.line + 1} uses `{renamed.name}`"
        own = own if own is not None else _symbols(facts, home)
        if id(found.symbol) in own:
            continue
        if _encloses(home, analysis.scope_at(place.start)):
            hidden, line = found.symbol.spelling, place.start.line + 1
            return f"the new name would hide `{hidden}`, which line {line} uses"
    return None


def _overlapping(scope: Scope, renamed: Sought) -> Iterator[Symbol]:
    """Yields what a scope declares under the new name."""
    single = scope.single(renamed.name)
    names = scope.singles if renamed.is_bank else () if single is None else (single,)
    for symbol in chain(names, scope.ranges.values()):
        if overlap(symbol, renamed):
            yield symbol


def _symbols(facts: RegionFacts, home: Scope) -> set[int]:
    """Returns the identities of the symbols of a scope and of the scopes inside it."""
    return {
        id(symbol)
        for scope in (home, *_below(facts, home))
        for symbol in (*scope.singles, *scope.ranges.values())
    }


def _is_itself(symbol: Symbol, renamed: Sought) -> bool:
    """Whether the symbol is the one being renamed, whose old names become free."""
    is_same = symbol == renamed.declared.symbol
    return is_same and (renamed.is_bank or not symbol.count)


def _below(facts: RegionFacts, scope: Scope) -> Iterator[Scope]:
    for child in facts.blocks_in(scope):
        yield child
        yield from _below(facts, child)


def _line(analysis: Analysis, index: int, symbol: Symbol) -> int:
    return analysis.document.functions[index].first_line + symbol.start[0] + 1
