"""What a function declares after an edit of a declaration: all but that is taken over.

To read a function of 40,000 lines again takes ten milliseconds, and somebody types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols import declaration_reader
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import first_instruction
from ptx_ls.semantics.symbols.region_text import label_name, single
from ptx_ls.semantics.symbols.register_banks import plain_banks
from ptx_ls.semantics.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_ls.syntax.record import Kind, Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.syntax.document import Document

_PLAIN: Final = frozenset(
    {
        Kind.BLANK,
        Kind.COMMENT,
        Kind.INSTRUCTION,
        Kind.BROKEN,
        Kind.DECLARATION,
        Kind.LABEL,
    }
)
"""Statements that open no scope, and whose meaning does not depend on those around them."""
_DECLARED: Final = (SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.LABEL)
_NAMED: Final = frozenset(
    {SymbolKind.PROTOTYPE, SymbolKind.BRANCH_TARGETS, SymbolKind.CALL_TARGETS}
)
_MOST: Final = 20_000
"""Scopes of a function that are taken over one by one."""


def edited_facts(
    facts: RegionFacts, document: Document, index: int, lines: tuple[int, int]
) -> RegionFacts | None:
    """The facts of a region from those before an edit; None if it has to be read.

    `lines`: from which line of the region on up to which one others stand now, as many.
    """
    first, stop = lines
    region = document.outline.regions[index]
    scope = facts.scope_at((first, 0))
    if region.close is None or scope is facts.module_scope or not _is_simple(facts):
        return None
    declared = _declared_on(document, region.start, lines)
    rows = [symbol.start[0] for symbol in facts.symbols]
    gone = [symbol for symbol, row in zip(facts.symbols, rows, strict=True) if first <= row < stop]
    if declared is None or not all(_is_of(scope, symbol) for symbol in gone):
        return None
    if any(first <= it.end[0] and it.start[0] < stop for it in facts.directives):
        return None
    if any(
        place and first <= place[0] < stop for it in facts.scopes for place in (it.start, it.end)
    ):
        return None  # a brace was edited: its scope may be gone
    at = next((number for number, row in enumerate(rows) if row >= stop), len(rows))
    symbols = [*facts.symbols[: at - len(gone)], *declared, *facts.symbols[at:]]
    if facts.symbols[at - len(gone) : at] != gone or not _are_apart(scope, gone, declared, symbols):
        return None
    new, copies = _taken_over(facts)
    _rename(copies[id(scope)], gone, declared)
    new.symbols = symbols
    stop = document.outline.stop(index)
    first_other = first_instruction(document.records, region.start, stop)
    new.banks, new.ranges = plain_banks(new, first_other)
    return new


def _is_simple(facts: RegionFacts) -> bool:
    """Whether they are of a function with nothing odd."""
    return (
        facts.function is not None
        and not (facts.duplicates or facts.redeclared or facts.doubtful)
        and len(facts.scopes) <= _MOST
        and _NAMED.isdisjoint([symbol.kind for symbol in facts.symbols])
    )


def _declared_on(document: Document, start: int, lines: tuple[int, int]) -> list[Symbol] | None:
    """What lines of a region declare, each statement alone on its line; None for others."""
    found: list[Symbol] = []
    for number in range(*lines):
        read, line = document.records[start + number], document.lines[start + number]
        if isinstance(read, Run) or read.kind not in _PLAIN:
            return None
        if read.kind in (Kind.DECLARATION, Kind.LABEL):
            statement = single(line, read, number)
            if read.kind is Kind.DECLARATION:
                found += declaration_reader.of_declaration(statement.text, statement.start)
            else:
                name, (row, column) = label_name(statement.text), statement.start
                end = row, column + len(name)
                found.append(Symbol(name, SymbolKind.LABEL, statement.start, end))
    return found


def _is_of(scope: Scope, symbol: Symbol) -> bool:
    """Whether a scope knows a symbol by its name."""
    table = scope.ranges if symbol.count else scope.names
    return symbol.kind in _DECLARED and table.get(symbol.name) is symbol


def _are_apart(
    scope: Scope,
    gone: Sequence[Symbol],
    declared: Sequence[Symbol],
    symbols: Sequence[Symbol],
) -> bool:
    """Whether what is declared now, and what was, have no names with anything else in common."""
    changed = [*gone, *declared]
    for symbol in changed:
        if symbol.kind not in _DECLARED or symbol.name in ("", "_"):
            return False
        if symbol.count:
            stem = symbol.name
            alike = [it.name for it in symbols if it.name.startswith(stem)]
            if any(name[len(stem) :].isdecimal() for name in alike):
                return False
    names = [(symbol.name, bool(symbol.count)) for symbol in declared]
    if len(set(names)) < len(names):
        return False
    kept = {id(symbol) for symbol in gone}
    for symbol in declared:
        table = scope.ranges if symbol.count else scope.names
        before = table.get(symbol.name)
        stem = symbol.name.rstrip("0123456789")
        is_numbered = stem != symbol.name and (
            stem in scope.ranges or any(it.count and it.name == stem for it in declared)
        )
        if (before is not None and id(before) not in kept) or is_numbered:
            return False
    return True


def _taken_over(facts: RegionFacts) -> tuple[RegionFacts, dict[int, Scope]]:
    """The same facts with scopes of their own, for the old ones may be in use on a thread.

    The scopes by the identities of the old ones.
    """
    new = RegionFacts()
    new.function, new.exports, new.has_section = facts.function, facts.exports, facts.has_section
    new.directives, new.events = facts.directives, facts.events
    copies: dict[int, Scope] = {}
    new.module_scope = _copied(facts.module_scope, None, copies)
    waiting = [facts.module_scope]
    while waiting:
        scope = waiting.pop()
        own = copies[id(scope)]
        own.children = [_copied(child, own, copies) for child in scope.children]
        waiting += scope.children
    new.scope = copies[id(facts.scope)]
    new.scopes = [copies[id(scope)] for scope in facts.scopes]
    return new, copies


def _copied(scope: Scope, parent: Scope | None, copies: dict[int, Scope]) -> Scope:
    own = copies[id(scope)] = Scope(scope.start, parent)
    own.end, own.names, own.ranges = scope.end, scope.names, scope.ranges
    return own


def _rename(scope: Scope, gone: Sequence[Symbol], declared: Sequence[Symbol]) -> None:
    """Gives a scope tables of its own where they change, in the order of the text."""
    for is_range, table in ((False, scope.names), (True, scope.ranges)):
        new = [(it.name, it) for it in declared if bool(it.count) is is_range]
        names = {it.name for it in gone if bool(it.count) is is_range}
        if not new and not names:
            continue
        known = [(name, it) for name, it in table.items() if name not in names]
        if new:
            known = sorted([*known, *new], key=_place)
        if is_range:
            scope.ranges = dict(known)
        else:
            scope.names = dict(known)


def _place(named: tuple[str, Symbol]) -> tuple[int, int]:
    return named[1].start
