"""Declares names in the scopes of a function, and finds those that are declared twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.plain_labels import ScopeLabels
from ptx_ls.semantics.symbols.symbols import (
    FUNCTION_KINDS,
    UNKNOWN_TYPE,
    Scope,
    Symbol,
    SymbolKind,
    is_again,
)
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts

_EXTERN: Final = ".extern"


def declare_label(name: str, start: FunctionPosition, scope: Scope, facts: RegionFacts) -> Symbol:
    """Declares a label in a scope, and returns it."""
    label = Symbol(name, SymbolKind.LABEL, start, along(start, len(name)))
    facts.listed.append(label)
    before = scope.single(name)
    if before is not None:
        facts.duplicates.append((label, before))
    elif name.rstrip("0123456789") not in scope.ranges or scope.find(name) is None:
        scope.names[name] = label
    return label


def declare(symbol: Symbol, scope: Scope, facts: RegionFacts) -> None:
    """Declares a symbol in a scope."""
    if symbol.kind in FUNCTION_KINDS and not symbol.linkage:
        symbol = _linked(symbol, scope.find(symbol.name))
    symbol = scope.seen_since(symbol)
    facts.listed.append(symbol)
    if symbol.name == "_":
        return
    if symbol.count:
        before = scope.ranges.get(symbol.name)
        for other in scope.within(symbol):
            if other.kind is SymbolKind.LABEL or _is_parameter(other, facts.function):
                _remove(other.name, scope)  # ptxas takes the register from here on
            elif before is None:
                before = other
        scope.ranges.setdefault(symbol.name, symbol)
    else:
        before = scope.find(symbol.name)
        if before is None or not before.is_definition:
            scope.names[symbol.name] = symbol
    if before is None:
        return
    is_twice = before.is_definition and (symbol.is_definition or is_again(symbol, before))
    if is_twice and symbol.facts != before.facts:
        _blur(before, symbol, scope, facts)
    (facts.duplicates if is_twice else facts.redeclared).append((symbol, before))


def declare_register(symbol: Symbol, scope: Scope, facts: RegionFacts) -> None:
    """Declares a single register; fast in the usual case that its name is new."""
    if symbol.name in scope.names or symbol.name in scope.labels or scope.ranges:
        declare(symbol, scope, facts)
    else:
        facts.listed.append(symbol)
        scope.names[symbol.name] = symbol


def _blur(first: Symbol, second: Symbol, scope: Scope, facts: RegionFacts) -> None:
    """Gives a local name that has two declarations a type that matches both."""
    if scope is facts.module_scope or bool(first.count) != bool(second.count):
        return
    table = scope.ranges if first.count else scope.names
    if table.get(first.name) is first and SymbolKind.LABEL not in (first.kind, second.kind):
        count = max(first.count, second.count)
        table[first.name] = first._replace(type=UNKNOWN_TYPE, count=count)


def _is_parameter(symbol: Symbol, function: Symbol | None) -> bool:
    return function is not None and any(
        symbol is other for other in (*function.parameters, *function.returns)
    )


def _remove(name: str, scope: Scope) -> None:
    scope.names.pop(name, None)
    if isinstance(scope.labels, ScopeLabels):
        scope.labels.remove(name)


def _linked(symbol: Symbol, before: Symbol | None) -> Symbol:
    """Returns a function with the linkage of its earlier declaration."""
    if before is None or before.kind not in FUNCTION_KINDS or before.linkage == _EXTERN:
        return symbol
    return symbol._replace(linkage=before.linkage)
