"""The outline of a document: functions with what they declare, variables, debug sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.document.statements import statement_at
from ptx_ls.features.structure.symbol_text import (
    SymbolGroup,
    detail_of,
    group_of_symbol,
    shown_name,
    source_name,
    type_text,
)
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import section_in
from ptx_ls.syntax.names import find_names
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Scope, Symbol

MAX_SYMBOLS: Final = 10_000
"""Maximum number of symbols within functions that are listed."""
_MAX_FUNCTION_LINES: Final = 100_000
"""The longest function, in lines, whose body is read."""
_MAX_SCOPE_DEPTH: Final = 20
"""Maximum depth of nested scopes that are listed."""


_MAX_FOLLOWED_LINES: Final = 2_000
"""The longest document, in lines, whose threads are followed for the outline."""
_LANES: Final = ("%tid", "%laneid", "%lanemask", "elect")
"""The texts without which lanes of a warp do not surely take different paths."""


@dataclass(frozen=True, slots=True)
class DocumentSymbol:
    """A symbol of the outline. `range` is its whole text, `selection` the name in it.

    `name`: as its source spells it, if it is mangled: then, `detail` has the mangled name.
    """

    name: str
    detail: str
    group: SymbolGroup
    range: Range
    selection: Range
    children: list[DocumentSymbol] = field(default_factory=list)
    is_mangled: bool = False


class Outline(NamedTuple):
    """The symbols of a document in the order of the text. `n_nested`: the number within functions.

    That number counts parameters and the symbols that a body declares.
    """

    symbols: list[DocumentSymbol]
    n_nested: int


def document_symbols(document: Document, most: int = MAX_SYMBOLS) -> Outline:
    """Returns the outline of a document.

    Once `most` symbols within functions are listed, only the heads of functions are read.
    """
    found: list[DocumentSymbol] = []
    left = most
    for located in document.functions:
        is_short = located.function.extent.lines <= _MAX_FUNCTION_LINES
        has_inside = left > 0 and is_short
        facts = (region_facts if has_inside else outer_facts)(located.function)
        reader = _FunctionSymbols(document, located, facts)
        found += reader.symbols(has_inside=has_inside)
        left -= reader.n_nested
    return Outline(found, most - left)


class _FunctionSymbols:
    """The symbols of one function of the document."""

    def __init__(self, document: Document, located: LocatedFunction, facts: RegionFacts) -> None:
        self._document = document
        self._located, self._text = located, region_text(located.function)
        self._facts = facts
        self.n_nested = 0

    def symbols(self, *, has_inside: bool) -> list[DocumentSymbol]:
        """Returns the symbols of the module that it declares."""
        function = self._facts.function
        found: list[DocumentSymbol] = []
        children: list[DocumentSymbol] = []
        if self._located.head is Kind.SECTION:
            found.append(self._section())
        if function is not None:
            if has_inside:
                children = self._each((*function.returns, *function.parameters))
                children += self._inside()
                self.n_nested += len(children)
            found.append(self._function(function, children))
        elif self._located.head is Kind.FUNCTION:
            if has_inside:
                children = self._inside()
            found.append(self._unnamed(children))
        outer = (it for it in self._facts.exports if it is not function and not _is_of_debug(it))
        return found + self._each(outer, is_outer=True)

    def _each(self, symbols: Iterable[Symbol], *, is_outer: bool = False) -> list[DocumentSymbol]:
        return [self._of(symbol, is_outer=is_outer) for symbol in symbols]

    def _section(self) -> DocumentSymbol:
        first = self._first_line()
        name = section_in("".join(self._text.lines[:2])) or ".section"
        whole = Range(first.start, self._end())
        return DocumentSymbol(name, "", SymbolGroup.SECTION, whole, first)

    def _function(self, symbol: Symbol, children: list[DocumentSymbol]) -> DocumentSymbol:
        selection = self._range(symbol)
        start = min(self._located.start, selection.start)
        whole = Range(start, max(self._end(), selection.end))
        return DocumentSymbol(
            shown_name(symbol),
            detail_of(symbol),
            group_of_symbol(symbol),
            whole,
            selection,
            children,
            is_mangled=source_name(symbol) is not None,
        )

    def _first_line(self) -> Range:
        """Returns the first line, from the start of the function."""
        return self._located.range(*on_row(0, 0, content_length(self._text.lines[0])))

    def _end(self) -> Position:
        """Returns the end of the body."""
        text, row = self._text, braces(self._located.function).close
        if row is not None:
            line = text.lines[row]
            end = FunctionPosition((row, line.find("}") + 1 or content_length(line)))
        elif text.end[1]:
            end = text.end
        else:
            end = FunctionPosition((len(text.lines) - 1, content_length(text.lines[-1])))
        return self._located.position(end)

    def _unnamed(self, children: list[DocumentSymbol]) -> DocumentSymbol:
        """Returns the symbol of a function whose head cannot be read."""
        head = self._first_line()
        line = self._text.lines[0]
        called = (it[0] for it in find_names(line) if line[it.end() :].lstrip().startswith("("))
        name = next(called, line.strip() or "{")
        last = max((child.range.end for child in children), default=head.end)
        whole = Range(head.start, max(self._end(), head.end, last))
        self.n_nested += len(children)
        return DocumentSymbol(name, "", SymbolGroup.FUNCTION, whole, head, children)

    def _inside(self) -> list[DocumentSymbol]:
        """Returns what the body declares, by scopes."""
        function = self._facts.function
        listed = (*function.parameters, *function.returns) if function is not None else ()
        outer = set(map(id, (*self._facts.exports, *listed)))
        by_scope: dict[int, list[Symbol]] = {}
        for symbol in self._facts.symbols:
            if id(symbol) not in outer and not _is_of_debug(symbol):
                scope = self._facts.scope_at(along(symbol.start, 1))
                by_scope.setdefault(id(scope), []).append(symbol)
        return self._scope(self._facts.scope, by_scope, 0)

    def _scope(
        self, scope: Scope, by_scope: dict[int, list[Symbol]], depth: int
    ) -> list[DocumentSymbol]:
        symbols = by_scope.get(id(scope), [])
        registers = [it for it in symbols if it.kind is SymbolKind.REGISTER]
        others = (it for it in symbols if it.kind is not SymbolKind.REGISTER)
        found = self._each(others)
        if registers:
            found.append(self._registers(registers))
        self.n_nested += len(symbols)
        for inner in self._facts.blocks_in(scope) if depth < _MAX_SCOPE_DEPTH else ():
            children = self._scope(inner, by_scope, depth + 1)
            if children:
                found.append(self._block(inner, children))
        found.sort(key=_start)
        return found

    def _block(self, scope: Scope, children: list[DocumentSymbol]) -> DocumentSymbol:
        start = self._located.position(scope.start)
        last = max(child.range.end for child in children)
        end = max(self._located.position(scope.end) if scope.end else self._end(), last)
        brace = Range(start, Position(start.line, start.column + 1))
        start = min(start, children[0].range.start)
        return DocumentSymbol(
            "{ }", "", SymbolGroup.SCOPE, Range(start, max(end, brace.end)), brace, children
        )

    def _registers(self, registers: list[Symbol]) -> DocumentSymbol:
        children = sorted(self._each(registers), key=_start)
        counts: dict[str, int] = {}
        for symbol in registers:
            kind = type_text(symbol)
            counts[kind] = counts.get(kind, 0) + (symbol.count or 1)
        detail = ", ".join(f"{count} {kind}".strip() for kind, count in counts.items())
        whole = Range(children[0].range.start, max(child.range.end for child in children))
        return DocumentSymbol(
            "registers", detail, SymbolGroup.REGISTERS, whole, children[0].selection, children
        )

    def _of(self, symbol: Symbol, *, is_outer: bool = False) -> DocumentSymbol:
        selection = self._range(symbol)
        whole = selection
        if is_outer:
            statement = statement_at(self._document, selection.start)
            if statement is not None:
                start = min(statement.start, selection.start)
                whole = Range(start, max(statement.end, selection.end))
        name = symbol.spelling if symbol.count else shown_name(symbol)
        is_label = symbol.kind is SymbolKind.LABEL
        detail = self._divided.get(symbol.start, "") if is_label else detail_of(symbol)
        return DocumentSymbol(
            name,
            detail,
            group_of_symbol(symbol, is_outer=is_outer),
            whole,
            selection,
            is_mangled=source_name(symbol) is not None,
        )

    @cached_property
    def _divided(self) -> Mapping[FunctionPosition, str]:
        """The detail of labels whose blocks are certainly executed by only a part of a warp."""
        text, document = self._located.function.text, self._document
        if document.n_lines > _MAX_FOLLOWED_LINES or not any(each in text for each in _LANES):
            return {}
        from ptx_ls.features.threads.divided_blocks import divided_labels  # noqa: PLC0415

        return divided_labels(document, self._located.number)

    def _range(self, symbol: Symbol) -> Range:
        return self._located.range(symbol.start, symbol.end)


def _is_of_debug(symbol: Symbol) -> bool:
    """Whether a symbol is a label of a compiler for its debug data, where no code can go."""
    return symbol.kind is SymbolKind.LABEL and symbol.name.startswith(_DEBUG_LABELS)


def _start(symbol: DocumentSymbol) -> Position:
    return symbol.range.start


_DEBUG_LABELS: Final = (
    *("$L__tmp", "$L__func_", "$L__info_string", "$L__debug_", "$L__pub"),
    *("$func_begin", "$func_end", "$LDWbegin", "$LDWend"),
)
"""How the names of labels begin that compilers write for debug data alone."""
