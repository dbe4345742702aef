"""The kernels, functions and variables of a module, for an index of many modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.statements import statement_at
from ptx_ls.features.navigation.linkage import Linkage, linkage_of
from ptx_ls.semantics.analysis import LocatedSymbol
from ptx_ls.semantics.demangle import demangled
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document


class ModuleSymbol(NamedTuple):
    """A kernel, function or variable of a module.

    `readable` is the name in its source, "" if it is not mangled. `range` is the declaration
    with the body, `statement` without it, `selection` the name. `linkage` is None where other
    modules cannot see it.
    """

    name: str
    readable: str
    kind: SymbolKind
    is_definition: bool
    linkage: Linkage | None
    range: Range
    statement: Range
    selection: Range

    @property
    def detail(self) -> str:
        """Its readable name, linkage and kind: `f(int) (.visible kernel)`, or `.visible kernel`."""
        word = self.linkage.word if self.linkage is not None else ""
        what = f"{word} {self.kind.value}".strip()
        return f"{self.readable} ({what})" if self.readable else what


def module_symbols(document: Document) -> Iterator[ModuleSymbol]:
    """Yields the symbols in the order of the text. Of functions only the heads are read."""
    for located in document.functions:
        if located.head is Kind.SECTION:
            continue
        for symbol in outer_facts(located.function).exports:
            if symbol.is_function or symbol.kind is SymbolKind.VARIABLE:
                place = located.range(symbol.start, symbol.end)
                yield module_symbol(document, LocatedSymbol(symbol, place, located.number))


def module_symbol(document: Document, declared: LocatedSymbol) -> ModuleSymbol:
    """Returns the entry for a symbol of the module."""
    symbol, selection = declared.symbol, declared.range
    statement = statement_at(document, selection.start)
    own = selection
    if statement is not None:
        own = Range(min(statement.start, own.start), max(statement.end, own.end))
    whole = own
    close = document.functions[declared.region].close
    if symbol.is_function and symbol.is_definition and close is not None:
        end = Position(close, content_length(document.lines[close]))
        whole = Range(own.start, max(own.end, end))
    return ModuleSymbol(
        symbol.name,
        demangled(symbol.name) or "",
        symbol.kind,
        symbol.is_definition,
        linkage_of(symbol),
        whole,
        own,
        selection,
    )
